//===- Rematerialize.h - The passes, independent of their host ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of each pass as a function over the MLIR C API. The plugin for
// mlir-opt wraps them in C++ passes (Passes.td), remat-opt in external passes,
// remat-compile calls rematerialize() directly.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_REMATERIALIZE_H
#define REMAT_TRANSFORMS_REMATERIALIZE_H

#include "remat/IR/CostModel.h"
#include "remat/IR/Diagnostic.h"
#include "remat/Report/PlanReport.h"
#include "remat/Support/MemorySize.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

// The options of each pass, from Passes.td.
#define GEN_PASS_OPTIONS
#include "remat/Transforms/PassOptions.h.inc"

/// The options of rematerialize(): those of the pass, and those that only hosts
/// in C++ can set.
struct RematOptions : RematerializeOptions {
  RematOptions() = default;
  explicit RematOptions(RematerializeOptions options)
      : RematerializeOptions(std::move(options)) {}

  /// Measured costs, for hosts that have some.
  ir::KernelCosts kernelCosts;
  /// Whether to trace the regions.
  bool trace = false;
  /// How users of the host spell the option `bestEffort`; errors name it.
  std::string bestEffortSpelling = "best-effort";
};

/// Bytes by which the transients of a region must stay below what the cap
/// leaves, because their packing exceeded their live ranges by that much.
struct PackingSlack {
  std::string function;
  int64_t regionIndex = 0;
  int64_t bytes = 0;
};

/// Repairs late reads (see LateReads.h), then rewrites all functions below
/// `root` (a module or a function) so that their whole footprint stays within
/// the cap. Returns false after an error was reported to `sink`, a report that
/// cannot be written included; the IR is unchanged then except for the repair.
/// `report` holds the results up to that point.
bool rematerialize(MlirOperation root, const RematOptions &options,
                   const DiagnosticSink &sink, RematReport &report,
                   const std::vector<PackingSlack> &slack = {});

/// Appends the live ranges of all functions below `root`, region by region, to
/// `out`. Returns false after an error was reported to `sink`.
bool printLiveRanges(MlirOperation root, const DiagnosticSink &sink,
                     std::string &out);

/// Appends the problem of each region in the text form that remat-solve takes.
bool printProblems(MlirOperation root, const std::string &target,
                   const DiagnosticSink &sink, std::string &out);

/// Appends the cost, size and recomputability of each op, likewise.
bool printCosts(MlirOperation root, const std::string &target,
                const DiagnosticSink &sink, std::string &out);

} // namespace remat

#endif // REMAT_TRANSFORMS_REMATERIALIZE_H
