//===- PricedPlans.cpp - Plans for prices on memory -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heuristics/Heuristics.h"

#include <algorithm>

namespace remat::solver {
/// One price in the peak window, as low as fits or nearly so: the plans just
/// below and just above that price, for each variation.
static std::vector<Decisions> findStarts(PlanPool &pool) {
  std::vector<Decisions> starts;
  /// Of the variation at hand, the last plan that fits and that of the least
  /// excess which does not.
  Candidate above, below;
  auto addPair = [&] {
    for (Candidate *candidate : {&below, &above}) {
      const Decisions &plan = candidate->decisions;
      if (!plan.empty() &&
          std::find(starts.begin(), starts.end(), plan) == starts.end())
        starts.push_back(plan);
      *candidate = Candidate();
    }
  };
  const auto &tuning = pool.tuning.lns;
  PriceSweepOptions sweep;
  sweep.lowest = tuning.lowestPrice;
  sweep.highest = tuning.highestPrice;
  sweep.numBisections = tuning.numBisections;
  sweep.amplitudes = tuning.amplitudes;
  sweepPeakPrices(
      sweep, pool.unitPrice(), pool.peakSlot(), pool.encoding, pool.budget,
      addPair, [&](Decisions plan) {
        Candidate candidate = pool.improver.evaluate(std::move(plan));
        pool.neighbourhood.addDonor(candidate.decisions);
        bool fits = candidate.excess == 0;
        if (fits)
          pool.consider(candidate);
        if (fits)
          above = std::move(candidate);
        else if (below.decisions.empty() || candidate.excess <= below.excess)
          below = std::move(candidate);
        return fits;
      });
  addPair();
  return starts;
}

static void addPlans(PlanPool &pool) {
  const auto &tuning = pool.tuning.lns;
  const GapEncoding &encoding = pool.encoding;
  BudgetScope budget =
      pool.allow(pool.workFor(tuning.pricesWork, tuning.minSchedules));
  std::vector<Decisions> starts = findStarts(pool);
  // The quick way first: in large problems there is no time for another.
  for (const Decisions &start : starts)
    pool.complete(start);
  for (double target : tuning.repairTargets) {
    auto bytes = static_cast<int64_t>(pool.capBytes * target);
    for (const Decisions &start : starts) {
      pool.refine(start, bytes);
      if (encoding.hasGroups())
        pool.refine(encoding.splitAllGroups(start), bytes);
    }
    pool.refine(encoding.retainAll(), bytes);
  }
}

void searchPrices(PlanPool &pool) {
  const auto &tuning = pool.tuning.lns;
  PlanPool::PlannerScope scope(pool, "prices");
  addPlans(pool);
  BudgetScope work =
      pool.allow(pool.workFor(tuning.neighbourhoodWork, tuning.minSchedules));
  if (pool.fits())
    pool.searchNeighbourhoods();
  else
    pool.lowerPeak();
}

} // namespace remat::solver
