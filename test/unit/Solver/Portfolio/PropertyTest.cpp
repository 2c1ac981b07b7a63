//===- PropertyTest.cpp - Solvers against each other, by chance -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random problems, each named by its seed in a failure. What one part says of a
// problem another must confirm: the solvers and the validator, the heuristic
// and the oracle.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

constexpr uint64_t numSeeds = 2500;
constexpr int maxSteps = 9;

/// A cap below the peak of the schedule, so that there is something to do.
int64_t randomCap(const Problem &problem, uint64_t seed) {
  int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
  uint64_t random = seed ^ 0x5eed;
  return peak - 1 - nextRandom(random, 1 + peak / 3);
}

SolverResult solveWith(std::string_view solver, const Problem &problem,
                       int64_t capBytes) {
  SolverOptions options;
  options.capBytes = capBytes;
  return *solve(problem, solver, options);
}

/// The heuristic is never better than the oracle, never wrong about its own
/// plan, and good: how good, the limits at the end say.
TEST(Properties, DynamicProgrammingAgainstTheOracle) {
  int numFeasible = 0, numFound = 0, numOptimal = 0;
  int numInfeasible = 0, numLowest = 0;
  double cost = 0, optimalCost = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    int64_t cap = randomCap(problem, seed);
    SolverResult exact = solveWith("brute-force", problem, cap);
    SolverResult dp = solveWith("dp", problem, cap);
    ASSERT_TRUE(exact.proven);
    for (const SolverResult *result : {&exact, &dp}) {
      Validation verdict = validate(problem, result->plan);
      ASSERT_EQ(verdict.error, "");
      ASSERT_EQ(verdict.peakBytes, result->peakBytes);
      ASSERT_EQ(verdict.cost, result->cost);
      ASSERT_EQ(result->status == SolveStatus::Ok, verdict.peakBytes <= cap);
      ASSERT_FALSE(result->stepsAtPeak.empty());
    }
    if (exact.status == SolveStatus::Ok) {
      ++numFeasible;
      if (dp.status != SolveStatus::Ok)
        continue;
      ASSERT_GE(dp.cost, exact.cost);
      ASSERT_LE(*dp.lowerBoundCost, exact.cost);
      ASSERT_TRUE(!dp.proven || dp.cost == exact.cost);
      ++numFound;
      numOptimal += dp.cost == exact.cost;
      cost += dp.cost;
      optimalCost += exact.cost;
    } else {
      ASSERT_NE(dp.status, SolveStatus::Ok);
      ASSERT_LE(dp.floorBytes, exact.lowestPeakBytes);
      ASSERT_GE(dp.lowestPeakBytes, exact.lowestPeakBytes);
      ++numInfeasible;
      numLowest += dp.lowestPeakBytes == exact.lowestPeakBytes;
    }
  }
  std::printf("feasible %d: dp found a plan for %d, optimal for %d, cost %.3f "
              "of the optimum; infeasible %d: dp found the lowest peak of %d\n",
              numFeasible, numFound, numOptimal, cost / optimalCost,
              numInfeasible, numLowest);
  EXPECT_GT(numFeasible, 300);
  EXPECT_GT(numInfeasible, 300);
  // Somewhat below what was measured (83 %, 75 %, 1.04, 94 %). Most misses tear
  // groups apart in ways that the heuristic does not try.
  EXPECT_GE(numFound, 0.80 * numFeasible);
  EXPECT_GE(numOptimal, 0.70 * numFound);
  EXPECT_LE(cost, 1.06 * optimalCost);
  EXPECT_GE(numLowest, 0.92 * numInfeasible);
}

TEST(Properties, SolversAreDeterministic) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    int64_t cap = randomCap(problem, seed);
    for (const SolverInfo &info : allSolvers())
      ASSERT_EQ(solveWith(info.name, problem, cap).plan.sequence,
                solveWith(info.name, problem, cap).plan.sequence);
  }
}

} // namespace
