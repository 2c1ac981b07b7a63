//===- MomentsTest.cpp - Bounds from several moments, and their judge -----===//
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

  MomentProof &moments() { return std::get<MomentProof>(certificate.proof); }

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

TEST_F(TwoMoments, AHigherClaimIsRefused) {
  ++certificate.cost;
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least 76");
}

TEST_F(TwoMoments, InfeasibleIsRefused) {
  certificate.isInfeasible = true;
  EXPECT_EQ(verdict(), "the cases do not show that the cap cannot be met");
  for (MomentCase &each : moments().cases)
    if (each.kind == MomentCase::Kind::Bound)
      each.kind = MomentCase::Kind::Impossible;
  EXPECT_EQ(verdict(), "the amounts do not show that a case is impossible");
}

TEST_F(TwoMoments, CasesThatAreMissingAreRefused) {
  MomentCase split;
  split.kind = MomentCase::Kind::Split;
  split.variable = {MomentVariable::Kind::Held, 0, 0, 0};
  MomentProof &proof = moments();
  MomentCase leaf = proof.cases.back();
  proof.cases = {split, leaf};
  EXPECT_EQ(verdict(), "a case is missing");
  proof.cases = {split, leaf, leaf};
  EXPECT_EQ(verdict(), "proven");
  proof.cases = {split, leaf, leaf, leaf};
  EXPECT_EQ(verdict(), "there are more cases than the splits make");
  // Who splits what is known gains nothing.
  proof.cases = {split, split, leaf, leaf, leaf};
  EXPECT_EQ(verdict(), "proven");
  ++certificate.cost;
  EXPECT_NE(verdict(), "proven");
  --certificate.cost;
  // Tensor 3 is made after the moment.
  split.variable.id = 2;
  proof.cases = {split, leaf, leaf};
  EXPECT_EQ(verdict(), "a split names something that is not a variable");
}

TEST_F(TwoMoments, InequalitiesThatAreNoneAreRefused) {
  MomentProof &proof = moments();
  using Kind = MomentAmount::Kind;
  auto verdictWith = [&](MomentAmount amount) {
    Certificate good = certificate;
    moments().sums[0].push_back(amount);
    std::string text = verdict();
    certificate = good;
    return text;
  };
  ASSERT_FALSE(proof.sums.empty());
  // Nothing reads tensor 3, and step 1 reads nothing.
  EXPECT_EQ(verdictWith({Kind::Read, 0, 0, 1, 2, -1, 1}),
            "tensor 3 is not read in the stretch");
  EXPECT_EQ(verdictWith({Kind::Read, 0, 0, 1, 0, 1, 1}),
            "step 1 does not read tensor 0");
  EXPECT_EQ(verdictWith({Kind::Read, 0, 0, 1, 0, 4, 1}),
            "step 5 is not yet executed at the moment");
  EXPECT_EQ(verdictWith({Kind::Read, 1, 0, 1, 0, -1, 1}),
            "a read names something that does not exist");
  EXPECT_EQ(verdictWith({Kind::Stay, 0, 0, 2, 0, -1, 1}),
            "a stay names a storage that cannot stay");
  EXPECT_EQ(verdictWith({Kind::Part, 0, 2, 2, 0, -1, 1}),
            "a part names a stretch that cannot be divided");
  EXPECT_EQ(verdictWith({Kind::Weight, 0, 0, 0, 99, -1, 1}),
            "a weight names weights that do not exist");
  EXPECT_EQ(verdictWith({Kind::Weight, 0, 0, 0, 0, -1, -1}),
            "amounts are not negative");
  EXPECT_EQ(verdictWith({Kind::Stay, 0, 0, 1, 0, -1,
                         std::numeric_limits<int64_t>::max()}),
            "the cases do not show that all plans cost at least 75");
}

TEST_F(TwoMoments, NumbersOutOfRangeAreRefused) {
  Certificate good = certificate;
  moments().moments = {5, 2};
  EXPECT_EQ(verdict(),
            "the moments are not steps in the order of the schedule");
  moments().moments = {};
  EXPECT_EQ(verdict(), "there are no moments");
  certificate = good;
  moments().scale = 0;
  EXPECT_EQ(verdict(), "scales are not below 1");
  certificate = good;
  moments().scale = moments().weightScale = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(verdict(), "the scales are too large");
  certificate = good;
  moments().weights.push_back({7, 0, {}});
  EXPECT_EQ(verdict(), "weights name something that does not exist");
  certificate = good;
  moments().weights.push_back({0, 5, {0, 0}});
  EXPECT_EQ(verdict(), "weights name a storage without weight, or one twice");
  certificate = good;
  moments().weights.push_back({0, 5, {}});
  EXPECT_EQ(verdict(), "nothing must be dropped, so there is nothing to round");
}

TEST_F(TwoMoments, ClaimsBeyondTheRangeOfSumsAreRefused) {
  // 2^100 units of amounts are within the limits for costs of about 2^6. The
  // claim, 2^27 above the cost of the schedule, is 2^127 units: as a number of
  // 128 bits it would be negative, and every sum above it.
  moments().scale = int64_t(1) << 50;
  moments().weightScale = int64_t(1) << 50;
  certificate.cost = costOfTwice + 1 + (int64_t(1) << 27);
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least " +
                           std::to_string(certificate.cost));
  certificate.cost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least " +
                           std::to_string(certificate.cost));
  // Any plan costs more than nothing.
  certificate.cost = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(verdict(), "proven");
}

TEST_F(TwoMoments, DeepTreesAreChecked) {
  // A million splits of one variable, half of whose cases contradict what is
  // known; the proof in each of the others is the same.
  MomentCase split;
  split.kind = MomentCase::Kind::Split;
  split.variable = {MomentVariable::Kind::Held, 0, 0, 0};
  MomentCase leaf = moments().cases.back();
  constexpr size_t depth = 1'000'000;
  moments().cases.assign(depth, split);
  moments().cases.insert(moments().cases.end(), depth, leaf);
  EXPECT_EQ(verdict(), "a case is missing");
}

TEST_F(TwoMoments, MoreMomentsThanStepsAreRefused) {
  moments().order = MomentOrder::Any;
  moments().moments.assign(problem.steps.size() + 1, 2);
  EXPECT_EQ(verdict(), "there are more moments than steps");
}

TEST_F(TwoMoments, TextRoundTrip) {
  std::string printed = printCertificate(problem, certificate);
  ParsedCertificate parsed = parseCertificate(problem, printed);
  ASSERT_TRUE(parsed.certificate) << parsed.line << ": " << parsed.error;
  EXPECT_EQ(printCertificate(problem, *parsed.certificate), printed);
  EXPECT_EQ(
      checkCertificate(problem, capOfTwice, *parsed.certificate).value_or(""),
      "");
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
          anyAmount.amount *= 1 + nextRandom(random, 1000);
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
  // or is made again after it, and tensor 1 need not be there yet.
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

TEST_F(TwoMoments, AProofForOneOrderIsNoneForAll) {
  moments().order = MomentOrder::Any;
  EXPECT_EQ(certificate.kind(), BoundKind::AnyOrder);
  EXPECT_NE(verdict(), "proven");
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
    for (Certificate certificate :
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
