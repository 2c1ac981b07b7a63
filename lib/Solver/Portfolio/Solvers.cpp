//===- Solvers.cpp - Look-up and judgement of solvers ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Solvers.h"
#include "Bound/ProblemIndex.h"
#include "Portfolio/OrderSelection.h"
#include "Support/Deadline.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

const std::vector<SolverInfo> &allSolvers() {
  static const std::vector<SolverInfo> solvers = {
      {"auto",
       "portfolio of the others, then neighbourhood search; in another order "
       "where that pays",
       solveInAnyOrder, /*mayReorder=*/true},
      {"lns", "plans by prices on memory, then neighbourhood search",
       solveNeighbourhoods},
      {"mincut", "minimum cuts at rising prices on memory; heuristic, fast",
       solveMinCut},
      {"dp", "dynamic programming over the schedule; heuristic, fast",
       solveDynamicProgramming},
      {"greedy", "one tensor after the other at the peak, as XLA does",
       solveGreedy},
      {"segments", "checkpointing by segments", solveSegments},
      {"blocks", "one checkpoint for each block", solveBlocks},
      {"order", "another order of the steps, and no recomputation", solveOrder,
       /*mayReorder=*/true},
      {"exact", "best-first search with bounds, optimal; for small problems",
       solveExact},
      {"brute-force",
       "exhaustive search, optimal; for tiny problems (the oracle of the "
       "tests)",
       solveBruteForce},
  };
  return solvers;
}

/// Puts what validate() and the time line say of the plan into `result`.
static void judge(const Problem &problem, const SolverOptions &options,
                  SolverResult &result) {
  Validation verdict = validate(problem, result.plan);
  if (!verdict.valid()) {
    // A wrong plan would make a wrong program: there is no way on from here.
    std::fprintf(stderr,
                 "remat: internal error: solver '%s' made a plan that "
                 "does not compute the schedule: %s\n",
                 result.solver.c_str(), verdict.error.c_str());
    std::abort();
  }
  result.peakBytes = verdict.peakBytes;
  result.cost = verdict.cost;
  bool meetsCap = verdict.peakBytes <= options.capBytes;
  if (meetsCap)
    result.status = SolveStatus::Ok;
  else if (result.status == SolveStatus::Ok)
    result.status = SolveStatus::Infeasible;
  result.lowestPeakBytes =
      meetsCap ? std::min(result.lowestPeakBytes, verdict.peakBytes)
               : verdict.peakBytes;

  Timeline timeline = computeTimeline(problem, result.plan);
  result.stepsAtPeak.clear();
  if (timeline.peakSlot < 0)
    return;
  const Slot &slot = timeline.slots[timeline.peakSlot];
  for (int32_t at = slot.begin; at < slot.end; ++at)
    result.stepsAtPeak.push_back(result.plan.sequence[at]);
}

/// Makes the most of the bound for the plan in `result`, whose order it is for,
/// in so many seconds.
static Certificate finishBound(const Problem &problem, Certificate certificate,
                               const SolverResult &result, double seconds) {
  BoundOptions options;
  options.capBytes = certificate.capBytes;
  constexpr double shareForOrder = 0.7;
  options.deadlineSeconds = shareForOrder * seconds;
  bool isOk = result.status == SolveStatus::Ok;
  if (isOk)
    options.goalCost = result.cost;
  // With a plan to reach, a bound gets farther.
  if (isOk && !result.proven && !certificate.isInfeasible &&
      result.cost > certificate.cost)
    certificate = improveBoundInOrder(problem, options, std::move(certificate));
  if (!assumesOrder(certificate.kind()))
    return certificate;
  // What holds for all plans is better than what holds for one order.
  options.deadlineSeconds = (1 - shareForOrder) * seconds;
  options.effort = 0.2;
  Certificate orderFree = anyOrderBound(problem, options);
  bool isAsStrong =
      orderFree.isInfeasible ||
      (!certificate.isInfeasible && orderFree.cost >= certificate.cost);
  return isAsStrong ? orderFree : certificate;
}

