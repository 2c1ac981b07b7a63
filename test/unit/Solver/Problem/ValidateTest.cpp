//===- ValidateTest.cpp - The validator, case by case ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each memory case is a few steps whose peak can be added up by hand; the sizes
// are powers of two (or of ten), so that a wrong sum shows which tensor is in
// it. TimelineTest runs the same cases through the time line.
//
//===----------------------------------------------------------------------===//

#include "MemoryCases.h"

#include "remat/Solver/Validate.h"

#include <algorithm>

using namespace remat::solver;

namespace {

TEST(Validate, MemoryCases) {
  for (const MemoryCase &example : memoryCases()) {
    SCOPED_TRACE(example.name);
    Problem problem = parseForTest(example.lines);
    Validation verdict = validate(problem, {example.sequence});
    EXPECT_EQ(verdict.error, "");
    EXPECT_EQ(verdict.peakBytes, *std::max_element(example.slotBytes.begin(),
                                                   example.slotBytes.end()));
    EXPECT_EQ(verdict.cost, example.cost);
  }
}

/// A makes a, B overwrites it as b, C reads b; W may run once only.
Problem smallProblem() {
  return parseForTest("tensor 0 bytes=4\n"
                      "tensor 1 bytes=4\n"
                      "tensor 2 bytes=4\n"
                      "step 0 cost=1 out=0\n"
                      "step 1 cost=2 in=0 out=1 inplace=1:0\n"
                      "step 2 cost=4 in=1 out=2\n"
                      "step 3 cost=8 recompute=no:rng\n"
                      "output 2\n");
}

std::string fault(std::vector<StepId> sequence) {
  return validate(smallProblem(), {std::move(sequence)}).error;
}

TEST(Validate, AcceptsGoodPlans) {
  EXPECT_EQ(fault({0, 1, 2, 3}), "");
  // Any order that computes the same will do.
  EXPECT_EQ(fault({3, 0, 1, 2}), "");
  EXPECT_EQ(fault({0, 1, 2, 0, 1, 2, 3}), "");
}

TEST(Validate, RefusesBadSequences) {
  EXPECT_EQ(fault({0, 1, 2}), "step 3 is never executed");
  EXPECT_EQ(fault({0, 1, 2, 3, 4}),
            "the plan names step index 4, which does not exist");
  EXPECT_EQ(fault({-1}), "the plan names step index -1, which does not exist");
  EXPECT_EQ(fault({0, 1, 2, 3, 3}),
            "step 3 is executed 2 times but may not be recomputed: rng");
  EXPECT_EQ(fault({1, 0, 2, 3}), "execution 0 (step 1) reads tensor 0, which "
                                 "has not been made");
}

/// What has effects keeps its order; all else may move across it.
TEST(Validate, RefusesEffectsInAnotherOrder) {
  Problem problem = parseForTest("tensor 0 bytes=4\n"
                                 "step 0 recompute=no:rng effects=yes\n"
                                 "step 1 out=0\n"
                                 "step 2 recompute=no:rng effects=yes\n");
  EXPECT_TRUE(validate(problem, {{1, 0, 2}}).valid());
  EXPECT_TRUE(validate(problem, {{0, 2, 1}}).valid());
  EXPECT_EQ(validate(problem, {{2, 1, 0}}).error,
            "step 0 has effects but runs after step 2, which has effects too");
}

TEST(Validate, RefusesReadsOfOverwrittenVersions) {
  EXPECT_EQ(fault({0, 1, 1, 2, 3}),
            "execution 2 (step 1) reads tensor 0, which execution 1 (step 1) "
            "has overwritten");
}

TEST(Validate, RefusesCostsBeyond64Bits) {
  // 127 executions of 2^56 each are just below 2^63, 128 are 2^63.
  Problem problem = parseForTest("step 0 cost=72057594037927936\n");
  Plan plan;
  plan.sequence.assign(127, 0);
  EXPECT_EQ(validate(problem, plan).cost, 127 * (int64_t(1) << 56));
  plan.sequence.assign(128, 0);
  EXPECT_EQ(validate(problem, plan).error,
            "the cost of the plan exceeds 2^63 - 1");
}

TEST(Validate, RefusesPeaksBeyond64Bits) {
  // Step 0 runs again before each view of tensor 0 is made, so each view keeps
  // a storage of 2^56 bytes of its own to the end.
  constexpr int numViews = 128;
  std::string text = "tensor 1000 bytes=72057594037927936\n";
  std::string steps = "step 1000 out=1000\n", outputs;
  Plan plan;
  for (int i = 0; i < numViews; ++i) {
    std::string label = std::to_string(i);
    text += "tensor " + label + " bytes=0 alias=1000\n";
    steps += "step " + label + " in=1000 out=" + label + "\n";
    outputs += (outputs.empty() ? "output " : ",") + label;
    plan.sequence.push_back(0);
    plan.sequence.push_back(i + 1);
  }
  Problem problem = parseForTest(text + steps + outputs + "\n");
  EXPECT_EQ(validate(problem, plan).error,
            "the peak of the plan exceeds 2^63 - 1 bytes");
}

/// Overwriting a storage destroys the views of it too.
TEST(Validate, RefusesReadsOfViewsOfOverwrittenVersions) {
  Problem problem = parseForTest("tensor 0 bytes=4\n"
                                 "tensor 1 bytes=4 alias=0\n"
                                 "tensor 2 bytes=4\n"
                                 "step 0 out=0\n"
                                 "step 1 in=0 out=1\n"
                                 "step 2 in=1\n"
                                 "step 3 in=0 out=2 inplace=2:0\n");
  EXPECT_TRUE(validate(problem, {{0, 1, 2, 3}}).valid());
  EXPECT_EQ(validate(problem, {{0, 1, 3, 2}}).error,
            "execution 3 (step 2) reads tensor 1, which execution 2 (step 3) "
            "has overwritten");
}

} // namespace
