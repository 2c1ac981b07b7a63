//===- OrderBounds.h - Lower bounds, order by order ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PORTFOLIO_ORDERBOUNDS_H
#define REMAT_LIB_SOLVER_PORTFOLIO_ORDERBOUNDS_H

#include "Bound/Bounds.h"

#include <map>
#include <mutex>

namespace remat::solver {

/// Bounds for plans within one cap in given orders of first executions, each
/// found once: what helps to choose an order need not be found again to tell
/// how good the plan is. May be used by several threads.
class OrderBounds {
public:
  OrderBounds(const Problem &problem, int64_t capBytes,
              const Tuning &tuning = Tuning::defaults())
      : problem(problem), capBytes(capBytes), tuning(tuning) {}

  /// The bound for `order`, which is empty for the schedule; looks for one if
  /// there is none yet.
  Certificate find(const std::vector<StepId> &order, double deadlineSeconds);

  /// The bound for `order`, made as high as time allows: with the cost of a
  /// plan as a goal it often reaches it where it did not without.
  Certificate improve(const std::vector<StepId> &order, int64_t goalCost,
                      double deadlineSeconds);

  /// The bound for `order` that was found, or else the cost of the schedule.
  Certificate known(const std::vector<StepId> &order) const;

private:
  const Problem &problem;
  const int64_t capBytes;
  const Tuning &tuning;
  mutable std::mutex mutex;
  std::map<std::vector<StepId>, Certificate> bounds;

  BoundOptions optionsFor(double deadlineSeconds) const;
};

/// `plan` for withOrder(problem, order), as a plan for `problem`.
Plan inSchedule(const Plan &plan, const std::vector<StepId> &order);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PORTFOLIO_ORDERBOUNDS_H
