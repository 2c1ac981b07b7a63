//===- PortfolioTest.cpp - All planners together --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a graph that is large enough for every planner, every round and another
// order to take part.
//
//===----------------------------------------------------------------------===//

#include "Portfolio/OrderBounds.h"

#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"
#include "remat/Support/FileIO.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

/// ResNet-18: 393 steps, and orders that promise more than the schedule.
Problem readGraph() {
  std::string error;
  std::optional<std::string> text = remat::readFile(
      REMAT_TEST_DATA_DIR "/graphs/rn18_b4_nhwc_cv.problem.txt", error);
  EXPECT_TRUE(text) << error;
  ParsedProblem parsed = parseProblem(text.value_or(""));
  EXPECT_TRUE(parsed.problem) << parsed.error;
  return parsed.problem.value_or(Problem());
}

SolverOptions atPercent(const Problem &problem, int percent) {
  SolverOptions options;
  options.capBytes =
      computeTimeline(problem, originalPlan(problem)).peakBytes * percent / 100;
  return options;
}

void expectSame(const SolverResult &a, const SolverResult &b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.plan.sequence, b.plan.sequence);
  EXPECT_EQ(a.member, b.member);
  EXPECT_EQ(a.lowestPeakBytes, b.lowestPeakBytes);
  EXPECT_EQ(a.lowerBoundCost, b.lowerBoundCost);
  EXPECT_EQ(a.boundKind, b.boundKind);
}

/// The whole portfolio, on one thread, on two, and on two once more.
TEST(Portfolio, ThreadsChangeNothingButTheTime) {
  Problem problem = readGraph();
  for (int percent : {50, 41}) {
    SCOPED_TRACE(percent);
    SolverOptions options = atPercent(problem, percent);
    SolverResult twoThreads = *solve(problem, "auto", options);
    expectSame(twoThreads, *solve(problem, "auto", options));
    options.maxThreads = 1;
    expectSame(twoThreads, *solve(problem, "auto", options));
  }
}

TEST(Portfolio, IsNeverWorseThanItsMembersInOneOrder) {
  Problem problem = readGraph();
  SolverOptions options = atPercent(problem, 45);
  options.keepOrder = true;
  SolverResult all = *solve(problem, "auto", options);
  ASSERT_EQ(all.status, SolveStatus::Ok);
  EXPECT_FALSE(all.isReordered);
  int numFitting = 0;
  for (const char *member :
       {"blocks", "segments", "greedy", "mincut", "lns", "dp"}) {
    SCOPED_TRACE(member);
    SolverResult alone = *solve(problem, member, options);
    EXPECT_EQ(validate(problem, alone.plan).error, "");
    if (alone.status != SolveStatus::Ok)
      continue;
    ++numFitting;
    EXPECT_FALSE(alone.member.empty());
    EXPECT_LE(all.cost, alone.cost);
  }
  EXPECT_GE(numFitting, 3);
}

/// What cannot be met is infeasible, also where the time was up: a proof needs
/// no more time.
TEST(Portfolio, ProvenBeatsDeadline) {
  Problem problem = readGraph();
  SolverOptions options = atPercent(problem, 10);
  options.deadlineSeconds = 0.01;
  SolverResult result = *solve(problem, "auto", options);
  EXPECT_EQ(result.status, SolveStatus::Infeasible);
  EXPECT_TRUE(result.proven);
  EXPECT_GT(result.floorBytes, options.capBytes);
}

/// The bound of an order is found once, is one of that order, and rises with
/// a goal to reach.
TEST(OrderBounds, KeepsABoundForEachOrder) {
  Problem problem = readGraph();
  int64_t capBytes = atPercent(problem, 50).capBytes;
  OrderBounds bounds(problem, capBytes);
  EXPECT_EQ(bounds.known({}).cost, problem.scheduleCost());
  Certificate schedule = bounds.find({}, 0);
  EXPECT_GT(schedule.cost, problem.scheduleCost());
  EXPECT_EQ(bounds.known({}).cost, schedule.cost);

  // The schedule as an order of its own: the same bound under another name.
  std::vector<StepId> order = originalPlan(problem).sequence;
  EXPECT_EQ(bounds.known(order).cost, problem.scheduleCost());
  Certificate renamed = bounds.find(order, 0);
  EXPECT_EQ(renamed.cost, schedule.cost);
  EXPECT_EQ(renamed.order, order);
  for (const Certificate *certificate : {&schedule, &renamed})
    EXPECT_EQ(checkCertificate(problem, capBytes, *certificate).value_or(""),
              "");
  EXPECT_GE(bounds.improve({}, schedule.cost * 2, 0).cost, schedule.cost);
}

} // namespace
