//===- Report.h - What remat-solve says -----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TOOLS_REMATSOLVE_REPORT_H
#define REMAT_TOOLS_REMATSOLVE_REPORT_H

#include "remat/Solver/Solvers.h"

namespace remat::solver {

/// Everything the report covers.
struct SolveReport {
  const Problem &problem;
  const SolverResult &result;
  int64_t originalPeakBytes;
  int64_t originalCost;
  int64_t capBytes;

  /// Cost beyond that of the schedule, in percent of it; 0 if that is 0.
  double overheadPercent(int64_t cost) const;
};

/// The figures and the plan, for people.
std::string formatReport(const SolveReport &report);

/// Why there is no plan within the cap, the steps at the peak, and the way out;
/// one line without its end.
std::string formatFailure(const SolveReport &report);

/// The statement that a verified certificate proves.
std::string formatProof(const Certificate &certificate, int64_t originalCost);

/// The JSON object that docs/problem-format.md describes.
std::string formatJson(const SolveReport &report);

} // namespace remat::solver

#endif // REMAT_TOOLS_REMATSOLVE_REPORT_H
