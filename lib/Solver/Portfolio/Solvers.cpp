//===- Solvers.cpp - The solvers, and what is said of their plans
//----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Solvers.h"
#include "Bound/Bounds.h"
#include "Bound/ProblemIndex.h"
#include "Chain/ChainSearch.h"
#include "Exact/BruteForce.h"
#include "Heuristics/Heuristics.h"
#include "Portfolio/OrderSelection.h"
#include "Portfolio/Portfolio.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace remat::solver {

const char *toString(SolveStatus status) {
  switch (status) {
  case SolveStatus::Ok:
    return "ok";
  case SolveStatus::Infeasible:
    return "infeasible";
  case SolveStatus::Deadline:
    return "deadline";
  }
  return "infeasible";
}

namespace {

/// A solver and what it runs.
struct Planner {
  SolverInfo info;
  std::function<void(PlannerContext &, OrderBounds &)> search;
};

/// A planner that works on a pool of plans.
Planner onPool(const char *name, const char *summary, PoolPlanner planner) {
  return {{name, summary}, [planner](PlannerContext &context, OrderBounds &) {
            planInPool(planner, context);
          }};
}

/// A planner that takes the context as it is.
Planner inContext(const char *name, const char *summary,
                  void (*search)(PlannerContext &), bool mayReorder = false) {
  return {
      {name, summary, mayReorder},
      [search](PlannerContext &context, OrderBounds &) { search(context); }};
}

/// All solvers, in the order in which help texts list them.
const std::vector<Planner> &allPlanners() {
  static const std::vector<Planner> planners = {
      {{"auto",
        "portfolio of the others, then neighbourhood search; in another order "
        "where that pays",
        /*mayReorder=*/true},
       searchInAnyOrder},
      onPool("lns", "plans by prices on memory, then neighbourhood search",
             searchPrices),
      onPool("mincut",
             "minimum cuts at rising prices on memory; heuristic, fast",
             searchMinCuts),
      onPool("dp", "dynamic programming over the schedule; heuristic, fast",
             searchChains),
      onPool("greedy", "one tensor after the other at the peak, as XLA does",
             searchGreedily),
      onPool("segments", "checkpointing by segments", searchSegments),
      onPool("blocks", "one checkpoint for each block", searchBlocks),
      inContext("order", "another order of the steps, and no recomputation",
                searchOrders, /*mayReorder=*/true),
      inContext("exact",
                "best-first search with bounds, optimal; for small problems",
                searchExactly),
      inContext("brute-force",
                "exhaustive search, optimal; for tiny problems (the oracle of "
                "the tests)",
                searchExhaustively),
  };
  return planners;
}

/// Stops if `plan` is not valid: a wrong plan would make a wrong program, and
/// there is no way on from here.
void requireValid(const Problem &problem, const Plan &plan,
                  const std::string &solver) {
  Validation validation = validate(problem, plan);
  if (validation.valid())
    return;
  std::fprintf(stderr,
               "remat: internal error: solver '%s' made a plan that does not "
               "compute the schedule: %s\n",
               solver.c_str(), validation.error.c_str());
  std::abort();
}

/// The steps of `plan` in its peak slot.
std::vector<StepId> findStepsAtPeak(const Plan &plan,
                                    const Timeline &timeline) {
  std::vector<StepId> steps;
  if (timeline.peakSlot < 0)
    return steps;
  const Slot &slot = timeline.slots[timeline.peakSlot];
  for (int32_t at = slot.begin; at < slot.end; ++at)
    steps.push_back(plan.sequence[at]);
  return steps;
}

/// What is known of the best offer, apart from bounds.
SolverResult describe(const PlannerContext &context) {
  const OfferedPlan &best = *context.best();
  SolverResult result;
  result.status = context.fits()              ? SolveStatus::Ok
                  : context.deadline.isPast() ? SolveStatus::Deadline
                                              : SolveStatus::Infeasible;
  result.plan = best.plan;
  result.member = best.planner;
  result.isReordered = firstExecutions(context.problem, best.plan) !=
                       originalPlan(context.problem).sequence;
  Timeline timeline = computeTimeline(context.problem, best.plan);
  result.peakBytes = timeline.peakBytes;
  result.cost = timeline.cost;
  result.lowestPeakBytes = context.lowest()->peakBytes;
  result.stepsAtPeak = findStepsAtPeak(best.plan, timeline);
  return result;
}

/// The best bound for the plan in `result`, in its order or in all, that so
/// many seconds give.
Certificate finishBound(const Problem &problem, const SolverResult &result,
                        const std::vector<StepId> &order, OrderBounds &bounds,
                        const SolverOptions &options, bool isSearched,
                        double seconds) {
  const auto &tuning = options.tuning->solve;
  Certificate certificate = bounds.known(order);
  bool isOk = result.status == SolveStatus::Ok;
  // With a plan to reach, a bound gets farther.
  if (isOk && !isSearched && !certificate.isInfeasible &&
      result.cost > certificate.cost)
    certificate = bounds.improve(order, result.cost,
                                 tuning.finalBoundInOrderShare * seconds);
  if (!assumesOrder(certificate.kind()) || !tuning.anyOrderBound)
    return certificate;
  // What holds for all plans is better than what holds for one order.
  BoundOptions boundOptions;
  boundOptions.capBytes = options.capBytes;
  boundOptions.goalCost = isOk ? result.cost : 0;
  boundOptions.deadlineSeconds = (1 - tuning.finalBoundInOrderShare) * seconds;
  boundOptions.effort = tuning.anyOrderEffort;
  boundOptions.tuning = options.tuning;
  Certificate anyOrder = anyOrderBound(problem, boundOptions);
  bool isAsStrong =
      anyOrder.isInfeasible ||
      (!certificate.isInfeasible && anyOrder.cost >= certificate.cost);
  return isAsStrong ? anyOrder : certificate;
}

/// Puts the bounds into `result`, and whether the plan is the best.
void addBounds(const Problem &problem, Certificate certificate,
               const ExhaustiveFindings &findings, SolverResult &result) {
  result.isLowestPeakProven =
      findings.lowestPeakBytes &&
      *findings.lowestPeakBytes == result.lowestPeakBytes;
  if (result.isLowestPeakProven)
    result.floorBytes = result.lowestPeakBytes;
  else if (result.isReordered)
    result.floorBytes =
        floorBytes(withOrder(problem, firstExecutions(problem, result.plan)));
  else
    result.floorBytes = floorBytes(problem);

  // What a certificate proves needs no search as its source.
  bool isInfeasible = certificate.isInfeasible || findings.isInfeasible;
  if (isInfeasible) {
    result.boundKind =
        certificate.isInfeasible ? certificate.kind() : BoundKind::Exhaustive;
    result.proven = true;
    // Nothing was left to find when the time was up.
    result.status = SolveStatus::Infeasible;
  } else if (findings.lowerBoundCost &&
             *findings.lowerBoundCost > certificate.cost) {
    result.boundKind = BoundKind::Exhaustive;
    result.lowerBoundCost = findings.lowerBoundCost;
  } else {
    result.boundKind = certificate.kind();
    result.lowerBoundCost = certificate.cost;
  }
  if (result.status == SolveStatus::Ok)
    result.proven = result.cost <= *result.lowerBoundCost;
  result.certificate = std::move(certificate);
}

} // namespace

