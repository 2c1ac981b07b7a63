//===- Validate.h - The judge of plans ------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slow, obvious, and sharing no code with any solver or with Timeline.h: what
// it says about a plan is what the definitions in Problem.h say, word by word.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_VALIDATE_H
#define REMAT_SOLVER_VALIDATE_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

struct Validation {
  /// Why the plan does not compute what the schedule computes; empty if it
  /// does.
  std::string error;
  /// Peak memory and cost of the plan; meaningful only without error.
  int64_t peakBytes = 0;
  int64_t cost = 0;

  bool valid() const { return error.empty(); }
};

/// Checks that `plan` executes every step of `problem` at least once, none that
/// may not be recomputed twice, steps with effects in their order, and that
/// every operand is there, not overwritten, whenever it is read, as is every
/// output at the end. Any order of the executions will do beside that.
/// O(executions * versions).
Validation validate(const Problem &problem, const Plan &plan);

} // namespace remat::solver

#endif // REMAT_SOLVER_VALIDATE_H
