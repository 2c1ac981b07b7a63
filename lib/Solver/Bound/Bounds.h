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

namespace remat::solver {

struct BoundOptions {
  int64_t capBytes = 0;
  /// How many steps are looked at closely.
  int maxSteps = 16;
  /// How much to spend on several moments at once, in units of about a third of
  /// a second; 0: nothing.
  double effort = 1;
  /// The cost of a plan that is known, or 0: no need to look for more.
  int64_t goalCost = 0;
  /// Wall-clock seconds after which the best bound so far must do; 0: never.
  double deadlineSeconds = 0;
};

/// The best bound found. There always is one: the cost of the schedule is the
/// least. Deterministic but for the deadline. O(steps) to choose where to look,
/// then some ten maximum flows per step looked at; then linear programs, as far
/// as they are small enough and `effort` goes.
Certificate lowerBound(const Problem &problem, const BoundOptions &options);

/// The same, from a bound that lowerBound() found for the same cap. With the
/// cost of a plan as a goal it often reaches it where it did not without.
Certificate improveBound(const Problem &problem, const BoundOptions &options,
                         Certificate start);

/// The best bound found that holds for all plans, whatever the order in which
/// they execute the steps for the first time. Deterministic but for the
/// deadline. Looks at up to `maxSteps` steps, O(steps * operands) each to see
/// what depends on it; then linear programs as in lowerBound().
Certificate anyOrderBound(const Problem &problem, const BoundOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_BOUNDS_H
