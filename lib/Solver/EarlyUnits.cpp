//===- EarlyUnits.cpp - Units that free memory move forward ---------------===//
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
// Where a unit takes more than it frees, the units that follow from it may make
// up for that: a weight gradient and the update that consumes it, say. Such a
// run of a few units moves as one.
//
//===----------------------------------------------------------------------===//

#include "ReorderMoves.h"

#include <algorithm>
#include <queue>

namespace remat::solver {
namespace {

/// So many units move as one at most, and so many successors of one unit are
/// looked at to find the next.
constexpr size_t maxRun = 8;
constexpr int32_t maxSuccessors = 16;

class EarlyUnits {
public:
  EarlyUnits(const UnitGraph &graph, int64_t limitBytes)
      : graph(graph), limitBytes(limitBytes),
        predecessorsLeft(graph.numUnits()),
        sumOfPredecessorsLeft(graph.numUnits()),
        hasRun(graph.numUnits(), false), isQueued(graph.numUnits(), false),
        inRun(graph.numUnits(), false), touchersLeft(graph.storages.size()),
        sumOfTouchersLeft(graph.storages.size()),
        lastToucher(graph.storages.size()),
        isLive(graph.storages.size(), false) {}

  std::vector<int32_t> run();

private:
  const UnitGraph &graph;
  int64_t limitBytes;
  int64_t liveBytes = 0;
  /// What the current slot takes, to which the next unit may belong.
  int64_t slotBytes = 0;
  int32_t openGroup = -1;
  std::vector<int32_t> order;
  std::vector<int32_t> predecessorsLeft;
  /// While one is left, it is that one.
  std::vector<int64_t> sumOfPredecessorsLeft;
  std::vector<char> hasRun;
  /// Ready units whose reasons to move may have changed, first things first.
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> queue;
  std::vector<char> isQueued;
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
  Effect effectOf(int32_t unit) const;
  /// What the slot of `unit` takes if it runs after a unit of `group` whose
  /// slot takes `open`.
  int64_t bytesInSlot(int32_t unit, int64_t taken, int64_t live, int32_t group,
                      int64_t open) const {
    bool joins = group >= 0 && graph.groupOf[unit] == group;
    return (joins ? open : live) + taken + graph.workspaceBytes[unit];
  }
  bool isReadyAfterRun(int32_t unit) const;
  bool findRun(int32_t unit);
  void enqueue(int32_t unit);
  void execute(int32_t unit);
  void runQueued(int32_t nextSlot);
};

/// What the unit does to memory after the units of the run.
EarlyUnits::Effect EarlyUnits::effectOf(int32_t unit) const {
  Effect effect;
  for (int32_t id : graph.touched[unit]) {
    const UnitGraph::Storage &storage = graph.storages[id];
    int32_t left = touchersLeft[id];
    bool isThere = isLive[id];
    for (int32_t other : candidates)
      for (int32_t touched : graph.touched[other])
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

bool EarlyUnits::isReadyAfterRun(int32_t unit) const {
  int32_t left = predecessorsLeft[unit];
  for (int32_t predecessor : graph.predecessors[unit])
    left -= inRun[predecessor];
  return left == 0;
}

/// Collects the run that begins with `unit`: it goes on as long as it takes
/// more than it frees. False if that does not come to an end, or nothing waits
/// for it.
bool EarlyUnits::findRun(int32_t unit) {
  candidates.clear();
  int64_t live = liveBytes, slot = slotBytes, highest = 0;
  int32_t group = openGroup;
  bool isAwaited = false, isFound = false;
  while (unit >= 0) {
    Effect effect = effectOf(unit);
    slot = bytesInSlot(unit, effect.taken, live, group, slot);
    group = graph.groupOf[unit];
    highest = std::max(highest, slot);
    live += effect.taken - effect.freed;
    isAwaited |= effect.isAwaited;
    candidates.push_back(unit);
    inRun[unit] = true;
    isFound = live <= liveBytes && isAwaited;
    if (isFound || candidates.size() == maxRun)
      break;
    // The one to go on with: what frees the most for what it takes.
    int32_t best = -1;
    int64_t bestNet = 0;
    for (int32_t member : candidates) {
      Lists::Range successors = graph.successors[member];
      for (int32_t i = 0; i < std::min(successors.size(), maxSuccessors); ++i) {
        int32_t next = successors[i];
        if (hasRun[next] || inRun[next] || !isReadyAfterRun(next))
          continue;
        Effect after = effectOf(next);
        int64_t net = after.taken - after.freed;
        if (best < 0 || net < bestNet) {
          best = next;
          bestNet = net;
        }
      }
    }
    unit = best;
  }
  for (int32_t member : candidates)
    inRun[member] = false;
  if (isFound && highest > limitBytes) {
    waiting.push({highest - liveBytes, candidates.front()});
    isFound = false;
  }
  return isFound;
}

void EarlyUnits::enqueue(int32_t unit) {
  if (hasRun[unit] || isQueued[unit] || predecessorsLeft[unit] > 0)
    return;
  isQueued[unit] = true;
  queue.push(unit);
}

void EarlyUnits::execute(int32_t unit) {
  order.push_back(unit);
  hasRun[unit] = true;
  candidates.clear();
  slotBytes =
      bytesInSlot(unit, effectOf(unit).taken, liveBytes, openGroup, slotBytes);
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
    sumOfPredecessorsLeft[successor] -= unit;
    if (--predecessorsLeft[successor] == 0)
      enqueue(successor);
    else if (predecessorsLeft[successor] == 1)
      enqueue(static_cast<int32_t>(sumOfPredecessorsLeft[successor]));
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
    int32_t unit = queue.top();
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
    for (int32_t predecessor : graph.predecessors[unit])
      sumOfPredecessorsLeft[unit] += predecessor;
  }
  for (int32_t unit = 0; unit < graph.numUnits(); ++unit)
    enqueue(unit);
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

std::vector<int32_t> runEarly(const UnitGraph &graph, int64_t limitBytes) {
  return EarlyUnits(graph, limitBytes).run();
}

} // namespace remat::solver
