//===- Compiler.h - From a program and a cap to a module that fits --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow behind remat-compile, in one process on IREE's compiler library:
//
//   source -> flow -> stream.async -+-> [rematerialize] -> stream.cmd -> .vmfb
//                                   |                          |
//                                   +---- more than the cap ---+
//
// IREE's packing may need more than the live ranges of a plan. So the slab that
// it really allocated is read, and while the whole footprint exceeds the cap
// the region at fault is planned again with that much less.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_DRIVERS_COMPILE_COMPILER_H
#define REMAT_DRIVERS_COMPILE_COMPILER_H

#include "remat/Transforms/Rematerialize.h"

#include <functional>

namespace remat {

/// The targets, in words. What cpu:im2col is for: IREE has fast code on
/// processors for convolutions as layers write them forward, not for most of
/// those in the backward pass of programs from elsewhere. As matrix products
/// of patches (im2col) all are fast, for the memory of the patches.
inline constexpr const char *targetForms =
    "cpu, cpu:im2col, cuda or cuda:sm_XY (such as cuda:sm_80)";

/// What to compile, for what, and within how much memory.
struct CompileOptions {
  /// A file of StableHLO (or anything else IREE takes), or "-".
  std::string input;
  /// One of `targetForms`.
  std::string target = "cpu";
  /// Put on IREE's command line as they are.
  std::vector<std::string> ireeFlags;
  /// Plain compilation, the same bytes as from iree-compile: nothing is planned
  /// or rewritten, and late reads (see LateReads.h) are only warned about.
  bool noRemat = false;
  /// Stop when memory is allocated: no code is generated, the bytes are empty.
  bool planOnly = false;
  /// Cap (empty: nothing is planned), solver, deadline, best effort, costs and
  /// trace; `report` and `target` are not read.
  RematOptions remat;
  /// A directory for the IR after each stage; empty means none is written.
  std::string dumpIrDirectory;
};

/// The whole device footprint of the function that needs the most, as IREE's
/// runtime counts it.
struct Footprint {
  int64_t peakBytes = 0;
  /// The largest slab of transients that IREE allocates.
  int64_t transientBytes = 0;
  /// Peak of the live ranges behind that slab; the rest is packing.
  int64_t liveBytes = 0;
  int64_t inputBytes = 0;
  int64_t outputBytes = 0;
  int64_t constantBytes = 0;
};

/// What compile() did; figures that are unknown (dynamic shapes, compiled
/// without recomputation) are absent.
struct CompileReport {
  std::string input;
  std::string target;
  /// All flags that IREE was given, the user's and those of the target.
  std::vector<std::string> ireeFlags;
  std::optional<int64_t> capBytes;
  std::optional<Footprint> before;
  std::optional<Footprint> after;
  /// What was repaired before anything was planned.
  ir::LateReadRepair repair;
  RematReport remat;
  bool capMet = true;
  /// Whether the slab of `after` was packed by us instead of by IREE.
  bool ownPacking = false;
  /// How often was planned until the packed slab met the cap.
  int64_t attempts = 0;
  double compileSeconds = 0;
};

/// Everything that the user of compile() sees while it runs.
struct CompileListener {
  /// A stage begins.
  std::function<void(const std::string &stage)> onStage;
  /// A detail, for verbose output.
  std::function<void(const std::string &detail)> onDetail;
  /// An error or warning, rendered, with its source line.
  std::function<void(const std::string &message)> onMessage;
};

/// Compiles; returns the bytes of the .vmfb, or nothing after the listener was
/// told why. `program` begins the messages that IREE's command line prints.
/// One call per process: IREE's flags are global.
std::optional<std::string> compile(const char *program,
                                   const CompileOptions &options,
                                   const CompileListener &listener,
                                   CompileReport &report);

/// `report` as the JSON text that --report writes.
std::string toJson(const CompileReport &report);

/// Reads measured costs from a JSON file:
///   {"model_scale": 1.5, "kernels": {"main_dispatch_0_matmul": 250000, ...}}
/// with times in nanoseconds. Nothing, and why in `error`, if it is not one.
std::optional<ir::KernelCosts> loadKernelCosts(const std::string &path,
                                               std::string &error);

} // namespace remat

#endif // REMAT_DRIVERS_COMPILE_COMPILER_H
