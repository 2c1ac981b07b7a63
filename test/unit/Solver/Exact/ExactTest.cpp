//===- ExactTest.cpp - The exact solver against the oracle ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/Exact.h"
#include "Bound/Bounds.h"
#include "Heuristics/Heuristics.h"
#include "Oracle.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

bool never() { return false; }

/// The best-first search, started from nothing or from the plan of a heuristic.
struct Searched {
  Searched(const Problem &problem, int64_t capBytes, bool withPlan,
           const std::function<bool()> &isOutOfTime = never)
      : Searched(problem, optionsFor(problem, capBytes, withPlan), withPlan,
                 isOutOfTime) {}

  Plan plan;
  ExhaustiveFindings findings;
  /// That nothing is cheaper, or nothing fits.
  bool isProven = false;

private:
  static PlannerOptions optionsFor(const Problem &problem, int64_t capBytes,
                                   bool withPlan) {
    PlannerOptions options;
    options.capBytes = capBytes;
    BoundOptions boundOptions;
    boundOptions.capBytes = capBytes;
    boundOptions.effort = 0;
    if (withPlan)
      options.lowerBoundCost = lowerBound(problem, boundOptions).cost;
    return options;
  }

  Searched(const Problem &problem, const PlannerOptions &options, bool withPlan,
           const std::function<bool()> &isOutOfTime) {
    PlannerContext context(problem, options);
    context.offer(originalPlan(problem), "");
    if (withPlan)
      planInPool(searchMinCuts, context);
    searchBestFirst(context, exactMaxStates, isOutOfTime);
    plan = context.best()->plan;
    findings = context.findings;
    // It does not look for what is cheaper than the bound it was given.
    isProven = findings.isInfeasible ||
               (context.fits() &&
                context.best()->cost <=
                    findings.lowerBoundCost.value_or(options.lowerBoundCost));
  }
};

/// A cap for a random problem, and what the oracle says of it.
struct Case {
  Case(uint64_t seed, int maxSteps)
      : problem(randomProblem(seed, maxSteps)), random(seed ^ 0xe8ac7),
        peakBytes(computeTimeline(problem, originalPlan(problem)).peakBytes),
        capBytes(peakBytes - 1 - nextRandom(random, 1 + peakBytes / 2)),
        oracle(problem, capBytes) {}

  /// Moves on to a cap at which there is a plan; false if it is the schedule.
  bool makeFeasible() {
    if (oracle.isFeasible)
      return true;
    if (oracle.lowestPeakBytes >= peakBytes)
      return false;
    capBytes = oracle.lowestPeakBytes +
               nextRandom(random, peakBytes - oracle.lowestPeakBytes);
    oracle = Oracle(problem, capBytes);
    EXPECT_TRUE(oracle.isFeasible);
    return true;
  }

  Problem problem;
  uint64_t random;
  int64_t peakBytes;
  int64_t capBytes;
  Oracle oracle;
};

/// Optimal wherever there is a plan, and proves it; infeasible exactly where
/// nothing is feasible.
void compareWithOracle(uint64_t firstSeed, uint64_t numSeeds, int maxSteps) {
  int numFeasible = 0, numInfeasible = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case each(seed, maxSteps);
    bool withPlan = nextRandom(each.random, 3) == 0;
    if (!each.oracle.isFeasible) {
      ++numInfeasible;
      Searched exact(each.problem, each.capBytes, withPlan);
      ASSERT_TRUE(exact.findings.isInfeasible);
      if (!each.makeFeasible())
        continue;
    }
    ++numFeasible;
    Searched exact(each.problem, each.capBytes, withPlan);
    ASSERT_TRUE(exact.isProven);
    Validation verdict = validate(each.problem, exact.plan);
    ASSERT_TRUE(verdict.valid()) << verdict.error;
    ASSERT_LE(verdict.peakBytes, each.capBytes);
    ASSERT_EQ(verdict.cost, each.oracle.cost);
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
  int64_t capBytes = 54;
  EXPECT_EQ(Oracle(problem, capBytes).cost, 77);
  Searched exact(problem, capBytes, false);
  EXPECT_TRUE(exact.isProven);
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
    Searched exact(each.problem, each.capBytes, seed % 2 == 0,
                   [&] { return looksLeft-- <= 0; });
    Validation verdict = validate(each.problem, exact.plan);
    ASSERT_TRUE(verdict.valid()) << verdict.error;
    int64_t least = each.oracle.cost;
    if (exact.isProven) {
      ++numProven;
      ASSERT_EQ(verdict.cost, least);
      continue;
    }
    ++numOpen;
    if (exact.findings.lowerBoundCost) {
      ASSERT_LE(*exact.findings.lowerBoundCost, least);
      int64_t cost =
          computeTimeline(each.problem, originalPlan(each.problem)).cost;
      numRaised += *exact.findings.lowerBoundCost > cost;
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
    options.capBytes = int64_t{16} * tensors;
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
