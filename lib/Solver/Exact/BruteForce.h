//===- BruteForce.h - The oracle: exhaustive search ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_EXACT_BRUTEFORCE_H
#define REMAT_LIB_SOLVER_EXACT_BRUTEFORCE_H

#include "Search/PlannerContext.h"

namespace remat::solver {

constexpr size_t bruteForceMaxSteps = 12;
constexpr size_t bruteForceMaxTensors = 40;

/// Whether brute force takes on `problem`.
bool isSmallEnoughForBruteForce(const Problem &problem);

/// Exhaustive search over the sequences in which the steps are executed for the
/// first time in the order of the schedule; recomputations stand anywhere.
/// Objective: least cost within the cap, or the lowest peak where no such
/// sequence meets the cap. Optimal, and proves infeasibility, under that order;
/// another order of the schedule may allow a better plan. Offers nothing for
/// problems that are not small enough, and finds out nothing past the deadline.
/// Complexity: exponential; for tests and tiny problems only.
void searchExhaustively(PlannerContext &context);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_EXACT_BRUTEFORCE_H
