//===- FrontierTest.cpp - Cost against memory, for all caps ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Frontier.h"
#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"
#include "remat/Support/FileIO.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

std::vector<FrontierPoint> frontierOf(const Problem &problem, int numCaps) {
  FrontierOptions options;
  options.numCaps = numCaps;
  options.solver = defaultSolver;
  return *computeFrontier(problem, options);
}

TEST(Frontier, FromTheLowestPeakToTheSchedule) {
  // 48 bytes as it is, 32 if step 0 runs again.
  Problem problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=16
tensor 3 bytes=0
step 0 cost=1 out=0
step 1 cost=5 in=0 out=1
step 2 cost=5 in=1 out=2
step 3 cost=5 in=2,0 out=3
output 3
)");
  std::vector<FrontierPoint> points = frontierOf(problem, 3);
  ASSERT_EQ(points.size(), 3u);
  int64_t caps[] = {32, 40, 48}, costs[] = {17, 17, 16};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(points[i].capBytes, caps[i]);
    EXPECT_EQ(points[i].cost, costs[i]);
    EXPECT_EQ(points[i].lowerBoundCost, costs[i]);
  }
}

TEST(Frontier, OneCapIsThePeakOfTheSchedule) {
  Problem problem = randomProblem(1, 9);
  std::vector<FrontierPoint> points = frontierOf(problem, 1);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].plan.sequence, originalPlan(problem).sequence);
}

TEST(Frontier, ExtremeCases) {
  EXPECT_TRUE(frontierOf(Problem(), 4).empty());
  FrontierOptions options;
  options.solver = "none";
  EXPECT_FALSE(computeFrontier(randomProblem(1, 9), options));
}

/// Every point is a valid plan within its cap, and the curve only falls.
TEST(Frontier, IsMonotone) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    std::vector<FrontierPoint> points = frontierOf(problem, 6);
    ASSERT_EQ(points.size(), 6u);
    for (size_t i = 0; i < points.size(); ++i) {
      Validation verdict = validate(problem, points[i].plan);
      ASSERT_EQ(verdict.error, "");
      ASSERT_LE(verdict.peakBytes, points[i].capBytes);
      ASSERT_EQ(verdict.peakBytes, points[i].peakBytes);
      ASSERT_EQ(verdict.cost, points[i].cost);
      ASSERT_LE(points[i].lowerBoundCost, points[i].cost);
      if (i == 0)
        continue;
      ASSERT_LE(points[i].cost, points[i - 1].cost);
      ASSERT_LE(points[i].lowerBoundCost, points[i - 1].lowerBoundCost);
    }
    ASSERT_EQ(points.back().cost,
              computeTimeline(problem, originalPlan(problem)).cost);
  }
}

/// At low caps of ResNet-50 little work finds nothing at first. Those caps get
/// plans of their own all the same, not that of the lowest peak, which adds
/// more than a tenth. Limits are above the 1.2 and 1.6 % that were measured.
TEST(Frontier, LowCapsHavePlansOfTheirOwn) {
  std::string error;
  std::optional<std::string> text = remat::readFile(
      REMAT_TEST_DATA_DIR "/graphs/rn50_b8_nhwc_cv.problem.txt", error);
  ASSERT_TRUE(text) << error;
  Problem problem = *parseProblem(*text).problem;
  Timeline original = computeTimeline(problem, originalPlan(problem));
  for (const FrontierPoint &point : frontierOf(problem, 12)) {
    double cap = 100.0 * point.capBytes / original.peakBytes;
    double overhead = 100.0 * (point.cost - original.cost) / original.cost;
    if (cap >= 30) {
      EXPECT_LE(overhead, cap >= 38 ? 2.0 : 3.0) << cap;
    }
  }
}

} // namespace
