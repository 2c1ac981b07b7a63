//===- NeighbourhoodSearch.cpp - Improve a plan by undoing parts of it ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NeighbourhoodSearch.h"

#include <algorithm>
#include <limits>

namespace remat::solver {
namespace {

/// The most drops that one round takes back.
constexpr int maxDestroyed = 8;
/// Steps of a repair.
constexpr int maxRepairSteps = 24;
/// How far above the best overhead a plan may be to go on from there.
constexpr double tolerance = 0.01;
/// Rounds without a better plan after which the search returns to the best.
constexpr int maxRoundsAstray = 400;
/// Rounds without a better plan after which it gives up, and more by gap. Small
/// problems are searched through before the budget is spent.
constexpr int64_t maxRoundsInVain = 500;
constexpr int64_t maxRoundsInVainPerGap = 20;

} // namespace

NeighbourhoodSearch::NeighbourhoodSearch(const GapEncoding &encoding,
                                         Simulator &simulator, Budget &budget,
                                         int64_t capBytes, uint64_t seed)
    : encoding(encoding), simulator(simulator), budget(budget),
      capBytes(capBytes), random(seed),
      placeOf(encoding.retainAll().size(), -1),
      seen(encoding.problem.tensors.size(), 0) {
  for (const Gap &gap : encoding.gaps) {
    double cost = static_cast<double>(
        encoding.problem.steps[encoding.maker[gap.tensor]].cost);
    for (int kind = 0; kind < numKinds; ++kind)
      addedCost.push_back(1 + cost);
  }
}

void NeighbourhoodSearch::setCurrent(const Candidate &candidate) {
  if (&candidate != &current)
    current = candidate;
  const Outcome &outcome = simulator.setBase(current.decisions);
  windowBytes = outcome.windowBytes;
  dropped.clear();
  for (int32_t at = 0; at < static_cast<int32_t>(current.decisions.size());
       ++at)
    if (current.decisions[at] != retain)
      dropped.push_back(at);
  lastWindow.resize(encoding.gaps.size());
  firstTouch.resize(encoding.gaps.size());
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size());
       ++gap) {
    lastWindow[gap] = simulator.lastWindowOf(gap);
    firstTouch[gap] = simulator.firstTouchOf(gap);
  }
}

void NeighbourhoodSearch::clearChanges() {
  for (auto [at, decision] : changes)
    placeOf[at] = -1;
  changes.clear();
}

void NeighbourhoodSearch::change(int32_t at, int16_t decision) {
  decisions[at] = decision;
  if (placeOf[at] < 0) {
    placeOf[at] = static_cast<int32_t>(changes.size());
    changes.emplace_back(at, decision);
  }
  changes[placeOf[at]].second = decision;
}

void NeighbourhoodSearch::apply(const Changes &more) {
  for (auto [at, decision] : more)
    change(at, decision);
}

const Outcome &NeighbourhoodSearch::simulate(const Changes &more) {
  // Later entries override earlier ones.
  size_t size = changes.size();
  changes.insert(changes.end(), more.begin(), more.end());
  const Outcome &outcome = simulator.tryChanges(changes);
  changes.resize(size);
  return outcome;
}

void NeighbourhoodSearch::improve(Candidate &best, int64_t goalCost) {
  int64_t originalCost = encoding.problem.scheduleCost();
  setCurrent(best);
  int roundsAstray = 0;
  int64_t roundsInVain = 0;
  int64_t maxInVain =
      maxRoundsInVain +
      maxRoundsInVainPerGap * static_cast<int64_t>(encoding.gaps.size());
  while (!budget.isSpent() && best.cost > goalCost &&
         ++roundsInVain < maxInVain) {
    if (++roundsAstray > maxRoundsAstray && current.cost > best.cost) {
      setCurrent(best);
      roundsAstray = 0;
    }
    decisions = current.decisions;
    clearChanges();
    destroy();
    if (changes.empty())
      continue;
    int64_t maxCost = best.cost + static_cast<int64_t>(
                                      tolerance * (best.cost - originalCost));
    maxCost = std::max(maxCost, current.cost);
    if (!repair(maxCost, maxRepairSteps))
      continue;
    trim();
    if (cost > maxCost || decisions == current.decisions)
      continue;
    current.decisions = decisions;
    current.cost = cost;
    setCurrent(current);
    current.excess = 0;
    current.peakBytes =
        *std::max_element(windowBytes.begin(), windowBytes.end());
    if (current.cost < best.cost) {
      best = current;
      roundsAstray = 0;
      roundsInVain = 0;
    }
  }
}

void NeighbourhoodSearch::complete(Candidate &candidate) {
  setCurrent(candidate);
  decisions = current.decisions;
  clearChanges();
  // The notes of the simulator are moved up from time to time, so that it does
  // not have to come from far for each move.
  constexpr int stepsPerBase = 8;
  isThorough = true;
  while (!repair(std::numeric_limits<int64_t>::max(), stepsPerBase)) {
    bool isStuck = changes.empty();
    store(candidate);
    if (isStuck || candidate.excess == 0 || budget.isSpent()) {
      isThorough = false;
      return;
    }
  }
  isThorough = false;
  store(candidate);
  prune();
  store(candidate);
}

