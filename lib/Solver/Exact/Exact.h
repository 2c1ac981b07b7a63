//===- Exact.h - Best-first search with lower bounds ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_EXACT_EXACT_H
#define REMAT_LIB_SOLVER_EXACT_EXACT_H

#include "Search/PlannerContext.h"

#include <functional>

namespace remat::solver {

constexpr size_t exactMaxSteps = 240;
constexpr size_t exactMaxStates = 1'000'000;

/// Best-first search over the same sequences as brute force, with lower bounds
/// for the rest of the way, below the cost of the best plan that `context` was
/// offered. Objective: least cost within the cap. Optimal under the order of
/// the schedule if it ends, and proves that nothing meets the cap, but not
/// which peak is the lowest. Stopped by `maxStates` or `isOutOfTime`, it notes
/// the bound it has reached. Does nothing for more than `exactMaxSteps` steps,
/// 240 tensors or 12 steps in one group. Complexity: exponential; each state
/// takes a few hundred bytes.
void searchBestFirst(PlannerContext &context, size_t maxStates,
                     const std::function<bool()> &isOutOfTime);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_EXACT_EXACT_H
