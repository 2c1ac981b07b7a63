//===- MaxFlow.cpp - Maximum flows and minimum cuts -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MaxFlow.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace remat::solver {

MaxFlow::Arc MaxFlow::addArc(Node from, Node to, int64_t capacity) {
  assert(!isBuilt && "arcs are added before the first run");
  assert(from >= 0 && from < numNodes && to >= 0 && to < numNodes);
  assert(capacity >= 0 && capacity <= infinite);
  assert(arcs.size() < maxArcs && "half arcs are numbered in 32 bits");
  arcs.push_back({from, to, capacity});
  return static_cast<Arc>(arcs.size()) - 1;
}

void MaxFlow::setCapacity(Arc arc, int64_t capacity) {
  assert(capacity >= 0 && capacity <= infinite);
  int64_t growth = capacity - arcs[arc].capacity;
  arcs[arc].capacity = capacity;
  if (growth < 0)
    isFlowValid = false;
  if (isFlowValid)
    residual[half(arc)] += growth;
}

void MaxFlow::build() {
  firstLeaving.assign(numNodes + 1, 0);
  for (const ArcInfo &arc : arcs) {
    ++firstLeaving[arc.from + 1];
    ++firstLeaving[arc.to + 1];
  }
  for (Node node = 0; node < numNodes; ++node)
    firstLeaving[node + 1] += firstLeaving[node];
  std::vector<int32_t> place(firstLeaving.begin(), firstLeaving.end() - 1);
  leaving.resize(2 * arcs.size());
  for (size_t arc = 0; arc < arcs.size(); ++arc) {
    leaving[place[arcs[arc].from]++] = static_cast<int32_t>(2 * arc);
    leaving[place[arcs[arc].to]++] = static_cast<int32_t>(2 * arc + 1);
  }
  for (const ArcInfo &arc : arcs) {
    headOf.push_back(arc.to);
    headOf.push_back(arc.from);
  }
  residual.resize(2 * arcs.size());
  isBuilt = true;
}

/// The distance of every node from the source along arcs with capacity left, as
/// far as needed; -1 if there is no path. False if the sink is not reached.
bool MaxFlow::findLevels() {
  level.assign(numNodes, -1);
  level[source] = 0;
  queue.assign(1, source);
  for (size_t at = 0; at < queue.size(); ++at) {
    Node node = queue[at];
    for (int32_t i = firstLeaving[node]; i < firstLeaving[node + 1]; ++i) {
      int32_t half = leaving[i];
      Node head = headOf[half];
      if (residual[half] == 0 || level[head] >= 0)
        continue;
      level[head] = level[node] + 1;
      if (head == sink)
        return true;
      queue.push_back(head);
    }
  }
  return false;
}

/// Saturates all shortest paths: a depth-first search that never follows an arc
/// again that led nowhere.
void MaxFlow::augment() {
  nextLeaving.assign(firstLeaving.begin(), firstLeaving.end() - 1);
  path.clear();
  Node node = source;
  while (true) {
    if (node == sink) {
      int64_t amount = infinite;
      for (int32_t half : path)
        amount = std::min(amount, residual[half]);
      size_t firstFull = path.size();
      for (size_t i = path.size(); i-- > 0;) {
        residual[path[i]] -= amount;
        residual[path[i] ^ 1] += amount;
        if (residual[path[i]] == 0)
          firstFull = i;
      }
      value += amount;
      // Continue where the first full arc of the path begins.
      node = headOf[path[firstFull] ^ 1];
      path.resize(firstFull);
      continue;
    }
    int32_t &next = nextLeaving[node];
    for (; next < firstLeaving[node + 1]; ++next) {
      int32_t half = leaving[next];
      if (residual[half] > 0 && level[headOf[half]] == level[node] + 1)
        break;
    }
    if (next < firstLeaving[node + 1]) {
      path.push_back(leaving[next]);
      node = headOf[leaving[next]];
    } else if (path.empty()) {
      return;
    } else {
      node = headOf[path.back() ^ 1];
      path.pop_back();
      ++nextLeaving[node];
    }
  }
}

int64_t MaxFlow::run() {
  if (!isBuilt)
    build();
  if (!isFlowValid) {
    for (size_t arc = 0; arc < arcs.size(); ++arc) {
      residual[2 * arc] = arcs[arc].capacity;
      residual[2 * arc + 1] = 0;
    }
    value = 0;
    isFlowValid = true;
  }
  while (findLevels())
    augment();
  return value;
}

} // namespace remat::solver
