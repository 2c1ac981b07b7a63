//===- Repair.h - Repair and prune decisions ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local moves on decisions, each judged by the exact simulator. They make a
// plan that nearly fits fit, and take back what it does not need.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_REPAIR_H
#define REMAT_LIB_SOLVER_SEARCH_REPAIR_H

#include "Search/Simulator.h"
#include "Support/Deadline.h"

#include <algorithm>
#include <limits>

namespace remat::solver {

/// When to stop: after a number of simulated executions, which is the same on
/// every machine, or at a wall-clock deadline, whichever comes first.
class Budget {
public:
  /// No deadline if `deadlineSeconds` is 0.
  Budget(const Simulator &simulator, int64_t maxExecutions,
         double deadlineSeconds);

  bool isSpent();
  /// Whether it was the deadline that passed.
  bool isPastDeadline() const { return pastDeadline; }
  double secondsPassed() const { return deadline.secondsPassed(); }
  int64_t executionsLeft() const {
    return std::max<int64_t>(0, maxExecutions - simulator.numExecutions);
  }
  /// Ends after `executions` in all from now on.
  void setLimit(int64_t executions) { maxExecutions = executions; }

private:
  const Simulator &simulator;
  int64_t maxExecutions;
  Deadline deadline;
  bool pastDeadline = false;
};

/// Decisions with what the simulator says of them.
struct Candidate {
  Decisions decisions;
  int64_t excess = 0;
  int64_t cost = 0;
  int64_t peakBytes = 0;

  /// Less excess is better, then less cost.
  bool isBetterThan(const Candidate &other) const {
    return excess != other.excess ? excess < other.excess : cost < other.cost;
  }
};

class Repairer {
public:
  Repairer(const GapEncoding &encoding, Simulator &simulator, Budget &budget,
           int64_t capBytes)
      : encoding(encoding), simulator(simulator), budget(budget),
        capBytes(capBytes) {}

  /// Aims at another cap from here on.
  void setCap(int64_t bytes) { capBytes = bytes; }

  /// Judges `decisions`.
  Candidate evaluate(Decisions decisions);

  /// Changes decisions at the highest windows until all are within the cap or
  /// no move helps: drops with more or less of what they take along, further
  /// repetitions, and drops taken back where their recomputation is what does
  /// not fit. The best ratio of excess removed to cost added goes first. Gives
  /// up when the cost reaches `maxCost`.
  void repair(Candidate &candidate,
              int64_t maxCost = std::numeric_limits<int64_t>::max());

  /// Takes back drops of a candidate within the cap, dearest first, as long as
  /// it stays within the cap.
  void prune(Candidate &candidate);

  /// Takes back one drop after the other of a candidate within the cap, the
  /// dearest first, repairs what that breaks, and keeps the result if it is
  /// cheaper.
  void exchange(Candidate &candidate);

  /// Remembers a candidate if its peak is the lowest so far.
  void record(const Candidate &candidate);

  /// The candidate of the lowest peak that was ever evaluated.
  const Candidate &lowest() const { return lowestPeak; }

private:
  const GapEncoding &encoding;
  Simulator &simulator;
  Budget &budget;
  int64_t capBytes;
  Candidate lowestPeak;
  bool hasLowest = false;
  /// The tensors that the last closure met, as a stamp.
  std::vector<int32_t> seen;
  int32_t stamp = 0;

  /// A change of some decisions.
  struct Move {
    Changes changes;
    /// Excess removed per cost added, when it was last judged.
    double ratio = 0;
  };
  std::vector<Move> movesAt(const Candidate &candidate, int32_t window);
  void addDrops(const Candidate &candidate, int32_t gap, int32_t window,
                std::vector<Move> &moves);
  /// What the simulator says of a move.
  struct Judgement {
    int64_t excess, cost, peakBytes;
  };
  /// Fills in `ratio` for the base, which is `candidate`; false if the move
  /// removes no excess.
  bool judge(const Candidate &candidate, Move &move, Judgement &after);
  void make(Candidate &candidate, const Changes &changes,
            const Judgement &after);
  std::vector<int32_t> dropsByCost(const Candidate &candidate) const;
  bool repairWindow(Candidate &candidate, int32_t window);
  /// The cost of the step that makes the tensor of `gap`.
  int64_t costOf(int32_t gap) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_REPAIR_H
