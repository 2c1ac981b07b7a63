//===- Oracle.h - What is true of small problems --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brute force without solve() around it, so that what is compared with the
// oracle, such as lower bounds, has no part in what the oracle says.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_EXACT_ORACLE_H
#define REMAT_TEST_UNIT_SOLVER_EXACT_ORACLE_H

#include "Exact/BruteForce.h"

#include <gtest/gtest.h>

namespace remat::solver {

/// The best plan for a small problem in the order of its schedule.
struct Oracle {
  Oracle(const Problem &problem, int64_t capBytes) {
    PlannerOptions options;
    options.capBytes = capBytes;
    PlannerContext context(problem, options);
    searchExhaustively(context);
    if (!context.best()) {
      ADD_FAILURE() << "the problem is too large for brute force";
      return;
    }
    isFeasible = context.fits();
    EXPECT_EQ(context.findings.isInfeasible, !isFeasible);
    plan = context.best()->plan;
    cost = context.best()->cost;
    lowestPeakBytes = context.lowest()->peakBytes;
  }

  bool isFeasible = false;
  Plan plan;
  /// Of `plan`: the least within the cap, if there is a plan within it.
  int64_t cost = 0;
  /// The lowest peak of all plans, unless `isFeasible`.
  int64_t lowestPeakBytes = 0;
};

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_EXACT_ORACLE_H
