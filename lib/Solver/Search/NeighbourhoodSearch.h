//===- NeighbourhoodSearch.h - Improve a plan by undoing parts of it ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large-neighbourhood search. One round starts from a plan within the cap and
//
//   destroys   takes back some of its drops (near each other in time, or of
//              tensors that follow from each other, or any), which makes it
//              cheaper but too large; or adds drops and takes back others;
//   repairs    drops other tensors at the highest window until it fits again,
//              looking at the most promising only: bytes freed by cost, where
//              the cost is what the same drop added when it was last tried;
//   trims      takes back those drops that turned out not to be needed;
//   accepts    the outcome if it costs less, or hardly more than the best.
//
// All is judged by the exact simulator, which starts from the first execution
// that changes.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H
#define REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H

#include "Search/Repair.h"
#include "Support/Random.h"

namespace remat::solver {

class NeighbourhoodSearch {
public:
  NeighbourhoodSearch(const GapEncoding &encoding, Simulator &simulator,
                      Budget &budget, int64_t capBytes, uint64_t seed);

  /// Makes `candidate` fit, if it can, by the steps of a repair, and takes back
  /// what it does not need. Quick, because it looks at few moves.
  void complete(Candidate &candidate);

  /// Adds a plan whose parts the search may take over.
  void addDonor(const Decisions &plan) { donors.push_back(plan); }
  const std::vector<Decisions> &allDonors() const { return donors; }

  /// Aims at another cap from here on.
  void setCap(int64_t bytes) { capBytes = bytes; }

  /// Improves `best`, which is within the cap, until the budget is spent or its
  /// cost is at most `goalCost`.
  void improve(Candidate &best, int64_t goalCost);

private:
  /// How far beyond the gap's own tensor a drop reaches, see dropsFor().
  static constexpr int numReaches = 8;
  /// Kinds of moves at a gap: drops by their reach, and to repeat more often.
  static constexpr int numKinds = numReaches + 1;

  const GapEncoding &encoding;
  Simulator &simulator;
  Budget &budget;
  int64_t capBytes;
  Random random;

  std::vector<Decisions> donors;

  /// What is being improved, and its costs; the base of the simulator.
  Candidate current;
  std::vector<int32_t> dropped;
  /// The last window that needs the storage of each gap in `current`.
  std::vector<int32_t> lastWindow;
  /// The first window in which each gap's tensor is read or made in `current`.
  std::vector<int32_t> firstTouch;

  /// The plan under construction: `current` with `changes`.
  Decisions decisions;
  Changes changes;
  /// The place of each decision in `changes`, or -1.
  std::vector<int32_t> placeOf;
  int64_t cost = 0;
  int64_t excess = 0;
  std::vector<int64_t> windowBytes;

  /// What a move at a gap added to the cost when it was last tried, by kind.
  std::vector<double> addedCost;
  /// Sums over the windows of what is above the cap, and of their number.
  std::vector<int64_t> excessBefore;
  std::vector<int32_t> numAboveBefore;
  /// The tensors met by the last closure, as a stamp.
  std::vector<int32_t> seen;
  int32_t stamp = 0;

  /// Whether a repair looks at all moves if the first few are no good.
  bool isThorough = false;

  struct Move {
    /// What it changes; made when it is tried, if `at` or `note` say enough.
    Changes changes;
    /// Bytes above the cap removed per cost added, as expected.
    double expected;
    /// Where to note what it did add, or -1.
    int32_t note;
    /// A single change, unless `at` is -1.
    int32_t at;
    int16_t decision;
  };

  void setCurrent(const Candidate &candidate);
  void change(int32_t at, int16_t decision);
  void clearChanges();
  void apply(const Changes &more);
  /// Simulates the plan under construction with `more` changes.
  const Outcome &simulate(const Changes &more);
  void destroy();
  void destroyRun();
  void destroyRelated();
  void addDrop();
  void crossOver();
  bool repair(int64_t maxCost, int maxSteps);
  bool repairOnce(int64_t maxCost);
  void trim();
  void prune();
  void store(Candidate &candidate);
  int32_t highestWindow() const;
  std::vector<Move> movesAt(int32_t window);
  Changes dropsFor(int32_t gap, int reach, int32_t window);
  void addSiblings(Changes &drops, int32_t window);
  double expectedRemoval(int32_t gap) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H
