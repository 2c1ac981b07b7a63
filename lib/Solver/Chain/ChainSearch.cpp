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
#include "Search/PricedCuts.h"

#include <algorithm>
#include <cmath>

namespace remat::solver {
namespace {

/// Work for plans, and for improving the best of them.
constexpr int64_t constructionExecutions = 9'000'000;
constexpr int64_t improvementExecutions = 9'000'000;
/// Large problems still get enough to judge the plans of the chain DP.
constexpr int64_t minSchedules = 200;
/// The parts of the work that go into plans by prices and into choices.
constexpr double choicesShare = 0.4;

/// Prices of a byte at the peak, in units of the cost of the schedule for its
/// peak, and how much those of single tensors vary, in rounds.
constexpr double lowestPrice = 1e-3, highestPrice = 1e2;
constexpr int numPrices = 24;
constexpr double amplitudes[] = {0, 0.1, 0.3};

/// Plans of the chain DP are made for these shares of the room under the cap,
/// from this one down in such steps.
constexpr double maxShare = 1.24, minShare = 0.3, shareStep = 0.02;
/// Those that are worked on: within the cap, and not quite.
constexpr size_t numFitting = 2, numAbove = 6;

/// Caps at which plans are repaired, as shares of the cap proper. Repair takes
/// what is cheapest first and may end up in a corner; aiming lower and then
/// taking back what is not needed leads round some of them.
constexpr double repairTargets[] = {1.0, 0.98, 0.95, 0.9, 0.85, 0.75, 0.6};
constexpr double recombinedTargets[] = {1.0, 0.98, 0.95};

} // namespace

ChainSearch::ChainSearch(PlanPool &search)
    : search(search), chain(search.encoding, search.simulator, search.budget,
                            search.peakSlot(), search.capBytes) {}

/// The best plans of the chain, judged by the simulator; each is considered.
std::vector<Candidate> ChainSearch::solveChain() {
  chain.solve();
  std::vector<Candidate> plans;
  for (double share = maxShare; share > minShare && !search.budget.isSpent();
       share -= shareStep) {
    std::optional<Decisions> plan = chain.planFor(share);
    auto isSame = [&](const Candidate &other) {
      return other.decisions == *plan;
    };
    if (!plan || std::any_of(plans.begin(), plans.end(), isSame))
      continue;
    plans.push_back(search.improver.evaluate(std::move(*plan)));
    search.consider(plans.back());
  }
  // The cheapest that fit, and of the cheaper ones those that nearly do.
  std::stable_sort(
      plans.begin(), plans.end(),
      [](const Candidate &a, const Candidate &b) { return a.isBetterThan(b); });
  std::vector<Candidate> best;
  size_t fitting = 0, above = 0;
  for (Candidate &plan : plans) {
    bool isAbove = plan.excess > 0;
    if (isAbove && fitting > 0 && plan.cost >= best.front().cost)
      continue;
    if ((isAbove ? above++ < numAbove : fitting++ < numFitting))
      best.push_back(std::move(plan));
  }
  return best;
}

void ChainSearch::construct(double workShare) {
  const GapEncoding &encoding = search.encoding;
  PlanPool::PlannerScope scope(search, "dp");
  auto work = static_cast<int64_t>(
      workShare * static_cast<double>(
                      search.workFor(constructionExecutions, minSchedules)));
  int64_t end = search.simulator.numExecutions + work;
  search.budget.setLimit(end - static_cast<int64_t>(work * (1 - choicesShare)));
  chain.addPlans(plansForPrices());
  chain.explore(search.budget.executionsLeft());
  search.budget.setLimit(end);
  std::vector<Candidate> starts = solveChain();
  for (const Candidate &start : starts)
    search.complete(start.decisions);
  for (double target : repairTargets) {
    auto bytes = static_cast<int64_t>(search.capBytes * target);
    search.refine(encoding.retainAll(), bytes);
    for (const Candidate &start : starts) {
      search.refine(start.decisions, bytes);
      if (!search.fits())
        search.refine(encoding.tearAll(start.decisions), bytes);
    }
  }
}

/// What to keep at rising prices of memory at the peak.
std::vector<Decisions> ChainSearch::plansForPrices() {
  PricedCuts cuts(search.encoding);
  Random random(1);
  double unit = static_cast<double>(search.scheduleCost() + 1) /
                static_cast<double>(search.scheduleBytes()[search.peakSlot()]);
  std::vector<Decisions> plans;
  for (double amplitude : amplitudes) {
    cuts.perturb(amplitude, random);
    for (int i = 0; i < numPrices && !search.budget.isSpent(); ++i) {
      std::vector<double> prices(search.scheduleBytes().size(), 0);
      prices[search.peakSlot()] =
          unit * lowestPrice *
          std::pow(highestPrice / lowestPrice, double(i) / numPrices);
      Decisions plan = cuts.solve(prices);
      if (std::find(plans.begin(), plans.end(), plan) == plans.end())
        plans.push_back(std::move(plan));
    }
  }
  return plans;
}

void ChainSearch::recombine() {
  PlanPool::PlannerScope scope(search, "dp");
  chain.addPlans(search.bestPlans());
  chain.addPlans(search.neighbourhood.allDonors());
  std::vector<Candidate> starts = solveChain();
  for (const Candidate &start : starts)
    search.complete(start.decisions);
  for (double target : recombinedTargets)
    for (const Candidate &start : starts)
      search.refine(start.decisions,
                    static_cast<int64_t>(search.capBytes * target));
}

void searchChains(PlanPool &search) {
  PlanPool::PlannerScope scope(search, "dp");
  ChainSearch chains(search);
  chains.construct();
  int64_t work = search.workFor(improvementExecutions, minSchedules);
  search.allow(work);
  if (!search.fits())
    search.lowerPeak();
  if (search.fits())
    search.searchNeighbourhoods();
  if (search.fits() && !search.isAtGoal()) {
    search.allow(work);
    chains.recombine();
    search.searchNeighbourhoods();
  }
}

void searchChainsBriefly(PlanPool &search, double workShare) {
  ChainSearch(search).construct(workShare);
}

} // namespace remat::solver
