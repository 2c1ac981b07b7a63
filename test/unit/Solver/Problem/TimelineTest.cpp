//===- TimelineTest.cpp - Live ranges and memory over time ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryCases.h"

#include "remat/Solver/Timeline.h"

#include <algorithm>

using namespace remat::solver;

namespace {

TEST(Timeline, MemoryCases) {
  for (const MemoryCase &example : memoryCases()) {
    SCOPED_TRACE(example.name);
    Problem problem = parseForTest(example.lines);
    Timeline timeline = computeTimeline(problem, {example.sequence});
    std::vector<int64_t> bytes;
    for (const Slot &slot : timeline.slots)
      bytes.push_back(slot.bytes);
    EXPECT_EQ(bytes, example.slotBytes);
    auto peak = std::max_element(bytes.begin(), bytes.end());
    EXPECT_EQ(timeline.peakBytes, *peak);
    EXPECT_EQ(timeline.peakSlot, peak - bytes.begin());
    EXPECT_EQ(timeline.cost, example.cost);
  }
}

TEST(Timeline, NoSteps) {
  Timeline timeline = computeTimeline(
      parseForTest("tensor 0 bytes=4\ninput 0\noutput 0\n"), Plan());
  EXPECT_TRUE(timeline.slots.empty());
  EXPECT_EQ(timeline.peakBytes, 0);
  EXPECT_EQ(timeline.peakSlot, -1);
}

TEST(Timeline, RangesAreOrderedAndHalfOpen) {
  Problem problem = parseForTest("tensor 0 bytes=1\ntensor 1 bytes=1\n"
                                 "tensor 2 bytes=1 kind=input\n"
                                 "step 0 in=2 out=1,0\nstep 1 in=0\n"
                                 "step 2 in=1\ninput 2\n");
  Timeline timeline = computeTimeline(problem, {{0, 1, 0, 2}});
  struct Expected {
    TensorId tensor;
    int32_t execution, begin, end;
  };
  std::vector<Expected> expected = {
      {2, -1, 0, 4}, {0, 0, 0, 2}, {1, 0, 0, 1}, {0, 2, 2, 3}, {1, 2, 2, 4}};
  ASSERT_EQ(timeline.ranges.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(timeline.ranges[i].tensor, expected[i].tensor);
    EXPECT_EQ(timeline.ranges[i].execution, expected[i].execution);
    EXPECT_EQ(timeline.ranges[i].begin, expected[i].begin);
    EXPECT_EQ(timeline.ranges[i].end, expected[i].end);
  }
}

TEST(Timeline, SlotsNameTheirExecutions) {
  Problem problem = parseForTest("step 0\nstep 1 group=0\nstep 2 group=0\n");
  Timeline timeline = computeTimeline(problem, {{0, 1, 2}});
  ASSERT_EQ(timeline.slots.size(), 2u);
  EXPECT_EQ(timeline.slots[1].begin, 1);
  EXPECT_EQ(timeline.slots[1].end, 3);
}

} // namespace
