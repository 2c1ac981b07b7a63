//===- MomentsTest.cpp - Bounds from several moments ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/Bounds.h"
#include "Bound/BranchAndBound.h"
#include "Oracle.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

/// The best bound from these moments, with all cases split to the end.
Certificate boundFrom(const Problem &problem, int64_t capBytes,
                      std::vector<StepId> moments, int64_t goalExtraCost = 0,
                      MomentOrder order = MomentOrder::Schedule) {
  ProblemIndex index(problem);
  MomentProgram program(index, order, std::move(moments), capBytes);
  BranchAndBound search(program, index, capBytes, goalExtraCost,
                        [] { return false; });
  EXPECT_TRUE(search.solveRoot());
  search.run(/*maxWork=*/1'000'000'000, /*maxCases=*/100);
  Certificate certificate;
  certificate.capBytes = capBytes;
  certificate.isInfeasible = search.isInfeasible();
  if (!certificate.isInfeasible)
    certificate.cost = index.totalCost + search.extraCost();
  certificate.proof = search.proof();
  return certificate;
}

// Tensors 0 to 2 are of 16 bytes and of 1, 10 and 100 to make; steps 3 and 6
// need 32 bytes of workspace. After step 3, step 4 reads tensor 0 and step 5
// tensor 1; after step 6 all are read once more. With room for two tensors in
// all, everything has to go before step 3 and again before step 6.
constexpr const char *twice = R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 3 bytes=0
step 0 cost=1 out=0
step 1 cost=10 out=1
step 3 cost=7 workspace=32
step 4 cost=7 in=0
step 5 cost=7 in=1
step 6 cost=7 workspace=32
step 7 cost=7 in=0
step 8 cost=7 in=1 out=3
output 3
)";
constexpr int64_t capOfTwice = 32;
constexpr int64_t costOfTwice = 53;

class TwoMoments : public testing::Test {
protected:
  TwoMoments()
      : problem(parseForTest(twice)),
        certificate(boundFrom(problem, capOfTwice, {2, 5})) {}

  std::string verdict() const {
    return checkCertificate(problem, capOfTwice, certificate)
        .value_or("proven");
  }

  Problem problem;
  Certificate certificate;
};

TEST_F(TwoMoments, WhatWasMadeAgainIsMadeAgainOnceMore) {
  EXPECT_EQ(boundFrom(problem, capOfTwice, {2}).cost, costOfTwice + 11);
  EXPECT_EQ(boundFrom(problem, capOfTwice, {5}).cost, costOfTwice + 11);
  EXPECT_EQ(certificate.cost, costOfTwice + 22);
  EXPECT_EQ(verdict(), "proven");
}

TEST_F(TwoMoments, TheSearchFindsBoth) {
  BoundOptions options;
  options.capBytes = capOfTwice;
  Certificate found = lowerBound(problem, options);
  EXPECT_EQ(found.kind(), BoundKind::SeveralMoments);
  EXPECT_EQ(found.cost, costOfTwice + 22);
  options.effort = 0;
  found = lowerBound(problem, options);
  EXPECT_EQ(found.kind(), BoundKind::MinimumCut);
  EXPECT_EQ(found.cost, costOfTwice + 11);
}

TEST_F(TwoMoments, WhatMayNotRunAgainCanNotBeGivenUp) {
  problem.steps[1].noRecompute = "test";
  certificate = boundFrom(problem, capOfTwice, {2, 5});
  EXPECT_TRUE(certificate.isInfeasible);
  EXPECT_EQ(verdict(), "proven");
}

int64_t total(const Problem &problem) {
  int64_t cost = 0;
  for (const Step &step : problem.steps)
    cost += step.cost;
  return cost;
}

/// Steps to look at, chosen at random.
std::vector<StepId> randomMoments(const Problem &problem, uint64_t &random) {
  std::vector<StepId> moments;
  int64_t share = 1 + nextRandom(random, 3);
  for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
       ++step)
    if (nextRandom(random, 4) < share && moments.size() < 5)
      moments.push_back(step);
  if (moments.empty())
    moments.push_back(nextRandom(random, problem.steps.size()));
  return moments;
}

