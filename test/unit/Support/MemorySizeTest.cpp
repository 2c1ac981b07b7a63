//===- MemorySizeTest.cpp - Sizes as people write them --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Support/MemorySize.h"

#include <gtest/gtest.h>

using namespace remat;

namespace {

int64_t bytesOf(std::string_view text) {
  std::optional<MemoryCap> cap = parseMemoryCap(text);
  EXPECT_TRUE(cap && !cap->isPercent) << text;
  return cap ? cap->bytes : -1;
}

TEST(MemorySize, ParsesUnits) {
  EXPECT_EQ(bytesOf("0"), 0);
  EXPECT_EQ(bytesOf("1048576"), 1048576);
  EXPECT_EQ(bytesOf("12B"), 12);
  EXPECT_EQ(bytesOf("64k"), 64000);
  EXPECT_EQ(bytesOf("800MB"), 800000000);
  EXPECT_EQ(bytesOf("2gb"), 2000000000);
  EXPECT_EQ(bytesOf("1KiB"), 1024);
  EXPECT_EQ(bytesOf("1.5GiB"), 1610612736);
  EXPECT_EQ(bytesOf("1tib"), int64_t(1) << 40);
}

TEST(MemorySize, DropsFractionsOfAByte) {
  EXPECT_EQ(bytesOf("1.9"), 1);
  EXPECT_EQ(bytesOf("0.0015kB"), 1);
}

TEST(MemorySize, KeepsLargeNumbersExact) {
  EXPECT_EQ(bytesOf("9007199254740993"), 9007199254740993); // 2^53 + 1
}

TEST(MemorySize, RefusesEverythingElse) {
  for (const char *text :
       {"", "%", "MB", "-1", "+1", " 1", "1 MB", "1.", ".5", "1.2.3", "1e9",
        "0x10", "1XB", "1MiBs", "50%%", "10000000TiB", "nan", "inf%"})
    EXPECT_FALSE(parseMemoryCap(text)) << text;
}

TEST(MemorySize, ResolvesShares) {
  std::optional<MemoryCap> half = parseMemoryCap("50%");
  ASSERT_TRUE(half);
  EXPECT_TRUE(half->isPercent);
  EXPECT_EQ(half->resolve(101), 50);
  EXPECT_EQ(parseMemoryCap("0.3%")->resolve(1000), 3);
  EXPECT_EQ(parseMemoryCap("120%")->resolve(1000), 1200);
  EXPECT_EQ(parseMemoryCap("7MB")->resolve(1000), 7000000);
}

TEST(MemorySize, FormatsThreeDigits) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes(1610612736), "1.50 GiB");
  EXPECT_EQ(formatBytes(71303168), "68.0 MiB");
  EXPECT_EQ(formatBytes(700 << 20), "700 MiB");
  // One byte below 1 MiB rounds up to the next unit, not to "1024 KiB".
  EXPECT_EQ(formatBytes((1 << 20) - 1), "1.00 MiB");
  EXPECT_EQ(formatBytes(-2048), "-2.00 KiB");
}

} // namespace
