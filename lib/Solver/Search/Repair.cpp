//===- Repair.cpp - Repair and prune decisions ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/Repair.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {
Repairer::Limits Repairer::limitsOf(RepairStrategy strategy) const {
  constexpr int unlimited = std::numeric_limits<int>::max();
  switch (strategy) {
  case RepairStrategy::Exhaustive:
    return {/*evaluatesAll=*/true,
            static_cast<size_t>(tuning.repair.maxWindows),
            unlimited,
            /*noise=*/0,
            unlimited,
            /*movesPerBase=*/1};
  case RepairStrategy::Promising:
    return {/*evaluatesAll=*/false,
            /*maxWindows=*/1,
            unlimited,
            /*noise=*/0,
            unlimited,
            tuning.repair.movesPerBase};
  case RepairStrategy::Local:
    break;
  }
  return {/*evaluatesAll=*/false,
          /*maxWindows=*/1,
          tuning.repair.enoughEvaluated,
          tuning.neighbourhood.noise,
          tuning.neighbourhood.maxRepairMoves,
          /*movesPerBase=*/0};
}

Repairer::Repairer(const GapEncoding &encoding, Simulator &simulator,
                   Budget &budget, int64_t capBytes, uint64_t seed,
                   const Tuning &tuning)
    : encoding(encoding), budget(budget), tuning(tuning),
      plan(encoding, simulator), moves(encoding, simulator, plan, tuning),
      random(seed), simulator(simulator), capBytes(capBytes) {}

Candidate Repairer::evaluate(Decisions decisions) {
  const Outcome &outcome = simulator.run(decisions);
  Candidate candidate = {std::move(decisions), outcome.excess(capBytes),
                         outcome.cost, outcome.peakBytes};
  record(candidate);
  return candidate;
}

void Repairer::record(const Candidate &candidate) {
  if (hasLowest && (candidate.peakBytes > lowestPeak.peakBytes ||
                    (candidate.peakBytes == lowestPeak.peakBytes &&
                     candidate.cost >= lowestPeak.cost)))
    return;
  lowestPeak = candidate;
  hasLowest = true;
}

//===----------------------------------------------------------------------===//
// Repair
//===----------------------------------------------------------------------===//

bool Repairer::repair(Candidate &candidate, RepairStrategy strategy,
                      int64_t maxCost) {
  start(candidate);
  [[maybe_unused]] int64_t excessBefore = plan.measures().excess;
  bool fits = repairPlan(strategy, maxCost);
  assert(plan.measures().excess <= excessBefore && "a repair made it worse");
  candidate = plan.candidate();
  record(candidate);
  return fits;
}

bool Repairer::repairPlan(RepairStrategy strategy, int64_t maxCost) {
  Limits limits = limitsOf(strategy);
  for (int moved = 0; plan.measures().excess > 0; ++moved) {
    if (moved == limits.maxMoves || plan.measures().cost >= maxCost)
      return false;
    if (moved > 0 && limits.movesPerBase > 0 &&
        moved % limits.movesPerBase == 0)
      plan.rebase();
    bool changed = false;
    for (int32_t window : highestWindows(limits.maxWindows)) {
      if (budget.isSpent())
        return false;
      changed = limits.evaluatesAll ? makeAllUsefulMoves(window)
                                    : makeBestMove(window, limits, maxCost);
      if (changed)
        break;
    }
    if (!changed)
      return false;
  }
  return true;
}

/// The windows above the cap, the highest first.
std::vector<int32_t> Repairer::highestWindows(size_t number) const {
  const std::vector<int64_t> &bytes = plan.measures().windowBytes;
  std::vector<int32_t> windows;
  for (int32_t window = 0; window < static_cast<int32_t>(bytes.size());
       ++window)
    if (bytes[window] > plan.capBytes())
      windows.push_back(window);
  auto isHigher = [&](int32_t a, int32_t b) {
    return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
  };
  number = std::min(number, windows.size());
  std::partial_sort(windows.begin(), windows.begin() + number, windows.end(),
                    isHigher);
  windows.resize(number);
  return windows;
}

std::optional<double> Repairer::ratioOf(const Outcome &after) const {
  int64_t removed = plan.measures().excess - after.excess(plan.capBytes());
  if (removed <= 0)
    return std::nullopt;
  auto added = static_cast<double>(after.cost - plan.measures().cost);
  auto gain = static_cast<double>(removed);
  // Free moves go first, the larger the better.
  return added <= 0 ? 1e30 * gain : gain / added;
}

