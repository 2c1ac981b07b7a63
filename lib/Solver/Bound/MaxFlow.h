//===- MaxFlow.h - Maximum flows and minimum cuts -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm (Dinitz 1970) on flat arrays. Its flow stays feasible when
// capacities grow, so that a whole series of growing prices on memory costs
// little more than the last of them.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_MAXFLOW_H
#define REMAT_LIB_SOLVER_BOUND_MAXFLOW_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat::solver {

/// A network and its maximum flow.
class MaxFlow {
public:
  using Node = int32_t;
  using Arc = int32_t;
  static constexpr Node source = 0;
  static constexpr Node sink = 1;
  /// The capacity of arcs that no minimum cut crosses. All finite capacities
  /// together must stay below a quarter of it.
  static constexpr int64_t infinite = int64_t(1) << 62;

  /// A graph of the source and the sink.
  MaxFlow() : numNodes(2) {}

  Node addNode() { return numNodes++; }

  /// Arcs are added before the first call of run() and stay.
  Arc addArc(Node from, Node to, int64_t capacity);

  /// Changes a capacity. The flow found so far is kept if capacities only grow,
  /// and discarded otherwise.
  void setCapacity(Arc arc, int64_t capacity);

  /// The value of a maximum flow. O(nodes^2 * arcs) at worst, in practice a few
  /// times the size of the graph.
  int64_t run();

  Node tailOf(Arc arc) const { return arcs[arc].from; }

  /// The flow through `arc` after run().
  int64_t flow(Arc arc) const {
    return arcs[arc].capacity - residual[half(arc)];
  }

  /// Whether `node` is on the source side of the smallest minimum cut, after
  /// run().
  bool isOnSourceSide(Node node) const { return level[node] >= 0; }

private:
  struct ArcInfo {
    Node from, to;
    int64_t capacity;
  };

  Node numNodes;
  std::vector<ArcInfo> arcs;
  bool isBuilt = false;
  bool isFlowValid = false;
  int64_t value = 0;

  /// Arc i is the half arc 2i, its reverse is 2i + 1; both fit into 32 bits.
  static constexpr size_t maxArcs = size_t(1) << 30;
  static size_t half(Arc arc) { return 2 * static_cast<size_t>(arc); }
  std::vector<int64_t> residual;
  std::vector<Node> headOf;
  /// The half arcs that leave node n: those of `leaving` from firstLeaving[n]
  /// up to firstLeaving[n + 1].
  std::vector<int32_t> firstLeaving;
  std::vector<int32_t> leaving;
  std::vector<int32_t> level;
  std::vector<int32_t> nextLeaving;
  std::vector<Node> queue;
  std::vector<int32_t> path;

  void build();
  bool findLevels();
  void augment();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_MAXFLOW_H
