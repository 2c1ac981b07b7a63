//===- ReorderMoves.h - Ways to change an order ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes the units of an order and returns a sequence of all of them that
// respects their dependences. All are deterministic.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_REORDER_REORDERMOVES_H
#define REMAT_LIB_SOLVER_REORDER_REORDERMOVES_H

#include "Reorder/UnitGraph.h"

#include "remat/Solver/Tuning.h"

namespace remat::solver {

/// What `taken` bytes, taken while `bytes` are in use with them, add to the
/// overlap of an order: the products of the sizes of every pair of storages
/// that are in memory at the same time. Each pair counts when the later one is
/// made, so that steps which only free memory count nothing, wherever they
/// stand.
inline double overlapOf(int64_t bytes, int64_t taken) {
  return static_cast<double>(bytes) * static_cast<double>(taken);
}

/// What runEarly() may do.
struct EarlyRules {
  /// Units may take along what only they need, and small units that others need
  /// too.
  bool takesNeeds = false;
  /// Of units that could move now, the last in the order goes first. Otherwise
  /// the first does, so that those at the end may wait for long.
  bool lastFirst = false;
};

/// Moves units forward that take no more memory than they free and that some
/// storage waits for, also runs of a few units that do so together; all others
/// keep their order. What moves runs within `limitBytes`. On the reversed graph
/// this delays units that take memory to where it is first used. The same order
/// if nothing gains. O(n log n) for units of a few operands.
std::vector<int32_t> runEarly(const UnitGraph &graph, int64_t limitBytes,
                              EarlyRules rules,
                              const decltype(Tuning::reorder) &tuning);

/// Always goes on with the unit that takes the least memory, what it frees
/// counted in; the earlier one where two are equal. O(n log n), likewise.
std::vector<int32_t> runCheapestFirst(const UnitGraph &graph);

/// The bytes in use while each unit of the sequence runs, besides what runs in
/// its slot before it.
std::vector<int64_t> bytesOf(const UnitGraph &graph,
                             const std::vector<int32_t> &units);

/// Puts the units [begin, end) of the sequence, 64 at most, into the order of
/// the lowest memory, of all that respect their dependences, and among those
/// into one of little overlap. `bytes` is bytesOf() the sequence and is kept up
/// to date. Dynamic programming over the sets of units that may have run, exact
/// but for units that come to run in one slot; false, and nothing is changed,
/// if there are more than `maxSets` of them or no order is lower. The sets that
/// were looked at are taken off `setsLeft`.
bool improveWindow(const UnitGraph &graph, std::vector<int32_t> &units,
                   std::vector<int64_t> &bytes, int32_t begin, int32_t end,
                   int64_t maxSets, int64_t &setsLeft);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_REORDER_REORDERMOVES_H
