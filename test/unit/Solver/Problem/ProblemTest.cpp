//===- ProblemTest.cpp - Every rule of check() ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"

using namespace remat::solver;

namespace {

/// in -A-> a -B-> out; each test breaks it in one way.
Problem goodProblem() {
  return parseForTest("tensor 10 bytes=8\n"
                      "tensor 11 bytes=8\n"
                      "tensor 12 bytes=8\n"
                      "step 20 cost=1 in=10 out=11\n"
                      "step 21 cost=1 in=11 out=12\n"
                      "input 10\n"
                      "output 12\n");
}

/// What check() says of the good problem after `breakIt`.
template <typename BreakIt> std::string fault(BreakIt breakIt) {
  Problem problem = goodProblem();
  breakIt(problem);
  return check(problem).value_or("nothing wrong");
}

TEST(Check, AcceptsGoodProblems) {
  EXPECT_EQ(fault([](Problem &) {}), "nothing wrong");
  EXPECT_FALSE(check(Problem()));
}

TEST(Check, Tensors) {
  EXPECT_EQ(fault([](Problem &p) { p.tensors[0].label = -5; }),
            "tensor label -5 is negative");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[0].label = 11; }),
            "two tensors have the label 11");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[0].bytes = -1; }),
            "tensor 10 has a negative size of -1 bytes");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[0].bytes = int64_t(1) << 56; }),
            "the sizes of the tensors add up to more than 2^56 bytes");
  EXPECT_EQ(fault([](Problem &p) { p.tensors.emplace_back().label = 13; }),
            "tensor 13 is neither an input nor made by a step");
}

TEST(Check, Aliases) {
  EXPECT_EQ(
      fault([](Problem &p) { p.tensors[1].alias = 7; }),
      "the alias of tensor 11 names tensor index 7, which does not exist");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[1].alias = -2; }),
            "the alias of tensor 11 names tensor index -2, which does not "
            "exist");
  EXPECT_EQ(fault([](Problem &p) {
              p.tensors[1].alias = 2;
              p.tensors[2].alias = 1;
            }),
            "the alias of tensor 11 leads back to itself");
  EXPECT_EQ(fault([](Problem &p) {
              p.tensors[2].alias = 1;
              p.tensors[2].bytes = 9;
            }),
            "tensor 12 has 9 bytes but shares the storage of tensor 11, which "
            "has 8");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[2].alias = 0; }),
            "tensor 12 aliases tensor 10, which step 21 that makes it does not "
            "read");
}

TEST(Check, Steps) {
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].label = -1; }),
            "step label -1 is negative");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].label = 21; }),
            "two steps have the label 21");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].cost = -3; }),
            "step 20 has a negative cost of -3");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].workspaceBytes = -3; }),
            "step 20 has a negative workspace of -3 bytes");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].group = -2; }),
            "step 20 has a negative group -2");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].cost = int64_t(1) << 56; }),
            "the costs of the steps add up to more than 2^56");
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[0].workspaceBytes = (int64_t(1) << 56) + 1;
            }),
            "the workspaces of the steps add up to more than 2^56 bytes");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].operands = {3}; }),
            "step 20 names tensor index 3, which does not exist");
  EXPECT_EQ(fault([](Problem &p) { p.steps[0].results = {-1}; }),
            "step 20 names tensor index -1, which does not exist");
}

TEST(Check, InPlace) {
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[1].inPlace = {{2, 5}};
            }),
            "an in-place pair of step 21 names tensor index 5, which does not "
            "exist");
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[1].inPlace = {{0, 1}};
            }),
            "step 21 has the in-place result tensor 10, which is not among its "
            "results");
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[1].inPlace = {{2, 0}};
            }),
            "step 21 overwrites tensor 10, which is not among its operands");
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[1].inPlace = {{2, 1}};
            }),
            "step 21 writes tensor 12 in place of tensor 11, but the alias of "
            "tensor 12 is not that tensor");
  EXPECT_EQ(fault([](Problem &p) {
              p.tensors[2].alias = 1;
              p.steps[1].inPlace = {{2, 1}, {2, 1}};
            }),
            "step 21 overwrites the storage of tensor 11 twice");
  EXPECT_EQ(fault([](Problem &p) {
              p.tensors[2].alias = 1;
              p.steps[1].inPlace = {{2, 1}};
              Tensor &view = p.tensors.emplace_back();
              view.label = 13;
              view.alias = 1;
              p.steps[1].results.push_back(3);
            }),
            "step 21 overwrites the storage of tensor 11 and also makes the "
            "view tensor 13 of it");
}