/// Puts `certificate`, which holds in the order of the plan or in all, into
/// `result`, and whether the plan is the best.
static void addBound(const Problem &problem, Certificate certificate,
                     SolverResult &result) {
  bool isOk = result.status == SolveStatus::Ok;
  bool isSearched = result.proven || result.lowerBoundCost;
  // What a search says, it says of the order of the schedule.
  if (result.isReordered)
    isSearched = result.isLowestPeakProven = false;
  if (result.isLowestPeakProven)
    result.floorBytes = result.lowestPeakBytes;
  else if (result.isReordered)
    result.floorBytes =
        floorBytes(withOrder(problem, firstExecutions(problem, result.plan)));
  else
    result.floorBytes = floorBytes(problem);
  // What a certificate proves needs no search behind it.
  if (certificate.isInfeasible) {
    result.boundKind = certificate.kind();
    result.lowerBoundCost.reset();
    result.proven = true;
  } else if (!isSearched || (result.lowerBoundCost &&
                             certificate.cost >= *result.lowerBoundCost)) {
    result.boundKind = certificate.kind();
    result.lowerBoundCost = certificate.cost;
    result.proven = isOk && result.cost <= certificate.cost;
  } else {
    result.boundKind = BoundKind::Exhaustive;
  }
  result.certificate = std::move(certificate);
}

int64_t floorBytes(const Problem &problem) {
  if (problem.steps.empty())
    return 0;
  std::vector<int64_t> unavoidable = ProblemIndex(problem).unavoidableBytes();
  return *std::max_element(unavoidable.begin(), unavoidable.end());
}

std::optional<SolverResult> solve(const Problem &problem, std::string_view name,
                                  const SolverOptions &options) {
  auto found =
      std::find_if(allSolvers().begin(), allSolvers().end(),
                   [&](const SolverInfo &info) { return info.name == name; });
  if (found == allSolvers().end())
    return std::nullopt;

  Deadline deadline(options.deadlineSeconds);
  // Bounds take a small part of the time, before and after.
  constexpr double boundShare = 0.1;
  SolverResult result;
  result.plan = originalPlan(problem);
  const std::vector<StepId> schedule = result.plan.sequence;
  Timeline original = computeTimeline(problem, result.plan);
  Certificate certificate;
  certificate.capBytes = options.capBytes;
  certificate.cost = original.cost;
  if (original.peakBytes <= options.capBytes) {
    result.lowestPeakBytes = original.peakBytes;
  } else {
    // The bound comes first, as solvers may stop at it.
    BoundOptions boundOptions;
    boundOptions.capBytes = options.capBytes;
    boundOptions.deadlineSeconds = options.deadlineSeconds * boundShare;
    certificate = lowerBound(problem, boundOptions);
    SolverOptions remaining = options;
    if (!certificate.isInfeasible)
      remaining.lowerBoundCost = certificate.cost;
    if (deadline.isSet())
      remaining.deadlineSeconds = std::max(
          options.deadlineSeconds * boundShare,
          deadline.secondsLeft() - options.deadlineSeconds * boundShare);
    result = found->run(problem, remaining);
  }
  result.solver = found->name;
  judge(problem, options, result);
  std::vector<StepId> order = firstExecutions(problem, result.plan);
  result.isReordered = order != schedule;
  // A solver that plans in another order has the bound for that one.
  if (result.isReordered && result.certificate.order == order) {
    certificate = std::move(result.certificate);
  } else if (result.isReordered) {
    certificate = Certificate();
    certificate.capBytes = options.capBytes;
    certificate.cost = original.cost;
    certificate.order = std::move(order);
  }
  double secondsLeft = 0;
  if (deadline.isSet())
    secondsLeft = std::max(options.deadlineSeconds * boundShare / 2,
                           deadline.secondsLeft());
  certificate =
      finishBound(problem, std::move(certificate), result, secondsLeft);
  addBound(problem, std::move(certificate), result);
  result.seconds = deadline.secondsPassed();
  return result;
}

} // namespace remat::solver
