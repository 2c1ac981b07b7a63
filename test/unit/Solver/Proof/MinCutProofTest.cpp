//===- MinCutProofTest.cpp - Proofs by a minimum cut, changed by hand -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

class MinCutProofs : public testing::Test {
protected:
  std::string verdict() const {
    return checkCertificate(problem, fixture.certificate.capBytes, certificate)
        .value_or("proven");
  }

  MinCutProof &proof() { return std::get<MinCutProof>(certificate.proof); }

  const Fixture fixture = readFixture("minimum-cut");
  Problem problem = fixture.problem;
  Certificate certificate = fixture.certificate;
};

TEST_F(MinCutProofs, IsProven) {
  // In step 4 the 40 bytes of tensors 2 and 9 are fixed. Tensor 1 makes 56 and
  // must be dropped, at the cost of steps 0 and 1: tensor 0 alone makes 48.
  EXPECT_EQ(certificate.cost, 28);
  EXPECT_EQ(verdict(), "proven");
  EXPECT_FALSE(proof().fromStorage.empty());
  EXPECT_FALSE(proof().toStorage.empty());
}

TEST_F(MinCutProofs, ALowerClaimIsProvenToo) {
  --certificate.cost;
  EXPECT_EQ(verdict(), "proven");
}

TEST_F(MinCutProofs, AHigherClaimIsRefused) {
  ++certificate.cost;
  EXPECT_EQ(verdict(),
            "the flow does not show that all plans cost at least 29");
}

TEST_F(MinCutProofs, InfeasibleIsRefused) {
  certificate.isInfeasible = true;
  EXPECT_EQ(verdict(), "the flow does not show that the cap cannot be met");
  proof().costScale = 0;
  EXPECT_EQ(verdict(), "the flow into step 0 exceeds its cost");
}

TEST_F(MinCutProofs, FlowThatDoesNotComeFromAnywhereIsRefused) {
  proof().toStorage.clear();
  EXPECT_EQ(verdict(), "the storage of tensor 0 gives more than it takes in, "
                       "but nothing reads it later");
}

TEST_F(MinCutProofs, FlowThatGetsLostIsRefused) {
  proof().toStorage.front().amount += 1;
  EXPECT_EQ(verdict(), "the storage of tensor 0 takes in more than it gives");
}

TEST_F(MinCutProofs, FlowBeyondThePriceIsRefused) {
  --proof().price;
  EXPECT_EQ(verdict(), "the flow out of the storage of tensor 0 exceeds the "
                       "price of its bytes");
}

TEST_F(MinCutProofs, FlowBeyondTheCostIsRefused) {
  problem.steps[0].cost = 2;
  EXPECT_EQ(verdict(), "the flow into step 0 exceeds its cost");
}

TEST_F(MinCutProofs, StepsThatNeedNotRunAreRefused) {
  problem.steps[4].operands = {4};
  EXPECT_EQ(verdict(), "nothing must be dropped, so there is nothing to round");
  proof().divisor = 0;
  EXPECT_EQ(verdict(),
            "step 1 need not be recomputed for the storage of tensor 1");
}

TEST_F(MinCutProofs, OperandsThatAreNotReadAreRefused) {
  problem.steps[1].operands = {};
  EXPECT_NE(verdict(), "proven");
}

TEST_F(MinCutProofs, WhatIsThereAnywayHasNoPrice) {
  problem.steps[3].operands = {2, 1};
  EXPECT_EQ(verdict(), "the storage of tensor 1 is always held and has "
                       "no price");
}

TEST_F(MinCutProofs, NumbersOutOfRangeAreRefused) {
  Certificate good = certificate;
  proof().step = 6;
  EXPECT_EQ(verdict(), "there is no step index 6");
  proof().step = 5;
  EXPECT_EQ(verdict(), "nothing runs after the end, so there is no flow");
  certificate = good;
  proof().price = -1;
  EXPECT_EQ(verdict(), "prices, scales and divisors are not negative");
  certificate = good;
  proof().fromStorage[0].storage = 77;
  EXPECT_EQ(verdict(), "tensor index 77 owns no storage");
  certificate = good;
  proof().fromStorage[0].step = 9;
  EXPECT_EQ(verdict(), "there is no step index 9");
  certificate = good;
  proof().fromStorage[0].amount = -1;
  EXPECT_NE(verdict().find("is negative"), std::string::npos);
}

TEST_F(MinCutProofs, TextErrorsHaveTheirLine) {
  auto errorOf = [&](const std::string &text) {
    ParsedCertificate parsed = parseCertificate(problem, text);
    return std::to_string(parsed.line) + ": " + parsed.error;
  };
  EXPECT_EQ(errorOf("remat-problem 1\n"), "1: expected 'remat-certificate 1'");
  EXPECT_EQ(errorOf("remat-certificate 1\ncap x\n"), "2: cannot read 'cap x'");
  EXPECT_EQ(errorOf("remat-certificate 1\nflow tensor 77 step 0 1\n"),
            "2: cannot read 'flow tensor 77 step 0 1'");
  EXPECT_EQ(errorOf("remat-certificate 1\ncap 1\ncap 1\n"),
            "3: cannot read 'cap 1'");
  EXPECT_EQ(errorOf("remat-certificate 1\ncap 1\n"),
            "0: the certificate has no cap or claims nothing");
}

} // namespace
