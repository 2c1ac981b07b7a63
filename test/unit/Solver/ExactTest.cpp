//===- ExactTest.cpp - The exact solver against the oracle ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/Exact.h"
#include "Bound/Bounds.h"
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
SolverResult solveFrom(const Problem &problem, int64_t capBytes, bool withPlan,
                       const std::function<bool()> &isOutOfTime = never) {
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
  return improveExactly(
      problem,
      {capBytes, withPlan ? bound.cost : 0, exactMaxStates, isOutOfTime},
      start);
}

/// A cap for a random problem, and what the oracle says of it.
struct Case {
  Case(uint64_t seed, int maxSteps)
      : problem(randomProblem(seed, maxSteps)), random(seed ^ 0xe8ac7) {
    peakBytes = computeTimeline(problem, originalPlan(problem)).peakBytes;
    options.capBytes = peakBytes - 1 - nextRandom(random, 1 + peakBytes / 2);
    ask();
  }

  void ask() {
    oracle = solveBruteForce(problem, options);
    EXPECT_TRUE(oracle.proven);
  }
  bool isFeasible() const { return oracle.status == SolveStatus::Ok; }

  /// Moves on to a cap at which there is a plan; false if it is the schedule.
  bool makeFeasible() {
    if (isFeasible())
      return true;
    if (oracle.lowestPeakBytes >= peakBytes)
      return false;
    options.capBytes = oracle.lowestPeakBytes +
                       nextRandom(random, peakBytes - oracle.lowestPeakBytes);
    ask();
    return true;
  }

  Problem problem;
  uint64_t random;
  int64_t peakBytes;
  SolverOptions options;
  SolverResult oracle;
};

/// Optimal wherever there is a plan, and proves it; infeasible exactly where
/// nothing is feasible.
void compareWithOracle(uint64_t firstSeed, uint64_t numSeeds, int maxSteps) {
  int numFeasible = 0, numInfeasible = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case each(seed, maxSteps);
    bool withPlan = nextRandom(each.random, 3) == 0;
    if (!each.isFeasible()) {
      ++numInfeasible;
      SolverResult exact =
          solveFrom(each.problem, each.options.capBytes, withPlan);
      ASSERT_TRUE(exact.proven);
      ASSERT_EQ(exact.status, SolveStatus::Infeasible);
      if (!each.makeFeasible())
        continue;
    }
    ++numFeasible;
    SolverResult exact =
        solveFrom(each.problem, each.options.capBytes, withPlan);
    Validation verdict = validate(each.problem, exact.plan);
    ASSERT_TRUE(verdict.valid()) << verdict.error;
    ASSERT_LE(verdict.peakBytes, each.options.capBytes);
    ASSERT_EQ(verdict.cost, *each.oracle.lowerBoundCost);
  }
  std::printf("feasible %d, infeasible %d\n", numFeasible, numInfeasible);
  EXPECT_GT(numFeasible, numSeeds / 6);
  EXPECT_GT(numInfeasible, numSeeds / 6);
}

TEST(Exact, AgainstTheOracle) { compareWithOracle(0, 6000, 8); }

TEST(Exact, AgainstTheOracleOnLargerProblems) {
  compareWithOracle(100000, 400, 10);
}

/// The optimum ends a slot with a step that it had put into it for that, though
/// its result was there.
TEST(Exact, AStepRunsOnlyToEndASlotLater) {
  Problem problem = randomProblem(102660, 10);
  SolverOptions options;
  options.capBytes = 54;
  EXPECT_EQ(*solveBruteForce(problem, options).lowerBoundCost, 77);
  SolverResult exact = solveFrom(problem, options.capBytes, false);
  EXPECT_TRUE(exact.proven);
  EXPECT_EQ(validate(problem, exact.plan).cost, 77);
}

/// Out of time it claims no more than it knows.
TEST(Exact, StoppedEarly) {
  int numProven = 0, numOpen = 0, numRaised = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case each(seed, 10);
    if (!each.makeFeasible())
      continue;
    int looksLeft = static_cast<int>(nextRandom(each.random, 4));
    SolverResult exact =
        solveFrom(each.problem, each.options.capBytes, seed % 2 == 0,
                  [&] { return looksLeft-- <= 0; });
    Validation verdict = validate(each.problem, exact.plan);
    ASSERT_TRUE(verdict.valid()) << verdict.error;
    int64_t least = *each.oracle.lowerBoundCost;
    if (exact.proven) {
      ++numProven;
      ASSERT_EQ(verdict.cost, least);
      continue;
    }
    ++numOpen;
    if (exact.lowerBoundCost) {
      ASSERT_LE(*exact.lowerBoundCost, least);
      int64_t cost =
          computeTimeline(each.problem, originalPlan(each.problem)).cost;
      numRaised += *exact.lowerBoundCost > cost;
    }
  }
  std::printf("proven %d, stopped %d, of these with a bound %d\n", numProven,
              numOpen, numRaised);
  EXPECT_GT(numOpen, 20);
  EXPECT_GT(numRaised, 0);
}

/// A chain in which tensors of one size, each of the cost of one step, are all
/// alike: any of them may go.
TEST(Exact, AChainOfEqualLayers) {
  constexpr int numLayers = 10;
  std::string text;
  auto number = [](int n) { return std::to_string(n); };
  for (int i = 0; i <= 2 * numLayers; ++i)
    text += "tensor " + number(i) + " bytes=16\n";
  for (int i = 0; i < numLayers; ++i)
    text += "step " + number(i) + " cost=10 in=" + number(i) +
            " out=" + number(i + 1) + "\n";
  for (int i = numLayers; i < 2 * numLayers; ++i)
    text += "step " + number(i) + " cost=10 in=" + number(i) + "," +
            number(2 * numLayers - i) + " out=" + number(i + 1) + "\n";
  text += "input 0\noutput " + number(2 * numLayers) + "\n";
  Problem problem = parseForTest(text);
  // A backward step needs its two operands and its result beside the input. At
  // the turn all layers are there unless they were given up: with room for them
  // nothing runs again.
  SolverOptions options;
  int64_t lastCost = 0;
  for (int tensors = 4; tensors <= numLayers + 2; ++tensors) {
    SCOPED_TRACE(testing::Message() << tensors << " tensors");
    options.capBytes = 16 * tensors;
    SolverResult result = *solve(problem, "exact", options);
    EXPECT_EQ(result.status, SolveStatus::Ok);
    EXPECT_TRUE(result.proven);
    if (tensors > 4) {
      EXPECT_LE(result.cost, lastCost);
    }
    lastCost = result.cost;
  }
  EXPECT_EQ(lastCost, 200);
  options.capBytes = 16 * 4 - 1;
  SolverResult result = *solve(problem, "exact", options);
  EXPECT_EQ(result.status, SolveStatus::Infeasible);
  EXPECT_TRUE(result.proven);
}

} // namespace
