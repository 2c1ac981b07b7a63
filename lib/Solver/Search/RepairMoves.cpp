//===- RepairMoves.cpp - What a repair may change at a window -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/RepairMoves.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace remat::solver {
namespace {

/// What a drop takes along: levels of operands, and whether other results of
/// the same steps, which a recomputation returns at no cost.
struct Reach {
  int depth;
  bool withSiblings;
};
constexpr int forItsSakeOnly = -1;
constexpr Reach reaches[] = {{0, false}, {forItsSakeOnly, false},
                             {1, false}, {2, false},
                             {4, false}, {64, false},
                             {0, true},  {forItsSakeOnly, true}};
static_assert(std::size(reaches) == RepairMoves::numReaches);

} // namespace

RepairMoves::RepairMoves(const GapEncoding &encoding,
                         const Simulator &simulator, const WorkingPlan &plan,
                         const Tuning &tuning)
    : encoding(encoding), simulator(simulator), plan(plan),
      tuning(tuning.repair), seen(encoding.problem.tensors.size(), 0) {
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size()); ++gap)
    addedCost.insert(addedCost.end(), numKinds,
                     1 + static_cast<double>(costOf(gap)));
}

/// To recompute the tensor later takes its operands; if they are not available
/// then for another reason, they would have to stay in its place. So a drop
/// takes along, by `reach`: nothing; (recursively) operands that would stay for
/// its sake only; or all operands up to a number of levels; and siblings of all
/// these.
Changes RepairMoves::dropsFor(int32_t gap, int reach, int32_t window) {
  const Decisions &decisions = plan.decisions();
  auto numSlots = static_cast<int32_t>(encoding.slots.size());
  int depth = reaches[reach].depth;
  Changes drops = {{gap, 0}};
  ++stamp;
  // Where the tensors dropped so far are needed again.
  int32_t when =
      std::min(encoding.gaps[gap].endSlot, simulator.lastWindowOf(gap));
  std::vector<TensorId> frontier = {encoding.gaps[gap].tensor};
  seen[frontier.front()] = stamp;
  for (int level = 0;
       !frontier.empty() && (depth == forItsSakeOnly || level < depth) &&
       drops.size() < static_cast<size_t>(tuning.maxDropped);
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
void RepairMoves::addSiblings(Changes &drops, int32_t window) const {
  size_t number = drops.size();
  for (size_t i = 0; i < number; ++i) {
    TensorId tensor = encoding.gaps[drops[i].first].tensor;
    for (TensorId sibling :
         encoding.problem.steps[encoding.maker[tensor]].results) {
      int32_t other = encoding.gapAfter(sibling, window - 1);
      if (sibling != tensor && other >= 0 && plan.decisions()[other] == retain)
        drops.emplace_back(other, 0);
    }
  }
}

void RepairMoves::sumExcess() {
  excessBefore.assign(1, 0);
  numAboveBefore.assign(1, 0);
  for (int64_t bytes : plan.measures().windowBytes) {
    int64_t above = std::max<int64_t>(0, bytes - plan.capBytes());
    excessBefore.push_back(excessBefore.back() + above);
    numAboveBefore.push_back(numAboveBefore.back() + (above > 0));
  }
}

/// How much excess would go with the storage of `gap`, if it alone counts.
double RepairMoves::expectedRemoval(int32_t gap) const {
  const Gap &where = encoding.gaps[gap];
  int32_t begin = where.beginSlot + 1;
  int32_t end =
      std::max(begin, std::min(where.endSlot, simulator.lastWindowOf(gap) + 1));
  auto above = static_cast<double>(excessBefore[end] - excessBefore[begin]);
  double number = numAboveBefore[end] - numAboveBefore[begin];
  auto bytes =
      static_cast<double>(encoding.problem.tensors[where.tensor].bytes);
  return std::min(above, bytes * number);
}

std::vector<RepairMove> RepairMoves::movesAt(int32_t window, Random *chance,
                                             double noise) {
  const Decisions &decisions = plan.decisions();
  auto numGaps = static_cast<int32_t>(encoding.gaps.size());
  sumExcess();
  std::vector<RepairMove> moves;
  auto add = [&](Changes changes, double expected, int32_t note = -1) {
    if (chance && noise > 0)
      expected *= std::exp(noise * (chance->uniform() - chance->uniform()));
    moves.push_back({std::move(changes), expected, note});
  };
  auto isChosen = [&](int64_t odds) {
    return !chance || chance->below(odds) == 0;
  };
  auto above = static_cast<double>(plan.measures().windowBytes[window] -
                                   plan.capBytes());
  std::vector<int32_t> endingHere;
  for (int32_t gap = 0; gap < numGaps; ++gap) {
    const Gap &where = encoding.gaps[gap];
    if (where.beginSlot >= window || where.endSlot < window)
      continue;
    int16_t decision = decisions[gap];
    auto bytes =
        static_cast<double>(encoding.problem.tensors[where.tensor].bytes);
    if (where.endSlot == window) {
      // The recomputations for this slot come first: it may help to do without
      // an operand until they are done, or not to be among them.
      if (decision == retain) {
        int32_t note = gap * numKinds;
        endingHere.push_back(gap);
        add({{gap, 0}}, std::min(above, bytes) / (1 + addedCost[note]) / 4,
            note);
      } else if (tuning.retainAgain) {
        add({{gap, retain}}, std::min(above, bytes));
      }
      continue;
    }
    if (decision == retain) {
      if (simulator.lastWindowOf(gap) < window)
        continue;
      double removal = expectedRemoval(gap);
      size_t firstOfGap = moves.size();
      int reachesTried = tuning.jointDrops ? numReaches : 1;
      for (int reach = 0; reach < reachesTried; ++reach) {
        int32_t note = gap * numKinds + reach;
        add({{gap, 0}}, removal / (1 + addedCost[note]), note);
        auto isSame = [&](const RepairMove &other) {
          return other.changes == moves.back().changes;
        };
        if (!chance && reach > 0) {
          moves.back().changes = dropsFor(gap, reach, window);
          if (std::any_of(moves.begin() + firstOfGap, moves.end() - 1, isSame))
            moves.pop_back();
        }
      }
    } else {
      // If it was recomputed before its time, it may be dropped and recomputed
      // once more.
      bool isBack = simulator.firstTouchOf(gap) <= window;
      if (isChosen(isBack ? tuning.oddsIfBack : tuning.oddsIfGone) &&
          tuning.retainAgain)
        add({{gap, retain}}, std::min(above, bytes));
      int32_t note = gap * numKinds + numReaches;
      if (!tuning.repetition)
        continue;
      if (decision < alwaysForTheMoment &&
          (isBack || isChosen(tuning.oddsIfGone)))
        add({{gap, moreMoments(decision, 1)}},
            std::min(above, bytes) / (1 + addedCost[note]), note);
      if (decision < alwaysForTheMoment && !chance)
        add({{gap, alwaysForTheMoment}}, 0);
    }
  }
  if (!encoding.hasGroups() || !tuning.splitGroups)
    return moves;
  int32_t split = encoding.splitOf(window);
  if (decisions[split] != retain) {
    if (!chance)
      add({{split, retain}}, 0);
    return moves;
  }
  add({{split, 0}}, above);
  if (endingHere.empty())
    return moves;
  Changes all = {{split, 0}}, some = all;
  double cost = 1;
  for (int32_t gap : endingHere) {
    all.emplace_back(gap, 0);
    cost += addedCost[static_cast<size_t>(gap) * numKinds];
  }
  int32_t one = endingHere[chance ? chance->below(endingHere.size()) : 0];
  some.emplace_back(one, 0);
  add(std::move(all), above / cost);
  add(std::move(some), above / addedCost[static_cast<size_t>(one) * numKinds]);
  return moves;
}

bool RepairMoves::complete(RepairMove &move, int32_t window) {
  int kind = move.note < 0 ? 0 : move.note % numKinds;
  if (kind == 0 || kind == numReaches)
    return true;
  move.changes = dropsFor(move.note / numKinds, kind, window);
  if (move.changes.size() > 1)
    return true;
  // Next time it is expected to be worth less than the drop alone.
  addedCost[move.note] = addedCost[move.note - kind] * 4;
  return false;
}

void RepairMoves::learn(const RepairMove &move, double added, bool helped) {
  if (move.note < 0)
    return;
  double &known = addedCost[move.note];
  known = helped ? std::max(1.0, added) : 2 * std::max(1.0, added) + 2 * known;
}

} // namespace remat::solver
