//===- PlannerContext.h - What a planner is given, and what it offers -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A planner is a function that takes a context and offers plans to it. It says
// nothing of their peak and cost: the context computes these from the
// definitions. Whether the best offer is optimal, and what bounds hold, is for
// solve() to decide. A search that tries everything has no certificate to show;
// what it found out goes into ExhaustiveFindings, which name that as the
// source.
//
//   void planSomehow(PlannerContext &context) {
//     while (!context.deadline.isPast())
//       context.offer(somePlan(context.problem), "somehow");
//   }
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_PLANNERCONTEXT_H
#define REMAT_LIB_SOLVER_SEARCH_PLANNERCONTEXT_H

#include "Support/Deadline.h"

#include "remat/Solver/Problem.h"
#include "remat/Solver/Tuning.h"

#include <optional>
#include <string>
#include <string_view>

namespace remat::solver {

/// What plans are wanted, and how much may be spent on them.
struct PlannerOptions {
  /// Peak bytes allowed, inclusive.
  int64_t capBytes = 0;
  /// No plan within the cap costs less, 0 if nothing is known.
  int64_t lowerBoundCost = 0;
  /// Seed of random choices.
  uint64_t seed = 0;
  /// Wall-clock seconds after which improvement stops; 0 means no deadline.
  double deadlineSeconds = 0;
  /// First executions keep the order of the schedule.
  bool keepOrder = false;
  /// Threads to use, 0 for as many as there are processors.
  int maxThreads = 0;
  /// How work is shared out. Never null; must live as long as the planner runs.
  const Tuning *tuning = &Tuning::defaults();

  /// The cost at which improvement stops, because the lower bound says that
  /// hardly anything is left to gain.
  int64_t goalCost(const Problem &problem) const;
};

/// A plan that was offered, and what it needs.
struct OfferedPlan {
  Plan plan;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  /// The planner it comes from; empty for the schedule itself.
  std::string planner;
};

/// What an exhaustive search found out about all plans that execute the steps
/// for the first time in the order of the schedule.
struct ExhaustiveFindings {
  /// None within the cap costs less.
  std::optional<int64_t> lowerBoundCost;
  /// None meets the cap.
  bool isInfeasible = false;
  /// None has a lower peak.
  std::optional<int64_t> lowestPeakBytes;
};

/// One request for plans. Not for use by several threads.
class PlannerContext {
public:
  PlannerContext(const Problem &problem, const PlannerOptions &options);

  const Problem &problem;
  const PlannerOptions options;
  const Deadline deadline;

  /// Takes note of a plan, which must be valid. O(steps of the plan).
  void offer(Plan plan, std::string_view planner);
  /// Takes note of all that `other` was offered and found out, which concerns
  /// the same problem and cap.
  void adopt(const PlannerContext &other);

  /// Whether a plan within the cap was offered.
  bool fits() const;
  /// The cheapest plan within the cap or, without any, the one of the lowest
  /// peak; null if nothing was offered. The first of equal ones.
  const OfferedPlan *best() const;
  /// The plan of the lowest peak, and of these the cheapest.
  const OfferedPlan *lowest() const;

  /// For exhaustive searches only.
  ExhaustiveFindings findings;

private:
  std::optional<OfferedPlan> cheapestWithinCap;
  std::optional<OfferedPlan> lowestPeak;

  void take(OfferedPlan offered);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_PLANNERCONTEXT_H
