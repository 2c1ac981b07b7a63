//===- NeighbourhoodSearch.cpp - Improve a plan by undoing parts of it ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NeighbourhoodSearch.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {
void NeighbourhoodSearch::setBase(const Candidate &candidate) {
  repairer.start(candidate);
  findDropped();
}

void NeighbourhoodSearch::findDropped() {
  dropped.clear();
  for (int32_t at = 0; at < encoding.numDecisions(); ++at)
    if (plan.decisions()[at] != retain)
      dropped.push_back(at);
}

void NeighbourhoodSearch::improve(Candidate &best, int64_t goalCost) {
  assert(best.excess == 0 && "a plan above the cap");
  Budget &budget = repairer.budget;
  int64_t originalCost = encoding.problem.scheduleCost();
  setBase(best);
  int64_t costOfBase = best.cost;
  int roundsAstray = 0;
  int64_t roundsInVain = 0;
  int64_t maxInVain =
      tuning.maxRoundsInVain +
      tuning.maxRoundsInVainPerGap * static_cast<int64_t>(encoding.gaps.size());
  while (!budget.isSpent() && best.cost > goalCost &&
         ++roundsInVain < maxInVain) {
    if (++roundsAstray > tuning.maxRoundsAstray && costOfBase > best.cost) {
      setBase(best);
      costOfBase = best.cost;
      roundsAstray = 0;
    }
    plan.undo();
    destroy();
    if (plan.changes().empty())
      continue;
    int64_t maxCost =
        best.cost +
        static_cast<int64_t>(tuning.tolerance * (best.cost - originalCost));
    maxCost = std::max(maxCost, costOfBase);
    plan.measure();
    if (!repairer.repairPlan(RepairStrategy::Local, maxCost))
      continue;
    repairer.trimPlan();
    if (plan.measures().cost > maxCost || plan.isBase())
      continue;
    plan.rebase();
    findDropped();
    costOfBase = plan.measures().cost;
    if (costOfBase < best.cost) {
      best = plan.candidate();
      roundsAstray = 0;
      roundsInVain = 0;
    }
  }
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
    if (tuning.destroyRuns)
      destroyRun();
    break;
  case 3:
  case 4:
    if (tuning.destroyRelated)
      destroyRelated();
    break;
  case 5: {
    int number = 1 + random.below(3);
    for (int i = 0; i < number; ++i)
      plan.change(dropped[random.below(dropped.size())], retain);
    break;
  }
  case 6:
  case 7:
    if (tuning.addDrops)
      addDrop();
    break;
  default:
    if (tuning.crossOver)
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
  int number = 1 + random.below(tuning.maxDestroyed);
  std::vector<std::pair<int32_t, int32_t>> near;
  for (int32_t at : dropped)
    near.emplace_back(std::abs(timeOf(at) - centre), at);
  number = std::min<int>(number, static_cast<int>(near.size()));
  std::partial_sort(near.begin(), near.begin() + number, near.end());
  for (int i = 0; i < number; ++i)
    plan.change(near[i].second, retain);
}

/// Takes back a drop and those of operands and siblings, as far as they are
/// dropped at the time.
void NeighbourhoodSearch::destroyRelated() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t at = dropped[random.below(dropped.size())];
  int number = 1 + random.below(tuning.maxDestroyed);
  std::vector<int32_t> work = {at};
  while (!work.empty() && number-- > 0) {
    size_t which = random.below(work.size());
    int32_t gap = work[which];
    work.erase(work.begin() + which);
    plan.change(gap, retain);
    if (gap >= numGaps)
      continue;
    const Gap &where = encoding.gaps[gap];
    const Step &step = encoding.problem.steps[encoding.maker[where.tensor]];
    for (const std::vector<TensorId> *list : {&step.operands, &step.results}) {
      for (TensorId tensor : *list) {
        int32_t other = encoding.gapAfter(tensor, where.endSlot - 1);
        if (other >= 0 && plan.decisions()[other] != retain)
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
    if (plan.decisions()[gap] == donor[gap])
      continue;
    int32_t slot = encoding.slotOf[encoding.maker[encoding.gaps[gap].tensor]];
    if (slot >= begin && slot < begin + length)
      plan.change(gap, donor[gap]);
  }
}

/// Drops something else, and takes back what that makes room for: the most
/// expensive first, with chance.
void NeighbourhoodSearch::addDrop() {
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  if (numGaps == 0)
    return;
  for (int attempt = 0; attempt < 30; ++attempt) {
    int32_t gap = random.below(numGaps);
    const Gap &where = encoding.gaps[gap];
    if (plan.decisions()[gap] != retain || where.endSlot >= numSlots ||
        repairer.lastWindowOf(gap) <= where.beginSlot + 1 ||
        encoding.problem.tensors[where.tensor].bytes == 0)
      continue;
    int32_t window = where.beginSlot + 1;
    int reach = random.below(RepairMoves::numReaches);
    plan.change(repairer.moves.dropsFor(gap, reach, window));
    break;
  }
  if (plan.changes().empty())
    return;
  int number = 1 + random.below(3);
  std::vector<std::pair<double, int32_t>> order;
  for (int32_t at : dropped) {
    double cost = 1;
    if (at < numGaps)
      cost += static_cast<double>(repairer.moves.costOf(at));
    order.emplace_back(-cost * (0.1 + random.uniform()), at);
  }
  std::sort(order.begin(), order.end());
  for (int i = 0; i < std::min<int>(number, order.size()); ++i)
    plan.change(order[i].second, retain);
}

} // namespace remat::solver
