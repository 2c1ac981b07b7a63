//===- PlanPool.h - What all searches over decisions share ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The encoding of a problem, its simulator, a budget, and the best plans so
// far. Members of the portfolio put plans in, each under its own name; what
// they share is how plans are made to fit, compared and improved.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H
#define REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H

#include "Search/NeighbourhoodSearch.h"
#include "Search/PriceSweep.h"
#include "Search/Repair.h"

#include "remat/Solver/Solvers.h"

namespace remat::solver {

class PlanPool {
public:
  PlanPool(const Problem &problem, const SolverOptions &options);

  const int64_t capBytes;
  const GapEncoding encoding;
  Simulator simulator;
  Budget budget;
  Repairer improver;
  NeighbourhoodSearch neighbourhood;

  /// Who puts plans in from now on.
  void setMember(const char *name) { member = name; }
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
  /// Plans of different members and costs within the cap.
  std::vector<Decisions> bestPlans() const;
  bool fits() const { return bestCandidate.excess == 0; }

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
  void searchNeighbourhoods(int64_t goalCost);
  /// Where nothing fits: finds out how low the peak can be.
  void lowerPeak();

  /// Takes over the best plans of another search for the same cap.
  void adopt(const PlanPool &other);

  /// The best plan and what is known of it.
  SolverResult result();

private:
  /// A plan within the cap, and who put it in.
  struct Entry {
    Candidate candidate;
    const char *member;
  };

  const char *member = "";
  const char *bestMember = "";
  Candidate bestCandidate;
  /// Plans of different costs, the cheapest first.
  std::vector<Entry> elite;
  int32_t peak = 0;
  std::vector<int64_t> originalBytes;
  int64_t originalCost = 0;
};

// The members. Each does a fixed amount of work, and stops where a plan costs
// no more than `goalCost`, if it can tell.

/// Plans that keep what leads from segment to segment.
void searchSegments(PlanPool &search, int64_t goalCost);

/// Plans that keep what leads from block to block.
void searchBlocks(PlanPool &search, int64_t goalCost);

/// The plan of dropping one tensor after the other at the peak.
void searchGreedily(PlanPool &search, int64_t goalCost);

/// Plans of minimum cuts at rising prices, refined.
void searchMinCuts(PlanPool &search, int64_t goalCost);

/// Plans of the chain DP, refined and improved.
void searchChains(PlanPool &search, int64_t goalCost);
/// Hardly more than these plans, with a share of the work.
void searchChainsBriefly(PlanPool &search, double workShare);

/// Plans for one price on memory at the peak, refined and improved.
void searchPrices(PlanPool &search, int64_t goalCost);

/// Runs one member on a search of its own.
SolverResult solveBy(void (*member)(PlanPool &, int64_t),
                     const Problem &problem, const SolverOptions &options);

/// The portfolio without the exact search at its end, which starts from it.
SolverResult solveByMembers(const Problem &problem,
                            const SolverOptions &options);

/// The cost at which a search may stop: close enough to the lower bound.
int64_t goalCost(const Problem &problem, const SolverOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_PLANPOOL_H
