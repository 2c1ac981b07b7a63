//===- PricedPlans.cpp - Plans for prices on memory -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heuristics/Heuristics.h"
#include "Search/PricedCuts.h"

#include <algorithm>
#include <cmath>

namespace remat::solver {
namespace {

/// Work for plans by prices, and for the search of neighbourhoods.
constexpr int64_t pricesExecutions = 3'000'000;
constexpr int64_t neighbourhoodExecutions = 10'000'000;
/// Large problems get so many times the schedule.
constexpr int64_t minSchedules = 100;

/// Prices are bisected so often.
constexpr int numBisections = 16;
/// How much the prices of single tensors vary, in rounds.
constexpr double amplitudes[] = {0, 0.03, 0.1, 0.3};
/// Caps to repair for, as shares of the cap proper, as in dp.
constexpr double repairTargets[] = {1.0, 0.97, 0.93, 0.85};

} // namespace

/// One price in the peak window, as low as fits or nearly so: the plans just
/// below and just above that price.
static void addPlans(PlanPool &search) {
  const GapEncoding &encoding = search.encoding;
  search.allow(search.workFor(pricesExecutions, minSchedules));
  PricedCuts cuts(encoding);
  Random random(1);
  double unit = static_cast<double>(search.scheduleCost() + 1) /
                static_cast<double>(search.scheduleBytes()[search.peakSlot()]);
  std::vector<Decisions> starts;
  for (double amplitude : amplitudes) {
    if (search.budget.isSpent())
      break;
    cuts.perturb(amplitude, random);
    double low = 1e-4 * unit, high = 1e2 * unit;
    Decisions below, above;
    int64_t leastExcess = -1;
    for (int i = 0; i < numBisections && !search.budget.isSpent(); ++i) {
      double price = std::sqrt(low * high);
      std::vector<double> prices(search.scheduleBytes().size(), 0);
      prices[search.peakSlot()] = price;
      Candidate candidate = search.improver.evaluate(cuts.solve(prices));
      search.neighbourhood.addDonor(candidate.decisions);
      if (candidate.excess == 0) {
        high = price;
        above = candidate.decisions;
        search.consider(std::move(candidate));
      } else {
        low = price;
        if (leastExcess < 0 || candidate.excess <= leastExcess) {
          leastExcess = candidate.excess;
          below = std::move(candidate.decisions);
        }
      }
    }
    for (Decisions *plan : {&below, &above})
      if (!plan->empty() &&
          std::find(starts.begin(), starts.end(), *plan) == starts.end())
        starts.push_back(std::move(*plan));
  }
  // The quick way first: in large problems there is no time for another.
  for (const Decisions &start : starts)
    search.complete(start);
  for (double target : repairTargets) {
    for (const Decisions &start : starts) {
      search.refine(start, static_cast<int64_t>(search.capBytes * target));
      if (encoding.hasGroups())
        search.refine(encoding.tearAll(start),
                      static_cast<int64_t>(search.capBytes * target));
    }
    search.refine(encoding.retainAll(),
                  static_cast<int64_t>(search.capBytes * target));
  }
}

void searchPrices(PlanPool &search) {
  PlanPool::PlannerScope scope(search, "prices");
  addPlans(search);
  search.allow(search.workFor(neighbourhoodExecutions, minSchedules));
  if (search.fits())
    search.searchNeighbourhoods();
  else
    search.lowerPeak();
}

} // namespace remat::solver
