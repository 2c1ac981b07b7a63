//===- Repair.h - Repair and prune decisions ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local moves on decisions, each evaluated by the exact simulator. They make a
// plan that nearly fits fit, and take back what it does not need. RepairMoves.h
// says which moves there are; a strategy, how many of them are evaluated before
// one is made.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_REPAIR_H
#define REMAT_LIB_SOLVER_SEARCH_REPAIR_H

#include "Search/Budget.h"
#include "Search/RepairMoves.h"

namespace remat::solver {

/// How a repair goes about its work.
enum class RepairStrategy {
  /// Evaluates all moves at a window, and makes all that are worth it one after
  /// the other; where nothing helps at the highest window, at others.
  Exhaustive,
  /// Evaluates the most promising moves at the highest window, all of them only
  /// if the first few do not help, and makes the best: for large problems.
  Promising,
  /// A few random moves at few places, for a plan that was changed a little.
  Local,
};

class Repairer {
public:
  Repairer(const GapEncoding &encoding, Simulator &simulator, Budget &budget,
           int64_t capBytes, uint64_t seed,
           const Tuning &tuning = Tuning::defaults());

  /// Evaluates `decisions`.
  Candidate evaluate(Decisions decisions);

  /// Changes decisions at the highest windows until all are within the cap or
  /// no move helps; the best ratio of excess removed to cost added goes first.
  /// Gives up when the cost reaches `maxCost`. Whether all is within the cap.
  bool repair(Candidate &candidate, RepairStrategy strategy,
              int64_t maxCost = std::numeric_limits<int64_t>::max());

  /// Takes back drops of a candidate, the most expensive first, as long as it
  /// is no further above the cap and costs no more.
  void prune(Candidate &candidate);

  /// Takes back one drop after the other of a candidate within the cap, the
  /// most expensive first, repairs what that breaks, and keeps the result if it
  /// is cheaper.
  void exchange(Candidate &candidate);

  /// Remembers a candidate if its peak is the lowest so far.
  void record(const Candidate &candidate);
  /// The candidate of the lowest peak that was ever evaluated.
  const Candidate &lowest() const { return lowestPeak; }

  // The same on a plan that others change too. Its base is theirs.

  const GapEncoding &encoding;
  Budget &budget;
  const Tuning &tuning;
  WorkingPlan plan;
  RepairMoves moves;
  /// The source of all chance, in repair and in what is built on it.
  Random random;

  /// Makes `candidate` the plan and its base.
  void start(const Candidate &candidate) {
    plan.start(candidate.decisions, capBytes);
  }
  /// The window in which the storage of a gap's tensor is last needed in the
  /// base of the plan.
  int32_t lastWindowOf(int32_t gap) const {
    return simulator.lastWindowOf(gap);
  }
  /// repair() of the plan, without moves to a cost above `maxCost` if the
  /// strategy does not evaluate all.
  bool repairPlan(RepairStrategy strategy, int64_t maxCost);
  /// Takes back drops made since the base that later ones made needless.
  void trimPlan();

private:
  friend class CapScope;

  Simulator &simulator;
  int64_t capBytes;
  Candidate lowestPeak;
  bool hasLowest = false;

  /// What a strategy comes to.
  struct Limits {
    bool evaluatesAll;
    /// Windows above the cap where moves are evaluated, the highest first.
    size_t maxWindows;
    /// The most moves evaluated at a window, unless it evaluates all.
    int maxEvaluated;
    /// How much chance there is in the order of moves, see RepairMoves.
    double noise;
    /// The most moves made.
    int maxMoves;
    /// Moves made before the base of the simulator moves up, so that it does
    /// not start far back for each; 0 leaves the base as it is.
    int movesPerBase;
  };
  Limits limitsOf(RepairStrategy strategy) const;

  /// A move that removes excess.
  struct UsefulMove {
    Changes changes;
    /// Excess removed per cost added.
    double ratio;
  };
  /// Excess removed per cost added; nothing if the move removes none.
  std::optional<double> ratioOf(const Outcome &after) const;
  std::vector<int32_t> highestWindows(size_t number) const;
  bool makeBestMove(int32_t window, const Limits &limits, int64_t maxCost);
  bool makeAllUsefulMoves(int32_t window);
  bool takeBack(int32_t at);
  std::vector<int32_t> dropsByCost() const;
};

/// Lets a repairer aim at another cap for as long as it lives.
class [[nodiscard]] CapScope {
public:
  CapScope(Repairer &repairer, int64_t capBytes)
      : repairer(repairer), outerCap(repairer.capBytes) {
    repairer.capBytes = capBytes;
  }
  ~CapScope() { repairer.capBytes = outerCap; }
  CapScope(const CapScope &) = delete;
  CapScope &operator=(const CapScope &) = delete;

private:
  Repairer &repairer;
  int64_t outerCap;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_REPAIR_H
