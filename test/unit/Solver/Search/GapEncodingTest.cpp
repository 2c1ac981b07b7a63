//===- GapEncodingTest.cpp - Decisions against the validator --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"
#include "RandomProblem.h"
#include "Search/Simulator.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>

using namespace remat::solver;

namespace {

/// A chain a -> b -> c whose end reads all of it in reverse.
const char *chain = "tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                    "tensor 3 bytes=0\n"
                    "step 0 cost=1 out=0\nstep 1 cost=2 in=0 out=1\n"
                    "step 2 cost=4 in=1 out=2\nstep 3 cost=8 in=2 out=3\n"
                    "step 4 cost=8 in=1\nstep 5 cost=8 in=0\n"
                    "output 3\n";

std::vector<StepId> sequenceOf(const GapEncoding &encoding,
                               const Decisions &decisions) {
  return Simulator(encoding).run(decisions).sequence;
}

TEST(GapEncoding, FindsGaps) {
  Problem problem = parseForTest(chain);
  GapEncoding encoding(problem);
  // Tensor 0 is touched in slots 0, 1 and 5.
  ASSERT_EQ(encoding.firstGap[1] - encoding.firstGap[0], 3);
  EXPECT_EQ(encoding.gaps[1].beginSlot, 1);
  EXPECT_EQ(encoding.gaps[1].endSlot, 5);
  EXPECT_EQ(encoding.gaps[2].endSlot, 6);
  EXPECT_EQ(encoding.gapAfter(0, 3), 1);
  EXPECT_EQ(encoding.gapAfter(1, 0), -1);
}

TEST(GapEncoding, RetainAllIsTheSchedule) {
  Problem problem = parseForTest(chain);
  GapEncoding encoding(problem);
  EXPECT_EQ(sequenceOf(encoding, encoding.retainAll()),
            originalPlan(problem).sequence);
}

/// Tensor 1 is dropped after slot 2 and needs 0, which is dropped too, for slot
/// 4. With k = 0 the tensor 0 that is made then stays for slot 5; with k = 1 it
/// is made for the moment, and again for slot 5.
TEST(GapEncoding, KeepsOrRepeats) {
  Problem problem = parseForTest(chain);
  GapEncoding encoding(problem);
  Decisions decisions = encoding.retainAll();
  decisions[encoding.gapAfter(1, 2)] = 0;
  decisions[encoding.gapAfter(0, 1)] = 0;
  EXPECT_EQ(sequenceOf(encoding, decisions),
            (std::vector<StepId>{0, 1, 2, 3, 0, 1, 4, 5}));
  decisions[encoding.gapAfter(0, 1)] = 1;
  EXPECT_EQ(sequenceOf(encoding, decisions),
            (std::vector<StepId>{0, 1, 2, 3, 0, 1, 4, 0, 5}));
}

/// The window of slot 4 holds the recomputations of 0 and 1 for it.
TEST(GapEncoding, WindowsHoldTheirRecomputations) {
  Problem problem = parseForTest(chain);
  GapEncoding encoding(problem);
  Decisions decisions = encoding.retainAll();
  decisions[encoding.gapAfter(1, 2)] = 0;
  decisions[encoding.gapAfter(0, 1)] = 0;
  Simulator simulator(encoding);
  const Outcome &outcome = simulator.run(decisions);
  EXPECT_EQ(outcome.windowBytes,
            (std::vector<int64_t>{1, 11, 110, 100, 11, 1, 0}));
  EXPECT_EQ(outcome.excess(100), 10);
}

TEST(GapEncoding, TensorsThatCanNotComeBackHaveNoGaps) {
  Problem problem =
      parseForTest("tensor 0 bytes=1\ntensor 1 bytes=1\ntensor 2 bytes=1\n"
                   "tensor 3 bytes=1 kind=donated\ntensor 4 bytes=1\n"
                   "tensor 5 bytes=1\n"
                   "step 0 out=0 recompute=no:rng\n"
                   "step 1 in=0 out=1\n"
                   "step 2 in=3 out=2\n"
                   "step 3 in=3 out=4 inplace=4:3\n"
                   "step 4 in=4 out=5\ninput 3\n");
  GapEncoding encoding(problem);
  // 1 needs 0, which can stay; 2 needs 3, which is overwritten in slot 3; 4
  // overwrote it; 5 needs 4, which can stay.
  EXPECT_EQ(encoding.canRegenerate,
            (std::vector<char>{false, true, true, false, false, true}));
  EXPECT_EQ(encoding.regenerableUntil,
            (std::vector<int32_t>{-1, 5, 3, -1, 3, 5}));
  for (const Gap &gap : encoding.gaps)
    EXPECT_TRUE(encoding.canRegenerate[gap.tensor]);
}

/// Tensor 1 is made from the donated 0 and read before and after step 3
/// overwrites that: it may go until then, and has to be there afterwards.
TEST(GapEncoding, WhatAnOverwrittenInputMakesMayGoUntilThen) {
  Problem problem = parseForTest("tensor 0 bytes=0 kind=donated\n"
                                 "tensor 1 bytes=10\ntensor 2 bytes=100\n"
                                 "tensor 3 bytes=0 kind=output alias=0\n"
                                 "tensor 4 bytes=0 kind=output\n"
                                 "step 0 cost=1 in=0 out=1\n"
                                 "step 1 cost=1 in=0 out=2\n"
                                 "step 2 cost=1 in=2,1\n"
                                 "step 3 cost=1 in=0,1 out=3 inplace=3:0\n"
                                 "step 4 cost=1 in=1 out=4\n"
                                 "input 0\noutput 3,4\n");
  GapEncoding encoding(problem);
  EXPECT_GE(encoding.gapAfter(1, 1), 0);
  EXPECT_GE(encoding.gapAfter(1, 2), 0);
  EXPECT_EQ(encoding.gapAfter(1, 3), -1);
  // Dropped wherever that is possible, and made for the moment only.
  Decisions decisions = encoding.retainAll();
  for (size_t gap = 0; gap < encoding.gaps.size(); ++gap)
    decisions[gap] = 3;
  std::vector<StepId> sequence = sequenceOf(encoding, decisions);
  EXPECT_EQ(sequence, (std::vector<StepId>{0, 1, 1, 0, 2, 0, 3, 4}));
  EXPECT_TRUE(validate(problem, {sequence}).valid());
}

/// Steps 1 and 2 form a slot, and 2 reads what 1 makes: that is not missing
/// before the slot.
TEST(GapEncoding, AGroupMayReadWhatItMakes) {
  Problem problem = parseForTest("tensor 0 bytes=1\ntensor 1 bytes=1\n"
                                 "step 0 out=0\n"
                                 "step 1 in=0 out=1 recompute=no:rng group=0\n"
                                 "step 2 in=1 group=0\n");
  GapEncoding encoding(problem);
  EXPECT_EQ(sequenceOf(encoding, encoding.retainAll()),
            (std::vector<StepId>{0, 1, 2}));
}

/// Split, steps 1 and 2 run one at a time; step 0, the cheapest that can,
/// runs again in between.
TEST(GapEncoding, TearsGroupsApart) {
  Problem problem =
      parseForTest("tensor 0 bytes=1\ntensor 1 bytes=10\ntensor 2 bytes=100\n"
                   "step 0 out=0\n"
                   "step 1 cost=1 out=1 group=0\n"
                   "step 2 cost=1 out=2 group=0\n");
  GapEncoding encoding(problem);
  Simulator simulator(encoding);
  EXPECT_EQ(simulator.run(encoding.retainAll()).peakBytes, 110);
  Decisions decisions = encoding.retainAll();
  decisions[encoding.splitOf(1)] = 0;
  const Outcome &outcome = simulator.run(decisions);
  EXPECT_EQ(outcome.sequence, (std::vector<StepId>{0, 1, 0, 2}));
  EXPECT_EQ(outcome.peakBytes, 100);
}

/// Any decisions give a valid plan, with the memory and the cost that the
/// simulator says.
TEST(GapEncoding, EveryVectorIsAPlan) {
  int64_t numRecomputations = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 14);
    GapEncoding encoding(problem);
    Simulator simulator(encoding);
    uint64_t random = seed;
    for (int trial = 0; trial < 4; ++trial) {
      Decisions decisions = encoding.retainAll();
      for (int16_t &decision : decisions)
        if (nextRandom(random, 3) == 0)
          decision = static_cast<int16_t>(nextRandom(random, 3));
      const Outcome &outcome = simulator.run(decisions);
      Validation verdict = validate(problem, {outcome.sequence});
      ASSERT_EQ(verdict.error, "");
      ASSERT_EQ(verdict.cost, outcome.cost);
      ASSERT_EQ(verdict.peakBytes, outcome.peakBytes);
      ASSERT_EQ(*std::max_element(outcome.windowBytes.begin(),
                                  outcome.windowBytes.end()),
                outcome.peakBytes);
      numRecomputations += outcome.sequence.size() - problem.steps.size();
    }
  }
  EXPECT_GT(numRecomputations, 10000);
}

