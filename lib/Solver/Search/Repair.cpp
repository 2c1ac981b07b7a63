//===- Repair.cpp - Repair and prune decisions ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/Repair.h"

#include <algorithm>
#include <limits>

namespace remat::solver {

//===----------------------------------------------------------------------===//
// Budget
//===----------------------------------------------------------------------===//

Budget::Budget(const Simulator &simulator, int64_t maxExecutions,
               double deadlineSeconds)
    : simulator(simulator), maxExecutions(maxExecutions),
      deadline(deadlineSeconds) {}

bool Budget::isSpent() {
  pastDeadline = pastDeadline || deadline.isPast();
  return pastDeadline || simulator.numExecutions >= maxExecutions;
}

//===----------------------------------------------------------------------===//
// Repairer
//===----------------------------------------------------------------------===//

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

/// Adds moves that drop the tensor of a retained `gap` over `window`. To make
/// it again later takes its operands; if they are not there then for another
/// reason, they would have to stay in its place. So there is a move that drops
/// the tensor alone, one that also drops (recursively) operands that would stay
/// for its sake only, and some that drop operands whatever they stay for, up to
/// a depth.
void Repairer::addDrops(const Candidate &candidate, int32_t gap, int32_t window,
                        std::vector<Move> &moves) {
  constexpr int forItsSakeOnly = -1;
  // Where there is no chain, closures reach everywhere.
  constexpr size_t maxDropped = 500;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  size_t lastSize = 0;
  for (int depth : {0, forItsSakeOnly, 1, 2, 4, 8, 64}) {
    std::vector<int32_t> dropped = {gap};
    // Where the tensors dropped so far are needed again.
    int32_t when =
        std::min(encoding.gaps[gap].endSlot, simulator.lastWindowOf(gap));
    std::vector<TensorId> frontier = {encoding.gaps[gap].tensor};
    ++stamp;
    seen.resize(encoding.problem.tensors.size(), 0);
    seen[frontier.front()] = stamp;
    for (int level = 0;
         !frontier.empty() && (depth == forItsSakeOnly || level < depth) &&
         dropped.size() < maxDropped;
         ++level) {
      std::vector<TensorId> next;
      for (TensorId tensor : frontier) {
        for (TensorId operand :
             encoding.problem.steps[encoding.maker[tensor]].operands) {
          int32_t operandGap = encoding.gapAfter(operand, when - 1);
          if (operandGap < 0 || encoding.gaps[operandGap].beginSlot >= window ||
              seen[operand] == stamp)
            continue;
          seen[operand] = stamp;
          bool staysAnyway = candidate.decisions[operandGap] == retain &&
                             encoding.gaps[operandGap].endSlot < numSlots;
          if (depth == forItsSakeOnly && staysAnyway)
            continue;
          if (candidate.decisions[operandGap] == retain)
            dropped.push_back(operandGap);
          next.push_back(operand);
        }
      }
      frontier = std::move(next);
    }
    if (dropped.size() == lastSize)
      continue;
    lastSize = dropped.size();
    Move &move = moves.emplace_back();
    for (int32_t each : dropped)
      move.changes.emplace_back(each, 0);
  }
}

std::vector<Repairer::Move> Repairer::movesAt(const Candidate &candidate,
                                              int32_t window) {
  constexpr int16_t always = std::numeric_limits<int16_t>::max();
  // What is live where.
  simulator.setBase(candidate.decisions);
  std::vector<Move> moves;
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size());
       ++gap) {
    const Gap &where = encoding.gaps[gap];
    int16_t decision = candidate.decisions[gap];
    if (where.endSlot == window) {
      // The recomputations for this slot come first: it may help to do without
      // an operand until they are done, or not to be among them.
      moves.push_back({{{gap, decision == retain ? int16_t(0) : retain}}});
      continue;
    }
    if (where.beginSlot >= window || where.endSlot < window)
      continue;
    if (decision == retain) {
      if (simulator.lastWindowOf(gap) >= window)
        addDrops(candidate, gap, window, moves);
    } else {
      moves.push_back({{{gap, retain}}});
      if (decision < always) {
        moves.push_back({{{gap, static_cast<int16_t>(decision + 1)}}});
        moves.push_back({{{gap, always}}});
      }
    }
  }
  if (encoding.hasGroups()) {
    int32_t tear = encoding.tearOf(window);
    int16_t flipped = candidate.decisions[tear] == retain ? 0 : retain;
    moves.push_back({{{tear, flipped}}});
  }
  return moves;
}

bool Repairer::judge(const Candidate &candidate, Move &move, Judgement &after) {
  const Outcome &outcome = simulator.tryChanges(move.changes);
  after = {outcome.excess(capBytes), outcome.cost, outcome.peakBytes};
  int64_t removed = candidate.excess - after.excess;
  if (removed <= 0)
    return false;
  double added = static_cast<double>(after.cost - candidate.cost);
  // Free moves go first, the larger the better.
  move.ratio = added <= 0 ? 1e30 * removed : removed / added;
  return true;
}

