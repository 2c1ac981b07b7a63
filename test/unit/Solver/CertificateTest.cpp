//===- CertificateTest.cpp - The judge of lower bounds --------------------===//
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

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

// To drop tensor 1 over step 2 takes step 1 again, and tensor 0 or step 0.
constexpr const char *text = R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=16
tensor 3 bytes=0
tensor 9 bytes=16
step 0 cost=3 out=0
step 1 cost=5 in=0 out=1
step 2 cost=7 out=2
step 4 cost=0 in=2 out=9
step 3 cost=5 in=9,1 out=3
output 3
)";
constexpr int64_t cap = 47;

class CertificateOfChain : public testing::Test {
protected:
  CertificateOfChain() : problem(parseForTest(text)) {
    BoundOptions options;
    options.capBytes = cap;
    certificate = lowerBound(problem, options);
  }

  std::string verdict() const {
    return checkCertificate(problem, cap, certificate).value_or("proven");
  }

  MinCutProof &proof() { return std::get<MinCutProof>(certificate.proof); }

  Problem problem;
  Certificate certificate;
};

TEST_F(CertificateOfChain, IsProven) {
  // In step 4 tensors 2 and 9 are fixed: tensor 1 makes 48 bytes and has to go
  // at the cost of steps 0 and 1.
  EXPECT_EQ(certificate.cost, 28);
  EXPECT_EQ(verdict(), "proven");
  EXPECT_FALSE(proof().fromStorage.empty());
  EXPECT_FALSE(proof().toStorage.empty());
}

TEST_F(CertificateOfChain, ALowerClaimIsProvenToo) {
  --certificate.cost;
  EXPECT_EQ(verdict(), "proven");
}

TEST_F(CertificateOfChain, AHigherClaimIsRefused) {
  ++certificate.cost;
  EXPECT_EQ(verdict(),
            "the flow does not show that all plans cost at least 29");
}

TEST_F(CertificateOfChain, AnotherCapIsRefused) {
  EXPECT_EQ(checkCertificate(problem, cap - 1, certificate),
            "the certificate is for a cap of 47 bytes, not of 46");
}

TEST_F(CertificateOfChain, InfeasibleIsRefused) {
  certificate.isInfeasible = true;
  EXPECT_EQ(verdict(), "the flow does not show that the cap cannot be met");
  proof().costScale = 0;
  EXPECT_EQ(verdict(), "the flow into step 0 exceeds its cost");
}

TEST_F(CertificateOfChain, FlowThatDoesNotComeFromAnywhereIsRefused) {
  proof().toStorage.clear();
  EXPECT_EQ(verdict(), "the storage of tensor 0 gives more than it takes in, "
                       "but nothing reads it later");
}

TEST_F(CertificateOfChain, FlowThatGetsLostIsRefused) {
  proof().toStorage.front().amount += 1;
  EXPECT_EQ(verdict(), "the storage of tensor 0 takes in more than it gives");
}

TEST_F(CertificateOfChain, FlowBeyondThePriceIsRefused) {
  --proof().price;
  EXPECT_EQ(verdict(), "the flow out of the storage of tensor 1 exceeds the "
                       "price of its bytes");
}

TEST_F(CertificateOfChain, FlowBeyondTheCostIsRefused) {
  problem.steps[0].cost = 2;
  EXPECT_EQ(verdict(), "the flow into step 0 exceeds its cost");
}

TEST_F(CertificateOfChain, StepsThatNeedNotRunAreRefused) {
  problem.steps[4].operands = {4};
  EXPECT_EQ(verdict(), "nothing must be dropped, so there is nothing to round");
  proof().divisor = 0;
  EXPECT_EQ(verdict(),
            "step 1 need not be recomputed for the storage of tensor 1");
}

TEST_F(CertificateOfChain, OperandsThatAreNotReadAreRefused) {
  problem.steps[1].operands = {};
  EXPECT_NE(verdict(), "proven");
}

TEST_F(CertificateOfChain, WhatIsThereAnywayHasNoPrice) {
  problem.steps[3].operands = {2, 1};
  EXPECT_EQ(verdict(), "the storage of tensor 1 is always held and has "
                       "no price");
}

TEST_F(CertificateOfChain, NumbersOutOfRangeAreRefused) {
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

TEST_F(CertificateOfChain, TextRoundTrip) {
  std::string printed = printCertificate(problem, certificate);
  ParsedCertificate parsed = parseCertificate(problem, printed);
  ASSERT_TRUE(parsed.certificate) << parsed.line << ": " << parsed.error;
  EXPECT_EQ(printCertificate(problem, *parsed.certificate), printed);
  EXPECT_EQ(checkCertificate(problem, cap, *parsed.certificate).value_or(""),
            "");
}

TEST_F(CertificateOfChain, TextErrorsHaveTheirLine) {
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

/// Changes at random that make a certificate claim more than the oracle allows
/// never get past the checker.
TEST(Certificates, NothingFalseIsProven) {
  int numRefused = 0, numTried = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 7);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xfa15e;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 3);
    Oracle exact(problem, options.capBytes);
    BoundOptions boundOptions;
    boundOptions.capBytes = options.capBytes;
    if (!exact.isFeasible)
      continue;
    Certificate good = lowerBound(problem, boundOptions);
    for (int i = 0; i < 20; ++i) {
      Certificate certificate = good;
      // A bound that is no cut gets changes that make it one.
      if (certificate.kind() != BoundKind::MinimumCut)
        certificate.proof = MinCutProof();
      auto &proof = std::get<MinCutProof>(certificate.proof);
      certificate.cost = exact.cost + 1;
      certificate.isInfeasible = nextRandom(random, 4) == 0;
      if (certificate.isInfeasible && nextRandom(random, 2) == 0)
        proof.costScale = 0;
      for (int changes = nextRandom(random, 4); changes > 0; --changes) {
        auto &list =
            nextRandom(random, 2) ? proof.fromStorage : proof.toStorage;
        switch (nextRandom(random, 5)) {
        case 0:
          proof.price *= 2;
          break;
        case 1:
          proof.step = nextRandom(random, problem.steps.size() + 1);
          break;
        case 2:
          list.push_back(
              {static_cast<TensorId>(
                   nextRandom(random, problem.tensors.size())),
               static_cast<StepId>(nextRandom(random, problem.steps.size())),
               1 + nextRandom(random, 1 + (int64_t(1) << 32))});
          break;
        default:
          if (!list.empty())
            list[nextRandom(random, list.size())].amount *=
                1 + nextRandom(random, 3);
        }
      }
      ++numTried;
      ASSERT_TRUE(checkCertificate(problem, options.capBytes, certificate));
      ++numRefused;
    }
  }
  EXPECT_EQ(numRefused, numTried);
  EXPECT_GT(numTried, 5000);
}

} // namespace