/// Never above the optimum, infeasible only where nothing is feasible, and
/// always confirmed; and what is changed to claim more never is.
TEST(Moments, AgainstTheOracle) {
  constexpr uint64_t numSeeds = 5000;
  constexpr int maxSteps = 8;
  int numFeasible = 0, numTight = 0, numInfeasible = 0, numProven = 0;
  int numTried = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0x303e;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 2);
    Oracle exact(problem, options.capBytes);
    auto boundOfSome = [&](int64_t goalExtraCost = 0) {
      Certificate certificate =
          boundFrom(problem, options.capBytes, randomMoments(problem, random),
                    goalExtraCost);
      EXPECT_EQ(
          checkCertificate(problem, options.capBytes, certificate).value_or(""),
          "");
      return certificate;
    };
    if (!exact.isFeasible) {
      ++numInfeasible;
      numProven += boundOfSome().isInfeasible;
      // A cap at which there is a plan, if it is not the schedule.
      if (exact.lowestPeakBytes >= peak)
        continue;
      options.capBytes = exact.lowestPeakBytes +
                         nextRandom(random, peak - exact.lowestPeakBytes);
      exact = Oracle(problem, options.capBytes);
      ASSERT_TRUE(exact.isFeasible);
    }
    // Half of the time with the cost of a plan to reach.
    Certificate certificate =
        seed % 4 < 2 ? boundOfSome() : boundOfSome(exact.cost - total(problem));
    ASSERT_FALSE(certificate.isInfeasible);
    ASSERT_LE(certificate.cost, exact.cost);
    ++numFeasible;
    numTight += certificate.cost == exact.cost;

    for (int i = 0; i < 10; ++i) {
      Certificate changed = certificate;
      changed.cost = exact.cost + 1;
      changed.isInfeasible = nextRandom(random, 4) == 0;
      auto &proof = std::get<MomentProof>(changed.proof);
      for (int changes = nextRandom(random, 5); changes > 0; --changes) {
        MomentCase &anyCase =
            proof.cases[nextRandom(random, proof.cases.size())];
        MomentSum &anySum = proof.sums[nextRandom(random, proof.sums.size())];
        MomentAmount anyAmount;
        if (!anySum.empty())
          anyAmount = anySum[nextRandom(random, anySum.size())];
        switch (nextRandom(random, 7)) {
        case 0:
          if (anyCase.kind != MomentCase::Kind::Split)
            anyCase.kind = nextRandom(random, 2) ? MomentCase::Kind::Impossible
                                                 : MomentCase::Kind::Settle;
          break;
        case 1:
          if (proof.cases.size() > 1)
            proof.cases.pop_back();
          break;
        case 2:
          proof.moments[nextRandom(random, proof.moments.size())] =
              nextRandom(random, problem.steps.size());
          break;
        case 3:
          anyAmount.kind = MomentAmount::Kind::Read;
          anyAmount.id = nextRandom(random, problem.tensors.size());
          anyAmount.reader = nextRandom(random, problem.steps.size() + 1) - 1;
          anySum.push_back(anyAmount);
          break;
        case 4:
          // It may wrap around.
          anyAmount.amount = static_cast<int64_t>(
              static_cast<uint64_t>(anyAmount.amount) *
              static_cast<uint64_t>(1 + nextRandom(random, 1000)));
          anyAmount.from = nextRandom(random, 3);
          anyAmount.to = anyAmount.from + nextRandom(random, 3);
          anySum.push_back(anyAmount);
          break;
        case 5:
          if (!proof.weights.empty())
            proof.weights[nextRandom(random, proof.weights.size())].divisor =
                nextRandom(random, peak + 2);
          break;
        default:
          proof.scale = 1 + proof.scale / 2;
        }
      }
      ++numTried;
      ASSERT_TRUE(checkCertificate(problem, options.capBytes, changed));
    }
  }
  std::printf("feasible %d: the bound is the optimum for %d; infeasible %d: "
              "proven for %d; changed and refused: %d\n",
              numFeasible, numTight, numInfeasible, numProven, numTried);
  EXPECT_GT(numFeasible, 1000);
  EXPECT_GT(numInfeasible, 1000);
  EXPECT_GE(numTight, 0.3 * numFeasible);
  EXPECT_GE(numProven, 0.5 * numInfeasible);
}

