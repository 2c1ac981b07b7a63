//===- Greedy.cpp - One tensor after the other ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule of compilers that rematerialize as they go (XLA): as long as the
// memory is above the cap, look at the highest place, and of the tensors that
// lie across it recompute the one that saves the most bytes there for the cost
// it adds; of equal ones the largest.
//
//===----------------------------------------------------------------------===//

#include "Heuristics/Heuristics.h"

#include <algorithm>

namespace remat::solver {

/// Drops one tensor after the other until the plan fits or nothing helps.
static Decisions dropGreedily(PlanPool &pool) {
  const GapEncoding &encoding = pool.encoding;
  const Problem &problem = encoding.problem;
  Simulator &simulator = pool.simulator;
  const auto &tuning = pool.tuning.greedy;
  BudgetScope budget =
      pool.allow(pool.workFor(tuning.work, tuning.minSchedules));

  Decisions decisions = encoding.retainAll();
  while (!pool.budget.isSpent()) {
    const Outcome &outcome = simulator.setBase(decisions);
    int64_t bytesBefore = outcome.peakBytes, costBefore = outcome.cost;
    if (bytesBefore <= pool.capBytes)
      break;
    int32_t window =
        static_cast<int32_t>(std::max_element(outcome.windowBytes.begin(),
                                              outcome.windowBytes.end()) -
                             outcome.windowBytes.begin());
    // By bytes for the cost of the step alone, then by bytes.
    struct Choice {
      double ratio;
      int64_t bytes;
      int32_t gap;
    };
    std::vector<Choice> choices;
    for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size());
         ++gap) {
      const Gap &where = encoding.gaps[gap];
      if (decisions[gap] != retain || where.beginSlot >= window ||
          where.endSlot <= window || simulator.lastWindowOf(gap) < window)
        continue;
      int64_t bytes = problem.tensors[where.tensor].bytes;
      int64_t cost = problem.steps[encoding.maker[where.tensor]].cost;
      choices.push_back(
          {static_cast<double>(bytes) / static_cast<double>(cost + 1), bytes,
           gap});
    }
    auto isBetter = [](const Choice &a, const Choice &b) {
      return a.ratio != b.ratio   ? a.ratio > b.ratio
             : a.bytes != b.bytes ? a.bytes > b.bytes
                                  : a.gap < b.gap;
    };
    std::sort(choices.begin(), choices.end(), isBetter);
    choices.resize(
        std::min(choices.size(), static_cast<size_t>(tuning.maxTried)));
    Choice best = {0, 0, -1};
    for (Choice choice : choices) {
      if (pool.budget.isSpent())
        break;
      const Outcome &after = simulator.tryChanges({{choice.gap, 0}});
      int64_t saved = bytesBefore - after.windowBytes[window];
      // To move the peak elsewhere is no gain.
      if (saved <= 0 || after.peakBytes > bytesBefore)
        continue;
      choice.ratio = static_cast<double>(saved) /
                     static_cast<double>(1 + after.cost - costBefore);
      if (best.gap < 0 || isBetter(choice, best))
        best = choice;
    }
    if (best.gap < 0)
      break;
    decisions[best.gap] = 0;
  }
  return decisions;
}

void searchGreedily(PlanPool &pool) {
  PlanPool::PlannerScope scope(pool, "greedy");
  pool.consider(dropGreedily(pool));
}

} // namespace remat::solver
