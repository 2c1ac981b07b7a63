//===- ProblemIndexTest.cpp - Facts about a problem, by id ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/ProblemIndex.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Timeline.h"

#include <algorithm>

using namespace remat::solver;

namespace {

using Steps = std::vector<StepId>;
using Tensors = std::vector<TensorId>;

// Tensor 1 is made of the input, 2 is a view of 1, 3 overwrites 2 (and with it
// 1), and 4 is made of 3 and the donated input 5.
constexpr const char *lines = R"(
tensor 0 bytes=100 kind=input
tensor 1 bytes=10
tensor 2 bytes=10 alias=1
tensor 3 bytes=10 alias=2
tensor 4 bytes=1
tensor 5 bytes=1000 kind=donated
step 0 cost=3 in=0 out=1
step 1 cost=4 in=1 out=2
step 2 cost=5 in=2 out=3 inplace=3:2
step 3 cost=6 workspace=7 in=3,5 out=4
input 0,5
output 4
)";

class Index : public testing::Test {
protected:
  Problem problem = parseForTest(lines);
  ProblemIndex index{problem};
};

TEST_F(Index, MakersAndStorages) {
  EXPECT_EQ(index.maker, (Steps{-1, 0, 1, 2, 3, -1}));
  EXPECT_EQ(index.storageOf, (Tensors{0, 1, 1, 1, 4, 5}));
  EXPECT_EQ(index.members[1], (Tensors{1, 2, 3}));
  EXPECT_TRUE(index.members[2].empty());
  EXPECT_EQ(index.onlyStorageOf, (Tensors{1, 1, 1, 4}));
  EXPECT_EQ(index.isPermanent,
            (std::vector<char>{true, false, false, false, false, false}));
}

TEST_F(Index, Totals) {
  EXPECT_EQ(index.totalCost, 18);
  // A storage counts once, whatever lives in it.
  EXPECT_EQ(index.totalBytes, 1111);
}

TEST_F(Index, Reads) {
  EXPECT_EQ(index.lastRead, (Steps{0, 1, 2, 3, 4, 3}));
  // Steps 1 and 2 stay within the storage of what they read.
  EXPECT_EQ(index.firstOutsideRead, (Steps{0, 4, 4, 3, 4, 3}));
}

TEST_F(Index, WhatIsOverwrittenMayBeRecomputed) {
  // Steps 0 and 1 can make tensors 1 and 2 again, in a new storage.
  EXPECT_EQ(index.lostFrom, (Steps{4, 4, 4, 4, 4, 4}));
  EXPECT_FALSE(index.isOnceOnly(2, 3));
}

TEST_F(Index, WhatIsOverwrittenIsLostIfItCannotBeRecomputed) {
  problem.steps[1].noRecompute = "test";
  ProblemIndex other(problem);
  EXPECT_EQ(other.lostFrom, (Steps{4, 4, 2, 4, 4, 4}));
  EXPECT_TRUE(other.isOnceOnly(1, 0));
  // Step 2 reads tensor 2, which it overwrites itself.
  EXPECT_FALSE(other.isOnceOnly(2, 1));
  EXPECT_TRUE(other.isOnceOnly(2, 2));
}

TEST_F(Index, Demand) {
  // The donated input is read by the last step, its storage there until then.
  EXPECT_EQ(index.demandBytes(),
            (std::vector<int64_t>{1110, 1110, 1110, 1118}));
  // Without what can be recomputed: the same, as each step touches it. At the
  // end the input and the output are held.
  EXPECT_EQ(index.unavoidableBytes(),
            (std::vector<int64_t>{1110, 1110, 1110, 1118, 101}));
}

TEST(ProblemIndex, NoSteps) {
  Problem problem = parseForTest("tensor 0 bytes=5\ninput 0\noutput 0\n");
  ProblemIndex index(problem);
  EXPECT_TRUE(index.demandBytes().empty());
  EXPECT_EQ(index.unavoidableBytes(), (std::vector<int64_t>{5}));
}

/// Without groups the demand of each step is the memory of its slot, and what
/// is unavoidable is a part of it.
TEST(ProblemIndex, DemandIsTheMemoryOfTheSchedule) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    for (Step &step : problem.steps)
      step.group = -1;
    ProblemIndex index(problem);
    std::vector<int64_t> demand = index.demandBytes();
    std::vector<int64_t> unavoidable = index.unavoidableBytes();
    Timeline timeline = computeTimeline(problem, originalPlan(problem));
    ASSERT_EQ(demand.size(), timeline.slots.size());
    for (size_t i = 0; i < demand.size(); ++i) {
      ASSERT_EQ(demand[i], timeline.slots[i].bytes);
      ASSERT_LE(unavoidable[i], demand[i]);
    }
  }
}

} // namespace
