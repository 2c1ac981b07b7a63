//===- ChainSearch.cpp - Dynamic programming over the schedule ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chain DP puts plans together from choices for blocks. These come from
// minimum cuts under prices on memory to begin with, and then from the best
// plans found so far: the DP is also the way to cross plans, as it finds the
// best combination of their parts. What it finds is repaired, pruned and
// improved under the exact simulator.
//
//===----------------------------------------------------------------------===//

#include "Chain/ChainSearch.h"

#include <algorithm>

namespace remat::solver {
ChainSearch::ChainSearch(PlanPool &pool)
    : pool(pool), chain(pool.encoding, pool.simulator, pool.budget,
                        pool.peakSlot(), pool.capBytes, pool.tuning),
      tuning(pool.tuning.chain) {}

/// The best plans of the chain, evaluated by the simulator; each is considered.
std::vector<Candidate> ChainSearch::solveChain() {
  chain.solve();
  std::vector<Candidate> plans;
  for (double share = tuning.maxRoomShare;
       share > tuning.minRoomShare && !pool.budget.isSpent();
       share -= tuning.roomShareStep) {
    std::optional<Decisions> plan = chain.planFor(share);
    auto isSame = [&](const Candidate &other) {
      return other.decisions == *plan;
    };
    if (!plan || std::any_of(plans.begin(), plans.end(), isSame))
      continue;
    plans.push_back(pool.improver.evaluate(std::move(*plan)));
    pool.consider(plans.back());
  }
  // The cheapest that fit, and of the cheaper ones those that nearly do.
  std::stable_sort(
      plans.begin(), plans.end(),
      [](const Candidate &a, const Candidate &b) { return a.isBetterThan(b); });
  std::vector<Candidate> best;
  int fitting = 0, above = 0;
  for (Candidate &plan : plans) {
    bool isAbove = plan.excess > 0;
    if (isAbove && fitting > 0 && plan.cost >= best.front().cost)
      continue;
    if ((isAbove ? above++ < tuning.numAbove : fitting++ < tuning.numFitting))
      best.push_back(std::move(plan));
  }
  return best;
}

void ChainSearch::construct(double workShare) {
  const GapEncoding &encoding = pool.encoding;
  PlanPool::PlannerScope scope(pool, "dp");
  auto work = static_cast<int64_t>(
      workShare * static_cast<double>(pool.workFor(tuning.constructionWork,
                                                   tuning.minSchedules)));
  BudgetScope budget = pool.allow(work);
  findChoices(
      static_cast<int64_t>(tuning.choicesShare * static_cast<double>(work)));
  std::vector<Candidate> starts = solveChain();
  for (const Candidate &start : starts)
    pool.complete(start.decisions);
  for (double target : tuning.repairTargets) {
    auto bytes = static_cast<int64_t>(pool.capBytes * target);
    pool.refine(encoding.retainAll(), bytes);
    for (const Candidate &start : starts) {
      pool.refine(start.decisions, bytes);
      if (!pool.fits())
        pool.refine(encoding.splitAllGroups(start.decisions), bytes);
    }
  }
}

void ChainSearch::findChoices(int64_t executions) {
  BudgetScope budget = pool.allow(executions);
  chain.addPlans(plansForPrices());
  if (tuning.explore)
    chain.explore(pool.budget.executionsLeft());
}

/// What to keep at rising prices of memory at the peak.
std::vector<Decisions> ChainSearch::plansForPrices() {
  std::vector<Decisions> plans;
  PriceSweepOptions sweep;
  sweep.lowest = tuning.lowestPrice;
  sweep.highest = tuning.highestPrice;
  sweep.numGrid = tuning.numPrices;
  sweep.amplitudes = tuning.amplitudes;
  sweepPeakPrices(
      sweep, pool.unitPrice(), pool.peakSlot(), pool.encoding, pool.budget,
      [] {},
      [&](Decisions plan) {
        if (std::find(plans.begin(), plans.end(), plan) == plans.end())
          plans.push_back(std::move(plan));
        return false;
      });
  return plans;
}

void ChainSearch::recombine() {
  PlanPool::PlannerScope scope(pool, "dp");
  chain.addPlans(pool.bestPlans());
  chain.addPlans(pool.neighbourhood.allDonors());
  std::vector<Candidate> starts = solveChain();
  for (const Candidate &start : starts)
    pool.complete(start.decisions);
  for (double target : tuning.recombinedTargets)
    for (const Candidate &start : starts)
      pool.refine(start.decisions,
                  static_cast<int64_t>(pool.capBytes * target));
}

void searchChains(PlanPool &pool) {
  PlanPool::PlannerScope scope(pool, "dp");
  ChainSearch chains(pool);
  chains.construct();
  int64_t work = pool.workFor(pool.tuning.chain.improvementWork,
                              pool.tuning.chain.minSchedules);
  {
    BudgetScope budget = pool.allow(work);
    if (!pool.fits())
      pool.lowerPeak();
    if (pool.fits())
      pool.searchNeighbourhoods();
  }
  if (pool.fits() && !pool.isAtGoal()) {
    BudgetScope budget = pool.allow(work);
    chains.recombine();
    pool.searchNeighbourhoods();
  }
}

void searchChainsBriefly(PlanPool &pool, double workShare) {
  ChainSearch(pool).construct(workShare);
}

} // namespace remat::solver
