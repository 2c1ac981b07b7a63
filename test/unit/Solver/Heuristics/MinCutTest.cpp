//===- MinCutTest.cpp - Plans from minimum cuts ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

TEST(MinCut, DropsTheCheaperTensor) {
  // At step 2 one of tensors 0 and 1 has to go; 1 is cheaper to recompute.
  Problem problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=32
tensor 3 bytes=0
step 0 cost=9 out=0
step 1 cost=4 out=1
step 2 cost=5 out=2
step 3 cost=5 in=2 out=3
step 4 cost=5 in=0
step 5 cost=5 in=1
output 3
)");
  SolverOptions options;
  options.capBytes = 48;
  SolverResult result = *solve(problem, "mincut", options);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_EQ(result.plan.sequence, (std::vector<StepId>{0, 1, 2, 3, 4, 1, 5}));
  EXPECT_TRUE(result.proven);
}

TEST(MinCut, AgainstTheOracle) {
  int numFeasible = 0, numFound = 0, numOptimal = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xc07;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 4);
    SolverResult exact = *solve(problem, "brute-force", options);
    SolverResult result = *solve(problem, "mincut", options);
    ASSERT_LE(result.floorBytes, exact.lowestPeakBytes);
    if (exact.status != SolveStatus::Ok) {
      ASSERT_NE(result.status, SolveStatus::Ok);
      continue;
    }
    ++numFeasible;
    if (result.status != SolveStatus::Ok)
      continue;
    ++numFound;
    ASSERT_GE(result.cost, exact.cost);
    ASSERT_LE(*result.lowerBoundCost, exact.cost);
    numOptimal += result.cost == exact.cost;
  }
  std::printf("feasible %d: found a plan for %d, optimal for %d\n", numFeasible,
              numFound, numOptimal);
  EXPECT_GT(numFeasible, 200);
  // Somewhat below what was measured.
  EXPECT_GE(numFound, 0.80 * numFeasible);
  EXPECT_GE(numOptimal, 0.65 * numFound);
}

} // namespace