//===----------------------------------------------------------------------===//
// Any order
//===----------------------------------------------------------------------===//

TEST_F(TwoMoments, InAnyOrderOnlyDependencesCount) {
  // Nothing depends on steps 3 and 6, which may run last.
  certificate = boundFrom(problem, capOfTwice, {5, 2}, 0, MomentOrder::Any);
  EXPECT_EQ(certificate.cost, costOfTwice);
  EXPECT_EQ(verdict(), "proven");
  // Let step 3 read tensor 0 and make what steps 4 and 5 read: tensor 0 stays
  // or is recomputed after it, and tensor 1 need not be there yet.
  problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=16
tensor 3 bytes=0
step 0 cost=1 out=0
step 1 cost=10 in=0 out=1
step 3 cost=7 in=1 workspace=16 out=2
step 4 cost=7 in=2,0 out=3
output 3
)");
  BoundOptions options;
  options.capBytes = 48;
  certificate = anyOrderBound(problem, options);
  EXPECT_EQ(certificate.kind(), BoundKind::AnyOrder);
  EXPECT_EQ(certificate.cost, 26);
  EXPECT_EQ(checkCertificate(problem, 48, certificate).value_or("proven"),
            "proven");
}

/// The least cost of plans within the cap whatever the order, or nothing. All
/// orders of the schedule are tried one after the other.
std::optional<int64_t> leastInAnyOrder(const Problem &problem,
                                       int64_t capBytes) {
  std::vector<StepId> order(problem.steps.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<StepId>(i);
  std::optional<int64_t> least;
  do {
    Problem other = problem;
    for (size_t i = 0; i < order.size(); ++i)
      other.steps[i] = problem.steps[order[i]];
    if (check(other))
      continue;
    Oracle oracle(other, capBytes);
    if (oracle.isFeasible)
      least = std::min(least.value_or(oracle.cost), oracle.cost);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

/// A bound for any order is never above the optimum of all orders.
TEST(Moments, InAnyOrderAgainstTheOracle) {
  constexpr uint64_t numSeeds = 5000;
  constexpr int maxSteps = 6;
  int numFeasible = 0, numTight = 0, numInfeasible = 0, numProven = 0;
  int numBetter = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    // Another order might tear groups apart, which is no schedule.
    for (Step &step : problem.steps)
      step.group = -1;
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xa2700;
    int64_t capBytes = peak - 1 - nextRandom(random, 1 + peak / 5);
    std::optional<int64_t> least = leastInAnyOrder(problem, capBytes);
    BoundOptions options;
    options.capBytes = capBytes;
    for (const Certificate &certificate :
         {anyOrderBound(problem, options),
          boundFrom(problem, capBytes, randomMoments(problem, random),
                    /*goalExtraCost=*/0, MomentOrder::Any)}) {
      ASSERT_EQ(checkCertificate(problem, capBytes, certificate).value_or(""),
                "");
      ParsedCertificate parsed =
          parseCertificate(problem, printCertificate(problem, certificate));
      ASSERT_TRUE(parsed.certificate) << parsed.error;
      ASSERT_EQ(
          checkCertificate(problem, capBytes, *parsed.certificate).value_or(""),
          "");
      if (!least) {
        ++numInfeasible;
        numProven += certificate.isInfeasible;
        continue;
      }
      ASSERT_FALSE(certificate.isInfeasible);
      ASSERT_LE(certificate.cost, *least);
      ++numFeasible;
      numTight += certificate.cost == *least;
      numBetter += certificate.cost > total(problem);
    }
  }
  std::printf("feasible %d: the bound is the optimum for %d, above the "
              "schedule for %d; infeasible %d: proven for %d\n",
              numFeasible, numTight, numBetter, numInfeasible, numProven);
  EXPECT_GT(numFeasible, 300);
  EXPECT_GT(numInfeasible, 300);
  EXPECT_GT(numBetter, 10);
  EXPECT_GE(numTight, 0.5 * numFeasible);
}

} // namespace
