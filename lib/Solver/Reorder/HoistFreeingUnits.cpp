//===- HoistFreeingUnits.cpp - Units that free memory move forward --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order is the backbone: whatever has no reason to move keeps its place. A
// unit runs early if it takes no more memory than it frees, and some storage
// lives to where the unit stood only for its sake. Then memory is nowhere
// higher than before but in the unit's own slot, for which there is the limit.
//
//   before   b3  b2  b1  w3  w2  w1       wi reads the gradient gi and the
//   after    b3  w3  b2  w2  b1  w1       activation ai, and is the last to
//
// A unit takes those along that nothing else needs. Where all of them take more
// than they free, the units that follow may make up for that: a weight gradient
// and the update that consumes it, say. Such a run of a few units moves as one.
//
//===----------------------------------------------------------------------===//

#include "Reorder/ReorderMoves.h"

#include <algorithm>
#include <queue>

namespace remat::solver {
namespace {

class EarlyUnits {
public:
  EarlyUnits(const UnitGraph &graph, int64_t limitBytes, EarlyRules rules,
             const decltype(Tuning::reorder) &tuning)
      : graph(graph), limitBytes(limitBytes), rules(rules), tuning(tuning),
        predecessorsLeft(graph.numUnits()), hasRun(graph.numUnits(), false),
        isQueued(graph.numUnits(), false), inRun(graph.numUnits(), false),
        touchersLeft(graph.storages.size()),
        sumOfTouchersLeft(graph.storages.size()),
        lastToucher(graph.storages.size()),
        isLive(graph.storages.size(), false) {
    for (int32_t unit = 0; unit < graph.numUnits(); ++unit) {
      int64_t bytes = graph.workspaceBytes[unit];
      for (int32_t id : graph.touched[unit])
        bytes += graph.storages[id].bytes;
      isSmall.push_back(static_cast<double>(bytes) <=
                        tuning.smallShare * static_cast<double>(limitBytes));
    }
  }

  std::vector<int32_t> run();

private:
  const UnitGraph &graph;
  int64_t limitBytes;
  EarlyRules rules;
  const decltype(Tuning::reorder) &tuning;
  int64_t liveBytes = 0;
  /// What the current slot takes, to which the next unit may belong.
  int64_t slotBytes = 0;
  int32_t openGroup = -1;
  std::vector<int32_t> order;
  std::vector<int32_t> predecessorsLeft;
  std::vector<char> hasRun;
  /// Units whose reasons to move may have changed, as keyOf() tells, the lowest
  /// first.
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> queue;
  std::vector<char> isQueued;
  /// Units that touch next to no memory.
  std::vector<char> isSmall;
  /// The units that would move as one, while they are looked for.
  std::vector<int32_t> candidates;
  std::vector<char> inRun;
  /// Units that have to wait until memory is low enough, by the bytes they add.
  using Waiting = std::pair<int64_t, int32_t>;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;

  std::vector<int32_t> touchersLeft;
  std::vector<int64_t> sumOfTouchersLeft;
  /// As index into the touchers: the last in the order that has not run.
  std::vector<int32_t> lastToucher;
  std::vector<char> isLive;

