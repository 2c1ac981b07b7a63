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
namespace {

/// How many of the best plans of each member are kept.
constexpr size_t numElite = 4;

/// Up to so many steps there is time to try all moves at the highest window.
constexpr size_t maxStepsToTryAll = 12000;

/// The work is meant for problems of so many steps. Larger ones get more in
/// proportion, up to this many times as much; still larger ones less, down to
/// the same from so many steps on, for the sake of time.
constexpr double stepsOfUsualWork = 750;
constexpr double maxMore = 6;
constexpr double stepsOfUsualTime = 36000;

/// Close enough to the bound: within this share of the overhead.
constexpr double goalShare = 0.01;

} // namespace

PlanPool::PlanPool(const Problem &problem, const SolverOptions &options)
    : capBytes(options.capBytes), encoding(problem), simulator(encoding),
      budget(simulator, options.deadlineSeconds),
      improver(encoding, simulator, budget, options.capBytes, options.seed),
      neighbourhood(improver) {
  bestCandidate = improver.evaluate(encoding.retainAll());
  originalCost = bestCandidate.cost;
  originalBytes = simulator.lastOutcome().windowBytes;
  // The window behind the last slot is empty in the schedule itself.
  peak = static_cast<int32_t>(
      std::max_element(originalBytes.begin(), originalBytes.end() - 1) -
      originalBytes.begin());
}

int64_t PlanPool::workFor(int64_t executions, int64_t schedules) const {
  auto numSteps = static_cast<int64_t>(encoding.problem.steps.size());
  auto size = static_cast<double>(numSteps);
  double more =
      std::min({size / stepsOfUsualWork, maxMore, stepsOfUsualTime / size});
  return std::max({executions,
                   static_cast<int64_t>(more * static_cast<double>(executions)),
                   schedules * numSteps});
}

void PlanPool::consider(Decisions decisions) {
  if (!budget.isSpent())
    consider(improver.evaluate(std::move(decisions)));
}

void PlanPool::consider(Candidate candidate) {
  if (candidate.isBetterThan(bestCandidate)) {
    bestCandidate = candidate;
    bestMember = member;
  }
  if (candidate.excess > 0)
    return;
  // Plans of one cost are mostly the same plan.
  auto place = elite.begin();
  while (place != elite.end() && place->candidate.cost < candidate.cost)
    ++place;
  if (place != elite.end() && place->candidate.cost == candidate.cost)
    return;
  elite.insert(place, Entry{std::move(candidate), member});
  // Members find plans of different kinds; none crowds out the others.
  size_t count = 0;
  for (auto entry = elite.begin(); entry != elite.end(); ++entry) {
    if (entry->member != member || ++count <= numElite)
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
  if (improver.repair(candidate, RepairStrategy::promising))
    improver.prune(candidate);
  consider(std::move(candidate));
}

void PlanPool::refine(Decisions start, int64_t targetBytes) {
  if (budget.isSpent())
    return;
  if (encoding.problem.steps.size() > maxStepsToTryAll) {
    if (targetBytes == capBytes)
      complete(start);
    else
      consider(std::move(start));
    return;
  }
  Candidate candidate = improver.evaluate(std::move(start));
  if (targetBytes != capBytes) {
    CapScope scope(improver, targetBytes);
    improver.repair(candidate, RepairStrategy::exhaustive);
  }
  if (improver.repair(candidate, RepairStrategy::exhaustive))
    improver.prune(candidate);
  consider(std::move(candidate));
}

void PlanPool::exchange() {
  std::vector<Entry> starts = elite;
  for (Entry &entry : starts) {
    if (budget.isSpent())
      return;
    improver.exchange(entry.candidate);
    setMember(entry.member);
    consider(std::move(entry.candidate));
  }
}

void PlanPool::searchNeighbourhoods(int64_t goalCost) {
  // The number of plans of each member that go on in each round, then that of
  // all plans, and the share of the work.
  struct Round {
    int numPerMember;
    size_t numPlans;
    double share;
  };
  constexpr Round rounds[] = {{3, 12, 0.3}, {1, 3, 0.4}, {1, 1, 1}};
  for (Round round : rounds) {
    std::vector<Entry> starts;
    for (const Entry &entry : elite) {
      auto isSame = [&](const Entry &e) { return e.member == entry.member; };
      if (starts.size() < round.numPlans &&
          std::count_if(starts.begin(), starts.end(), isSame) <
              round.numPerMember)
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
      setMember(entry.member);
      consider(std::move(entry.candidate));
    }
  }
}

void PlanPool::lowerPeak() {
  while (!budget.isSpent()) {
    Candidate candidate = improver.lowest();
    CapScope scope(improver, std::max(capBytes, candidate.peakBytes - 1));
    if (!improver.repair(candidate, RepairStrategy::exhaustive))
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
    setMember(entry.member);
    consider(entry.candidate);
  }
  setMember(other.bestMember);
  consider(other.bestCandidate);
}

SolverResult PlanPool::result() {
  SolverResult result;
  result.status = fits()                    ? SolveStatus::Ok
                  : budget.isPastDeadline() ? SolveStatus::Deadline
                                            : SolveStatus::Infeasible;
  const Candidate &chosen = fits() ? bestCandidate : improver.lowest();
  result.plan.sequence = simulator.run(chosen.decisions).sequence;
  result.lowestPeakBytes = improver.lowest().peakBytes;
  result.member = bestMember;
  return result;
}

SolverResult solveBy(void (*member)(PlanPool &, int64_t),
                     const Problem &problem, const SolverOptions &options) {
  if (problem.steps.empty())
    return SolverResult();
  PlanPool search(problem, options);
  member(search, goalCost(problem, options));
  return search.result();
}

int64_t goalCost(const Problem &problem, const SolverOptions &options) {
  int64_t overhead =
      std::max<int64_t>(0, options.lowerBoundCost - problem.scheduleCost());
  return options.lowerBoundCost + static_cast<int64_t>(goalShare * overhead);
}

} // namespace remat::solver