/// Makes the move that was last judged, and the outcome the base.
void Repairer::make(Candidate &candidate, const Changes &changes,
                    const Judgement &after) {
  for (auto [at, decision] : changes)
    candidate.decisions[at] = decision;
  candidate.excess = after.excess;
  candidate.cost = after.cost;
  candidate.peakBytes = after.peakBytes;
  record(candidate);
  simulator.setBase(candidate.decisions);
}

bool Repairer::repairWindow(Candidate &candidate, int32_t window) {
  std::vector<Move> moves;
  Judgement after;
  for (Move &move : movesAt(candidate, window)) {
    if (budget.isSpent())
      return false;
    if (judge(candidate, move, after))
      moves.push_back(std::move(move));
  }
  std::stable_sort(
      moves.begin(), moves.end(),
      [](const Move &a, const Move &b) { return a.ratio > b.ratio; });
  // Earlier moves change what later ones are worth: take those that are still
  // worth half of it, then look again.
  bool changed = false;
  for (Move &move : moves) {
    if (budget.isSpent())
      break;
    double before = move.ratio;
    if (!judge(candidate, move, after) || move.ratio < before / 2)
      continue;
    make(candidate, move.changes, after);
    changed = true;
    if (candidate.excess == 0 ||
        simulator.lastOutcome().windowBytes[window] <= capBytes)
      break;
  }
  return changed;
}

void Repairer::repair(Candidate &candidate, int64_t maxCost) {
  while (candidate.excess > 0 && candidate.cost < maxCost &&
         !budget.isSpent()) {
    const std::vector<int64_t> &bytes =
        simulator.run(candidate.decisions).windowBytes;
    std::vector<int32_t> windows;
    for (int32_t window = 0; window < static_cast<int32_t>(bytes.size());
         ++window)
      if (bytes[window] > capBytes)
        windows.push_back(window);
    std::stable_sort(windows.begin(), windows.end(),
                     [&](int32_t a, int32_t b) { return bytes[a] > bytes[b]; });
    // Where nothing helps at the highest window, some other may still yield.
    constexpr size_t maxWindows = 8;
    bool changed = false;
    for (size_t i = 0; i < std::min(windows.size(), maxWindows) && !changed;
         ++i)
      changed = repairWindow(candidate, windows[i]);
    if (!changed)
      return;
  }
}

int64_t Repairer::costOf(int32_t gap) const {
  return encoding.problem.steps[encoding.maker[encoding.gaps[gap].tensor]].cost;
}

/// The decisions that are not to retain, the dearest first, by the cost of the
/// step that has to run again.
std::vector<int32_t> Repairer::dropsByCost(const Candidate &candidate) const {
  std::vector<std::pair<int64_t, int32_t>> dropped;
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  for (int32_t at = 0; at < static_cast<int32_t>(candidate.decisions.size());
       ++at)
    if (candidate.decisions[at] != retain)
      dropped.emplace_back(at < numGaps ? -costOf(at) : 0, at);
  std::sort(dropped.begin(), dropped.end());
  std::vector<int32_t> places;
  for (auto [cost, at] : dropped)
    places.push_back(at);
  return places;
}

void Repairer::prune(Candidate &candidate) {
  simulator.setBase(candidate.decisions);
  for (bool changed = true; changed && !budget.isSpent();) {
    changed = false;
    for (int32_t gap : dropsByCost(candidate)) {
      int16_t decision = candidate.decisions[gap];
      for (int16_t tried : {retain, int16_t(0), int16_t(decision - 1)}) {
        if (tried >= decision || budget.isSpent())
          continue;
        Changes change = {{gap, tried}};
        const Outcome &outcome = simulator.tryChanges(change);
        Judgement after = {outcome.excess(capBytes), outcome.cost,
                           outcome.peakBytes};
        if (after.excess > candidate.excess || after.cost > candidate.cost)
          continue;
        changed |= after.cost < candidate.cost;
        make(candidate, change, after);
        break;
      }
    }
  }
}

void Repairer::exchange(Candidate &candidate) {
  for (bool changed = true; changed && !budget.isSpent();) {
    changed = false;
    for (int32_t gap : dropsByCost(candidate)) {
      if (budget.isSpent())
        return;
      if (candidate.decisions[gap] == retain)
        continue;
      Decisions decisions = candidate.decisions;
      decisions[gap] = retain;
      Candidate after = evaluate(std::move(decisions));
      if (after.cost >= candidate.cost)
        continue;
      repair(after, candidate.cost);
      if (after.excess == 0)
        prune(after);
      if (after.isBetterThan(candidate)) {
        candidate = std::move(after);
        changed = true;
      }
    }
  }
}

} // namespace remat::solver
