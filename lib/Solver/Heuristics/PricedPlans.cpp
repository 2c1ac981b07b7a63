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
namespace {

/// Work for plans by prices, and for the search of neighbourhoods.
constexpr int64_t pricesExecutions = 3'000'000;
constexpr int64_t neighbourhoodExecutions = 10'000'000;
/// Large problems get so many times the schedule.
constexpr int64_t minSchedules = 100;

/// The price at the peak is bisected, for some variations of the prices of
/// single tensors.
const PriceSweepOptions sweep = {/*lowest=*/1e-4,
                                 /*highest=*/1e2,
                                 /*numGrid=*/0,
                                 /*highestFirst=*/false,
                                 /*numBisections=*/16,
                                 /*amplitudes=*/{0, 0.03, 0.1, 0.3}};
/// Caps to repair for, as shares of the cap proper, as in dp.
constexpr double repairTargets[] = {1.0, 0.97, 0.93, 0.85};

} // namespace

/// One price in the peak window, as low as fits or nearly so: the plans just
/// below and just above that price, for each variation.
static std::vector<Decisions> findStarts(PlanPool &search) {
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
  sweepPeakPrices(
      sweep, search.unitPrice(), search.peakSlot(), search.encoding,
      search.budget, addPair, [&](Decisions plan) {
        Candidate candidate = search.improver.evaluate(std::move(plan));
        search.neighbourhood.addDonor(candidate.decisions);
        bool fits = candidate.excess == 0;
        if (fits)
          search.consider(candidate);
        if (fits)
          above = std::move(candidate);
        else if (below.decisions.empty() || candidate.excess <= below.excess)
          below = std::move(candidate);
        return fits;
      });
  addPair();
  return starts;
}

static void addPlans(PlanPool &search) {
  const GapEncoding &encoding = search.encoding;
  BudgetScope budget =
      search.allow(search.workFor(pricesExecutions, minSchedules));
  std::vector<Decisions> starts = findStarts(search);
  // The quick way first: in large problems there is no time for another.
  for (const Decisions &start : starts)
    search.complete(start);
  for (double target : repairTargets) {
    auto bytes = static_cast<int64_t>(search.capBytes * target);
    for (const Decisions &start : starts) {
      search.refine(start, bytes);
      if (encoding.hasGroups())
        search.refine(encoding.splitAllGroups(start), bytes);
    }
    search.refine(encoding.retainAll(), bytes);
  }
}

void searchPrices(PlanPool &search) {
  PlanPool::PlannerScope scope(search, "prices");
  addPlans(search);
  BudgetScope work =
      search.allow(search.workFor(neighbourhoodExecutions, minSchedules));
  if (search.fits())
    search.searchNeighbourhoods();
  else
    search.lowerPeak();
}

} // namespace remat::solver
