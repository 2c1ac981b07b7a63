//===- CaseReport.h - One program under one cap, planned and measured -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_REPORT_CASEREPORT_H
#define REMAT_REPORT_CASEREPORT_H

#include "remat/Report/CompileReport.h"

namespace remat {

/// The median; 0 of nothing.
double median(std::vector<double> values);

/// Two modules of one program on the same inputs: one without recomputation
/// ("before") and one with ("after").
struct Measurement {
  /// As counted by the runtime, plus the constants of the module.
  int64_t peakBytesBefore = 0;
  int64_t peakBytesAfter = 0;
  /// Whether all results are bit-identical.
  bool identical = false;
  /// All results of one step together.
  int64_t resultBytes = 0;
  /// One entry per repetition; the repetitions of both alternate.
  std::vector<double> secondsBefore;
  std::vector<double> secondsAfter;
  /// Likewise, the time of all processors, which other programs on the machine
  /// disturb less.
  std::vector<double> cpuSecondsBefore;
  std::vector<double> cpuSecondsAfter;
  int64_t launchesBefore = 0;
  int64_t launchesAfter = 0;

  double before() const { return median(secondsBefore); }
  double after() const { return median(secondsAfter); }
  double overheadPercent() const;
  double cpuOverheadPercent() const;
};

/// Why a cap was missed.
struct MissedCap {
  /// The largest tensors at the lowest peak found.
  std::string floor;
  /// No plan in the order of the plan found needs fewer bytes.
  int64_t provenFloorBytes = 0;
};

/// Everything known about a program under a cap.
struct CaseReport {
  std::string title;
  /// 0 if there is none.
  int64_t batch = 0;
  std::string device;
  /// Its footprints, cap and fixed memory are known.
  CompileReport compile;
  /// Activations, as remat/Run/Analysis.h defines them, of all regions.
  int64_t retained = 0;
  int64_t recomputed = 0;
  int64_t retainedBytes = 0;
  int64_t recomputedBytes = 0;
  /// Nothing if the cap was met.
  std::optional<MissedCap> missed;
  /// Where the trace of the planned regions is.
  std::string traceFile;
  std::optional<Measurement> measured;

  int64_t capBytes() const { return *compile.capBytes; }
  const Footprint &before() const { return *compile.before; }
  const Footprint &after() const { return *compile.after; }
  /// By the cost model.
  double modelSecondsBefore() const {
    return compile.remat.totalCostBefore() / 1e9;
  }
  double modelSecondsAfter() const {
    return compile.remat.totalCostAfter() / 1e9;
  }
  /// Measured time over the model's; nothing if nothing was measured.
  std::optional<double> timeScale() const;
};

/// The fields in a JSON object, and back; reading throws nlohmann's exceptions
/// where one is missing.
ReportJson toJson(const Measurement &measurement);
Measurement measurementFromJson(const ReportJson &json);
ReportJson toJson(const CaseReport &report);
CaseReport caseFromJson(const ReportJson &json);

} // namespace remat

#endif // REMAT_REPORT_CASEREPORT_H
