//===- Validate.h - The validator of plans --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slow, obvious, and sharing no code with any solver or with Timeline.h: it
// applies the definitions of Problem.h to a plan, one by one.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_VALIDATE_H
#define REMAT_SOLVER_VALIDATE_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// What validate() found.
struct Validation {
  /// Why the plan does not compute what the schedule computes; empty if it
  /// does.
  std::string error;
  /// Peak memory and cost of the plan; meaningful only without an error.
  int64_t peakBytes = 0;
  int64_t cost = 0;

  bool valid() const { return error.empty(); }
};

/// Checks that `plan` executes every step of `problem` at least once, steps
/// that may not be recomputed exactly once, and steps with effects in their
/// order; and that every operand has been made and not overwritten when it is
/// read, as has every output at the end. Any order of executions that does so
/// is valid. A cost or a peak beyond 64 bits is an error too. O(executions *
/// versions).
Validation validate(const Problem &problem, const Plan &plan);

} // namespace remat::solver

#endif // REMAT_SOLVER_VALIDATE_H
