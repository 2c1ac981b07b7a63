//===- PlanOutcomeTest.cpp - Results of solvers in reports ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PlanOutcome.h"

#include <gtest/gtest.h>

using namespace remat;
using namespace remat::solver;

static PlanOutcome outcomeOf(BoundKind kind) {
  SolverResult result;
  result.status = SolveStatus::Ok;
  result.lowerBoundCost = 12;
  result.boundKind = kind;
  return describeOutcome(result);
}

// A bound for all orders does not assume the planned one.
TEST(PlanOutcome, BoundsSayWhetherTheyAssumeTheOrder) {
  EXPECT_FALSE(outcomeOf(BoundKind::Schedule).bound->assumesOrder);
  EXPECT_FALSE(outcomeOf(BoundKind::AnyOrder).bound->assumesOrder);
  EXPECT_TRUE(outcomeOf(BoundKind::MinimumCut).bound->assumesOrder);
  EXPECT_TRUE(outcomeOf(BoundKind::SeveralMoments).bound->assumesOrder);
  EXPECT_TRUE(outcomeOf(BoundKind::Exhaustive).bound->assumesOrder);
}

TEST(PlanOutcome, BoundsCarryTheirKindAndCost) {
  PlanOutcome outcome = outcomeOf(BoundKind::AnyOrder);
  EXPECT_EQ(outcome.bound->kind, "any-order");
  EXPECT_EQ(outcome.bound->cost, 12);
  EXPECT_FALSE(describeOutcome(SolverResult()).bound);
}

TEST(PlanOutcome, OnlyOkMeetsTheCap) {
  SolverResult result;
  result.status = SolveStatus::Deadline;
  EXPECT_FALSE(describeOutcome(result).capMet);
  EXPECT_TRUE(describeOutcome(result).deadlinePassed);
  result.status = SolveStatus::Infeasible;
  EXPECT_FALSE(describeOutcome(result).capMet);
  EXPECT_FALSE(describeOutcome(result).deadlinePassed);
}
