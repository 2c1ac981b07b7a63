//===- OrderSelection.h - Plans and bounds in an order of one's own -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H
#define REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H

#include "Bound/Bounds.h"
#include "Reorder/Reorder.h"

#include "remat/Solver/Solvers.h"

namespace remat::solver {

/// `plan` for withOrder(problem, order), as a plan for `problem`.
Plan inSchedule(const Plan &plan, const std::vector<StepId> &order);

/// A bound on plans for withOrder(problem, order), as one on the plans for
/// `problem` that execute the steps for the first time in `order`.
Certificate inSchedule(Certificate certificate,
                       const std::vector<StepId> &order);

/// improveBound() on a bound for the schedule or for the order that `start`
/// names; one that proves nothing yet is found anew.
Certificate improveBoundInOrder(const Problem &problem,
                                const BoundOptions &options, Certificate start);

/// The order in which plans within the cap promise to be cheapest: a little
/// work on the schedule and on each of findOrders() tells. Empty if that is the
/// schedule.
std::vector<StepId> chooseOrder(const Problem &problem,
                                const SolverOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H
