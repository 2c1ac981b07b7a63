//===- Baselines.h - Plans that people make without a planner -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_DRIVERS_RUN_BASELINES_H
#define REMAT_DRIVERS_RUN_BASELINES_H

#include "Compiled.h"

namespace remat::run {

/// A plan of a simple rule, as a point of the memory-time plane.
struct BaselinePoint {
  std::string rule;
  int64_t peakBytes = 0;
  int64_t cost = 0;
};

/// The plan that drops the storages in `dropped` after their last read by a
/// forward step and makes each again, with whatever of its operands is gone
/// too, just before the first backward step that reads it. Storages whose
/// steps may not be repeated stay. Nothing if that gives no valid plan.
std::optional<solver::Plan> dropPlan(const solver::Problem &problem,
                                     const std::vector<bool> &isForward,
                                     const std::vector<bool> &dropped);

/// The points of
///   keep all              the original schedule,
///   checkpoint per block  of the forward pass, what one block passes to later
///                         ones is kept; a block is what the origins call by
///                         one name up to its first number,
///   square-root segments  likewise, for as many segments of equal bytes as
///                         the square root of the number of activations,
///   greedy                drops one activation after the other, the one with
///                         the most bytes per recomputed nanosecond first; one
///                         point for each fiftieth that the peak falls by.
std::vector<BaselinePoint> baselinePoints(const TracedRegion &region);

} // namespace remat::run

#endif // REMAT_DRIVERS_RUN_BASELINES_H
