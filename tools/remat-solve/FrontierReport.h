//===- FrontierReport.h - What remat-solve says of all caps ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TOOLS_REMATSOLVE_FRONTIERREPORT_H
#define REMAT_TOOLS_REMATSOLVE_FRONTIERREPORT_H

#include "remat/Solver/Frontier.h"

namespace remat::solver {

/// Everything the reports cover.
struct FrontierReport {
  const Problem &problem;
  const std::vector<FrontierPoint> &points;
  int64_t originalPeakBytes;
  int64_t originalCost;
};

/// A table for people, one line for each cap.
std::string formatFrontier(const FrontierReport &report);
/// The same as comma-separated values, with a line of headings.
std::string formatFrontierCsv(const FrontierReport &report);
/// The same as JSON, with the plans, as docs/problem-format.md describes it.
std::string formatFrontierJson(const FrontierReport &report);

} // namespace remat::solver

#endif // REMAT_TOOLS_REMATSOLVE_FRONTIERREPORT_H
