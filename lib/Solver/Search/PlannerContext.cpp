//===- PlannerContext.cpp - What a planner is given, and what it offers ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PlannerContext.h"

#include "remat/Solver/Timeline.h"

#include <algorithm>

namespace remat::solver {
int64_t PlannerOptions::goalCost(const Problem &problem) const {
  int64_t overhead =
      std::max<int64_t>(0, lowerBoundCost - problem.scheduleCost());
  return lowerBoundCost + static_cast<int64_t>(tuning->solve.goalShare *
                                               static_cast<double>(overhead));
}

PlannerContext::PlannerContext(const Problem &problem,
                               const PlannerOptions &options)
    : problem(problem), options(options), deadline(options.deadlineSeconds) {}

void PlannerContext::offer(Plan plan, std::string_view planner) {
  Timeline timeline = computeTimeline(problem, plan);
  take({std::move(plan), timeline.peakBytes, timeline.cost,
        std::string(planner)});
}

void PlannerContext::adopt(const PlannerContext &other) {
  for (const auto &offered : {other.cheapestWithinCap, other.lowestPeak})
    if (offered)
      take(*offered);
  findings = other.findings;
}

void PlannerContext::take(OfferedPlan offered) {
  if (offered.peakBytes <= options.capBytes &&
      (!cheapestWithinCap || offered.cost < cheapestWithinCap->cost))
    cheapestWithinCap = offered;
  if (!lowestPeak || offered.peakBytes < lowestPeak->peakBytes ||
      (offered.peakBytes == lowestPeak->peakBytes &&
       offered.cost < lowestPeak->cost))
    lowestPeak = std::move(offered);
}

bool PlannerContext::fits() const { return cheapestWithinCap.has_value(); }

const OfferedPlan *PlannerContext::best() const {
  return cheapestWithinCap ? &*cheapestWithinCap : lowest();
}

const OfferedPlan *PlannerContext::lowest() const {
  return lowestPeak ? &*lowestPeak : nullptr;
}

} // namespace remat::solver
