//===- BoundsTest.cpp - Lower bounds by hand and against the oracle -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "Bound/Bounds.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

/// The bound, once the independent checker has confirmed it.
Certificate boundAt(const Problem &problem, int64_t capBytes) {
  BoundOptions options;
  options.capBytes = capBytes;
  Certificate certificate = lowerBound(problem, options);
  EXPECT_EQ(checkCertificate(problem, capBytes, certificate).value_or(""), "");
  return certificate;
}

// The schedule holds a, b and c (16 bytes each) in step 2. With room for two, a
// has to go before and step 0 has to run again: 1 more than 16.
constexpr const char *chain = R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=16
tensor 3 bytes=0
step 0 cost=1 out=0
step 1 cost=5 in=0 out=1
step 2 cost=5 in=1 out=2
step 3 cost=5 in=2,0 out=3
output 3
)";

TEST(Bounds, NothingIsAddedWhereTheScheduleFits) {
  EXPECT_EQ(boundAt(parseForTest(chain), 48).cost, 16);
}

TEST(Bounds, OneDrop) {
  Certificate certificate = boundAt(parseForTest(chain), 47);
  EXPECT_FALSE(certificate.isInfeasible);
  EXPECT_EQ(certificate.cost, 17);
  EXPECT_EQ(std::get<MinCutProof>(certificate.proof).step, 2);
}

TEST(Bounds, WorkingSetOfOneStep) {
  // Step 2 reads and makes 16 bytes each.
  Problem problem = parseForTest(chain);
  EXPECT_FALSE(boundAt(problem, 32).isInfeasible);
  EXPECT_TRUE(boundAt(problem, 31).isInfeasible);
}

TEST(Bounds, WhatMayNotRunAgainStays) {
  Problem problem = parseForTest(chain);
  problem.steps[0].noRecompute = "test";
  EXPECT_EQ(boundAt(problem, 48).cost, 16);
  EXPECT_TRUE(boundAt(problem, 47).isInfeasible);
}

TEST(Bounds, AnInPlaceChainIsOneRecipe) {
  // Tensor 2 is made by steps 0, 1 and 2 in one storage, as a fill and two
  // writes would. To have it again takes all three: 1 + 10 + 100.
  Problem problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=16
tensor 3 bytes=32
tensor 4 bytes=0
step 0 cost=1 out=0
step 1 cost=10 in=0 out=1 inplace=1:0
step 2 cost=100 in=1 out=2 inplace=2:1
step 3 cost=7 out=3
step 4 cost=7 in=3,2 out=4
output 4
)");
  // In step 4 both are there, so only a lower cap than that says something; in
  // step 3 alone tensor 2 may be absent.
  EXPECT_TRUE(boundAt(problem, 47).isInfeasible);
  problem.steps[4].operands = {3};
  problem.steps.push_back(problem.steps[4]);
  problem.steps.back().label = 5;
  problem.steps.back().operands = {2};
  problem.steps.back().results = {};
  ASSERT_EQ(check(problem).value_or(""), "");
  EXPECT_EQ(boundAt(problem, 47).cost, 132 + 111);
}

TEST(Bounds, ViewsShareOneStorage) {
  // A view of tensor 0 is read later as well; its storage counts once, and the
  // cap of 48 is met without cost.
  Problem problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16 alias=0
tensor 2 bytes=32
tensor 3 bytes=0
step 0 cost=4 out=0
step 1 cost=2 in=0 out=1
step 2 cost=7 out=2
step 3 cost=7 in=0 out=3
step 4 cost=7 in=1
output 3
)");
  EXPECT_EQ(boundAt(problem, 48).cost, 27);
  // Below, both are recomputed.
  EXPECT_EQ(boundAt(problem, 47).cost, 33);
}

TEST(Bounds, DonatedInputsGoOnlyIfNothingReadsThemLater) {
  Problem problem = parseForTest(R"(
tensor 0 bytes=16 kind=donated
tensor 1 bytes=16
tensor 2 bytes=16
step 0 cost=1 in=0 out=1
step 1 cost=1 in=1 out=2
step 2 cost=1 in=2,0
input 0
)");
  EXPECT_TRUE(boundAt(problem, 47).isInfeasible);
  problem.steps[2].operands = {2};
  EXPECT_FALSE(boundAt(problem, 47).isInfeasible);
}

TEST(Bounds, GroupsMayBeTornApart) {
  // Both results are needed at the end, but the workspaces (8 each) need not
  // coincide.
  Problem problem = parseForTest(R"(
tensor 1 bytes=8
tensor 2 bytes=8
step 1 cost=1 out=1 workspace=8 group=0
step 2 cost=1 out=2 workspace=8 group=0
output 1,2
)");
  EXPECT_FALSE(boundAt(problem, 24).isInfeasible);
  EXPECT_TRUE(boundAt(problem, 15).isInfeasible);
}

TEST(Bounds, AProblemWithoutStepsCostsNothing) {
  EXPECT_EQ(boundAt(Problem(), 0).cost, 0);
  EXPECT_EQ(anyOrderBound(Problem(), BoundOptions()).cost, 0);
}

/// Never above the optimum, infeasible only where nothing is feasible, always
/// confirmed by the checker; and tight often enough to be of use.
TEST(Bounds, AgainstTheOracle) {
  constexpr uint64_t numSeeds = 6000;
  constexpr int maxSteps = 8;
  int numFeasible = 0, numTight = 0, numInfeasible = 0, numProven = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    Timeline original = computeTimeline(problem, originalPlan(problem));
    uint64_t random = seed ^ 0xb0d;
    SolverOptions options;
    options.capBytes =
        original.peakBytes - 1 - nextRandom(random, 1 + original.peakBytes / 2);
    Oracle exact(problem, options.capBytes);
    if (!exact.isFeasible) {
      ++numInfeasible;
      numProven += boundAt(problem, options.capBytes).isInfeasible;
      // A cap at which there is a plan, if it is not the schedule.
      if (exact.lowestPeakBytes >= original.peakBytes)
        continue;
      options.capBytes =
          exact.lowestPeakBytes +
          nextRandom(random, original.peakBytes - exact.lowestPeakBytes);
      exact = Oracle(problem, options.capBytes);
      ASSERT_TRUE(exact.isFeasible);
    }
    Certificate certificate = boundAt(problem, options.capBytes);
    ASSERT_FALSE(certificate.isInfeasible);
    ASSERT_LE(certificate.cost, exact.cost);
    ASSERT_GE(certificate.cost, original.cost);
    ++numFeasible;
    numTight += certificate.cost == exact.cost;
  }
  std::printf("feasible %d: the bound is the optimum for %d; infeasible %d: "
              "proven for %d\n",
              numFeasible, numTight, numInfeasible, numProven);
  EXPECT_GT(numFeasible, 1000);
  EXPECT_GT(numInfeasible, 1000);
  EXPECT_GE(numTight, 0.5 * numFeasible);
  EXPECT_GE(numProven, 0.8 * numInfeasible);
}

} // namespace
