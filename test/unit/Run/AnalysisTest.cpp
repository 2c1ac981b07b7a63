//===- AnalysisTest.cpp - Activations of a small step ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Analysis.h"
#include "remat/Render/Svg.h"
#include "remat/Run/Process.h"
#include "remat/Solver/Validate.h"

#include <gtest/gtest.h>

using namespace remat;
using namespace remat::run;

// f1 -a1-> f2 -a2-> f3 -a3-> b3 -g2-> b2 -g1-> b1 -> output, where each b reads
// the a before it: three activations of 100, 200 and 300 bytes; the plan
// recomputes a1.
static TracedRegion example(bool named) {
  std::string trace =
      R"({"schema_version":1,"kind":"trace","regions":[{"function":"main","region":0,
    "outside_bytes":50,
    "problem":"remat-problem 1\n
tensor 0 bytes=0 kind=input\ntensor 1 bytes=100\ntensor 2 bytes=200\n
tensor 3 bytes=300\ntensor 4 bytes=40\ntensor 5 bytes=40\n
tensor 6 bytes=0 kind=output\n
step 0 cost=10 name=\"f1\" in=0 out=1\n
step 1 cost=20 name=\"f2\" in=1 out=2\n
step 2 cost=30 name=\"f3\" in=2 out=3\n
step 3 cost=30 name=\"b3\" in=3,2 out=4\n
step 4 cost=20 name=\"b2\" in=4,1 out=5\n
step 5 cost=10 name=\"b1\" in=5,0 out=6\n
input 0\noutput 6\n",
    "sequence":[0,1,2,3,0,4,5],
    "origins":["net.0.a","net.1.a","net.2.a","B net.2.a","B net.1.a",
               "B net.0.a"],
    "moved_bytes":[1,2,3,4,5,6]}]})";
  // JSON strings hold no line breaks.
  std::string text;
  for (char character : trace)
    if (character != '\n')
      text += character;
  std::string mark = named ? "backward/" : "";
  for (size_t at = 0; (at = text.find("\"B ", at)) != std::string::npos;)
    text.replace(at + 1, 2, mark);
  return parseTrace(text).at(0);
}

TEST(Analysis, ActivationsByName) {
  Analysis analysis = analyze(example(true));
  EXPECT_EQ(analysis.isForward,
            (std::vector<bool>{true, true, true, false, false, false}));
  EXPECT_EQ(analysis.retained, 2);
  EXPECT_EQ(analysis.recomputed, 1);
  EXPECT_EQ(analysis.retainedBytes, 500);
  EXPECT_EQ(analysis.recomputedBytes, 100);
  ASSERT_EQ(analysis.tensors.size(), 5u);
  const TensorView &a1 = analysis.tensors[0];
  EXPECT_EQ(a1.name, "f1");
  EXPECT_EQ(a1.origin, "net.0.a");
  EXPECT_EQ(a1.role, Role::Activation);
  EXPECT_EQ(a1.firstForwardUse, 1);
  EXPECT_EQ(a1.lastForwardUse, 1);
  EXPECT_EQ(a1.firstBackwardUse, 4);
  EXPECT_EQ(a1.before.end, 5);
  ASSERT_EQ(a1.after.size(), 2u);
  EXPECT_EQ(a1.after[0].end, 2);
  EXPECT_EQ(a1.after[1].begin, 4);
  EXPECT_EQ(a1.recomputeNanos, 10);
  EXPECT_EQ(analysis.tensors[3].role, Role::Gradient);
}

// At b3, a1, a2, a3 and g2 are live: 100 + 200 + 300 + 40. After, a1 is gone.
TEST(Analysis, MemoryAtThePeak) {
  Analysis analysis = analyze(example(true));
  EXPECT_EQ(analysis.before.peakBytes, 640);
  EXPECT_EQ(analysis.peakBefore.activations, 600);
  EXPECT_EQ(analysis.peakBefore.gradients, 40);
  EXPECT_EQ(analysis.after.peakBytes, 540);
  EXPECT_EQ(analysis.peakAfter.activations, 500);
  EXPECT_EQ(analysis.peakAfter.workspace, 0);
}

// Without names the forward pass ends at the peak, which is b3.
TEST(Analysis, ForwardPassEndsAtThePeakWithoutNames) {
  Analysis analysis = analyze(example(false));
  EXPECT_EQ(analysis.isForward,
            (std::vector<bool>{true, true, true, true, false, false}));
}

TEST(Analysis, FaultyTraces) {
  EXPECT_THROW(parseTrace("{}"), RunError);
  EXPECT_THROW(parseTrace("nonsense"), RunError);
  EXPECT_THROW(largestRegion({}), RunError);
}

// Steps without a layer belong with the step before them.
TEST(Analysis, PlacesInFilesNameNoLayer) {
  TracedRegion region = example(true);
  region.origins[2] = "model.mlir:12";
  region.origins[4] = "model.mlir:99";
  EXPECT_EQ(findForwardSteps(region.problem, region.origins),
            (std::vector<bool>{true, true, true, false, false, false}));
}
