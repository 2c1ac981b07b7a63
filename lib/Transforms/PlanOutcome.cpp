//===- PlanOutcome.cpp - What a solver found, for a region ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PlanOutcome.h"

using namespace remat;

PlanOutcome remat::describeOutcome(const solver::SolverResult &result) {
  PlanOutcome outcome;
  outcome.plan = result.plan;
  outcome.capMet = result.status == solver::SolveStatus::Ok;
  outcome.deadlinePassed = result.status == solver::SolveStatus::Deadline;
  outcome.reordered = result.isReordered;
  outcome.peakBytes = result.peakBytes;
  outcome.cost = result.cost;
  outcome.lowestPeakBytes = result.lowestPeakBytes;
  outcome.floorBytes = result.floorBytes;
  outcome.stepsAtPeak = result.stepsAtPeak;
  if (result.lowerBoundCost)
    outcome.bound =
        Bound{*result.lowerBoundCost, solver::toString(result.boundKind),
              solver::assumesOrder(result.boundKind)};
  outcome.seconds = result.seconds;
  return outcome;
}
