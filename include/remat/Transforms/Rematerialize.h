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
#include "remat/IR/LateReads.h"
#include "remat/Support/MemorySize.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// The options of the `rematerialize` pass; Passes.td describes each.
struct RematOptions {
  /// As the user wrote it, see parseMemoryCap; empty means no cap.
  std::string memoryCap;
  bool bestEffort = false;
  std::string solver;
  /// Leave the original ops in their order.
  bool keepOrder = false;
  double deadlineSeconds = 0;
  /// Cost model: "auto" (what the module is compiled for, else cpu), "cpu" or
  /// "cuda".
  std::string target = "auto";
  /// Where the JSON report goes; empty means nowhere.
  std::string report;
  /// Measured costs, for hosts that have some.
  ir::KernelCosts kernelCosts;
  /// Whether the report shall hold traces.
  bool trace = false;
};

/// What was done to one planned region: the body of a stream.async.execute, or
/// the body of a function on tensors.
struct RegionReport {
  std::string function;
  /// Counts the regions of a function from 0.
  int64_t regionIndex = 0;
  /// Bytes held outside the region while it runs: inputs, outputs, constants
  /// and what other regions left behind.
  int64_t outsideBytes = 0;
  /// Peak bytes of what the region itself allocates, by live ranges.
  int64_t transientBytesBefore = 0;
  int64_t transientBytesAfter = 0;
  /// The bytes its transients may take: the cap less `outsideBytes` less slack.
  int64_t transientCapBytes = 0;
  int64_t steps = 0;
  int64_t recomputedSteps = 0;
  /// Whether the original ops are in another order.
  bool reordered = false;
  int64_t costBefore = 0;
  int64_t costAfter = 0;
  /// No plan costs less, of those that execute the steps for the first time in
  /// the same order unless `boundHoldsInAnyOrder`.
  std::optional<int64_t> lowerBoundCost;
  bool boundHoldsInAnyOrder = true;
  std::string solver;
  double planSeconds = 0;
  bool capMet = true;
};

/// A region as it was planned, step by step, for reports that draw it.
struct RegionTrace {
  std::string function;
  int64_t regionIndex = 0;
  int64_t outsideBytes = 0;
  /// In the format of solver::printProblem.
  std::string problem;
  /// The executions, as indices of the problem's steps.
  std::vector<int32_t> sequence;
  /// Per step: where it comes from in the source (the names of its location,
  /// e.g. layers, else file and line), and the bytes it reads and writes.
  std::vector<std::string> origins;
  std::vector<int64_t> movedBytes;
};

/// What `rematerialize` did to all functions below its root.
struct RematReport {
  /// The cap in bytes, resolved against `peakBytesBefore`.
  std::optional<int64_t> capBytes;
  /// Whole footprint, by live ranges, of the function that needs the most.
  int64_t peakBytesBefore = 0;
  int64_t peakBytesAfter = 0;
  /// What was put right before anything was planned.
  ir::LateReadRepair repair;
  std::vector<RegionReport> regions;
  /// One per region if the options ask for it.
  std::vector<RegionTrace> traces;

  int64_t totalSteps() const;
  int64_t totalRecomputedSteps() const;
  double totalPlanSeconds() const;
  /// Added cost in percent of the original cost.
  double overheadPercent() const;
  /// Whether ops of any region are in another order.
  bool isReordered() const;
  /// At least this much must be added by any plan, if known for all regions; by
  /// any in the same order if `boundAssumesOrder()`.
  std::optional<double> lowerBoundOverheadPercent() const;
  bool boundAssumesOrder() const;
};

/// Bytes by which the transients of a region must stay below what the cap
/// leaves, because packing them took that much more than their live ranges.
struct PackingSlack {
  std::string function;
  int64_t regionIndex = 0;
  int64_t bytes = 0;
};

/// Repairs late reads (see LateReads.h), then rewrites all functions below
/// `root` (a module or a function) such that their whole footprint stays within
/// the cap. Returns false after an error was reported to `sink`; the IR is
/// unchanged then but for the repair. `report` is filled in any case
/// as far as things got.
bool rematerialize(MlirOperation root, const RematOptions &options,
                   const DiagnosticSink &sink, RematReport &report,
                   const std::vector<PackingSlack> &slack = {});

/// `report` as the JSON text that the pass option `report` writes.
std::string toJson(const RematReport &report);

/// The traces of `report` as JSON text.
std::string traceToJson(const RematReport &report);

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
