//===- ExactSearch.h - The cheapest plan, by search with a lower bound ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A* (Hart, Nilsson and Raphael 1968) over states: which step of the schedule
// is next, which tensors are available and in which storages. As in brute
// force an edge executes one step, and storages are evicted only where an
// execution would not fit otherwise. What makes it reach farther:
//
//  - A lower bound for the rest of the way. What the steps up to some later
//    step t read and is not available has to be recomputed, with all that
//    takes; and after t the plan costs at least what a bound for moments from t
//    on says. The best of a few t counts.
//  - A plan to start from: what cannot become cheaper is not expanded. Nor
//    are tensors that nothing can need any more.
//  - A recomputation waits as long as it can. If it could as well run after the
//    execution that follows it, in no more memory, only that order is tried.
//    For this a state remembers the recomputation that led to it.
//  - In a slot of several steps storages cannot be evicted half-way. So the
//    first of them leaves room for each set of steps that may join.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_EXACT_EXACTSEARCH_H
#define REMAT_LIB_SOLVER_EXACT_EXACTSEARCH_H

#include "Exact/ExactState.h"

#include "remat/Solver/Tuning.h"

#include <functional>
#include <queue>
#include <unordered_map>

namespace remat::solver {

class ExactSearch {
public:
  /// What no plan undercuts in the executions after the first one of each step,
  /// besides first executions; 0 where nothing is known.
  using SuffixBounds = std::vector<int64_t>;

  /// Looks for plans that cost less than `costLimit`.
  ExactSearch(const Problem &problem, int64_t capBytes, int64_t costLimit,
              int64_t lowerBoundCost, const SuffixBounds &suffixBounds,
              const decltype(Tuning::exact) &tuning);

  enum class Outcome {
    Found,   ///< plan() is the cheapest.
    Nothing, ///< There is no plan below the limit.
    Stopped, ///< Out of time or room; see lowerBoundCost().
  };
  Outcome run(size_t maxStates, const std::function<bool()> &isOutOfTime);

  Plan plan() const;
  /// No plan costs less, or less than the limit.
  int64_t lowerBoundCost() const { return leastCost; }
  size_t numStates() const { return nodes.size(); }

private:
  static constexpr uint32_t noParent = ~uint32_t(0);
  struct Node {
    const std::string *key;
    int64_t cost;
    uint32_t parent;
    StepId step;
  };
  struct Entry {
    /// The least cost of a plan through the node.
    int64_t bound;
    int64_t cost;
    uint32_t node;
    /// The lowest bound first; then those nearest to the end.
    bool operator<(const Entry &other) const {
      if (bound != other.bound)
        return bound > other.bound;
      return cost != other.cost ? cost < other.cost : node > other.node;
    }
  };

  const Problem &problem;
  const decltype(Tuning::exact) &tuning;
  ExactModel model;
  int64_t costLimit;
  int64_t leastCost;
  /// The cost of the first executions from each step on.
  std::vector<int64_t> firstCosts;
  std::vector<TensorSet> readsToEnd;
  /// A step t to look at in a bound.
  struct Suffix {
    StepId until;
    int64_t bound;
    std::vector<TensorSet> reads;
  };
  /// In the order of their steps.
  std::vector<Suffix> suffixes;
  std::unordered_map<std::string, uint32_t> nodeOf;
  std::vector<Node> nodes;
  std::priority_queue<Entry> open;
  uint32_t goal = noParent;

  int64_t boundFrom(const ExactState &state) const;
  void reach(const ExactState &state, int64_t cost, uint32_t parent,
             StepId step);
  void expand(uint32_t at);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_EXACT_EXACTSEARCH_H
