//===- Regions.h - What there is to plan below an op ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_TRANSFORMS_REGIONS_H
#define REMAT_LIB_TRANSFORMS_REGIONS_H

#include "remat/IR/ProblemBuilder.h"
#include "remat/Solver/Timeline.h"

namespace remat {

/// A region that is planned by itself, against the memory held outside it.
struct PlannableRegion {
  ir::RegionProblem ir;
  std::string function;
  int64_t indexInFunction = 0;
  int64_t outsideBytes = 0;
  /// The parts of the outside bytes, for messages.
  int64_t inputBytes = 0;
  int64_t outputBytes = 0;
  int64_t constantBytes = 0;
  /// Of the original schedule.
  solver::Timeline timeline;
};

/// All regions below `root`: the execute regions if there are any (stream
/// level), otherwise the bodies of the functions directly in `root`, or of
/// `root` itself (tensor level). Nothing after an error was reported; having no
/// function at all is an error.
std::optional<std::vector<PlannableRegion>>
collectRegions(ir::Op root, const ir::CostModel &costs,
               const DiagnosticSink &sink);

} // namespace remat

#endif // REMAT_LIB_TRANSFORMS_REGIONS_H
