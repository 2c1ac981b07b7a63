//===- PropertyTest.cpp - Parts of the contract, by chance ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random problems, each named by its seed in a failure. What one part says of a
// problem another must confirm: the validator and the time line, the printer
// and the parser.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"

#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

constexpr uint64_t numSeeds = 2500;
constexpr int maxSteps = 9;

/// A sequence that first executes the steps in order and repeats old ones here
/// and there; most are valid.
Plan randomPlan(const Problem &problem, uint64_t &random) {
  Plan plan;
  for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
       ++step) {
    plan.sequence.push_back(step);
    while (nextRandom(random, 3) == 0)
      plan.sequence.push_back(
          static_cast<StepId>(nextRandom(random, step + 1)));
  }
  return plan;
}

/// Without these features the properties below would say little.
TEST(Properties, RandomProblemsHaveAllFeatures) {
  int views = 0, viewsOfViews = 0, inPlace = 0, groups = 0, multiResult = 0,
      dead = 0, donated = 0, workspace = 0, noRecompute = 0, inputViews = 0,
      inputOutputs = 0, overwrittenInputs = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    Problem problem = randomProblem(seed, maxSteps);
    std::vector<char> isInput(problem.tensors.size(), false),
        isRead(problem.tensors.size(), false);
    for (TensorId input : problem.inputs) {
      isInput[input] = true;
      donated += problem.tensors[input].kind == TensorKind::Donated;
      inputViews += problem.tensors[input].alias >= 0;
    }
    for (TensorId output : problem.outputs) {
      inputOutputs += isInput[output];
      isRead[output] = true;
    }
    for (size_t i = 0; i < problem.steps.size(); ++i) {
      const Step &step = problem.steps[i];
      groups +=
          i > 0 && step.group >= 0 && step.group == problem.steps[i - 1].group;
      multiResult += step.results.size() > 1;
      workspace += step.workspaceBytes > 0;
      noRecompute += !step.mayRecompute();
      inPlace += !step.inPlace.empty();
      for (const InPlace &pair : step.inPlace)
        overwrittenInputs += isInput[pair.operand];
      for (TensorId operand : step.operands)
        isRead[operand] = true;
    }
    for (TensorId id = 0; id < static_cast<TensorId>(problem.tensors.size());
         ++id) {
      TensorId alias = problem.tensors[id].alias;
      dead += !isRead[id];
      views += alias >= 0;
      viewsOfViews += alias >= 0 && problem.tensors[alias].alias >= 0;
    }
  }
  for (int count :
       {views, viewsOfViews, inPlace, groups, multiResult, dead, donated,
        workspace, noRecompute, inputViews, inputOutputs, overwrittenInputs})
    EXPECT_GT(count, 100);
}

TEST(Properties, TextRoundTrip) {
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    ASSERT_EQ(check(problem).value_or(""), "");
    std::string text = printProblem(problem);
    ParsedProblem parsed = parseProblem(text);
    ASSERT_TRUE(parsed.problem) << parsed.line << ": " << parsed.error;
    ASSERT_EQ(printProblem(*parsed.problem), text);
    // The same text may still hide a difference in what it leaves out.
    ASSERT_EQ(parsed.problem->inputs, problem.inputs);
    ASSERT_EQ(parsed.problem->outputs, problem.outputs);
    ASSERT_EQ(parsed.problem->tensors.size(), problem.tensors.size());
    for (size_t i = 0; i < problem.tensors.size(); ++i) {
      ASSERT_EQ(parsed.problem->tensors[i].alias, problem.tensors[i].alias);
      ASSERT_EQ(parsed.problem->tensors[i].kind, problem.tensors[i].kind);
    }
  }
}

TEST(Properties, ValidatorAndTimelineAgree) {
  int numValid = 0, numInvalid = 0;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, maxSteps);
    uint64_t random = seed;
    for (const Plan &plan : {originalPlan(problem), randomPlan(problem, random),
                             randomPlan(problem, random)}) {
      Validation verdict = validate(problem, plan);
      (verdict.valid() ? numValid : numInvalid) += 1;
      if (!verdict.valid())
        continue;
      Timeline timeline = computeTimeline(problem, plan);
      ASSERT_EQ(timeline.peakBytes, verdict.peakBytes);
      ASSERT_EQ(timeline.cost, verdict.cost);
    }
    ASSERT_TRUE(validate(problem, originalPlan(problem)).valid());
  }
  EXPECT_GT(numValid, 4000);
  EXPECT_GT(numInvalid, 500);
}

} // namespace
