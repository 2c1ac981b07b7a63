//===- BruteForceTest.cpp - The oracle, checked by hand and by chance -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/BruteForce.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>

using namespace remat::solver;

namespace {

SolverResult bruteForce(const Problem &problem, int64_t capBytes) {
  SolverOptions options;
  options.capBytes = capBytes;
  return *solve(problem, "brute-force", options);
}

/// Four forward steps and their backward steps in reverse; the schedule holds
/// h1..h4 (of 10 bytes) and a gradient of 1 byte at its peak of 41.
const char *chain = "tensor 0 bytes=0 kind=input\n"
                    "tensor 1 bytes=10\ntensor 2 bytes=10\n"
                    "tensor 3 bytes=10\ntensor 4 bytes=10\n"
                    "tensor 14 bytes=1\ntensor 13 bytes=1\n"
                    "tensor 12 bytes=1\ntensor 11 bytes=1\n"
                    "step 1 cost=1 in=0 out=1\nstep 2 cost=1 in=1 out=2\n"
                    "step 3 cost=1 in=2 out=3\nstep 4 cost=1 in=3 out=4\n"
                    "step 14 cost=1 in=4 out=14\n"
                    "step 13 cost=1 in=14,3 out=13\n"
                    "step 12 cost=1 in=13,2 out=12\n"
                    "step 11 cost=1 in=12,1 out=11\n"
                    "input 0\noutput 11\n";

TEST(BruteForce, KeepsTheScheduleIfItFits) {
  SolverResult result = bruteForce(parseForTest(chain), 41);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_EQ(result.cost, 8);
  EXPECT_EQ(result.plan.sequence.size(), 8u);
}

/// With room for 31 bytes h1 goes and is recomputed by step 1 alone.
TEST(BruteForce, RecomputesTheCheapestTensor) {
  SolverResult result = bruteForce(parseForTest(chain), 31);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.cost, 9);
  EXPECT_EQ(result.lowerBoundCost, 9);
  EXPECT_LE(result.peakBytes, 31);
}

/// h3 can stay beside h4 and the gradient of h4 (10 + 10 + 1), nothing else; h2
/// and h1 are recomputed from the input, 2 + 1 steps more. With one byte less
/// h3 would have to go too, and its recomputation needs h2, h3 and a gradient.
TEST(BruteForce, RecomputesFromTheStartAtTheLowestPeak) {
  SolverResult result = bruteForce(parseForTest(chain), 21);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_EQ(result.cost, 8 + 2 + 1);
  result = bruteForce(parseForTest(chain), 20);
  EXPECT_EQ(result.status, SolveStatus::Infeasible);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(result.lowestPeakBytes, 21);
  EXPECT_EQ(result.peakBytes, 21);
  EXPECT_EQ(result.cost, 8 + 2 + 1);
}

TEST(BruteForce, NamesTheStepsAtThePeak) {
  SolverResult result = bruteForce(
      parseForTest("tensor 0 bytes=8\ntensor 1 bytes=8\nstep 5 out=0 group=0\n"
                   "step 6 out=1 group=0\n"),
      15);
  EXPECT_EQ(result.status, SolveStatus::Infeasible);
  EXPECT_EQ(result.stepsAtPeak, (std::vector<StepId>{0, 1}));
}

TEST(BruteForce, GivesUpOnLargeProblems) {
  Problem problem;
  for (size_t i = 0; i <= bruteForceMaxSteps; ++i) {
    problem.tensors.emplace_back().label = i;
    problem.tensors.back().bytes = 1;
    Step &step = problem.steps.emplace_back();
    step.label = i;
    step.results = {static_cast<TensorId>(i)};
  }
  ASSERT_FALSE(check(problem));
  PlannerContext context(problem, PlannerOptions());
  searchExhaustively(context);
  EXPECT_FALSE(context.best());
  EXPECT_FALSE(context.findings.isInfeasible);
  EXPECT_FALSE(context.findings.lowerBoundCost);
}

/// What an enumeration of all sequences up to a length finds.
struct Enumeration {
  int64_t bestCost = -1;
  int64_t lowestPeak = -1;
};

/// Extends `sequence` in every way that keeps the order of first executions.
void enumerate(const Problem &problem, int64_t cap, size_t maxLength,
               StepId next, std::vector<StepId> &sequence, Enumeration &found) {
  if (next == static_cast<StepId>(problem.steps.size())) {
    Validation verdict = validate(problem, {sequence});
    if (verdict.valid()) {
      if (found.lowestPeak < 0 || verdict.peakBytes < found.lowestPeak)
        found.lowestPeak = verdict.peakBytes;
      if (verdict.peakBytes <= cap &&
          (found.bestCost < 0 || verdict.cost < found.bestCost))
        found.bestCost = verdict.cost;
    }
  }
  if (sequence.size() == maxLength)
    return;
  for (StepId step = 0;
       step <= std::min<StepId>(next, problem.steps.size() - 1); ++step) {
    sequence.push_back(step);
    enumerate(problem, cap, maxLength, next + (step == next), sequence, found);
    sequence.pop_back();
  }
}

/// Sequences of up to seven executions of up to four steps, all of them. Longer
/// plans than that the oracle alone can find.
TEST(BruteForce, AgreesWithAnEnumerationOfAllSequences) {
  constexpr size_t maxLength = 7;
  int numCompared = 0, numRecomputing = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 4);
    ASSERT_EQ(check(problem).value_or(""), "");
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed;
    int64_t cap = peak - 1 - nextRandom(random, 1 + peak / 2);
    Enumeration expected;
    std::vector<StepId> sequence;
    enumerate(problem, cap, maxLength, 0, sequence, expected);

    SolverResult result = bruteForce(problem, cap);
    ASSERT_TRUE(result.proven);
    bool isOk = result.status == SolveStatus::Ok;
    if (expected.bestCost >= 0) {
      ASSERT_TRUE(isOk);
      EXPECT_LE(result.cost, expected.bestCost);
    }
    if (!isOk) {
      EXPECT_LE(result.lowestPeakBytes, expected.lowestPeak);
    }
    if (result.plan.sequence.size() > maxLength)
      continue;
    ++numCompared;
    numRecomputing += result.plan.sequence.size() > problem.steps.size();
    int64_t value = isOk ? result.cost : result.lowestPeakBytes;
    EXPECT_EQ(value, isOk ? expected.bestCost : expected.lowestPeak);
  }
  // Without these the comparison would say little.
  EXPECT_GT(numCompared, 1800);
  EXPECT_GT(numRecomputing, 60);
}

} // namespace
