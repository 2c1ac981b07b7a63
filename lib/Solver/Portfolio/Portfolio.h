//===- Portfolio.h - Several planners for one order ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H
#define REMAT_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H

#include "Search/PlannerContext.h"

namespace remat::solver {

/// All heuristics and the chain DP, each as it works alone; then the chain DP
/// crosses the best plans, and their neighbourhoods are searched. Where nothing
/// fits, looks for the lowest peak. Never worse than its members. Uses two
/// threads where there are two processors, which changes nothing but the time.
/// Tiny problems go to brute force. Complexity: the sum of its members.
void searchByMembers(PlannerContext &context);

/// The members, then for up to 100 steps some ten thousand states of the
/// best-first search.
void searchPortfolio(PlannerContext &context);

/// The members, then the best-first search with all the states it may have.
void searchExactly(PlannerContext &context);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PORTFOLIO_PORTFOLIO_H
