//===- RandomProblem.h - Small random problems ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_SUPPORT_RANDOMPROBLEM_H
#define REMAT_TEST_UNIT_SOLVER_SUPPORT_RANDOMPROBLEM_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// A problem of at most `maxSteps` steps that passes check(), the same for the
/// same arguments. Odd seeds give a forward chain followed by steps that read
/// it in reverse, as training does; even seeds give any acyclic graph. Both
/// have views, in-place results, groups, several results, dead results, donated
/// inputs, workspace and steps that may not be recomputed.
Problem randomProblem(uint64_t seed, int maxSteps);

/// The number in [0, bound) that follows from `state`, which moves on. Unlike
/// the distributions of the standard library the same on every platform.
int64_t nextRandom(uint64_t &state, int64_t bound);

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_SUPPORT_RANDOMPROBLEM_H
