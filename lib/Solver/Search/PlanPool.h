//===- PlanPool.h - Plans as decisions, shared by planners ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The encoding of a problem, its simulator, a budget, and the best plans so
// far. Planners put plans in, each under its own name; what they share is how
// plans are made to fit, compared and improved.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H
#define REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H

#include "Search/NeighbourhoodSearch.h"
#include "Search/PlannerContext.h"
#include "Search/PriceSweep.h"
#include "Search/Repair.h"

namespace remat::solver {

/// Plans as decisions about gaps, and the work on them under one cap.
class PlanPool {
public:
  PlanPool(const Problem &problem, const PlannerOptions &options);

  const int64_t capBytes;
  const Tuning &tuning;
  /// Improvement stops at a plan that costs no more.
  const int64_t goalCost;
  const GapEncoding encoding;
  Simulator simulator;
  Budget budget;
  Repairer improver;
  NeighbourhoodSearch neighbourhood;

  /// Names the planner that puts plans in as long as the scope lasts.
  class PlannerScope {
  public:
    PlannerScope(PlanPool &pool, const char *name)
        : pool(pool), previous(pool.planner) {
      pool.planner = name;
    }
    ~PlannerScope() { pool.planner = previous; }
    PlannerScope(const PlannerScope &) = delete;
    PlannerScope &operator=(const PlannerScope &) = delete;

  private:
    PlanPool &pool;
    const char *previous;
  };

  /// Lets the work go on until `executions` more are simulated, for as long as
  /// the scope lives. The measure of work is the same on every machine; 10
  /// million take about half a second.
  BudgetScope allow(int64_t executions) {
    return BudgetScope(budget, executions);
  }
  /// At least `executions`; for larger problems several times as many, and so
  /// many times the schedule.
  int64_t workFor(int64_t executions, int64_t schedules) const;

  /// The best plan: within the cap and cheap, or of the least excess.
  const Candidate &best() const { return bestCandidate; }
  /// Plans of different planners and costs within the cap.
  std::vector<Decisions> bestPlans() const;
  bool fits() const { return bestCandidate.excess == 0; }
  /// Whether the best plan is good enough to stop at.
  bool isAtGoal() const { return fits() && bestCandidate.cost <= goalCost; }

  /// Simulates a plan and notes it if it is among the best.
  void consider(Decisions decisions);
  void consider(Candidate candidate);

  /// Repairs a plan by the most promising moves, takes back what is not needed,
  /// and considers it.
  void complete(const Decisions &start);

  /// Tries all moves: repairs a plan for `targetBytes`, then makes the most of
  /// the cap proper, and considers it.
  void refine(Decisions start, int64_t targetBytes);

  /// The slot of the schedule with the highest memory.
  int32_t peakSlot() const { return peak; }
  /// The highest memory in each window of the schedule.
  const std::vector<int64_t> &scheduleBytes() const { return originalBytes; }
  int64_t scheduleCost() const { return originalCost; }
  /// The price of a byte at which the peak of the schedule costs as much as its
  /// steps.
  double unitPrice() const {
    return solver::unitPrice(originalCost, originalBytes[peak]);
  }

  /// Takes back single drops of the best plans, and repairs.
  void exchange();
  /// Searches the neighbourhoods of the best plans: of many a little, of few
  /// more, of the best the rest of the work that is allowed.
  void searchNeighbourhoods();
  /// Where nothing fits: finds out how low the peak can be.
  void lowerPeak();

  /// Takes over the best plans of another search for the same cap.
  void adopt(const PlanPool &other);

  /// The best plan, as a sequence of steps.
  Plan bestPlan();
  /// Offers the best plan and the one of the lowest peak.
  void offerTo(PlannerContext &context);

private:
  /// A plan within the cap, and the planner that put it in.
  struct Entry {
    Candidate candidate;
    const char *planner;
  };

  const char *planner = "";
  const char *bestPlanner = "";
  Candidate bestCandidate;
  /// Plans of different costs, the cheapest first.
  std::vector<Entry> elite;
  int32_t peak = 0;
  std::vector<int64_t> originalBytes;
  int64_t originalCost = 0;

  void consider(Candidate candidate, const char *planner);
};

/// A planner that works on a pool. Each does a fixed amount of work, and stops
/// at the goal of the pool, if it can tell.
using PoolPlanner = void (*)(PlanPool &);

/// Runs `planner` on a pool of its own and offers the best of it.
void planInPool(PoolPlanner planner, PlannerContext &context);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H