const std::vector<SolverInfo> &allSolvers() {
  static const std::vector<SolverInfo> solvers = [] {
    std::vector<SolverInfo> infos;
    for (const Planner &planner : allPlanners())
      infos.push_back(planner.info);
    return infos;
  }();
  return solvers;
}

int64_t floorBytes(const Problem &problem) {
  if (problem.steps.empty())
    return 0;
  std::vector<int64_t> unavoidable = ProblemIndex(problem).unavoidableBytes();
  return *std::max_element(unavoidable.begin(), unavoidable.end());
}

std::optional<SolverResult> solve(const Problem &problem, std::string_view name,
                                  const SolverOptions &options) {
  auto planner =
      std::find_if(allPlanners().begin(), allPlanners().end(),
                   [&](const Planner &each) { return each.info.name == name; });
  if (planner == allPlanners().end())
    return std::nullopt;

  Deadline deadline(options.deadlineSeconds);
  OrderBounds bounds(problem, options.capBytes, *options.tuning);
  PlannerOptions forPlanner;
  forPlanner.capBytes = options.capBytes;
  forPlanner.seed = options.seed;
  forPlanner.keepOrder = options.keepOrder;
  forPlanner.tuning = options.tuning;
  forPlanner.maxThreads = options.maxThreads;
  Plan schedule = originalPlan(problem);
  bool isNeeded =
      computeTimeline(problem, schedule).peakBytes > options.capBytes;
  if (isNeeded) {
    // The bound comes first, as planners may stop at it.
    double boundSeconds =
        options.deadlineSeconds * options.tuning->solve.boundTimeShare;
    Certificate certificate = bounds.find({}, boundSeconds);
    if (!certificate.isInfeasible)
      forPlanner.lowerBoundCost = certificate.cost;
    if (deadline.isSet())
      forPlanner.deadlineSeconds =
          std::max(boundSeconds, deadline.secondsLeft() - boundSeconds);
  }
  PlannerContext context(problem, forPlanner);
  if (isNeeded)
    planner->search(context, bounds);
  if (!context.best())
    context.offer(std::move(schedule), "");

  SolverResult result = describe(context);
  result.solver = planner->info.name;
  requireValid(problem, result.plan, result.solver);
  std::vector<StepId> order;
  ExhaustiveFindings findings;
  if (result.isReordered)
    order = firstExecutions(problem, result.plan);
  else // A search through all plans keeps the order of the schedule.
    findings = context.findings;
  bool isSearched =
      findings.isInfeasible || findings.lowerBoundCost == result.cost;
  double secondsLeft = 0;
  if (deadline.isSet())
    secondsLeft = std::max(options.deadlineSeconds *
                               options.tuning->solve.boundTimeShare / 2,
                           deadline.secondsLeft());
  addBounds(problem,
            finishBound(problem, result, order, bounds, options, isSearched,
                        secondsLeft),
            findings, result);
  result.seconds = deadline.secondsPassed();
  return result;
}

} // namespace remat::solver
