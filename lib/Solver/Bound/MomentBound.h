//===- MomentBound.h - The search for bounds from several moments ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_MOMENTBOUND_H
#define REMAT_LIB_SOLVER_BOUND_MOMENTBOUND_H

#include "Bound/CutNetwork.h"

#include <functional>

namespace remat::solver {

struct MomentOptions {
  /// About the time, in units of a third of a second.
  double effort;
  /// A bound as high as this is enough; 0 for none. As there is a plan of this
  /// cost, what would lead above it need not be looked at.
  int64_t goalCost;
  std::function<bool()> isOutOfTime;
  /// Where to start if the proof of the bound so far names no moment in the
  /// order of the schedule.
  StepId firstMoment = 0;
};

/// Replaces `best` by a bound from several moments if it finds a better one.
/// Starts from the moments of `best`, adds, after the first one, the moment at
/// which the solution so far would need the most memory, then splits cases.
void improveByMoments(const ProblemIndex &index, const MomentOptions &options,
                      Certificate &best);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_MOMENTBOUND_H
