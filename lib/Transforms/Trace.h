//===- Trace.h - Regions as they were planned -----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_TRANSFORMS_TRACE_H
#define REMAT_LIB_TRANSFORMS_TRACE_H

#include "Regions.h"
#include "remat/Report/PlanReport.h"

namespace remat {

/// The trace of `region`, which is not rewritten yet. An empty plan stands for
/// the original schedule.
RegionTrace traceRegion(const PlannableRegion &region, const solver::Plan &plan,
                        const ir::CostModel &costs);

} // namespace remat

#endif // REMAT_LIB_TRANSFORMS_TRACE_H
