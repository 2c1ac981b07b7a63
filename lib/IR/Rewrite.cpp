//===- Rewrite.cpp - Regions rewritten by plans, all or none --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/Rewrite.h"

#include "remat/IR/ApplyPlan.h"

using namespace remat;
using namespace remat::ir;

Rewrite::~Rewrite() {
  for (const Backup &backup : backups) {
    mlirRegionTakeBody(mlirOperationGetRegion(backup.owner.raw(), 0),
                       mlirOperationGetRegion(backup.copy.raw(), 0));
    mlirOperationDestroy(backup.copy.raw());
  }
}

std::optional<solver::Timeline> Rewrite::apply(RegionProblem &region,
                                               const solver::Plan &plan,
                                               const Promise &promise,
                                               const DiagnosticSink &sink) {
  backups.push_back({region.owner, mlirOperationClone(region.owner.raw())});
  applyPlan(region, plan);
  std::optional<RegionProblem> rewritten =
      readRegion(region.owner, costs, sink);
  if (!rewritten)
    return std::nullopt;
  solver::Timeline timeline = solver::computeTimeline(
      rewritten->problem, solver::originalPlan(rewritten->problem));
  if (timeline.peakBytes <= promise.peakBytes && timeline.cost == promise.cost)
    return timeline;
  sink({Severity::Error,
        region.owner.location(),
        "the rewritten region does not follow its plan: peak " +
            std::to_string(timeline.peakBytes) + " bytes instead of " +
            std::to_string(promise.peakBytes) + ", cost " +
            std::to_string(timeline.cost) + " instead of " +
            std::to_string(promise.cost),
        {}});
  return std::nullopt;
}

void Rewrite::commit() {
  for (const Backup &backup : backups)
    mlirOperationDestroy(backup.copy.raw());
  backups.clear();
}
