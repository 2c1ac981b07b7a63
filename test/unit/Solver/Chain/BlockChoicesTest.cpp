//===- BlockChoicesTest.cpp - Pareto sets of a block ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/BlockChoices.h"
#include "ParseForTest.h"

using namespace remat::solver;

namespace {

/// x0 -> a -> b -> x1 = h(b, x0), of which the backward pass reads x1 (with the
/// peak), then b, then a, then x0.
class BlockChoicesTest : public testing::Test {
protected:
  Problem problem = parseForTest("tensor 0 bytes=100\n" // x0
                                 "tensor 1 bytes=30\n"  // a
                                 "tensor 2 bytes=50\n"  // b
                                 "tensor 3 bytes=100\n" // x1
                                 "tensor 4 bytes=1\n"
                                 "tensor 5 bytes=200\n"
                                 "tensor 6 bytes=200\n"
                                 "tensor 7 bytes=200\n"
                                 "tensor 8 bytes=200\n"
                                 "step 0 cost=1 out=0\n"
                                 "step 1 cost=10 in=0 out=1\n"
                                 "step 2 cost=20 in=1 out=2\n"
                                 "step 3 cost=3 in=0,2 out=3\n"
                                 "step 4 cost=1 in=3 out=4\n"
                                 "step 5 cost=1 in=3,4 out=5\n"
                                 "step 6 cost=1 in=2,5 out=6\n"
                                 "step 7 cost=1 in=1,6 out=7\n"
                                 "step 8 cost=1 in=0,7 out=8\n"
                                 "output 8\n");
  static constexpr TensorId x0 = 0, a = 1, b = 2, x1 = 3;
  static constexpr int32_t peakSlot = 4;
  GapEncoding encoding{problem};
  Simulator simulator{encoding};
  Budget budget{simulator, 0};
  Decisions base = encoding.retainAll();
  std::vector<int64_t> bytesOfBase = simulator.run(base).windowBytes;
  BlockExplorer explorer{encoding,        simulator,          budget, base,
                         bytesOfBase,     /*quantumBytes=*/1,
                         /*maxMoments=*/3};

  BlockScope scope() const {
    BlockScope block;
    block.beginSlot = 1;
    block.endSlot = 4;
    block.beginWindow = 6;
    block.endWindow = 9;
    block.gaps = {encoding.gapAfter(a, peakSlot),
                  encoding.gapAfter(b, peakSlot)};
    block.boundaryGap = encoding.gapAfter(x0, peakSlot);
    block.nextGap = encoding.gapAfter(x1, peakSlot);
    block.keptBytes = 80;
    block.earlierBytes = 100;
    return block;
  }

  /// What a choice comes to in the plan of the whole.
  Outcome outcomeOf(const BlockChoice &choice) {
    Decisions decisions = base;
    for (auto [at, decision] : choice.changes)
      decisions[at] = decision;
    return Simulator(encoding).run(decisions);
  }
};

/// Nothing; a dropped (30 bytes, 10); b (50 bytes, 20); both (80 bytes: 20 and
/// twice 10, or once if a stays after b, which is worse inside the block).
TEST_F(BlockChoicesTest, FindsAllThatAreGoodForSomething) {
  explorer.explore(1'000'000);
  std::vector<std::pair<int64_t, int64_t>> kept;
  for (const BlockChoice &choice : explorer.choicesOf(scope()))
    kept.emplace_back(choice.measures.keptBytes, choice.measures.cost);
  EXPECT_TRUE(kept.size() == 1) << "no seed was added yet";
  explorer.addSeed(scope(), encoding.retainAll());
  explorer.explore(1'000'000);
  kept.clear();
  for (const BlockChoice &choice : explorer.choicesOf(scope()))
    kept.emplace_back(choice.measures.keptBytes, choice.measures.cost);
  auto has = [&](int64_t bytes, int64_t cost) {
    return std::find(kept.begin(), kept.end(), std::make_pair(bytes, cost)) !=
           kept.end();
  };
  EXPECT_TRUE(has(80, 0));
  EXPECT_TRUE(has(50, 10));
  EXPECT_TRUE(has(30, 20));
  EXPECT_TRUE(has(0, 30));
}

TEST_F(BlockChoicesTest, NoneIsDominated) {
  explorer.addSeed(scope(), encoding.retainAll());
  explorer.explore(1'000'000);
  std::vector<BlockChoice> choices = explorer.choicesOf(scope());
  ASSERT_GT(choices.size(), 2u);
  for (const BlockChoice &one : choices)
    for (const BlockChoice &other : choices) {
      if (&one == &other)
        continue;
      const BlockMeasures &p = one.measures, &q = other.measures;
      EXPECT_FALSE(p.cost <= q.cost && p.keptBytes <= q.keptBytes &&
                   p.innerBytes <= q.innerBytes && p.heldBytes <= q.heldBytes);
    }
}

/// The measures are those of the plan of the whole: its cost above the base,
/// its memory at the peak beside x0, x1 and the result of the peak, and the
/// most memory in windows 6 to 8 beside x0.
TEST_F(BlockChoicesTest, MeasuresAreExact) {
  explorer.addSeed(scope(), encoding.retainAll());
  explorer.explore(1'000'000);
  int64_t costOfBase = problem.scheduleCost();
  for (const BlockChoice &choice : explorer.choicesOf(scope())) {
    Outcome outcome = outcomeOf(choice);
    const BlockMeasures &measures = choice.measures;
    EXPECT_EQ(measures.cost, outcome.cost - costOfBase);
    EXPECT_EQ(measures.keptBytes, outcome.windowBytes[peakSlot] - 201);
    int64_t inner = *std::max_element(outcome.windowBytes.begin() + 6,
                                      outcome.windowBytes.begin() + 9);
    EXPECT_EQ(measures.innerBytes, inner - 100);
  }
}

/// Plans that choices come from may recompute for the moment as often as can be
/// counted; one more of it is not a negative number.
TEST_F(BlockChoicesTest, RepetitionsDoNotOverflow) {
  Decisions seed = encoding.retainAll();
  for (TensorId tensor : {a, b})
    seed[encoding.gapAfter(tensor, peakSlot)] = alwaysForTheMoment;
  explorer.addSeed(scope(), seed);
  explorer.explore(1'000'000);
  for (const BlockChoice &choice : explorer.choicesOf(scope()))
    for (auto [at, decision] : choice.changes)
      EXPECT_GE(decision, retain);
}

} // namespace
