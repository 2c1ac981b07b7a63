//===- WorkingPlan.h - A plan under construction ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches try many small changes of one plan. A working plan is the base of
// the simulator with the changes made since; each further change costs only the
// part of the run that it touches.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_WORKINGPLAN_H
#define REMAT_LIB_SOLVER_SEARCH_WORKINGPLAN_H

#include "Search/Simulator.h"

namespace remat::solver {

/// Decisions with what the simulator says of them.
struct Candidate {
  Decisions decisions;
  /// Bytes above the cap, summed over all windows.
  int64_t excess = 0;
  int64_t cost = 0;
  int64_t peakBytes = 0;

  /// Less excess is better, then less cost.
  bool isBetterThan(const Candidate &other) const {
    return excess != other.excess ? excess < other.excess : cost < other.cost;
  }
};

/// What the simulator says of a plan under one cap.
struct PlanMeasures {
  int64_t excess = 0;
  int64_t cost = 0;
  int64_t peakBytes = 0;
  /// The highest memory in each window.
  std::vector<int64_t> windowBytes;

  PlanMeasures() = default;
  PlanMeasures(const Outcome &outcome, int64_t capBytes)
      : excess(outcome.excess(capBytes)), cost(outcome.cost),
        peakBytes(outcome.peakBytes), windowBytes(outcome.windowBytes) {}
};

/// A base and changes of it. Invariant: decisions() is the base with changes(),
/// and no decision occurs in changes() twice.
class WorkingPlan {
public:
  WorkingPlan(const GapEncoding &encoding, Simulator &simulator);

  /// Makes `decisions` the base. Measures count against `capBytes` from here
  /// on.
  void start(const Decisions &decisions, int64_t capBytes);
  /// Makes the plan as it is the base. One simulation.
  void rebase();
  /// Returns to the base. O(changes).
  void undo();

  const Decisions &decisions() const { return current; }
  /// What differs from the base, or did at some time, in order of first change.
  const Changes &changes() const { return changed; }
  /// Whether the plan is the base.
  bool isBase() const;
  /// Measures of the plan, unless change() was called since they were taken.
  const PlanMeasures &measures() const { return measured; }
  /// The cap that measures count against.
  int64_t capBytes() const { return cap; }
  /// The plan with its measures.
  Candidate candidate() const {
    return {current, measured.excess, measured.cost, measured.peakBytes};
  }

  /// Changes a decision, and leaves the measures as they are.
  void change(int32_t at, int16_t decision);
  /// Changes some decisions, and leaves the measures as they are.
  void change(const Changes &more);
  /// Measures the plan.
  void measure();
  /// The outcome of the plan with `more` changes, which override its own. Valid
  /// until the next simulation.
  const Outcome &simulate(const Changes &more);
  /// Changes decisions for which simulate() said `after`.
  void apply(const Changes &more, PlanMeasures after);

private:
  Simulator &simulator;
  int64_t cap = 0;
  Decisions base;
  Decisions current;
  Changes changed;
  /// The place of each decision in `changed`, or -1.
  std::vector<int32_t> placeOf;
  PlanMeasures measured;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_WORKINGPLAN_H
