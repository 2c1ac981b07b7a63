//===- ExactTest.cpp - The exact solver against the oracle ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

bool never() { return false; }

/// The exact solver without a plan to start from, or with that of a heuristic.
SolverResult solveFrom(const Problem &problem, int64_t capBytes,
                       bool withPlan) {
  SolverOptions options;
  options.capBytes = capBytes;
  SolverResult start;
  if (withPlan)
    start = solveMinCut(problem, options);
  else
    start.plan = originalPlan(problem);
  BoundOptions boundOptions;
  boundOptions.capBytes = capBytes;
  boundOptions.effort = 0;
  Certificate bound = lowerBound(problem, boundOptions);
  return improveExactly(problem, capBytes, withPlan ? bound.cost : 0, never,
                        start);
}

/// Optimal wherever there is a plan, and proves it; infeasible exactly where
/// nothing is feasible.
TEST(Exact, AgainstTheOracle) {
  constexpr uint64_t numSeeds = 6000;
  constexpr int maxSteps = 8;
  int numFeasible = 0, numInfeasible = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xe8ac7;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 2);
    SolverResult oracle = solveBruteForce(problem, options);
    ASSERT_TRUE(oracle.proven);
    bool withPlan = nextRandom(random, 3) == 0;
    if (oracle.status != SolveStatus::Ok) {
      ++numInfeasible;
      SolverResult exact = solveFrom(problem, options.capBytes, withPlan);
      ASSERT_TRUE(exact.proven);
      ASSERT_EQ(exact.status, SolveStatus::Infeasible);
      if (oracle.lowestPeakBytes >= peak)
        continue;
      options.capBytes = oracle.lowestPeakBytes +
                         nextRandom(random, peak - oracle.lowestPeakBytes);
      oracle = solveBruteForce(problem, options);
      ASSERT_EQ(oracle.status, SolveStatus::Ok);
    }
    ++numFeasible;
    SolverResult exact = solveFrom(problem, options.capBytes, withPlan);
    Validation verdict = validate(problem, exact.plan);
    ASSERT_TRUE(verdict.valid()) << verdict.error;
    ASSERT_LE(verdict.peakBytes, options.capBytes);
    ASSERT_EQ(verdict.cost, *oracle.lowerBoundCost);
  }
  std::printf("feasible %d, infeasible %d\n", numFeasible, numInfeasible);
  EXPECT_GT(numFeasible, 1000);
  EXPECT_GT(numInfeasible, 1000);
}

} // namespace
