//===- Exact.h - Optimal plans for small problems -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_EXACT_EXACT_H
#define REMAT_LIB_SOLVER_EXACT_EXACT_H

#include "remat/Solver/Solvers.h"

#include <functional>

namespace remat::solver {

struct ExactOptions {
  int64_t capBytes = 0;
  /// Nothing below exists.
  int64_t lowerBoundCost = 0;
  size_t maxStates = exactMaxStates;
  std::function<bool()> isOutOfTime;
};

/// What solveExact() does with the plan of the portfolio: looks for a cheaper
/// one, and for a proof that there is none.
SolverResult improveExactly(const Problem &problem, const ExactOptions &options,
                            SolverResult start);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_EXACT_EXACT_H
