//===- UnitGraph.h - What an order of the steps has to respect ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Re-ordering moves units: a step, or a group of steps as a whole. The units of
// an order are numbered along it. A unit has to stay after
//
//  - the units that make what it reads,
//  - the units that read what it overwrites, and
//  - if it has effects, the unit with effects before it.
//
// As every step runs once, memory knows storages only: one is there from the
// first unit that touches it (the one that makes it) to the last. Seen from the
// end of time it is the same with first and last exchanged, so that whatever
// moves units forward also moves them back: reversed() gives that view.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_REORDER_UNITGRAPH_H
#define REMAT_LIB_SOLVER_REORDER_UNITGRAPH_H

#include "Index/TensorIndex.h"

namespace remat::solver {

/// Lists of numbers, one after the other in one piece of memory.
class Lists {
public:
  Lists() = default;
  /// Of the pairs (list, element); elements keep the order of the pairs.
  Lists(int32_t numLists,
        const std::vector<std::pair<int32_t, int32_t>> &pairs);

  struct Range {
    const int32_t *first, *last;
    const int32_t *begin() const { return first; }
    const int32_t *end() const { return last; }
    int32_t size() const { return static_cast<int32_t>(last - first); }
    int32_t operator[](int32_t i) const { return first[i]; }
  };
  Range operator[](int32_t list) const {
    return {elements.data() + begins[list], elements.data() + begins[list + 1]};
  }

private:
  std::vector<int32_t> begins = {0};
  std::vector<int32_t> elements;
};

struct UnitGraph {
  /// The units of `order`, which executes every step of `problem` once. With
  /// `splitsGroups` every step is a unit.
  UnitGraph(const Problem &problem, const std::vector<StepId> &order,
            bool splitsGroups);

  int32_t numUnits() const { return static_cast<int32_t>(slotOf.size()); }

  /// The same with time running backward: unit i is unit n - 1 - i here.
  UnitGraph reversed() const;

  /// The steps of the units in the sequence `units`.
  std::vector<StepId> stepsOf(const std::vector<int32_t> &units) const;

  /// What lives in one piece of memory.
  struct Storage {
    int64_t bytes;
    /// Whether it is there before the first unit, and after the last.
    bool isLiveAtBegin, isLiveAtEnd;
  };
  std::vector<Storage> storages;
  std::vector<int64_t> workspaceBytes;
  /// The slot of the order that each unit is in.
  std::vector<int32_t> slotOf;
  /// The group of each unit, or -1. Units of one group that follow each other
  /// run in one slot.
  std::vector<int32_t> groupOf;
  /// Units that have to come before and after each unit, each once.
  Lists predecessors, successors;
  /// The storages that each unit touches, and the units that touch each
  /// storage, in the order of the units; each once.
  Lists touched, touchers;

private:
  UnitGraph() = default;
  /// The place of each unit's steps in `steps`.
  std::vector<int32_t> begins;
  std::vector<StepId> steps;
  bool isReversed = false;

  void findUnits(const Problem &problem, const std::vector<StepId> &order,
                 bool splitsGroups);
  void findStorages(const TensorIndex &index,
                    const std::vector<int32_t> &unitOf);
  void findDependences(const TensorIndex &index,
                       const std::vector<int32_t> &unitOf);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_REORDER_UNITGRAPH_H
