//===- SearchFixture.h - What tests of searches over decisions share ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_SEARCH_SEARCHFIXTURE_H
#define REMAT_TEST_UNIT_SOLVER_SEARCH_SEARCHFIXTURE_H

#include "RandomProblem.h"
#include "Search/Repair.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <gtest/gtest.h>

namespace remat::solver {

/// A problem with all that a search over its decisions takes.
struct SearchForTest {
  Problem problem;
  GapEncoding encoding{problem};
  Simulator simulator{encoding};
  Budget budget{simulator, /*deadlineSeconds=*/0};
  Repairer repairer;

  SearchForTest(Problem problem, int64_t capBytes, uint64_t seed = 1)
      : problem(std::move(problem)),
        repairer(encoding, simulator, budget, capBytes, seed) {}

  /// Expects that `candidate` says the truth about a valid plan.
  void expectTrue(const Candidate &candidate) {
    Plan plan = {simulator.run(candidate.decisions).sequence};
    EXPECT_EQ(validate(problem, plan).error, "");
    Timeline timeline = computeTimeline(problem, plan);
    EXPECT_EQ(candidate.peakBytes, timeline.peakBytes);
    EXPECT_EQ(candidate.cost, timeline.cost);
  }
};

/// The cap at `share` of the peak of the schedule.
inline int64_t capForTest(const Problem &problem, double share) {
  int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
  return static_cast<int64_t>(static_cast<double>(peak) * share);
}

/// Random decisions, a third of them to drop.
inline Decisions randomDecisions(const GapEncoding &encoding, uint64_t &state) {
  Decisions decisions = encoding.retainAll();
  for (int16_t &decision : decisions)
    if (nextRandom(state, 3) == 0)
      decision = static_cast<int16_t>(nextRandom(state, 3));
  return decisions;
}

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_SEARCH_SEARCHFIXTURE_H