/// A few changes give the same outcome from the notes of the base as from the
/// start.
TEST(GapEncoding, TrialsStartFromTheBase) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 40);
    GapEncoding encoding(problem);
    Simulator simulator(encoding), fromTheStart(encoding);
    uint64_t random = seed;
    auto randomDecision = [&] {
      return static_cast<int16_t>(nextRandom(random, 4) - 1);
    };
    Decisions base = encoding.retainAll();
    for (int16_t &decision : base)
      if (nextRandom(random, 3) == 0)
        decision = randomDecision();
    simulator.setBase(base);
    for (int trial = 0; trial < 10; ++trial) {
      Decisions decisions = base;
      Changes changes;
      for (int64_t i = nextRandom(random, 4); i >= 0; --i) {
        auto at = static_cast<int32_t>(nextRandom(random, base.size()));
        changes.emplace_back(at, randomDecision());
        decisions[at] = changes.back().second;
      }
      const Outcome &tried = simulator.tryChanges(changes);
      const Outcome &expected = fromTheStart.run(decisions);
      ASSERT_EQ(tried.cost, expected.cost);
      ASSERT_EQ(tried.peakBytes, expected.peakBytes);
      ASSERT_EQ(tried.windowBytes, expected.windowBytes);
    }
  }
}

} // namespace
