//===- NeighbourhoodRepair.cpp - Make a changed plan fit again ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NeighbourhoodSearch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::solver {
namespace {

/// Moves that are simulated for one step of a repair, unless the next one
/// promises more than the best so far.
constexpr int minTried = 3;
constexpr int maxTried = 10;
/// How much chance there is in the order of moves.
constexpr double noise = 0.5;

/// What a drop takes along: levels of operands, and whether other results of
/// the same steps, which come back with it at no cost.
struct Reach {
  int depth;
  bool withSiblings;
};
constexpr int forItsSakeOnly = -1;
constexpr Reach reaches[] = {{0, false}, {forItsSakeOnly, false},
                             {1, false}, {2, false},
                             {4, false}, {64, false},
                             {0, true},  {forItsSakeOnly, true}};

constexpr int16_t always = std::numeric_limits<int16_t>::max();

} // namespace

/// The drop of `gap`, and with it, by `reach`: nothing else; operands that
/// would stay for its sake only; or all operands up to a number of levels; and
/// siblings of all these.
Changes NeighbourhoodSearch::dropsFor(int32_t gap, int reach, int32_t window) {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  static_assert(std::size(reaches) == numReaches, "one depth for each reach");
  int depth = reaches[reach].depth;
  Changes drops = {{gap, 0}};
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
  if (reaches[reach].withSiblings)
    addSiblings(drops, window);
  return drops;
}

/// Adds the gaps over `window` of other results of the steps that make what is
/// dropped.
void NeighbourhoodSearch::addSiblings(Changes &drops, int32_t window) {
  size_t number = drops.size();
  for (size_t i = 0; i < number; ++i) {
    TensorId tensor = encoding.gaps[drops[i].first].tensor;
    for (TensorId sibling :
         encoding.problem.steps[encoding.maker[tensor]].results) {
      int32_t other = encoding.gapAfter(sibling, window - 1);
      if (sibling != tensor && other >= 0 && decisions[other] == retain)
        drops.emplace_back(other, 0);
    }
  }
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
  auto addAny = [&](Move move, double expected) {
    if (!isThorough)
      expected *= std::exp(noise * (random.uniform() - random.uniform()));
    move.expected = expected;
    moves.push_back(std::move(move));
  };
  auto add = [&](int32_t gap, int16_t decision, double expected,
                 int32_t note = -1) {
    addAny({{}, 0, note, gap, decision}, expected);
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
        add(gap, 0,
            std::min(above, bytes) / (1 + addedCost[gap * numKinds]) / 4,
            gap * numKinds);
      } else {
        add(gap, retain, std::min(above, bytes));
      }
      continue;
    }
    if (decision == retain) {
      if (lastWindow[gap] < window)
        continue;
      double removal = expectedRemoval(gap);
      for (int reach = 0; reach < numReaches; ++reach) {
        int32_t note = gap * numKinds + reach;
        add(gap, 0, removal / (1 + addedCost[note]), note);
      }
    } else {
      // If it was made again before its time, it may go and come once more.
      bool isBack = firstTouch[gap] <= window;
      if (isBack ? random.below(2) == 0 : random.below(8) == 0)
        add(gap, retain, std::min(above, bytes));
      int32_t note = gap * numKinds + numReaches;
      if (decision < always && (isBack || random.below(8) == 0))
        add(gap, static_cast<int16_t>(decision + 1),
            std::min(above, bytes) / (1 + addedCost[note]), note);
    }
  }
  if (encoding.hasGroups() && decisions[encoding.tearOf(window)] == retain) {
    int32_t tear = encoding.tearOf(window);
    add(tear, 0, above);
    if (!endingHere.empty()) {
      Changes all = {{tear, 0}}, some = all;
      double cost = 1;
      for (int32_t gap : endingHere) {
        all.emplace_back(gap, 0);
        cost += addedCost[gap * numKinds];
      }
      int32_t one = endingHere[random.below(endingHere.size())];
      some.emplace_back(one, 0);
      addAny({std::move(all), 0, -1, -1, 0}, above / cost);
      addAny({std::move(some), 0, -1, -1, 0},
             above / addedCost[one * numKinds]);
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
    } else if (move.at >= 0) {
      move.changes = {{move.at, move.decision}};
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
