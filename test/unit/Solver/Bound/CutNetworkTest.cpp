//===- CutNetworkTest.cpp - What to hold at one step ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/CutNetwork.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Timeline.h"

using namespace remat::solver;

namespace {

// In step 3 the 40 bytes of tensors 2 and 4 are fixed and tensor 1 is read
// later. To drop it takes step 1 again, which takes tensor 0 or step 0.
constexpr const char *chain = R"(
tensor 0 bytes=8
tensor 1 bytes=16
tensor 2 bytes=24
tensor 3 bytes=0
tensor 4 bytes=16
step 0 cost=3 out=0
step 1 cost=5 in=0 out=1
step 2 cost=7 out=2
step 3 cost=0 in=2 out=4
step 4 cost=5 in=4,1 out=3
output 3
)";

class Network : public testing::Test {
protected:
  Network() { network.setRounding(excessBytes, /*divisor=*/0); }

  /// What is too much if tensor 1 is held under a cap of 47 bytes.
  static constexpr int64_t excessBytes = 9;
  Problem problem = parseForTest(chain);
  ProblemIndex index{problem};
  CutNetwork network{index, 3};
};

TEST_F(Network, FixedAndReadLater) {
  EXPECT_EQ(network.fixedBytes, 40);
  EXPECT_EQ(network.readLaterBytes, 16);
  EXPECT_EQ(network.room(), 7);
}

TEST_F(Network, WhereMemoryIsFreeAllIsHeld) {
  EXPECT_EQ(network.minCut(/*price=*/0, /*costScale=*/1), 0);
  EXPECT_EQ(network.heldWeight(), 16);
  EXPECT_EQ(network.repeatedCost(), 0);
  EXPECT_TRUE(network.dropped().empty());
}

TEST_F(Network, WhereStepsAreFreeNothingIsHeld) {
  EXPECT_EQ(network.minCut(/*price=*/1, /*costScale=*/0), 0);
  EXPECT_EQ(network.heldWeight(), 0);
  EXPECT_EQ(network.dropped(), (std::vector<TensorId>{0, 1}));
}

TEST_F(Network, ThePriceDecides) {
  // To hold tensor 1 costs 16 * price. To drop it costs 5, and either 8 * price
  // for tensor 0 or 3 for step 0.
  EXPECT_EQ(network.minCut(/*price=*/1, /*costScale=*/4), 16);
  EXPECT_EQ(network.heldWeight(), 16);
  EXPECT_EQ(network.minCut(/*price=*/3, /*costScale=*/4), 32);
  EXPECT_EQ(network.heldWeight(), 0);
  EXPECT_EQ(network.repeatedCost(), 8);
  EXPECT_EQ(network.dropped(), (std::vector<TensorId>{0, 1}));
  // Back at the lower price the flow starts again.
  EXPECT_EQ(network.minCut(/*price=*/1, /*costScale=*/4), 16);
  EXPECT_EQ(network.heldWeight(), 16);
}

TEST_F(Network, RoundingKnowsThatStoragesAreWhole) {
  // With 9 bytes in excess and storages of 16, the weight of tensor 1 is that
  // of the excess: there is room for nothing, so the bound is 8.
  network.setRounding(excessBytes, /*divisor=*/16);
  EXPECT_EQ(network.room(), 0);
  EXPECT_EQ(network.minCut(/*price=*/3, /*costScale=*/1), 8);
  Certificate certificate;
  certificate.capBytes = 47;
  certificate.cost = 28;
  certificate.proof = network.proof();
  EXPECT_EQ(checkCertificate(problem, 47, certificate).value_or(""), "");
}

TEST_F(Network, DivisorsAreSizes) {
  EXPECT_EQ(network.divisors(/*maxNumber=*/4), (std::vector<int64_t>{17, 16}));
  EXPECT_EQ(network.divisors(/*maxNumber=*/0), (std::vector<int64_t>{17}));
}

TEST(RoundedWeight, IsSuperadditive) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    uint64_t random = seed;
    int64_t divisor = 1 + nextRandom(random, 50);
    int64_t remainder = nextRandom(random, divisor);
    int64_t a = nextRandom(random, 400) - 200,
            b = nextRandom(random, 400) - 200;
    auto f = [&](int64_t bytes) {
      return roundedWeight(bytes, divisor, remainder);
    };
    ASSERT_GE(f(a) + f(b), f(a + b)) << a << " " << b << " " << divisor;
    ASSERT_LE(f(a), f(a + 1));
    ASSERT_EQ(f(0), 0);
    ASSERT_EQ(f(divisor), remainder);
  }
}

TEST(RoundedWeight, StaysWithin64Bits) {
  constexpr int64_t bytes = int64_t(1) << 56, divisor = bytes - 1;
  EXPECT_EQ(roundedWeight(bytes, divisor, divisor - 1), divisor - 1 + 1);
  EXPECT_EQ(roundedWeight(-bytes, divisor, divisor - 1),
            -2 * (divisor - 1) + (divisor - 1));
}

/// Whatever the step, the price and the rounding, the flow proves the bound
/// that the value of the cut gives, and no more.
TEST(CutNetwork, EveryFlowIsAProof) {
  int numCuts = 0, numAbove = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    ProblemIndex index(problem);
    uint64_t random = seed ^ 0xc07;
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    int64_t capBytes = peak - 1 - nextRandom(random, 1 + peak / 3);
    StepId step = static_cast<StepId>(nextRandom(random, problem.steps.size()));
    CutNetwork network(index, step);
    int64_t excess = network.fixedBytes + network.readLaterBytes - capBytes;
    if (excess <= 0)
      continue;
    for (int64_t divisor : {int64_t(0), 1 + nextRandom(random, 30)}) {
      if (divisor > 0 && excess % divisor == 0)
        continue;
      network.setRounding(excess, divisor);
      int64_t scale = 1 + nextRandom(random, 1000);
      int64_t price = nextRandom(random, 2 * scale);
      int64_t extra = network.minCut(price, scale) - price * network.room();
      Certificate certificate;
      certificate.capBytes = capBytes;
      certificate.proof = network.proof();
      // Rounded up: costs are integers.
      int64_t extraCost = extra <= 0 ? 0 : (extra + scale - 1) / scale;
      certificate.cost = index.totalCost + extraCost;
      ASSERT_EQ(checkCertificate(problem, capBytes, certificate).value_or(""),
                "");
      ++certificate.cost;
      ASSERT_NE(checkCertificate(problem, capBytes, certificate), std::nullopt);
      ++numCuts;
      numAbove += extraCost > 0;
    }
  }
  EXPECT_GT(numCuts, 500);
  EXPECT_GT(numAbove, 100);
}

} // namespace
