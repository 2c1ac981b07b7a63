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

#include "remat/Solver/Tuning.h"

#include <functional>

namespace remat::solver {

/// How far to search.
struct MomentOptions {
  /// The work to spend, in units of about a third of a second.
  double effort;
  /// A bound as high as this is enough; 0 for none. A plan of this cost is
  /// known, so the search need not distinguish what is above it.
  int64_t goalCost;
  /// Ends the search.
  std::function<bool()> isOutOfTime;
  /// Where to start if the proof of the bound so far names no moment in the
  /// order of the schedule.
  StepId firstMoment = 0;
  /// How work is shared out. Never null; must live as long as the call.
  const Tuning *tuning = &Tuning::defaults();
};

/// Replaces `best` by a bound from several moments if it finds a better one.
/// Starts from the moments of `best`, adds, after the first one, the moment at
/// which the solution so far would need the most memory, then splits cases.
void improveByMoments(const ProblemIndex &index, const MomentOptions &options,
                      Certificate &best);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_MOMENTBOUND_H
