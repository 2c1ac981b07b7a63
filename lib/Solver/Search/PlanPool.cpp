//===- PlanPool.cpp - What all searches over decisions share --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PlanPool.h"

#include <algorithm>
#include <limits>

namespace remat::solver {
PlanPool::PlanPool(const Problem &problem, const PlannerOptions &options)
    : capBytes(options.capBytes), tuning(*options.tuning),
      goalCost(options.goalCost(problem)), encoding(problem),
      simulator(encoding), budget(simulator, options.deadlineSeconds),
      improver(encoding, simulator, budget, options.capBytes, options.seed,
               tuning),
      neighbourhood(improver) {
  bestCandidate = improver.evaluate(encoding.retainAll());
  originalCost = bestCandidate.cost;
  originalBytes = simulator.lastOutcome().windowBytes;
  // The window after the last slot is empty in the schedule itself.
  peak = static_cast<int32_t>(
      std::max_element(originalBytes.begin(), originalBytes.end() - 1) -
      originalBytes.begin());
}

int64_t PlanPool::workFor(int64_t executions, int64_t schedules) const {
  auto numSteps = static_cast<int64_t>(encoding.problem.steps.size());
  auto size = static_cast<double>(numSteps);
  double more =
      std::min({size / tuning.pool.stepsOfUsualWork, tuning.pool.maxMoreWork,
                tuning.pool.stepsOfUsualTime / size});
  return std::max({executions,
                   static_cast<int64_t>(more * static_cast<double>(executions)),
                   schedules * numSteps});
}

void PlanPool::consider(Decisions decisions) {
  if (!budget.isSpent())
    consider(improver.evaluate(std::move(decisions)));
}

void PlanPool::consider(Candidate candidate) {
  consider(std::move(candidate), planner);
}

void PlanPool::consider(Candidate candidate, const char *planner) {
  if (candidate.isBetterThan(bestCandidate)) {
    bestCandidate = candidate;
    bestPlanner = planner;
  }
  if (candidate.excess > 0)
    return;
  // Plans of one cost are mostly the same plan.
  auto place = elite.begin();
  while (place != elite.end() && place->candidate.cost < candidate.cost)
    ++place;
  if (place != elite.end() && place->candidate.cost == candidate.cost)
    return;
  elite.insert(place, Entry{std::move(candidate), planner});
  // Planners find plans of different kinds; none crowds out the others.
  size_t count = 0;
  for (auto entry = elite.begin(); entry != elite.end(); ++entry) {
    if (entry->planner != planner ||
        ++count <= static_cast<size_t>(tuning.pool.numElite))
      continue;
    elite.erase(entry);
    break;
  }
}

std::vector<Decisions> PlanPool::bestPlans() const {
  std::vector<Decisions> plans;
  for (const Entry &entry : elite)
    plans.push_back(entry.candidate.decisions);
  return plans;
}

void PlanPool::complete(const Decisions &start) {
  if (budget.isSpent())
    return;
  Candidate candidate = improver.evaluate(start);
  if (improver.repair(candidate, RepairStrategy::Promising))
    improver.prune(candidate);
  consider(std::move(candidate));
}

void PlanPool::refine(Decisions start, int64_t targetBytes) {
  if (budget.isSpent())
    return;
  if (encoding.problem.steps.size() >
      static_cast<size_t>(tuning.pool.maxStepsToTryAll)) {
    if (targetBytes == capBytes)
      complete(start);
    else
      consider(std::move(start));
    return;
  }
  Candidate candidate = improver.evaluate(std::move(start));
  if (targetBytes != capBytes) {
    CapScope scope(improver, targetBytes);
    improver.repair(candidate, RepairStrategy::Exhaustive);
  }
  if (improver.repair(candidate, RepairStrategy::Exhaustive))
    improver.prune(candidate);
  consider(std::move(candidate));
}

void PlanPool::exchange() {
  std::vector<Entry> starts = elite;
  for (Entry &entry : starts) {
    if (budget.isSpent())
      return;
    improver.exchange(entry.candidate);
    consider(std::move(entry.candidate), entry.planner);
  }
}

void PlanPool::searchNeighbourhoods() {
  // The number of plans of each planner that go on in each round, then that of
  // all plans, and the share of the work.
  struct Round {
    int numPerPlanner;
    size_t numPlans;
    double share;
  };
  constexpr Round rounds[] = {{3, 12, 0.3}, {1, 3, 0.4}, {1, 1, 1}};
  for (Round round : rounds) {
    std::vector<Entry> starts;
    for (const Entry &entry : elite) {
      auto isSame = [&](const Entry &e) { return e.planner == entry.planner; };
      if (starts.size() < round.numPlans &&
          std::count_if(starts.begin(), starts.end(), isSame) <
              round.numPerPlanner)
        starts.push_back(entry);
    }
    if (starts.empty())
      return;
    auto share =
        static_cast<int64_t>(static_cast<double>(budget.executionsLeft()) *
                             round.share / static_cast<double>(starts.size()));
    for (Entry &entry : starts) {
      if (bestCandidate.cost <= goalCost)
        return;
      BudgetScope scope = allow(share);
      neighbourhood.improve(entry.candidate, goalCost);
      consider(std::move(entry.candidate), entry.planner);
    }
  }
}

void PlanPool::lowerPeak() {
  while (!budget.isSpent()) {
    Candidate candidate = improver.lowest();
    CapScope scope(improver, std::max(capBytes, candidate.peakBytes - 1));
    if (!improver.repair(candidate, RepairStrategy::Exhaustive))
      break;
    improver.prune(candidate);
    if (candidate.peakBytes <= capBytes) {
      consider(std::move(candidate));
      break;
    }
  }
}

void PlanPool::adopt(const PlanPool &other) {
  improver.record(other.improver.lowest());
  for (const Decisions &donor : other.neighbourhood.allDonors())
    neighbourhood.addDonor(donor);
  for (const Entry &entry : other.elite) {
    consider(entry.candidate, entry.planner);
  }
  consider(other.bestCandidate, other.bestPlanner);
}

Plan PlanPool::bestPlan() {
  return {simulator.run(bestCandidate.decisions).sequence};
}

void PlanPool::offerTo(PlannerContext &context) {
  context.offer(bestPlan(), bestPlanner);
  context.offer({simulator.run(improver.lowest().decisions).sequence},
                bestPlanner);
}

void planInPool(PoolPlanner planner, PlannerContext &context) {
  PlanPool pool(context.problem, context.options);
  planner(pool);
  pool.offerTo(context);
}

} // namespace remat::solver