/// Makes the best of the most promising moves.
bool Repairer::makeBestMove(int32_t window, const Limits &limits,
                            int64_t maxCost) {
  std::vector<RepairMove> heap = moves.expected(window, limits.noise, random);
  auto isWorse = [](const RepairMove &a, const RepairMove &b) {
    return a.expected < b.expected;
  };
  std::make_heap(heap.begin(), heap.end(), isWorse);
  double bestRatio = 0;
  Changes best;
  PlanMeasures afterBest;
  for (int tried = 0; tried < limits.maxEvaluated && !heap.empty();) {
    if ((tried >= tuning.repair.enoughEvaluated && bestRatio > 0) ||
        (tried >= tuning.repair.minEvaluated &&
         bestRatio >= heap.front().expected))
      break;
    std::pop_heap(heap.begin(), heap.end(), isWorse);
    RepairMove move = std::move(heap.back());
    heap.pop_back();
    if (!moves.complete(move, window))
      continue;
    ++tried;
    const Outcome &after = plan.simulate(move.changes);
    std::optional<double> ratio = ratioOf(after);
    moves.learn(move, static_cast<double>(after.cost - plan.measures().cost),
                ratio.has_value());
    if (!ratio || after.cost > maxCost || *ratio <= bestRatio)
      continue;
    bestRatio = *ratio;
    best = std::move(move.changes);
    afterBest = PlanMeasures(after, plan.capBytes());
  }
  if (bestRatio <= 0)
    return false;
  plan.apply(best, std::move(afterBest));
  return true;
}

/// Evaluates all moves, and makes them from the best on. Earlier moves change
/// what later ones are worth: those that have lost much of it are left.
bool Repairer::makeAllUsefulMoves(int32_t window) {
  std::vector<UsefulMove> useful;
  for (RepairMove &move : moves.all(window)) {
    if (budget.isSpent())
      return false;
    if (std::optional<double> ratio = ratioOf(plan.simulate(move.changes)))
      useful.push_back({std::move(move.changes), *ratio});
  }
  std::stable_sort(useful.begin(), useful.end(),
                   [](const UsefulMove &a, const UsefulMove &b) {
                     return a.ratio > b.ratio;
                   });
  bool changed = false;
  for (const UsefulMove &move : useful) {
    if (budget.isSpent())
      break;
    std::optional<double> ratio = ratioOf(plan.simulate(move.changes));
    if (!ratio || *ratio < tuning.repair.stillWorthShare * move.ratio)
      continue;
    plan.change(move.changes);
    plan.rebase();
    changed = true;
    if (plan.measures().windowBytes[window] <= plan.capBytes())
      break;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Prune and exchange
//===----------------------------------------------------------------------===//

/// Retains a tensor, or recomputes it less often, if the plan is no further
/// above the cap and costs no more then.
bool Repairer::takeBack(int32_t at) {
  int16_t decision = plan.decisions()[at];
  std::vector<int16_t> fewer = {retain};
  if (decision > 0)
    fewer.push_back(0);
  if (decision > 1)
    fewer.push_back(static_cast<int16_t>(decision - 1));
  for (int16_t tried : fewer) {
    if (budget.isSpent())
      return false;
    Changes change = {{at, tried}};
    const Outcome &after = plan.simulate(change);
    if (after.cost > plan.measures().cost ||
        after.excess(plan.capBytes()) > plan.measures().excess)
      continue;
    plan.apply(change, PlanMeasures(after, plan.capBytes()));
    return true;
  }
  return false;
}

/// The decisions that are not to retain, the most expensive first, by the cost
/// of the step that has to run again.
std::vector<int32_t> Repairer::dropsByCost() const {
  std::vector<std::pair<int64_t, int32_t>> order;
  auto numGaps = static_cast<int32_t>(encoding.gaps.size());
  for (int32_t at = 0; at < encoding.numDecisions(); ++at)
    if (plan.decisions()[at] != retain)
      order.emplace_back(at < numGaps ? -moves.costOf(at) : 0, at);
  std::sort(order.begin(), order.end());
  std::vector<int32_t> places;
  for (auto [negativeCost, at] : order)
    places.push_back(at);
  return places;
}

void Repairer::prune(Candidate &candidate) {
  if (!tuning.repair.prune)
    return;
  start(candidate);
  [[maybe_unused]] int64_t costBeforeAll = plan.measures().cost;
  for (bool changed = true; changed && !budget.isSpent();) {
    changed = false;
    for (int32_t at : dropsByCost()) {
      int64_t costBefore = plan.measures().cost;
      if (!takeBack(at))
        continue;
      changed |= plan.measures().cost < costBefore;
      plan.rebase();
    }
  }
  assert(plan.measures().cost <= costBeforeAll && "pruning made it worse");
  candidate = plan.candidate();
  record(candidate);
}

void Repairer::trimPlan() {
  // Changes are made here too, but only of decisions that are listed already.
  for (size_t i = 0; i < plan.changes().size(); ++i)
    if (plan.changes()[i].second != retain)
      takeBack(plan.changes()[i].first);
}

void Repairer::exchange(Candidate &candidate) {
  for (bool changed = true; changed && !budget.isSpent();) {
    changed = false;
    start(candidate);
    for (int32_t at : dropsByCost()) {
      if (budget.isSpent())
        return;
      if (candidate.decisions[at] == retain)
        continue;
      Decisions decisions = candidate.decisions;
      decisions[at] = retain;
      Candidate after = evaluate(std::move(decisions));
      if (after.cost >= candidate.cost)
        continue;
      if (repair(after, RepairStrategy::Exhaustive, candidate.cost))
        prune(after);
      if (after.isBetterThan(candidate)) {
        candidate = std::move(after);
        changed = true;
      }
    }
  }
}

} // namespace remat::solver