/// Makes the plan under construction `candidate` and the base.
void NeighbourhoodSearch::store(Candidate &candidate) {
  candidate.decisions = decisions;
  candidate.cost = cost;
  candidate.excess = excess;
  setCurrent(candidate);
  candidate.peakBytes =
      *std::max_element(windowBytes.begin(), windowBytes.end());
  current.peakBytes = candidate.peakBytes;
  clearChanges();
}

//===----------------------------------------------------------------------===//
// Destroy
//===----------------------------------------------------------------------===//

void NeighbourhoodSearch::destroy() {
  if (dropped.empty())
    return;
  switch (random.below(donors.empty() ? 8 : 10)) {
  case 0:
  case 1:
  case 2:
    destroyRun();
    break;
  case 3:
  case 4:
    destroyRelated();
    break;
  case 5: {
    int number = 1 + random.below(3);
    for (int i = 0; i < number; ++i)
      change(dropped[random.below(dropped.size())], retain);
    break;
  }
  case 6:
  case 7:
    addDrop();
    break;
  default:
    crossOver();
    break;
  }
}

/// Takes back drops that begin or end near each other.
void NeighbourhoodSearch::destroyRun() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  bool byEnd = random.below(2);
  auto timeOf = [&](int32_t at) {
    if (at >= numGaps)
      return at - numGaps;
    return byEnd ? encoding.gaps[at].endSlot : encoding.gaps[at].beginSlot;
  };
  int32_t centre = timeOf(dropped[random.below(dropped.size())]);
  int number = 1 + random.below(maxDestroyed);
  std::vector<std::pair<int32_t, int32_t>> near;
  for (int32_t at : dropped)
    near.emplace_back(std::abs(timeOf(at) - centre), at);
  number = std::min<int>(number, static_cast<int>(near.size()));
  std::partial_sort(near.begin(), near.begin() + number, near.end());
  for (int i = 0; i < number; ++i)
    change(near[i].second, retain);
}

/// Takes back a drop and those of operands and siblings, as far as they are
/// dropped at the time.
void NeighbourhoodSearch::destroyRelated() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t at = dropped[random.below(dropped.size())];
  int number = 1 + random.below(maxDestroyed);
  std::vector<int32_t> work = {at};
  while (!work.empty() && number-- > 0) {
    size_t which = random.below(work.size());
    int32_t gap = work[which];
    work.erase(work.begin() + which);
    change(gap, retain);
    if (gap >= numGaps)
      continue;
    const Gap &where = encoding.gaps[gap];
    const Step &step = encoding.problem.steps[encoding.maker[where.tensor]];
    for (const std::vector<TensorId> *list : {&step.operands, &step.results}) {
      for (TensorId tensor : *list) {
        int32_t other = encoding.gapAfter(tensor, where.endSlot - 1);
        if (other >= 0 && decisions[other] != retain)
          work.push_back(other);
      }
    }
  }
}

/// Takes over what another plan decides about the tensors that a stretch of
/// the schedule makes.
void NeighbourhoodSearch::crossOver() {
  const Decisions &donor = donors[random.below(donors.size())];
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  int32_t length = 1 + random.below(1 + numSlots / (1 << random.below(6)));
  int32_t begin = random.below(numSlots);
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size());
       ++gap) {
    if (decisions[gap] == donor[gap])
      continue;
    int32_t slot = encoding.slotOf[encoding.maker[encoding.gaps[gap].tensor]];
    if (slot >= begin && slot < begin + length)
      change(gap, donor[gap]);
  }
}

/// Drops something else, and takes back what that makes room for: the dearest
/// first, with chance.
void NeighbourhoodSearch::addDrop() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  if (numGaps == 0)
    return;
  for (int attempt = 0; attempt < 30; ++attempt) {
    int32_t gap = random.below(numGaps);
    const Gap &where = encoding.gaps[gap];
    if (decisions[gap] != retain || where.endSlot >= numSlots ||
        lastWindow[gap] <= where.beginSlot + 1 ||
        encoding.problem.tensors[where.tensor].bytes == 0)
      continue;
    int32_t window = where.beginSlot + 1;
    apply(dropsFor(gap, random.below(numReaches), window));
    break;
  }
  if (changes.empty())
    return;
  int number = 1 + random.below(3);
  std::vector<std::pair<double, int32_t>> order;
  for (int32_t at : dropped) {
    double cost = 1;
    if (at < numGaps)
      cost += static_cast<double>(
          encoding.problem.steps[encoding.maker[encoding.gaps[at].tensor]]
              .cost);
    order.emplace_back(-cost * (0.1 + random.uniform()), at);
  }
  std::sort(order.begin(), order.end());
  for (int i = 0; i < std::min<int>(number, order.size()); ++i)
    change(order[i].second, retain);
}

} // namespace remat::solver
