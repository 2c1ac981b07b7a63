//===- MomentProofTest.cpp - Proofs from several moments, changed by hand -===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof is that of Inputs/several-moments.txt: steps 3 and 6 need all the
// memory there is, so tensors 0 and 1 are recomputed after each of them.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <gtest/gtest.h>
#include <limits>

using namespace remat::solver;

namespace {

class MomentProofs : public testing::Test {
protected:
  std::string verdict() const {
    return checkCertificate(problem, fixture.certificate.capBytes, certificate)
        .value_or("proven");
  }

  MomentProof &moments() { return std::get<MomentProof>(certificate.proof); }

  const Fixture fixture = readFixture("several-moments");
  Problem problem = fixture.problem;
  Certificate certificate = fixture.certificate;
};

TEST_F(MomentProofs, AHigherClaimIsRefused) {
  ++certificate.cost;
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least 76");
}

TEST_F(MomentProofs, InfeasibleIsRefused) {
  certificate.isInfeasible = true;
  EXPECT_EQ(verdict(), "the cases do not show that the cap cannot be met");
  for (MomentCase &each : moments().cases)
    if (each.kind == MomentCase::Kind::Bound)
      each.kind = MomentCase::Kind::Impossible;
  EXPECT_EQ(verdict(), "the amounts do not show that a case is impossible");
}

TEST_F(MomentProofs, CasesThatAreMissingAreRefused) {
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
  // So does a split of runs(1, 2, step 0).
  MomentCase runs = split;
  runs.variable = {MomentVariable::Kind::Runs, 0, 1, 0};
  proof.cases = {runs, leaf, leaf};
  EXPECT_EQ(verdict(), "proven");
  // Splitting what is known gains nothing.
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

TEST_F(MomentProofs, InequalitiesThatAreNoneAreRefused) {
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

TEST_F(MomentProofs, NumbersOutOfRangeAreRefused) {
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

TEST_F(MomentProofs, ClaimsBeyondTheRangeOfSumsAreRefused) {
  // 2^100 units of amounts are within the limits for costs of about 2^6. The
  // claim, 2^27 above the cost of the schedule, is 2^127 units: as a number of
  // 128 bits it would be negative, and every sum above it.
  moments().scale = int64_t(1) << 50;
  moments().weightScale = int64_t(1) << 50;
  certificate.cost = problem.scheduleCost() + 1 + (int64_t(1) << 27);
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least " +
                           std::to_string(certificate.cost));
  certificate.cost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(verdict(), "the cases do not show that all plans cost at least " +
                           std::to_string(certificate.cost));
  // Any plan costs more than nothing.
  certificate.cost = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(verdict(), "proven");
}

TEST_F(MomentProofs, DeepTreesAreChecked) {
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

TEST_F(MomentProofs, MoreMomentsThanStepsAreRefused) {
  moments().order = MomentOrder::Any;
  moments().moments.assign(problem.steps.size() + 1, 2);
  EXPECT_EQ(verdict(), "there are more moments than steps");
}

TEST_F(MomentProofs, AProofForOneOrderIsNoneForAll) {
  moments().order = MomentOrder::Any;
  EXPECT_EQ(certificate.kind(), BoundKind::AnyOrder);
  EXPECT_NE(verdict(), "proven");
}

} // namespace