  struct Effect {
    int64_t taken = 0;
    int64_t freed = 0;
    /// Whether a storage that is there already waits for this unit alone to
    /// be freed, or will when its turn comes.
    bool isAwaited = false;
  };
  Effect effectOf(int32_t unit, size_t numBefore) const;
  /// What the slot of `unit` takes if it runs after a unit of `group` whose
  /// slot takes `open`.
  int64_t bytesInSlot(int32_t unit, int64_t taken, int64_t live, int32_t group,
                      int64_t open) const {
    bool joins = group >= 0 && graph.groupOf[unit] == group;
    return (joins ? open : live) + taken + graph.workspaceBytes[unit];
  }
  bool extend(int32_t unit);
  void shorten(size_t size);
  int64_t netOf(size_t begin) const;
  int32_t findNext();
  bool findRun(int32_t unit);
  /// First things first, or last things first; its own inverse.
  int32_t keyOf(int32_t unit) const { return rules.lastFirst ? ~unit : unit; }
  void enqueue(int32_t unit);
  void execute(int32_t unit);
  void runQueued(int32_t nextSlot);
};

/// What the unit does to memory after the first `numBefore` units of the run.
EarlyUnits::Effect EarlyUnits::effectOf(int32_t unit, size_t numBefore) const {
  Effect effect;
  for (int32_t id : graph.touched[unit]) {
    const UnitGraph::Storage &storage = graph.storages[id];
    int32_t left = touchersLeft[id];
    bool isThere = isLive[id];
    for (size_t i = 0; i < numBefore; ++i)
      for (int32_t touched : graph.touched[candidates[i]])
        if (touched == id) {
          --left;
          isThere = true;
        }
    if (!isThere)
      effect.taken += storage.bytes;
    if (storage.isLiveAtEnd || storage.bytes == 0)
      continue;
    if (left == 1)
      effect.freed += storage.bytes;
    effect.isAwaited |=
        isLive[id] && graph.touchers[id][lastToucher[id]] == unit;
  }
  return effect;
}

/// Lets the run go on with what `unit` needs and the unit itself. False, and
/// nothing is changed, if others need that too or the run gets too long.
bool EarlyUnits::extend(int32_t unit) {
  size_t size = candidates.size();
  // Units that wait for the predecessor of the given number.
  std::vector<std::pair<int32_t, int32_t>> pending = {{unit, 0}};
  while (!pending.empty()) {
    int32_t current = pending.back().first;
    int32_t &next = pending.back().second;
    Lists::Range predecessors = graph.predecessors[current];
    while (next < predecessors.size() &&
           (hasRun[predecessors[next]] || inRun[predecessors[next]]))
      ++next;
    if (next < predecessors.size()) {
      int32_t needed = predecessors[next];
      auto isOther = [&](int32_t successor) {
        return successor != current && !hasRun[successor] && !inRun[successor];
      };
      Lists::Range successors = graph.successors[needed];
      if (!rules.takesNeeds ||
          candidates.size() + pending.size() ==
              static_cast<size_t>(tuning.maxRun) ||
          (!isSmall[needed] &&
           std::any_of(successors.begin(), successors.end(), isOther))) {
        shorten(size);
        return false;
      }
      pending.push_back({needed, 0});
      continue;
    }
    candidates.push_back(current);
    inRun[current] = true;
    pending.pop_back();
  }
  return true;
}

/// Leaves the first `size` units of the run.
void EarlyUnits::shorten(size_t size) {
  for (; candidates.size() > size; candidates.pop_back())
    inRun[candidates.back()] = false;
}

/// What the units of the run from number `begin` on take, less what they free.
int64_t EarlyUnits::netOf(size_t begin) const {
  int64_t net = 0;
  for (size_t i = begin; i < candidates.size(); ++i) {
    Effect effect = effectOf(candidates[i], i);
    net += effect.taken - effect.freed;
  }
  return net;
}

/// The unit for the run to go on with: of those that follow from it, the one
/// that frees the most for what it takes. -1 if there is none.
int32_t EarlyUnits::findNext() {
  int32_t best = -1;
  int64_t bestNet = 0;
  size_t size = candidates.size();
  if (size == static_cast<size_t>(tuning.maxRun))
    return -1;
  for (size_t i = 0; i < size; ++i) {
    Lists::Range successors = graph.successors[candidates[i]];
    for (int32_t j = 0;
         j < std::min<int32_t>(successors.size(), tuning.maxSuccessors); ++j) {
      int32_t next = successors[j];
      int32_t lacking = predecessorsLeft[next];
      for (int32_t member : candidates)
        for (int32_t predecessor : graph.predecessors[next])
          lacking -= predecessor == member;
      if (inRun[next] || lacking > tuning.maxLacking || !extend(next))
        continue;
      int64_t net = netOf(size);
      shorten(size);
      if (best < 0 || net < bestNet) {
        best = next;
        bestNet = net;
      }
    }
  }
  return best;
}

/// Collects the run of `unit`: it goes on as long as it takes more than it
/// frees. False if that does not come to an end, or nothing waits for it.
bool EarlyUnits::findRun(int32_t unit) {
  candidates.clear();
  int64_t live = liveBytes, slot = slotBytes, highest = 0;
  int32_t group = openGroup;
  bool isAwaited = false, isFound = false;
  for (size_t done = 0; !isFound && unit >= 0 && extend(unit);
       unit = isFound ? -1 : findNext()) {
    for (; done < candidates.size(); ++done) {
      Effect effect = effectOf(candidates[done], done);
      slot = bytesInSlot(candidates[done], effect.taken, live, group, slot);
      group = graph.groupOf[candidates[done]];
      highest = std::max(highest, slot);
      live += effect.taken - effect.freed;
      isAwaited |= effect.isAwaited;
    }
    isFound = live <= liveBytes && isAwaited;
  }
  for (int32_t member : candidates)
    inRun[member] = false;
  if (isFound && highest > limitBytes) {
    waiting.push({highest - liveBytes, candidates.back()});
    isFound = false;
  }
  return isFound;
}

void EarlyUnits::enqueue(int32_t unit) {
  if (hasRun[unit] || isQueued[unit])
    return;
  isQueued[unit] = true;
  queue.push(keyOf(unit));
}

void EarlyUnits::execute(int32_t unit) {
  order.push_back(unit);
  hasRun[unit] = true;
  candidates.clear();
  slotBytes = bytesInSlot(unit, effectOf(unit, 0).taken, liveBytes, openGroup,
                          slotBytes);
  openGroup = graph.groupOf[unit];
  for (int32_t id : graph.touched[unit]) {
    const UnitGraph::Storage &storage = graph.storages[id];
    if (!isLive[id]) {
      isLive[id] = true;
      liveBytes += storage.bytes;
    }
    sumOfTouchersLeft[id] -= unit;
    Lists::Range touchers = graph.touchers[id];
    int32_t &last = lastToucher[id];
    while (last >= 0 && hasRun[touchers[last]])
      --last;
    if (--touchersLeft[id] == 0 && !storage.isLiveAtEnd)
      liveBytes -= storage.bytes;
    if (touchersLeft[id] == 1)
      enqueue(static_cast<int32_t>(sumOfTouchersLeft[id]));
    if (last >= 0)
      enqueue(touchers[last]);
  }
  for (int32_t successor : graph.successors[unit]) {
    if (--predecessorsLeft[successor] > tuning.maxLacking)
      continue;
    enqueue(successor);
    // What it lacks may now begin a run that it ends.
    if (predecessorsLeft[successor] > 0)
      for (int32_t lacking : graph.predecessors[successor])
        enqueue(lacking);
  }
  while (!waiting.empty() && liveBytes + waiting.top().first <= limitBytes) {
    enqueue(waiting.top().second);
    waiting.pop();
  }
}

/// Runs what has reason to run before `nextSlot`.
void EarlyUnits::runQueued(int32_t nextSlot) {
  // What stands in the next slot is looked at again after it.
  std::vector<int32_t> later;
  while (!queue.empty()) {
    int32_t unit = keyOf(queue.top());
    queue.pop();
    isQueued[unit] = false;
    if (hasRun[unit])
      continue;
    if (graph.slotOf[unit] == nextSlot) {
      later.push_back(unit);
      continue;
    }
    if (!findRun(unit))
      continue;
    // A copy: execute() starts to look for more.
    std::vector<int32_t> found = candidates;
    for (int32_t member : found)
      execute(member);
  }
  for (int32_t unit : later)
    enqueue(unit);
}

std::vector<int32_t> EarlyUnits::run() {
  for (size_t i = 0; i < graph.storages.size(); ++i) {
    auto id = static_cast<int32_t>(i);
    Lists::Range touchers = graph.touchers[id];
    touchersLeft[i] = touchers.size();
    lastToucher[i] = touchers.size() - 1;
    for (int32_t unit : touchers)
      sumOfTouchersLeft[i] += unit;
    isLive[i] = graph.storages[i].isLiveAtBegin;
    if (isLive[i])
      liveBytes += graph.storages[i].bytes;
  }
  for (int32_t unit = 0; unit < graph.numUnits(); ++unit) {
    predecessorsLeft[unit] = graph.predecessors[unit].size();
    enqueue(unit);
  }
  for (int32_t next = 0; next < graph.numUnits();) {
    if (hasRun[next]) {
      ++next;
      continue;
    }
    int32_t slot = graph.slotOf[next];
    runQueued(slot);
    for (; next < graph.numUnits() && graph.slotOf[next] == slot; ++next)
      if (!hasRun[next])
        execute(next);
  }
  return std::move(order);
}

} // namespace

std::vector<int32_t> runEarly(const UnitGraph &graph, int64_t limitBytes,
                              EarlyRules rules,
                              const decltype(Tuning::reorder) &tuning) {
  return EarlyUnits(graph, limitBytes, rules, tuning).run();
}

} // namespace remat::solver
