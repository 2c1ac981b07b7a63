//===- PlanOutcome.h - What a solver found, for a region ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_PLANOUTCOME_H
#define REMAT_TRANSFORMS_PLANOUTCOME_H

#include "remat/Report/PlanReport.h"
#include "remat/Solver/Solvers.h"

namespace remat {

/// The parts of a solver's result that the passes and reports use.
struct PlanOutcome {
  solver::Plan plan;
  bool capMet = false;
  /// The deadline passed before a plan within the cap was found.
  bool deadlinePassed = false;
  /// Whether the plan executes the steps for the first time in another order
  /// than that of the schedule.
  bool reordered = false;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  /// The lowest peak found, and a lower bound on the peaks of all plans in the
  /// order of this one.
  int64_t lowestPeakBytes = 0;
  int64_t floorBytes = 0;
  /// The steps of the plan that run at its peak.
  std::vector<solver::StepId> stepsAtPeak;
  std::optional<Bound> bound;
  double seconds = 0;
};

/// The only place that reads a solver's result.
PlanOutcome describeOutcome(const solver::SolverResult &result);

} // namespace remat

#endif // REMAT_TRANSFORMS_PLANOUTCOME_H
