//===- BranchAndBoundTest.cpp - Cases of moment programs ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounds against all plans are in MomentsTest.cpp; here is how the search
// through cases ends, and where the next moment would be (MomentSelection.cpp).
//
//===----------------------------------------------------------------------===//

#include "Bound/BranchAndBound.h"
#include "ParseForTest.h"

using namespace remat::solver;

namespace {

// Steps 2 and 5 need all of 32 bytes, so tensors 0 and 1, of cost 1 and 10, are
// recomputed after each.
constexpr const char *twice = R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 3 bytes=0
step 0 cost=1 out=0
step 1 cost=10 out=1
step 2 cost=7 workspace=32
step 3 cost=7 in=0
step 4 cost=7 in=1
step 5 cost=7 workspace=32
step 6 cost=7 in=0
step 7 cost=7 in=1 out=3
output 3
)";

// Two of three tensors of 3 bytes fit into 8 bytes of room. By bytes alone it
// is enough to drop a third of the cheapest. The workspace of step 3 is 2.
constexpr const char *whole = R"(
tensor 0 bytes=3
tensor 1 bytes=3
tensor 2 bytes=3
tensor 3 bytes=0
step 0 cost=9 out=0
step 1 cost=9 out=1
step 2 cost=9 out=2
step 3 cost=1 workspace=2
step 4 cost=1 in=0
step 5 cost=1 in=1
step 6 cost=1 in=2 out=3
output 3
)";

class Cases {
public:
  Cases(const char *lines, int64_t capBytes, std::vector<StepId> moments,
        int64_t goalExtraCost = 0)
      : problem(parseForTest(lines)), capBytes(capBytes),
        program(index, MomentOrder::Schedule, std::move(moments), capBytes),
        search(program, index, capBytes, goalExtraCost,
               [this] { return isOutOfTime; }) {}

  /// What the checker says of the proof: "proven", or why not.
  std::string verdict() const {
    Certificate certificate;
    certificate.capBytes = capBytes;
    certificate.isInfeasible = search.isInfeasible();
    if (!certificate.isInfeasible)
      certificate.cost = index.totalCost + search.extraCost();
    certificate.proof = search.proof();
    return checkCertificate(problem, capBytes, certificate).value_or("proven");
  }

  Problem problem;
  ProblemIndex index{problem};
  int64_t capBytes;
  bool isOutOfTime = false;
  MomentProgram program;
  BranchAndBound search;
};

constexpr int64_t muchWork = 1'000'000'000;

TEST(BranchAndBound, OneCaseMayBeEnough) {
  Cases cases(twice, 32, {2, 5});
  EXPECT_TRUE(cases.search.solveRoot());
  EXPECT_EQ(cases.search.extraCost(), 22);
  EXPECT_EQ(cases.search.numCases(), 1u);
  EXPECT_FALSE(cases.search.isComplete());
  // Nothing is left to split.
  EXPECT_TRUE(cases.search.run(muchWork, /*maxCases=*/100));
  EXPECT_EQ(cases.search.proof().cases.size(), 1u);
  EXPECT_EQ(cases.verdict(), "proven");
}

TEST(BranchAndBound, EndsAtTheGoal) {
  Cases cases(twice, 32, {2, 5}, /*goalExtraCost=*/22);
  EXPECT_TRUE(cases.search.solveRoot());
  EXPECT_TRUE(cases.search.isComplete());
  EXPECT_FALSE(cases.search.isInfeasible());
  EXPECT_EQ(cases.search.extraCost(), 22);
  EXPECT_EQ(cases.verdict(), "proven");
}

TEST(BranchAndBound, AGoalOutOfReachIsNotClaimed) {
  Cases cases(twice, 32, {2, 5}, /*goalExtraCost=*/23);
  EXPECT_TRUE(cases.search.solveRoot());
  cases.search.run(muchWork, /*maxCases=*/100);
  EXPECT_FALSE(cases.search.isComplete());
  EXPECT_EQ(cases.search.extraCost(), 22);
  EXPECT_EQ(cases.verdict(), "proven");
}

TEST(BranchAndBound, NothingIsFeasibleBelowTheFixedBytes) {
  Cases cases(twice, 31, {2});
  EXPECT_TRUE(cases.search.solveRoot());
  EXPECT_TRUE(cases.search.isInfeasible());
  EXPECT_EQ(cases.verdict(), "proven");
}

TEST(BranchAndBound, StopsWhenTimeRunsOut) {
  Cases cases(whole, 10, {3});
  EXPECT_TRUE(cases.search.solveRoot());
  int64_t before = cases.search.work();
  cases.isOutOfTime = true;
  EXPECT_FALSE(cases.search.run(muchWork, /*maxCases=*/100));
  EXPECT_EQ(cases.search.work(), before);
  EXPECT_EQ(cases.verdict(), "proven");
}

TEST(BranchAndBound, StopsAtTheNumberOfCases) {
  Cases cases(whole, 10, {3});
  EXPECT_TRUE(cases.search.solveRoot());
  EXPECT_FALSE(cases.search.run(muchWork, /*maxCases=*/1));
  EXPECT_EQ(cases.search.numCases(), 1u);
}

TEST(BranchAndBound, WorkIsTheSameEveryTime) {
  Cases first(whole, 10, {3}), second(whole, 10, {3});
  for (Cases *cases : {&first, &second}) {
    EXPECT_TRUE(cases->search.solveRoot());
    cases->search.run(muchWork, /*maxCases=*/100);
  }
  EXPECT_GT(first.search.work(), 0);
  EXPECT_EQ(first.search.work(), second.search.work());
  EXPECT_EQ(first.search.extraCost(), 9);
}

//===----------------------------------------------------------------------===//
// MomentSelection
//===----------------------------------------------------------------------===//

TEST(MomentSelection, FindsTheStepThatASolutionOverfills) {
  // After step 2 both tensors are recomputed for steps 3 and 4, and read again
  // at the end: with the workspace of step 5 that is 64 bytes.
  Cases cases(twice, 32, {2});
  ASSERT_TRUE(cases.search.solveRoot());
  constexpr double aboveCap = 1.001;
  std::vector<double> values = cases.search.lowestValues();
  EXPECT_EQ(cases.program.fullestStep(values, aboveCap), 5);
  // 64 bytes are 2 times the cap.
  EXPECT_EQ(cases.program.fullestStep(values, 1.99), 5);
  EXPECT_EQ(cases.program.fullestStep(values, 2.01), -1);
}

TEST(MomentSelection, FindsNothingWhereEveryStepFits) {
  Cases cases(twice, 32, {2, 5});
  ASSERT_TRUE(cases.search.solveRoot());
  constexpr double aboveCap = 1.001;
  EXPECT_EQ(cases.program.fullestStep(cases.search.lowestValues(), aboveCap),
            -1);
}

TEST(MomentSelection, OnlyLooksAfterTheFirstMoment) {
  Cases cases(twice, 32, {5});
  ASSERT_TRUE(cases.search.solveRoot());
  StepId fullest = cases.program.fullestStep(cases.search.lowestValues(), 0);
  EXPECT_GT(fullest, 5);
}

} // namespace
