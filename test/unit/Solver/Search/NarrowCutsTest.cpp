//===- NarrowCutsTest.cpp - Where a single tensor leads on ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NarrowCuts.h"
#include "Heuristics/Heuristics.h"
#include "ParseForTest.h"

using namespace remat::solver;

namespace {

/// Two residual blocks, x1 = x0 + c0(x0) and x2 = x1 + c1(x1), with c1 small.
/// Over slot 0 leads x0, over 1 x0 and c0, over 2 x1, over 3 x1 and c1, over 4
/// x2; the peak is slot 5. The backward pass reads c1, x1, c0 and x0.
const char *residual = "tensor 0 bytes=100\ntensor 1 bytes=40\n"
                       "tensor 2 bytes=100\ntensor 3 bytes=2\n"
                       "tensor 4 bytes=100\ntensor 5 bytes=1\n"
                       "tensor 6 bytes=1\n"
                       "step 0 cost=1 out=0\nstep 1 cost=1 in=0 out=1\n"
                       "step 2 cost=1 in=0,1 out=2\n"
                       "step 3 cost=1 in=2 out=3\n"
                       "step 4 cost=1 in=2,3 out=4\n"
                       "step 5 cost=1 in=4 out=5\n"
                       "step 6 cost=1 in=5,3,2,1,0 out=6\noutput 6\n";
constexpr TensorId x0 = 0, c0 = 1, x1 = 2, c1 = 3, x2 = 4;
constexpr int32_t peakSlot = 5;

std::vector<std::pair<int32_t, TensorId>> cutsOf(double smallBytes) {
  Problem problem = parseForTest(residual);
  std::vector<std::pair<int32_t, TensorId>> cuts;
  for (NarrowCut cut :
       findNarrowCuts(GapEncoding(problem), peakSlot, smallBytes))
    cuts.emplace_back(cut.slot, cut.tensor);
  return cuts;
}

/// x0 is made from nothing, so that it does not count; then c0 alone leads over
/// slot 1.
TEST(NarrowCuts, AreWhereOneTensorLeadsOn) {
  EXPECT_EQ(cutsOf(0), (std::vector<std::pair<int32_t, TensorId>>{
                           {1, c0}, {2, x1}, {4, x2}}));
}

/// Only tensors of the size count: x1 alone leads over slots 2 and 3, and the
/// cut is at the first.
TEST(NarrowCuts, IgnoreSmallTensors) {
  EXPECT_EQ(cutsOf(50),
            (std::vector<std::pair<int32_t, TensorId>>{{2, x1}, {4, x2}}));
}

/// With a boundary after slot 2, x1 leads over it and stays; all else that is
/// read after the peak goes, except what the peak itself reads.
TEST(NarrowCuts, KeepWhatLeadsOverBoundaries) {
  Problem problem = parseForTest(residual);
  GapEncoding encoding(problem);
  Decisions decisions = keepBoundaries(encoding, peakSlot, {2});
  auto isKept = [&](TensorId tensor) {
    return decisions[encoding.gapAfter(tensor, peakSlot)] == retain;
  };
  EXPECT_TRUE(isKept(x1));
  EXPECT_TRUE(isKept(x2));
  EXPECT_FALSE(isKept(x0));
  EXPECT_FALSE(isKept(c0));
  EXPECT_FALSE(isKept(c1));
}

TEST(EqualSegments, AreOfOneLength) {
  EXPECT_EQ(equalSegments(12, 4), (std::vector<int32_t>{2, 5, 8}));
  EXPECT_EQ(equalSegments(10, 3), (std::vector<int32_t>{2, 5}));
  EXPECT_EQ(equalSegments(5, 1), std::vector<int32_t>());
}

/// 160,000 * 159,999 is beyond 32 bits; each slot is a segment all the same.
TEST(EqualSegments, OfLargeSchedules) {
  constexpr int32_t numSlots = 160'000;
  std::vector<int32_t> boundaries = equalSegments(numSlots, numSlots);
  ASSERT_EQ(boundaries.size(), size_t(numSlots) - 1);
  for (int32_t i = 0; i < numSlots - 1; ++i)
    ASSERT_EQ(boundaries[i], i);
}

/// The whole planner on a training step of 160,000 steps: a chain and its
/// gradients. Segments of k steps keep 80,000 / k + k of 80,000 bytes at least.
TEST(Segments, OfLargeSchedules) {
  constexpr int numLayers = 80'000;
  Problem problem;
  problem.tensors.resize(size_t{2} * numLayers);
  for (int i = 0; i < 2 * numLayers; ++i) {
    problem.tensors[i].bytes = i < numLayers ? 1 : 0;
    problem.tensors[i].label = i;
    Step &step = problem.steps.emplace_back();
    step.cost = 1;
    step.label = i;
    step.results = {i};
    if (i > 0)
      step.operands = {i - 1};
    if (i > numLayers)
      step.operands.push_back(2 * numLayers - 1 - i);
  }
  problem.outputs = {2 * numLayers - 1};
  ASSERT_EQ(check(problem), std::nullopt);
  // The last of these sizes is 2 * 40,000^(15/16), or 41,253 segments; products
  // of numbers of segments and slots overflow 32 bits from 26,844 on.
  Tuning tuning = Tuning::defaults();
  tuning.segments.numSizes = 16;
  PlannerOptions options;
  options.capBytes = 1'000;
  options.tuning = &tuning;
  PlanPool pool(problem, options);
  searchSegments(pool);
  EXPECT_TRUE(pool.fits());
  EXPECT_LE(pool.best().cost, 3 * numLayers);
}

} // namespace
