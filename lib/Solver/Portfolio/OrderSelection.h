//===- OrderSelection.h - In which order to plan --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H
#define REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H

#include "Portfolio/OrderBounds.h"
#include "Search/PlannerContext.h"

namespace remat::solver {

/// searchPortfolio() on the schedule or, where its lower bound or a little work
/// on each shows that this promises more, on another order of the steps; on a
/// second one if that little work was better there than all the work on the
/// first. Where reordering alone meets the cap nothing is recomputed. Problems
/// that brute force can plan are planned in all orders. Complexity: that of the
/// portfolio, once or twice, and a tenth of it.
void searchInAnyOrder(PlannerContext &context, OrderBounds &bounds);

/// Reordering alone: steps that free memory run as soon as they can, steps that
/// take it as late as they can, and around the peak dynamic programming finds
/// the best order of a few. Nothing runs twice. Objective: the first order that
/// meets the cap, or that of the lowest peak found; never above the schedule. A
/// baseline. Complexity: O(n log n), a second for 100,000 steps.
void searchOrders(PlannerContext &context);

/// The order in which plans within the cap promise to be cheapest: a little
/// work on the schedule and on each of findOrders() tells. Empty if that is the
/// schedule.
std::vector<StepId> chooseOrder(const Problem &problem,
                                const PlannerOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PORTFOLIO_ORDERSELECTION_H
