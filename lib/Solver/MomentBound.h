//===- MomentBound.h - The search for bounds from several moments ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_MOMENTBOUND_H
#define REMAT_LIB_SOLVER_MOMENTBOUND_H

#include "MinCutStage.h"

#include <functional>

namespace remat::solver {

/// Puts a bound from several moments in place of `best`, the bound from one
/// moment, if it finds a better one. Starts from the moment of `best`, and adds
/// the one at which the solution so far would need the most memory; then splits
/// cases. `effort` is about the time, in units of a third of a second.
void improveByMoments(const StageIndex &index, double effort,
                      const std::function<bool()> &isOutOfTime,
                      Certificate &best);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_MOMENTBOUND_H
