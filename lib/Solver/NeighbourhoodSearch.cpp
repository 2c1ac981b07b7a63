//===- NeighbourhoodSearch.cpp - Improve a plan by undoing parts of it ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NeighbourhoodSearch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::solver {
namespace {

/// The most drops that one round takes back.
constexpr int maxDestroyed = 8;
/// Moves that are simulated for one step of a repair, unless the next one
/// promises more than the best so far.
constexpr int minTried = 3;
constexpr int maxTried = 10;
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
/// How much chance there is in the order of moves.
constexpr double noise = 0.5;

/// Levels of operands that a drop takes along; see dropsFor().
constexpr int forItsSakeOnly = -1;
constexpr int reaches[] = {0, forItsSakeOnly, 1, 2, 4, 64};

constexpr int16_t always = std::numeric_limits<int16_t>::max();

} // namespace

NeighbourhoodSearch::NeighbourhoodSearch(const GapEncoding &encoding,
                                         Simulator &simulator, Budget &budget,
                                         int64_t capBytes, uint64_t seed)
    : encoding(encoding), simulator(simulator), budget(budget),
      capBytes(capBytes), random(seed),
      seen(encoding.problem.tensors.size(), 0) {
  static_assert(std::size(reaches) == numReaches, "");
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

void NeighbourhoodSearch::change(int32_t at, int16_t decision) {
  decisions[at] = decision;
  auto found = std::find_if(changes.begin(), changes.end(),
                            [&](auto &pair) { return pair.first == at; });
  if (found == changes.end())
    changes.emplace_back(at, decision);
  else
    found->second = decision;
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
  int64_t originalCost = 0;
  for (const Step &step : encoding.problem.steps)
    originalCost += step.cost;
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
    changes.clear();
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
  changes.clear();
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
  changes.clear();
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

/// Takes back a drop and those of the operands, as far as they are dropped at
/// the time.
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
    for (TensorId operand :
         encoding.problem.steps[encoding.maker[where.tensor]].operands) {
      int32_t other = encoding.gapAfter(operand, where.endSlot - 1);
      if (other >= 0 && decisions[other] != retain)
        work.push_back(other);
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

//===----------------------------------------------------------------------===//
// Repair
//===----------------------------------------------------------------------===//

/// The drop of `gap`, and with it, by `reach`: nothing else; operands that
/// would stay for its sake only; or all operands up to a number of levels.
Changes NeighbourhoodSearch::dropsFor(int32_t gap, int reach, int32_t window) {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  int depth = reaches[reach];
  Changes drops = {{gap, 0}};
  if (depth == 0)
    return drops;
  ++stamp;
  int32_t when = std::min(encoding.gaps[gap].endSlot, lastWindow[gap]);
  std::vector<TensorId> frontier = {encoding.gaps[gap].tensor};
  seen[frontier.front()] = stamp;
  for (int level = 0;
       !frontier.empty() && (depth == forItsSakeOnly || level < depth);
       ++level) {
    std::vector<TensorId> next;
    for (TensorId tensor : frontier) {
      for (TensorId operand :
           encoding.problem.steps[encoding.maker[tensor]].operands) {
        int32_t other = encoding.gapAfter(operand, when - 1);
        if (other < 0 || encoding.gaps[other].beginSlot >= window ||
            seen[operand] == stamp)
          continue;
        seen[operand] = stamp;
        bool staysAnyway = decisions[other] == retain &&
                           encoding.gaps[other].endSlot < numSlots;
        if (depth == forItsSakeOnly && staysAnyway)
          continue;
        if (decisions[other] == retain)
          drops.emplace_back(other, 0);
        next.push_back(operand);
      }
    }
    frontier = std::move(next);
  }
  return drops;
}

/// How much excess would go with the storage of `gap`, if it alone counts.
double NeighbourhoodSearch::expectedRemoval(int32_t gap) const {
  const Gap &where = encoding.gaps[gap];
  int32_t begin = where.beginSlot + 1;
  int32_t end = std::max(begin, std::min(where.endSlot, lastWindow[gap] + 1));
  double above = static_cast<double>(excessBefore[end] - excessBefore[begin]);
  double number = numAboveBefore[end] - numAboveBefore[begin];
  double bytes =
      static_cast<double>(encoding.problem.tensors[where.tensor].bytes);
  return std::min(above, bytes * number);
}

std::vector<NeighbourhoodSearch::Move>
NeighbourhoodSearch::movesAt(int32_t window) {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t numWindows = static_cast<int32_t>(windowBytes.size());
  excessBefore.assign(1, 0);
  numAboveBefore.assign(1, 0);
  for (int32_t i = 0; i < numWindows; ++i) {
    int64_t above = std::max<int64_t>(0, windowBytes[i] - capBytes);
    excessBefore.push_back(excessBefore.back() + above);
    numAboveBefore.push_back(numAboveBefore.back() + (above > 0));
  }
  std::vector<Move> moves;
  auto add = [&](Changes list, double expected, int32_t note) {
    expected *= std::exp(noise * (random.uniform() - random.uniform()));
    moves.push_back({std::move(list), expected, note});
  };
  double above = static_cast<double>(windowBytes[window] - capBytes);
  std::vector<int32_t> endingHere;
  for (int32_t gap = 0; gap < numGaps; ++gap) {
    const Gap &where = encoding.gaps[gap];
    if (where.beginSlot >= window || where.endSlot < window)
      continue;
    int16_t decision = decisions[gap];
    double bytes =
        static_cast<double>(encoding.problem.tensors[where.tensor].bytes);
    if (where.endSlot == window) {
      // Before the slot come recomputations: do without it until they are
      // done, or be one of them no longer.
      if (decision == retain) {
        endingHere.push_back(gap);
        add({{gap, 0}},
            std::min(above, bytes) / (1 + addedCost[gap * numKinds]) / 4,
            gap * numKinds);
      } else {
        add({{gap, retain}}, std::min(above, bytes), -1);
      }
      continue;
    }
    if (decision == retain) {
      if (lastWindow[gap] < window)
        continue;
      double removal = expectedRemoval(gap);
      for (int reach = 0; reach < numReaches; ++reach) {
        int32_t note = gap * numKinds + reach;
        add({{gap, 0}}, removal / (1 + addedCost[note]), note);
      }
    } else {
      // If it was made again before its time, it may go and come once more.
      bool isBack = firstTouch[gap] <= window;
      if (isBack ? random.below(2) == 0 : random.below(8) == 0)
        add({{gap, retain}}, std::min(above, bytes), -1);
      int32_t note = gap * numKinds + numReaches;
      if (decision < always && (isBack || random.below(8) == 0))
        add({{gap, static_cast<int16_t>(decision + 1)}},
            std::min(above, bytes) / (1 + addedCost[note]), note);
    }
  }
  if (encoding.hasGroups() && decisions[encoding.tearOf(window)] == retain) {
    int32_t tear = encoding.tearOf(window);
    add({{tear, 0}}, above, -1);
    if (!endingHere.empty()) {
      Changes all = {{tear, 0}}, some = all;
      double cost = 1;
      for (int32_t gap : endingHere) {
        all.emplace_back(gap, 0);
        cost += addedCost[gap * numKinds];
      }
      int32_t one = endingHere[random.below(endingHere.size())];
      some.emplace_back(one, 0);
      add(std::move(all), above / cost, -1);
      add(std::move(some), above / addedCost[one * numKinds], -1);
    }
  }
  return moves;
}

int32_t NeighbourhoodSearch::highestWindow() const {
  return static_cast<int32_t>(
      std::max_element(windowBytes.begin(), windowBytes.end()) -
      windowBytes.begin());
}

bool NeighbourhoodSearch::repair(int64_t maxCost, int maxSteps) {
  const Outcome &outcome = simulate({});
  cost = outcome.cost;
  excess = outcome.excess(capBytes);
  windowBytes = outcome.windowBytes;
  for (int step = 0; excess > 0; ++step)
    if (step == maxSteps || cost >= maxCost || budget.isSpent() ||
        !repairOnce(maxCost))
      return false;
  return true;
}

/// Makes the best of the most promising moves at the highest window.
bool NeighbourhoodSearch::repairOnce(int64_t maxCost) {
  int32_t window = highestWindow();
  std::vector<Move> moves = movesAt(window);
  auto isWorse = [](const Move &a, const Move &b) {
    return a.expected < b.expected;
  };
  std::make_heap(moves.begin(), moves.end(), isWorse);
  double bestRatio = 0;
  Changes best;
  int64_t bestCost = 0, bestExcess = 0;
  std::vector<int64_t> bestWindows;
  int limit = isThorough ? std::numeric_limits<int>::max() : maxTried;
  for (int tried = 0; tried < limit && !moves.empty(); ++tried) {
    if (tried >= maxTried && bestRatio > 0)
      break;
    if (tried >= minTried && bestRatio >= moves.front().expected)
      break;
    std::pop_heap(moves.begin(), moves.end(), isWorse);
    Move move = std::move(moves.back());
    moves.pop_back();
    int kind = move.note % numKinds;
    if (move.note >= 0 && kind > 0 && kind < numReaches) {
      move.changes = dropsFor(move.note / numKinds, kind, window);
      if (move.changes.size() == 1) {
        // The same as the drop alone.
        addedCost[move.note] = addedCost[move.note - kind] * 4;
        --tried;
        continue;
      }
    }
    const Outcome &outcome = simulate(move.changes);
    int64_t newExcess = outcome.excess(capBytes);
    double added = static_cast<double>(outcome.cost - cost);
    double removed = static_cast<double>(excess - newExcess);
    if (move.note >= 0)
      addedCost[move.note] =
          removed > 0 ? std::max(1.0, added)
                      : 2 * std::max(1.0, added) + 2 * addedCost[move.note];
    if (removed <= 0 || outcome.cost > maxCost)
      continue;
    double ratio = added <= 0 ? 1e30 * removed : removed / added;
    if (ratio > bestRatio) {
      bestRatio = ratio;
      best = std::move(move.changes);
      bestCost = outcome.cost;
      bestExcess = newExcess;
      bestWindows = outcome.windowBytes;
    }
  }
  if (bestRatio <= 0)
    return false;
  apply(best);
  cost = bestCost;
  excess = bestExcess;
  windowBytes = std::move(bestWindows);
  return true;
}

/// Takes back drops of a plan within the cap, the dearest first.
void NeighbourhoodSearch::prune() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  for (bool changed = true; changed && !budget.isSpent();) {
    changed = false;
    std::vector<std::pair<int64_t, int32_t>> order;
    for (int32_t at : dropped)
      if (decisions[at] != retain)
        order.emplace_back(
            at < numGaps
                ? -encoding.compact[encoding.maker[encoding.gaps[at].tensor]]
                       .cost
                : 0,
            at);
    std::sort(order.begin(), order.end());
    for (auto [negativeCost, at] : order) {
      if (budget.isSpent())
        return;
      const Outcome &outcome = simulate({{at, retain}});
      if (outcome.peakBytes > capBytes || outcome.cost > cost)
        continue;
      changed |= outcome.cost < cost;
      cost = outcome.cost;
      change(at, retain);
    }
  }
}

/// Takes back new drops that later ones made needless.
void NeighbourhoodSearch::trim() {
  for (size_t i = 0; i < changes.size(); ++i) {
    auto [at, decision] = changes[i];
    if (decision == retain || budget.isSpent())
      continue;
    const Outcome &outcome = simulate({{at, retain}});
    if (outcome.excess(capBytes) > 0 || outcome.cost > cost)
      continue;
    cost = outcome.cost;
    change(at, retain);
  }
}

} // namespace remat::solver
