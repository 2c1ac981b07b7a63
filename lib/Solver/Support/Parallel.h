//===- Parallel.h - Work on two processors --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SUPPORT_PARALLEL_H
#define REMAT_LIB_SOLVER_SUPPORT_PARALLEL_H

#include <functional>
#include <vector>

namespace remat::solver {

using Task = std::function<void()>;

/// Runs the tasks of each list one after the other, the lists side by side
/// unless `maxThreads` is 1 or there is only one processor; 0 means no limit.
/// What a task does must not depend on tasks of other lists; then threads
/// change nothing but the time. An exception ends the list of its task only;
/// when all lists have ended, that of the first list with one is thrown.
void runTogether(const std::vector<std::vector<Task>> &lists, int maxThreads);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SUPPORT_PARALLEL_H
