//===- PackingTest.cpp - Places for live ranges ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace remat::solver;

namespace {

std::vector<PackItem> randomItems(unsigned seed, int count, int slots) {
  std::mt19937 random(seed);
  std::vector<PackItem> items;
  for (int i = 0; i < count; ++i) {
    int begin = random() % slots;
    int end = begin + 1 + random() % (slots - begin);
    items.push_back({begin, end, 1 + static_cast<int64_t>(random() % 9)});
  }
  return items;
}

/// The least slab: first fit reaches it in the order of the optimal offsets.
int64_t leastSlab(const std::vector<PackItem> &items) {
  std::vector<int32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t least = packFirstFit(items, order).totalBytes;
  while (std::next_permutation(order.begin(), order.end()))
    least = std::min(least, packFirstFit(items, order).totalBytes);
  return least;
}

TEST(Packing, TouchingRangesShareMemory) {
  std::vector<PackItem> items = {{0, 2, 8}, {2, 4, 8}};
  EXPECT_EQ(peakBytes(items), 8);
  Packing packing = pack(items, 0);
  EXPECT_EQ(packing.totalBytes, 8);
  EXPECT_EQ(packing.offsets, (std::vector<int64_t>{0, 0}));
}

TEST(Packing, NothingNeedsNothing) {
  EXPECT_EQ(pack({}, 0).totalBytes, 0);
  EXPECT_EQ(pack({{0, 1, 0}}, 0).totalBytes, 0);
}

// A small tensor between two halves of a chain of large ones: placed greedily
// in the order of starts it pushes a large one up, out of order it does not.
TEST(Packing, KeepsSmallTensorsOutOfTheWay) {
  std::vector<PackItem> items = {
      {0, 2, 100}, {1, 3, 1}, {2, 4, 100}, {3, 5, 100}, {4, 6, 100}};
  EXPECT_EQ(pack(items, 0).totalBytes, peakBytes(items));
}

TEST(Packing, JudgeSeesOverlaps) {
  std::vector<PackItem> items = {{0, 2, 4}, {1, 3, 4}};
  EXPECT_TRUE(isValidPacking(items, {{0, 4}, 8}));
  EXPECT_FALSE(isValidPacking(items, {{0, 3}, 8}));
  EXPECT_FALSE(isValidPacking(items, {{0, 4}, 7}));
  EXPECT_FALSE(isValidPacking(items, {{-1, 4}, 8}));
  EXPECT_FALSE(isValidPacking(items, {{0}, 8}));
}

TEST(Packing, IsTheLeastSlabOfSmallProblems) {
  int least = 0, total = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<PackItem> items = randomItems(seed, 6, 6);
    Packing packing = pack(items, 0, /*rounds=*/200);
    EXPECT_TRUE(isValidPacking(items, packing));
    int64_t optimum = leastSlab(items);
    EXPECT_GE(packing.totalBytes, optimum);
    EXPECT_GE(optimum, peakBytes(items));
    least += packing.totalBytes == optimum;
    ++total;
  }
  EXPECT_EQ(least, total);
}

TEST(Packing, IsValidAndNearThePeakOnLargeProblems) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<PackItem> items = randomItems(seed, 150, 300);
    Packing packing = pack(items, 0, /*rounds=*/400);
    EXPECT_TRUE(isValidPacking(items, packing));
    EXPECT_LE(packing.totalBytes, peakBytes(items) * 1.1);
    Packing again = pack(items, 0, /*rounds=*/400);
    EXPECT_EQ(again.offsets, packing.offsets);
  }
}

} // namespace
