//===- MemoryMapTest.cpp - Tensors in memory over time --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/MemoryMap.h"

#include <gtest/gtest.h>

using namespace remat::run;

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

// Two tensors that overlap are stacked; a third one, which comes later, takes
// the space of the larger: 30 + 10 bytes high.
TEST(MemoryMap, ReusesPlaces) {
  Analysis analysis;
  auto add = [&](int64_t bytes, SlotRange before) {
    TensorView view;
    view.bytes = bytes;
    view.before = before;
    view.after = {before};
    analysis.tensors.push_back(view);
  };
  add(30, {0, 2});
  add(10, {1, 4});
  add(20, {2, 4});
  analysis.before.slots.resize(4);
  MemoryLayout layout = layOutMemory(analysis, false, 40);
  EXPECT_EQ(layout.totalBytes, 40);
  std::string map = memoryMap(analysis, layout, {35, 40, "m"});
  EXPECT_EQ(count(map, "<rect"), 3u);
  EXPECT_EQ(count(map, "class=\"cap\""), 1u);
  EXPECT_EQ(count(map, ">cap</span>"), 1u);
}
