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
#include "remat/Run/Analysis.h"
#include "remat/Run/Measure.h"

namespace remat::run {

/// What is known of a program under a cap.
struct CaseResult {
  std::string title;
  /// 0 if there is none.
  int64_t batch = 0;
  std::string target;
  std::string device;
  int64_t capBytes = 0;
  bool capMet = true;
  /// As the compiler allocated it; exact, without running.
  int64_t peakBytesBefore = 0;
  int64_t peakBytesAfter = 0;
  int64_t transientBytesBefore = 0;
  int64_t transientBytesAfter = 0;
  int64_t inputBytes = 0;
  int64_t outputBytes = 0;
  int64_t constantBytes = 0;
  int64_t steps = 0;
  int64_t recomputedSteps = 0;
  /// Whether steps run in another order.
  bool reordered = false;
  /// By the cost model.
  double modelSecondsBefore = 0;
  double modelSecondsAfter = 0;
  std::optional<double> lowerBoundPercent;
  std::string solver;
  double planSeconds = 0;
  double compileSeconds = 0;
  /// Activations, as Analysis.h defines them, of all regions.
  int64_t retained = 0;
  int64_t recomputed = 0;
  int64_t retainedBytes = 0;
  int64_t recomputedBytes = 0;
  /// Where the cap was missed: what stands at the lowest peak, and the bytes
  /// below which no plan goes that keeps the order of the schedule.
  std::string floor;
  int64_t provenFloorBytes = 0;
  std::optional<PairMeasurement> measured;
  /// Where the trace of the planned regions is.
  std::string traceFile;

  double predictedOverheadPercent() const {
    return modelSecondsBefore > 0
               ? 100 * (modelSecondsAfter / modelSecondsBefore - 1)
               : 0;
  }
  /// Measured time over the model's; nothing if nothing was measured.
  std::optional<double> timeScale() const;
};

nlohmann::json toJson(const CaseResult &result);
/// The result that toJson() described; throws nlohmann::json::exception.
CaseResult caseFromJson(const nlohmann::json &json);

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

/// Whether a case whose plan is known is to be run, by what was asked for.
bool shouldExecute(const CaseRequest &request, const Settings &settings,
                   const CaseResult &planned);

/// Compiles, measures if it should, and gathers. Throws RunError: it cannot be
/// compiled or run, a measured peak is not the allocated one or above the cap,
/// results differ.
CaseResult runCase(const Settings &settings, const CaseRequest &request);

/// The measured cases in a report that --json wrote; throws RunError if the
/// file cannot be read or holds none.
std::vector<CaseResult> loadCalibration(const std::string &path);

/// Seconds of the step before and after: measured, or, if not, predicted with
/// the scale of the case in `calibration` that was measured and whose batch is
/// nearest. Without such a case the model's.
std::pair<double, double> timesOf(const CaseResult &result,
                                  const std::vector<CaseResult> &calibration);

/// The sixteen columns, with times as above. GB are 10^9 bytes.
Table summaryTable(const std::vector<CaseResult> &cases,
                   const std::vector<CaseResult> &calibration);

/// What belongs under that table: definitions, missed caps.
std::vector<std::string>
summaryNotes(const std::vector<CaseResult> &cases,
             const std::vector<CaseResult> &calibration);

} // namespace remat::run

#endif // REMAT_RUN_CASE_H
