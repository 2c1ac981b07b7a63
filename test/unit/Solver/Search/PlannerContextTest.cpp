//===- PlannerContextTest.cpp - What planners offer -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PlannerContext.h"
#include "ParseForTest.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

/// x -> a -> b -> c, and d reads c and a. The schedule holds a, b and c (30
/// bytes) at its peak; with a recomputed before d it holds two of them.
const char *skip = "tensor 0 bytes=0 kind=input\n"
                   "tensor 1 bytes=10\ntensor 2 bytes=10\n"
                   "tensor 3 bytes=10\ntensor 4 bytes=0\n"
                   "step 1 cost=5 in=0 out=1\nstep 2 cost=7 in=1 out=2\n"
                   "step 3 cost=9 in=2 out=3\nstep 4 cost=1 in=3,1 out=4\n"
                   "input 0\noutput 4\n";
const std::vector<StepId> schedule = {0, 1, 2, 3},
                          recomputing = {0, 1, 2, 0, 3};

PlannerOptions withCap(int64_t capBytes) {
  PlannerOptions options;
  options.capBytes = capBytes;
  return options;
}

TEST(PlannerContext, ComputesPeakAndCostOfWhatIsOffered) {
  Problem problem = parseForTest(skip);
  PlannerContext context(problem, withCap(20));
  EXPECT_EQ(context.best(), nullptr);
  context.offer({schedule}, "first");
  EXPECT_FALSE(context.fits());
  EXPECT_EQ(context.best()->peakBytes, 30);
  EXPECT_EQ(context.best()->cost, 22);
  context.offer({recomputing}, "second");
  ASSERT_TRUE(context.fits());
  EXPECT_EQ(context.best()->peakBytes, 20);
  EXPECT_EQ(context.best()->cost, 27);
  EXPECT_EQ(context.best()->planner, "second");
}

/// Within the cap the cheapest is the best, whatever its peak; the lowest peak
/// is kept besides.
TEST(PlannerContext, KeepsTheCheapestAndTheLowest) {
  Problem problem = parseForTest(skip);
  PlannerContext context(problem, withCap(30));
  context.offer({recomputing}, "low");
  context.offer({schedule}, "cheap");
  EXPECT_EQ(context.best()->planner, "cheap");
  EXPECT_EQ(context.lowest()->planner, "low");
  // Of equal ones the first stays.
  context.offer({schedule}, "late");
  context.offer({recomputing}, "late");
  EXPECT_EQ(context.best()->planner, "cheap");
  EXPECT_EQ(context.lowest()->planner, "low");
}

TEST(PlannerContext, AdoptsOffersAndFindings) {
  Problem problem = parseForTest(skip);
  PlannerContext context(problem, withCap(20)), other(problem, withCap(20));
  context.offer({schedule}, "mine");
  other.offer({recomputing}, "theirs");
  other.findings.lowerBoundCost = 27;
  context.adopt(other);
  EXPECT_EQ(context.best()->planner, "theirs");
  EXPECT_EQ(context.findings.lowerBoundCost, 27);
}

/// The goal lies a hundredth of the bound's overhead above the bound.
TEST(PlannerOptions, TheGoalIsNearTheBound) {
  Problem problem = parseForTest(skip);
  PlannerOptions options;
  options.lowerBoundCost = 22 + 1000;
  EXPECT_EQ(options.goalCost(problem), 22 + 1000 + 10);
  Tuning tuning;
  tuning.solve.goalShare = 0;
  options.tuning = &tuning;
  EXPECT_EQ(options.goalCost(problem), 22 + 1000);
}

} // namespace
