//===- ApplyPlanTest.cpp - Plans by hand, applied to IR -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewriter takes any plan. These tests pass it plans that no solver may
// ever find.
//
//===----------------------------------------------------------------------===//

#include "StreamProgram.h"

#include "remat/IR/ApplyPlan.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {

using ApplyPlan = StreamProgramTest;

/// A group of p and q that both read the input; r reads p's result, s q's.
std::string groupProgram() {
  return programOf(
      R"(    %g:2 = "stream.async.concurrent"(%in, %c64, %c64, %c64) ({
    ^bb0(%gin: !stream.resource<external>):
)" + dispatch("%p", "p", "%gin", "external") +
      dispatch("%q", "q", "%gin", "external") +
      R"(      "stream.yield"(%p, %q, %c64, %c64)
        : (!stream.resource<transient>, !stream.resource<transient>, index,
           index) -> ()
    }) {operandSegmentSizes = array<i32: 1, 1, 2>,
        tied_operands = [-1 : index, -1 : index]}
      : (!stream.resource<external>, index, index, index)
      -> (!stream.resource<transient>, !stream.resource<transient>)
)" + dispatch("%r", "r", "%g#0", "transient") +
      dispatch("%s", "s", "%g#1", "transient", "external") +
      R"(    "stream.yield"(%s, %c64) : (!stream.resource<external>, index) -> ()
)");
}

TEST_F(ApplyPlan, OriginalSequenceChangesNothing) {
  RegionProblem region = read(groupProgram());
  EXPECT_EQ(launches(), "[pq]rs");
  AppliedPlan applied = applyPlan(region, originalPlan(region.problem));
  EXPECT_EQ(launches(), "[pq]rs");
  EXPECT_EQ(applied.clonedOps, 0);
  EXPECT_EQ(applied.dissolvedGroups, 0);
}

// q runs after r, so the group is split; p's result dies before q's appears.
TEST_F(ApplyPlan, DissolvesAGroupThatThePlanTearsApart) {
  RegionProblem region = read(groupProgram());
  Plan plan{{0, 2, 1, 3}};
  Validation before = validate(region.problem, plan);
  ASSERT_TRUE(before.valid()) << before.error;
  AppliedPlan applied = applyPlan(region, plan);
  EXPECT_EQ(launches(), "prqs");
  EXPECT_EQ(applied.dissolvedGroups, 1);
  EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module)));
  RegionProblem again = readAgain();
  Timeline timeline =
      computeTimeline(again.problem, originalPlan(again.problem));
  EXPECT_EQ(timeline.peakBytes, before.peakBytes);
}

// The steps of a group may stand in another order: it is one slot.
TEST_F(ApplyPlan, KeepsAGroupWhoseStepsAreListedInAnotherOrder) {
  RegionProblem region = read(groupProgram());
  AppliedPlan applied = applyPlan(region, {{1, 0, 2, 3}});
  EXPECT_EQ(launches(), "[pq]rs");
  EXPECT_EQ(applied.dissolvedGroups, 0);
}

TEST_F(ApplyPlan, ClonesReadTheNewestVersions) {
  RegionProblem region = read(
      programOf(dispatch("%a", "a", "%in", "external") +
                dispatch("%b", "b", "%a", "transient") +
                dispatch("%c", "c", "%b", "transient", "external") +
                R"(    "stream.yield"(%c, %c64) : (!stream.resource<external>,
      index) -> ()
)"));
  AppliedPlan applied = applyPlan(region, {{0, 1, 0, 1, 2}});
  EXPECT_EQ(launches(), "ababc");
  EXPECT_EQ(applied.clonedOps, 2);
  std::vector<Op> ops = opsOf(execute.body());
  // The second b reads the second a, and c reads the second b.
  EXPECT_TRUE(ops[3].operand(0) == ops[2].result(0));
  EXPECT_TRUE(ops[4].operand(0) == ops[3].result(0));
}

TEST_F(ApplyPlan, MovesOpsThatThePlanReorders) {
  RegionProblem region = read(
      programOf(dispatch("%a", "a", "%in", "external") +
                dispatch("%b", "b", "%in", "external") +
                dispatch("%c", "c", "%b", "transient", "external") +
                R"(    "stream.yield"(%c, %c64) : (!stream.resource<external>,
      index) -> ()
)"));
  applyPlan(region, {{1, 2, 0}});
  EXPECT_EQ(launches(), "bca");
  EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module)));
}

} // namespace