TEST(Check, InputsAndOutputs) {
  EXPECT_EQ(fault([](Problem &p) {
              p.inputs = {0, 9};
            }),
            "the list of inputs names tensor index 9, which does not exist");
  EXPECT_EQ(fault([](Problem &p) {
              p.inputs = {0, 0};
            }),
            "tensor 10 is an input twice");
  EXPECT_EQ(fault([](Problem &p) {
              p.inputs = {0, 1};
            }),
            "tensor 11 is an input and also made by step 20");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[0].alias = 1; }),
            "input tensor 10 aliases tensor 11, which is not an input");
  EXPECT_EQ(fault([](Problem &p) { p.tensors[1].kind = TensorKind::Donated; }),
            "tensor 11 is donated but not an input");
  EXPECT_EQ(fault([](Problem &p) { p.outputs = {3}; }),
            "the list of outputs names tensor index 3, which does not exist");
  EXPECT_EQ(fault([](Problem &p) {
              p.outputs = {2, 2};
            }),
            "tensor 12 is an output twice");
}

TEST(Check, Schedule) {
  EXPECT_EQ(fault([](Problem &p) { p.steps[1].results = {1}; }),
            "tensor 11 is made by step 20 and again by step 21");
  EXPECT_EQ(fault([](Problem &p) { std::swap(p.steps[0], p.steps[1]); }),
            "step 21 reads tensor 11 before it is made");
  EXPECT_EQ(fault([](Problem &p) {
              p.steps[1].operands = {1, 2};
            }),
            "step 21 reads tensor 12 before it is made");
}

/// Step 21 overwrites tensor 11, and with it the view 13 of it.
TEST(Check, ReadsOfOverwrittenTensors) {
  auto overwrite = [](Problem &p) {
    p.tensors[2].alias = 1;
    p.steps[1].inPlace = {{2, 1}};
  };
  EXPECT_EQ(fault(overwrite), "nothing wrong");
  EXPECT_EQ(fault([&](Problem &p) {
              overwrite(p);
              p.outputs = {1};
            }),
            "output tensor 11 is overwritten by step 21");
  EXPECT_EQ(fault([&](Problem &p) {
              overwrite(p);
              Step &late = p.steps.emplace_back();
              late.label = 22;
              late.operands = {1};
            }),
            "step 22 reads tensor 11, which step 21 has overwritten");
  EXPECT_EQ(fault([&](Problem &p) {
              overwrite(p);
              Tensor &view = p.tensors.emplace_back();
              view.label = 13;
              view.alias = 1;
              Step makeView;
              makeView.label = 22;
              makeView.operands = {1};
              makeView.results = {3};
              p.steps.insert(p.steps.begin() + 1, makeView);
              Step &late = p.steps.emplace_back();
              late.label = 23;
              late.operands = {3};
            }),
            "step 23 reads tensor 13, which step 21 has overwritten");
}

TEST(Check, GroupsAreContiguous) {
  EXPECT_EQ(fault([](Problem &p) {
              Step &third = p.steps.emplace_back();
              third.label = 22;
              p.steps[0].group = third.group = 4;
            }),
            "the steps of group 4 are not adjacent: step 22 is apart");
}

// A group may hold a chain of writes into parts of one buffer.
TEST(Check, StepsOfAGroupMayFollowEachOther) {
  EXPECT_EQ(fault([](Problem &p) {
              p.tensors[2].alias = 1;
              p.steps[1].inPlace = {{2, 1}};
              p.steps[0].group = p.steps[1].group = 4;
            }),
            "nothing wrong");
}

TEST(Problem, OriginalPlanIsTheSchedule) {
  EXPECT_EQ(originalPlan(goodProblem()).sequence, (std::vector<StepId>{0, 1}));
}

TEST(Problem, TakesGroupsUpToTheLargestNumber) {
  // Four steps of two groups, the second of which has the largest number. An
  // order that splits both makes two more groups.
  Problem problem = parseForTest("step 0 group=1\nstep 1 group=1\n"
                                 "step 2 group=2147483647\n"
                                 "step 3 group=2147483647\n");
  Problem reordered = withOrder(problem, {0, 2, 1, 3});
  EXPECT_EQ(check(reordered).value_or(""), "");
  std::vector<int32_t> groups;
  for (const Step &step : reordered.steps)
    groups.push_back(step.group);
  EXPECT_EQ(groups, (std::vector<int32_t>{1, 2147483647, 0, 2}));
}

TEST(Problem, OrdersKeepGroupsThatStayTogether) {
  Problem problem = parseForTest("step 0 group=7\nstep 1 group=7\nstep 2\n");
  Problem reordered = withOrder(problem, {2, 1, 0});
  EXPECT_EQ(reordered.steps[0].group, -1);
  EXPECT_EQ(reordered.steps[1].group, 7);
  EXPECT_EQ(reordered.steps[2].group, 7);
}

TEST(Problem, FirstExecutionsLeaveOutRepetitions) {
  EXPECT_EQ(firstExecutions(goodProblem(), {{1, 0, 1, 1, 0}}),
            (std::vector<StepId>{1, 0}));
}

TEST(Problem, StorageRootFollowsViewsOfViews) {
  Problem problem = parseForTest("tensor 0 bytes=8\n"
                                 "tensor 1 bytes=8 alias=0\n"
                                 "tensor 2 bytes=4 alias=1\n"
                                 "step 0 in=0 out=1\n"
                                 "step 1 in=1 out=2\n"
                                 "input 0\n");
  EXPECT_EQ(problem.storageRoot(2), 0);
}

} // namespace
