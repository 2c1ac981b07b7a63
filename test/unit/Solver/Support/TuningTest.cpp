//===- TuningTest.cpp - Constants and rules by name -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <set>

using namespace remat::solver;

namespace {

TEST(Tuning, EveryEntryIsNamedOnceAndExplained) {
  std::set<std::string> names;
  for (const TuningEntry &entry : tuningEntries()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_NE(entry.name.find('.'), std::string::npos);
    EXPECT_FALSE(entry.reason.empty());
    EXPECT_EQ(entry.unit.empty(), entry.isRule);
    // What it is by default, it may be.
    Tuning tuning;
    EXPECT_EQ(setTuning(tuning, entry.name, entry.defaultValue).value_or(""),
              "");
  }
  EXPECT_GT(names.size(), 120u);
}

TEST(Tuning, SetsNumbersListsAndRules) {
  Tuning tuning;
  EXPECT_FALSE(setTuning(tuning, "portfolio.num-rounds", "5"));
  EXPECT_EQ(tuning.portfolio.numRounds, 5);
  EXPECT_FALSE(setTuning(tuning, "blocks.small-shares", "0,0.5"));
  EXPECT_EQ(tuning.blocks.smallShares, (std::vector<double>{0, 0.5}));
  EXPECT_FALSE(setTuning(tuning, "portfolio.dp", "off"));
  EXPECT_FALSE(tuning.portfolio.dp);
  EXPECT_TRUE(Tuning::defaults().portfolio.dp);
}

TEST(Tuning, SaysWhatIsWrong) {
  Tuning tuning;
  auto error = [&](const char *name, const char *value) {
    return setTuning(tuning, name, value).value_or("nothing");
  };
  EXPECT_EQ(error("portfolio.num-round", "5"),
            "unknown tuning constant or rule 'portfolio.num-round'; "
            "--list-tuning lists them");
  EXPECT_EQ(error("portfolio.num-rounds", "-1"),
            "invalid value '-1' of 'portfolio.num-rounds'; expected a whole "
            "number from 0 to 1000 (rounds)");
  EXPECT_EQ(error("portfolio.num-rounds", "2.5"),
            "invalid value '2.5' of 'portfolio.num-rounds'; expected a whole "
            "number from 0 to 1000 (rounds)");
  EXPECT_EQ(error("solve.goal-share", "nan"),
            "invalid value 'nan' of 'solve.goal-share'; expected a number from "
            "0 to 10 (share)");
  EXPECT_EQ(error("blocks.small-shares", "0,,1"),
            "invalid value '0,,1' of 'blocks.small-shares'; expected numbers "
            "from 0 to 1 (share of the largest tensor), separated by commas");
  EXPECT_EQ(error("portfolio.dp", "no"),
            "invalid value 'no' of 'portfolio.dp'; expected on or off");
  EXPECT_EQ(tuning.portfolio.numRounds, 2);
  EXPECT_EQ(tuning.blocks.smallShares.size(), 6u);
}

/// Whatever is left out, plans are valid, within the cap if they say so, and
/// never better than the optimum.
TEST(Tuning, AnyRuleMayBeLeftOut) {
  constexpr int maxSteps = 9;
  int numFits = 0;
  for (const TuningEntry &entry : tuningEntries()) {
    if (!entry.isRule)
      continue;
    SCOPED_TRACE(entry.name);
    for (uint64_t seed = 0; seed < 12; ++seed) {
      Problem problem = randomProblem(seed, maxSteps);
      Tuning tuning;
      // Otherwise nothing else would run on problems this small.
      tuning.portfolio.bruteForce = false;
      ASSERT_FALSE(setTuning(tuning, entry.name, "off"));
      SolverOptions options;
      options.tuning = &tuning;
      options.keepOrder = true;
      options.capBytes =
          computeTimeline(problem, originalPlan(problem)).peakBytes - 1;
      SolverResult result = *solve(problem, "auto", options);
      Validation validation = validate(problem, result.plan);
      ASSERT_EQ(validation.error, "");
      Oracle oracle(problem, options.capBytes);
      if (result.status != SolveStatus::Ok)
        continue;
      ++numFits;
      ASSERT_LE(validation.peakBytes, options.capBytes);
      ASSERT_TRUE(oracle.isFeasible);
      ASSERT_GE(result.cost, oracle.cost);
      ASSERT_LE(*result.lowerBoundCost, oracle.cost);
    }
  }
  EXPECT_GT(numFits, 10);
}

/// What is left out changes something: without any planner, nothing fits.
TEST(Tuning, WithoutPlannersNothingFits) {
  Problem problem = randomProblem(3, 12);
  SolverOptions options;
  options.keepOrder = true;
  uint64_t seed = 0;
  // A problem that brute force can plan within the cap.
  for (;; ++seed) {
    ASSERT_LT(seed, 100u);
    problem = randomProblem(seed, 10);
    options.capBytes =
        computeTimeline(problem, originalPlan(problem)).peakBytes - 1;
    if (Oracle(problem, options.capBytes).isFeasible)
      break;
  }
  Tuning tuning;
  for (const char *rule : {"brute-force", "blocks", "segments", "greedy",
                           "mincut", "lns", "dp", "exact", "lowering"})
    ASSERT_FALSE(setTuning(tuning, std::string("portfolio.") + rule, "off"));
  options.tuning = &tuning;
  EXPECT_EQ(solve(problem, "auto", options)->status, SolveStatus::Infeasible);
  ASSERT_FALSE(setTuning(tuning, "portfolio.brute-force", "on"));
  EXPECT_EQ(solve(problem, "auto", options)->status, SolveStatus::Ok);
}

} // namespace
