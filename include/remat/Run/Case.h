//===- Case.h - One program under one cap, in figures ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_CASE_H
#define REMAT_RUN_CASE_H

#include "remat/Render/Table.h"
#include "remat/Report/CaseReport.h"
#include "remat/Run/Analysis.h"
#include "remat/Run/Calibration.h"
#include "remat/Run/Measure.h"

namespace remat::run {

/// When to run the modules of a case.
enum class Execute { Never, Auto, Always };

/// What to do.
struct CaseRequest {
  std::string program;
  std::string title;
  int64_t batch = 0;
  std::string memoryCap;
  bool bestEffort = false;
  Execute execute = Execute::Always;
  /// Auto executes a case if it is expected to be measured within this time,
  /// and if it fits into the memory of this machine.
  double budgetSeconds = 0;
  /// Measured over modelled time of the cases so far, for that.
  double timeScale = 1;
  std::function<void(const std::string &)> onStage;
};

/// Whether `request` asks to run a case with this plan.
bool shouldExecute(const CaseRequest &request, const Settings &settings,
                   const CaseReport &planned);

/// Compiles a case, measures it if asked to, and collects the figures. Throws
/// RunError if it cannot be compiled or run, if a measured peak differs from
/// the allocated one or exceeds the cap, or if results differ.
CaseReport runCase(const Settings &settings, const CaseRequest &request);

/// Seconds of the step before and after: measured, or, if not, predicted with
/// the scale of the case in `calibration` whose batch is nearest. Without any,
/// the cost model's.
std::pair<double, double> timesOf(const CaseReport &result,
                                  const std::vector<Calibration> &calibration);

/// The sixteen columns, with times as above. GB are 10^9 bytes.
Table summaryTable(const std::vector<CaseReport> &cases,
                   const std::vector<Calibration> &calibration);

/// For which plans the lower bounds of `cases` hold; nothing without a bound.
std::optional<std::string> boundNote(const std::vector<CaseReport> &cases);

/// The notes below that table: definitions, missed caps.
std::vector<std::string>
summaryNotes(const std::vector<CaseReport> &cases,
             const std::vector<Calibration> &calibration);

} // namespace remat::run

#endif // REMAT_RUN_CASE_H
