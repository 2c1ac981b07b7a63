//===- Frontier.h - Cost against memory, for all caps ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_FRONTIER_H
#define REMAT_SOLVER_FRONTIER_H

#include "remat/Solver/Problem.h"
#include "remat/Solver/Tuning.h"

#include <functional>

namespace remat::solver {

struct FrontierOptions {
  /// The number of caps, 1 or more.
  int numCaps = 16;
  /// The solver that plans for some of the caps with all it has.
  std::string solver;
  /// Wall-clock seconds for all together; 0 means no deadline.
  double deadlineSeconds = 0;
  /// Executes the steps for the first time in the order of the schedule.
  bool keepOrder = false;
  /// How work is shared out, for measurements. Must live as long as the call.
  const Tuning *tuning = &Tuning::defaults();
  /// Called before the work for each cap, with the number done so far, and
  /// before each improvement after that, with numCaps. May throw, which ends
  /// the search.
  std::function<void(int)> progress;
};

/// The best plan found within one cap.
struct FrontierPoint {
  int64_t capBytes = 0;
  /// Valid, and within the cap.
  Plan plan;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  /// Whether it executes the steps for the first time in another order than
  /// that of the schedule.
  bool isReordered = false;
  /// No plan within the cap costs less, of those in the order in which the
  /// frontier was planned (that of all its plans with recomputations).
  int64_t lowerBoundCost = 0;
};

/// Plans for `numCaps` caps at even distances from the lowest peak that was
/// found to the peak of the schedule, in that order. Neither costs nor bounds
/// rise with the cap: a plan within a lower cap is one within a higher one, and
/// a bound for a higher cap is one for a lower. All are in one order: that of
/// the schedule, or another if the solver may choose one and a little work for
/// a cap halfway shows that it promises more. The plan of each cap also
/// starts the search at its neighbours, so that all caps together take little
/// longer than a few plans. Nothing if there is no such solver; empty without
/// steps.
std::optional<std::vector<FrontierPoint>>
computeFrontier(const Problem &problem, const FrontierOptions &options);

} // namespace remat::solver

#endif // REMAT_SOLVER_FRONTIER_H
