//===- Bounds.h - The search for lower bounds -----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds certificates (remat/Solver/Certificate.h). Nothing here is trusted:
// checkCertificate() verifies what these functions claim.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_BOUNDS_H
#define REMAT_LIB_SOLVER_BOUND_BOUNDS_H

#include "remat/Solver/Certificate.h"
#include "remat/Solver/Tuning.h"

namespace remat::solver {

struct BoundOptions {
  int64_t capBytes = 0;
  /// The number of steps to evaluate closely.
  int maxSteps = 16;
  /// The work to spend on several moments at once, in units of about a third of
  /// a second; 0 means none.
  double effort = 1;
  /// The cost of a known plan, at which the search stops; 0 means none.
  int64_t goalCost = 0;
  /// Wall-clock seconds after which the best bound so far is returned; 0 means
  /// no deadline.
  double deadlineSeconds = 0;
  /// How work is shared out. Never null; must live as long as the call.
  const Tuning *tuning = &Tuning::defaults();
};

/// The best bound found; at worst the cost of the schedule. Deterministic
/// except for the deadline. O(steps) to choose the steps to evaluate, then
/// about ten maximum flows for each; then linear programs, if they are small
/// enough, as far as `effort` allows.
Certificate lowerBound(const Problem &problem, const BoundOptions &options);

/// The same, from a bound that lowerBound() found for the same cap. With the
/// cost of a plan as the goal it often reaches a bound that it otherwise
/// misses.
Certificate improveBound(const Problem &problem, const BoundOptions &options,
                         Certificate start);

/// The best bound found that holds for all plans, whatever the order in which
/// they execute the steps for the first time. Deterministic but for the
/// deadline. Evaluates up to `maxSteps` steps, O(steps * operands) each to find
/// what depends on it; then linear programs as in lowerBound().
Certificate anyOrderBound(const Problem &problem, const BoundOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_BOUNDS_H
