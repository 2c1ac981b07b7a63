//===- StreamFunction.h - The memory of a function around its regions -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function at stream level holds memory in three ways: buffers that the
// caller passed in (for as long as the call lasts), results of execute regions
// (from the start of the region to their last use; the results of one region
// that have the same lifetime share one allocation), and the slab of transients
// that each region has to itself. Constants of the module are held all the
// time.
//
//   position      import   execute#0      execute#1       return
//   inputs        #############################################
//   slab #0                ##########
//   results #0             ########################            <- read by #1
//   slab #1                               #########
//   results #1                            ####################  <- returned
//
// The same picture is read twice: before allocation, to know what a region may
// use, and after it, to know what IREE really allocated.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_STREAMFUNCTION_H
#define REMAT_IR_STREAMFUNCTION_H

#include "remat/IR/Diagnostic.h"
#include "remat/IR/Wrappers.h"

namespace remat::ir {

/// One execute region and the memory around it.
struct ExecuteRegion {
  /// stream.async.execute before allocation, stream.cmd.execute after.
  Op op;
  /// Held while the region runs, its own slab left out.
  int64_t outsideBytes = 0;
  /// The slab of the region; known after allocation only.
  int64_t slabBytes = 0;
};

/// A function with execute regions.
struct StreamFunction {
  Op function;
  std::string name;
  std::vector<ExecuteRegion> regions;
  int64_t inputBytes = 0;
  /// The part of the inputs whose buffers results take over.
  int64_t donatedBytes = 0;
  int64_t outputBytes = 0;
  int64_t constantBytes = 0;

  /// After allocation: the most that is held at any time, and the largest slab.
  int64_t peakBytes() const;
  int64_t largestSlabBytes() const;
};

/// All functions below `root` that hold execute regions, before or after
/// allocation. Nothing after an error was reported: an allocation or a result
/// whose size is not a constant.
std::optional<std::vector<StreamFunction>>
readStreamFunctions(Op root, const DiagnosticSink &sink);

} // namespace remat::ir

#endif // REMAT_IR_STREAMFUNCTION_H
