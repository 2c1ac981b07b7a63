//===- RepairMoves.h - What a repair may change at a window -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of repair, each once: which gaps are candidates at a window above
// the cap, which drops go together, and what else may lower it.
//
//   drop      the tensor of a retained gap over the window, alone or together
//             with what it would be recomputed from (see Reach);
//   un-drop   retain a tensor whose recomputation is what does not fit;
//   repeat    recompute a tensor for the moment once more before it stays;
//   split     run the steps of the window's group one at a time.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_REPAIRMOVES_H
#define REMAT_LIB_SOLVER_SEARCH_REPAIRMOVES_H

#include "Search/WorkingPlan.h"
#include "Support/Random.h"

#include "remat/Solver/Tuning.h"

namespace remat::solver {

/// A change of some decisions.
struct RepairMove {
  Changes changes;
  /// Bytes above the cap removed per cost added, as expected.
  double expected = 0;
  /// Where to note what it did add, or -1.
  int32_t note = -1;
};

/// Proposes moves for a working plan, and learns what they add to its cost.
class RepairMoves {
public:
  /// How far beyond the gap's own tensor a drop may reach, see dropsFor().
  static constexpr int numReaches = 8;

  RepairMoves(const GapEncoding &encoding, const Simulator &simulator,
              const WorkingPlan &plan, const Tuning &tuning);

  /// All moves at `window`, in order of gaps. Expects that the base of the plan
  /// was the last full simulation. O(gaps + what drops reach).
  std::vector<RepairMove> all(int32_t window) {
    return movesAt(window, nullptr, 0);
  }

  /// The moves at `window` as expectations, which vary by factors of up to
  /// exp(+-noise); some that seldom help are left out by chance. The drops of
  /// moves that reach far are not known before complete(). O(gaps).
  std::vector<RepairMove> expected(int32_t window, double noise,
                                   Random &random) {
    return movesAt(window, &random, noise);
  }
  /// Fills in the drops of a move of expected(). False if the move is the same
  /// as one that reaches less far.
  bool complete(RepairMove &move, int32_t window);
  /// Notes what a move of expected() has added to the cost, and whether it has
  /// removed any excess.
  void learn(const RepairMove &move, double added, bool helped);

  /// The drop of `gap`, which lies over `window`, and of what `reach` takes
  /// along.
  Changes dropsFor(int32_t gap, int reach, int32_t window);

  /// The cost of the step that makes the tensor of `gap`.
  int64_t costOf(int32_t gap) const {
    return encoding.compact[encoding.maker[encoding.gaps[gap].tensor]].cost;
  }

private:
  /// Kinds of moves at a gap: drops by their reach, and to repeat once more.
  static constexpr int numKinds = numReaches + 1;

  const GapEncoding &encoding;
  const Simulator &simulator;
  const WorkingPlan &plan;
  const decltype(Tuning::repair) &tuning;

  /// What a move at a gap added to the cost when it was last tried, by kind.
  std::vector<double> addedCost;
  /// Sums over the windows of what is above the cap, and of their number.
  std::vector<int64_t> excessBefore;
  std::vector<int32_t> numAboveBefore;
  /// The tensors met by the last closure, as a stamp.
  std::vector<int32_t> seen;
  int32_t stamp = 0;

  /// All moves, or by `chance` those of expected().
  std::vector<RepairMove> movesAt(int32_t window, Random *chance, double noise);
  void addSiblings(Changes &drops, int32_t window) const;
  void sumExcess();
  double expectedRemoval(int32_t gap) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_REPAIRMOVES_H
