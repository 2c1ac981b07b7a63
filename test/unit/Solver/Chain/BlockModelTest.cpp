//===- BlockModelTest.cpp - What choices for a block come to --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/BlockModel.h"
#include "ParseForTest.h"

using namespace remat::solver;

namespace {

/// A residual block: x1 = x0 + c(x0). The backward pass reads x1, then c.
class BlockModelTest : public testing::Test {
protected:
  Problem problem = parseForTest("tensor 0 bytes=100\n" // x0
                                 "tensor 1 bytes=10\n"  // c
                                 "tensor 2 bytes=100\n" // x1
                                 "tensor 3 bytes=1\n"   // at the peak
                                 "tensor 4 bytes=1000\n"
                                 "tensor 5 bytes=1000\n"
                                 "step 0 cost=1 out=0\n"
                                 "step 1 cost=50 in=0 out=1\n"
                                 "step 2 cost=3 in=0,1 out=2\n"
                                 "step 3 cost=1 in=2 out=3\n"
                                 "step 4 cost=1 in=2,3 out=4\n"
                                 "step 5 cost=1 in=1,4 out=5\n"
                                 "output 5\n");
  GapEncoding encoding{problem};
  static constexpr int32_t peakSlot = 3;
  static constexpr TensorId c = 1, x1 = 2;

  /// Of the block with x1 kept behind it.
  BlockMeasures measureClosed(int16_t decisionOnC) {
    return measure(/*isOpen=*/false, {decisionOnC, retain});
  }
  /// Of the block without.
  BlockMeasures measureOpen(int16_t decisionOnC) {
    return measure(/*isOpen=*/true, {decisionOnC, 0, retain});
  }

private:
  BlockMeasures measure(bool isOpen, const Decisions &choice) {
    BlockScope block;
    block.beginSlot = 1;
    block.endSlot = 3;
    block.beginWindow = 5;
    block.endWindow = 6;
    block.gaps = {encoding.gapAfter(c, peakSlot)};
    block.nextGap = encoding.gapAfter(x1, peakSlot - 1);
    block.isOpen = isOpen;
    if (isOpen)
      block.gaps.push_back(block.nextGap);
    block.keptBytes = 10;
    Decisions base = encoding.retainAll();
    std::vector<int64_t> bytes = Simulator(encoding).run(base).windowBytes;
    BlockModel model(encoding, block, base, bytes);
    BlockMeasures measures = model.measure(choice);
    EXPECT_GT(model.numExecutions(), 0);
    return measures;
  }
};

TEST_F(BlockModelTest, KeepsWhatIsRead) {
  BlockMeasures measures = measureClosed(retain);
  EXPECT_EQ(measures.cost, 0);
  EXPECT_EQ(measures.keptBytes, 10);
  EXPECT_EQ(measures.heldBytes, 0);
  // c and two gradients, in the only window.
  EXPECT_EQ(measures.innerBytes, 2010);
  EXPECT_EQ(measures.innerWindow, 0);
}

TEST_F(BlockModelTest, MakesAgainWhatItDrops) {
  BlockMeasures measures = measureClosed(0);
  EXPECT_EQ(measures.cost, 50);
  EXPECT_EQ(measures.keptBytes, 0);
  EXPECT_EQ(measures.innerBytes, 2010);
}

/// The sweep is cheap, as c is there, and leaves x1.
TEST_F(BlockModelTest, OpenWithWhatIsDearKept) {
  BlockMeasures measures = measureOpen(retain);
  EXPECT_EQ(measures.cost, 3);
  EXPECT_EQ(measures.keptBytes, 10);
  EXPECT_EQ(measures.heldBytes, 100);
}

/// The sweep makes c, which stays to be read later; or only for the moment,
/// and then it is made once more.
TEST_F(BlockModelTest, OpenAndNothingKept) {
  BlockMeasures stays = measureOpen(0);
  EXPECT_EQ(stays.cost, 53);
  EXPECT_EQ(stays.keptBytes, 0);
  EXPECT_EQ(stays.heldBytes, 110);
  BlockMeasures goes = measureOpen(1);
  EXPECT_EQ(goes.cost, 103);
  EXPECT_EQ(goes.keptBytes, 0);
  EXPECT_EQ(goes.heldBytes, 100);
}

} // namespace
