//===- ApplyPlan.h - From a Plan back to IR -------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_APPLYPLAN_H
#define REMAT_IR_APPLYPLAN_H

#include "remat/IR/ProblemBuilder.h"

namespace remat::ir {

/// What applyPlan did to a block.
struct AppliedPlan {
  int64_t clonedOps = 0;
  /// stream.async.concurrent ops that were dissolved, because the plan runs
  /// something between their steps or the region says that they must be.
  int64_t dissolvedGroups = 0;
  /// stablehlo.optimization_barrier ops that tie clones to their place.
  int64_t fences = 0;
};

/// Rewrites the block of `region` into the sequence of the valid `plan`: ops
/// are put in the order of their first executions, every further execution is a
/// clone, and every operand is the newest version of its tensor. The location
/// of a clone is that of the original under the name "remat". `region` does not
/// describe the block any more afterwards.
AppliedPlan applyPlan(RegionProblem &region, const solver::Plan &plan);

} // namespace remat::ir

#endif // REMAT_IR_APPLYPLAN_H
