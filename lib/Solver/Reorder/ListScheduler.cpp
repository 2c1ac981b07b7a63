//===- ListScheduler.cpp - List scheduling by memory ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder/ReorderMoves.h"

#include <queue>

namespace remat::solver {

std::vector<int64_t> bytesOf(const UnitGraph &graph,
                             const std::vector<int32_t> &units) {
  std::vector<int32_t> touchersLeft(graph.storages.size());
  std::vector<char> isLive(graph.storages.size(), false);
  int64_t live = 0;
  for (size_t i = 0; i < graph.storages.size(); ++i) {
    touchersLeft[i] = graph.touchers[static_cast<int32_t>(i)].size();
    isLive[i] = graph.storages[i].isLiveAtBegin;
    live += isLive[i] ? graph.storages[i].bytes : 0;
  }
  std::vector<int64_t> bytes;
  int32_t openGroup = -1;
  for (int32_t unit : units) {
    int64_t taken = 0;
    for (int32_t id : graph.touched[unit])
      if (!isLive[id]) {
        isLive[id] = true;
        taken += graph.storages[id].bytes;
      }
    bool joins = openGroup >= 0 && graph.groupOf[unit] == openGroup;
    openGroup = graph.groupOf[unit];
    bytes.push_back((joins ? bytes.back() : live) + taken +
                    graph.workspaceBytes[unit]);
    live += taken;
    for (int32_t id : graph.touched[unit])
      if (--touchersLeft[id] == 0 && !graph.storages[id].isLiveAtEnd)
        live -= graph.storages[id].bytes;
  }
  return bytes;
}

namespace {

class CheapestUnits {
public:
  explicit CheapestUnits(const UnitGraph &graph)
      : graph(graph), predecessorsLeft(graph.numUnits()),
        netBytes(graph.numUnits(), 0), hasRun(graph.numUnits(), false),
        touchersLeft(graph.storages.size()),
        sumOfTouchersLeft(graph.storages.size(), 0),
        isLive(graph.storages.size(), false) {}

  std::vector<int32_t> run() {
    for (size_t i = 0; i < graph.storages.size(); ++i) {
      Lists::Range touchers = graph.touchers[static_cast<int32_t>(i)];
      touchersLeft[i] = touchers.size();
      for (int32_t unit : touchers)
        sumOfTouchersLeft[i] += unit;
      isLive[i] = graph.storages[i].isLiveAtBegin;
    }
    for (int32_t unit = 0; unit < graph.numUnits(); ++unit) {
      predecessorsLeft[unit] = graph.predecessors[unit].size();
      for (int32_t id : graph.touched[unit]) {
        netBytes[unit] += isLive[id] ? 0 : graph.storages[id].bytes;
        if (touchersLeft[id] == 1 && !graph.storages[id].isLiveAtEnd)
          netBytes[unit] -= graph.storages[id].bytes;
      }
    }
    for (int32_t unit = 0; unit < graph.numUnits(); ++unit)
      if (predecessorsLeft[unit] == 0)
        queue.push({netBytes[unit], unit});
    while (!queue.empty()) {
      auto [bytes, unit] = queue.top();
      queue.pop();
      // An older entry of a unit that got cheaper since.
      if (!hasRun[unit] && bytes == netBytes[unit])
        execute(unit);
    }
    return std::move(order);
  }

private:
  const UnitGraph &graph;
  std::vector<int32_t> order;
  std::vector<int32_t> predecessorsLeft;
  /// What each unit would take now, less what it would free.
  std::vector<int64_t> netBytes;
  std::vector<char> hasRun;
  std::vector<int32_t> touchersLeft;
  /// While one is left, it is that one.
  std::vector<int64_t> sumOfTouchersLeft;
  std::vector<char> isLive;
  using Entry = std::pair<int64_t, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;

  void changeNet(int32_t unit, int64_t bytes) {
    netBytes[unit] += bytes;
    if (bytes != 0 && !hasRun[unit] && predecessorsLeft[unit] == 0)
      queue.push({netBytes[unit], unit});
  }

  void execute(int32_t unit) {
    order.push_back(unit);
    hasRun[unit] = true;
    for (int32_t id : graph.touched[unit]) {
      const UnitGraph::Storage &storage = graph.storages[id];
      if (!isLive[id]) {
        isLive[id] = true;
        for (int32_t other : graph.touchers[id])
          changeNet(other, -storage.bytes);
      }
      sumOfTouchersLeft[id] -= unit;
      if (--touchersLeft[id] == 1 && !storage.isLiveAtEnd)
        changeNet(static_cast<int32_t>(sumOfTouchersLeft[id]), -storage.bytes);
    }
    for (int32_t successor : graph.successors[unit])
      if (--predecessorsLeft[successor] == 0)
        queue.push({netBytes[successor], successor});
  }
};

} // namespace

std::vector<int32_t> runCheapestFirst(const UnitGraph &graph) {
  return CheapestUnits(graph).run();
}

} // namespace remat::solver
