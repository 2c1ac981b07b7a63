//===- InputsTest.cpp - Inputs are reproducible and in range --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace remat::run;

static Port port(const std::string &elementType, int64_t elements,
                 int64_t bytes) {
  Port result;
  result.elementType = elementType;
  result.elements = elements;
  result.bytes = bytes;
  return result;
}

TEST(Inputs, DependOnSeedAndArgumentAlone) {
  Port argument = port("f32", 100, 400);
  EXPECT_EQ(makeInput(argument, 1, 2), makeInput(argument, 1, 2));
  EXPECT_NE(makeInput(argument, 1, 2), makeInput(argument, 2, 2));
  EXPECT_NE(makeInput(argument, 1, 2), makeInput(argument, 1, 3));
}

TEST(Inputs, FloatsAreInRangeAndDiffer) {
  std::string bytes = makeInput(port("f32", 1000, 4000), 0, 0);
  ASSERT_EQ(bytes.size(), 4000u);
  std::vector<float> values(1000);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  double sum = 0;
  for (float value : values) {
    EXPECT_LE(std::abs(value), 0.1f);
    sum += value;
  }
  // The mean of 1000 values uniform in -0.1 .. 0.1 has a deviation of 0.0018.
  EXPECT_NEAR(sum / 1000, 0, 0.01);
  EXPECT_NE(values[0], values[1]);
}

// A state such as Adam's variance must not be negative.
TEST(Inputs, OptimizerStatesAreNotNegative) {
  Port state = port("f32", 1000, 4000);
  state.kind = "optimizer-state";
  std::string bytes = makeInput(state, 0, 0);
  std::vector<float> values(1000);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  for (float value : values)
    EXPECT_GE(value, 0);
}

// The same random number in three formats: bf16 is the upper half of f32, and
// f16 has its sign and leading bits.
TEST(Inputs, ShortFloats) {
  float single;
  std::string f32 = makeInput(port("f32", 1, 4), 3, 0);
  std::memcpy(&single, f32.data(), 4);
  EXPECT_EQ(makeInput(port("bf16", 1, 2), 3, 0), f32.substr(2));
  uint16_t half;
  std::string f16 = makeInput(port("f16", 1, 2), 3, 0);
  std::memcpy(&half, f16.data(), 2);
  double value =
      std::ldexp(1.0 + (half & 0x3ff) / 1024.0, ((half >> 10) & 0x1f) - 15);
  EXPECT_NEAR(half & 0x8000 ? -value : value, single, std::abs(single) / 1000);
}

TEST(Inputs, IntegersAndBits) {
  for (char byte : makeInput(port("i1", 100, 100), 0, 0))
    EXPECT_TRUE(byte == 0 || byte == 1);
  std::string bytes = makeInput(port("i64", 100, 800), 0, 0);
  ASSERT_EQ(bytes.size(), 800u);
  for (size_t i = 0; i < 100; ++i) {
    int64_t value;
    std::memcpy(&value, bytes.data() + 8 * i, 8);
    EXPECT_TRUE(value >= 0 && value < 8);
  }
}
