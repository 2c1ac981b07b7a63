//===- CompileReport.h - What a compilation did, in figures ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_REPORT_COMPILEREPORT_H
#define REMAT_REPORT_COMPILEREPORT_H

#include "remat/Report/PlanReport.h"

namespace remat {

/// The device memory of the function that needs the most, as IREE's runtime
/// counts it.
struct Footprint {
  /// All of it: inputs, outputs, constants and transients.
  int64_t peakBytes = 0;
  /// The largest slab of transients that IREE allocates.
  int64_t transientBytes = 0;
  /// Peak of the live ranges in that slab; the rest is packing.
  int64_t liveBytes = 0;

  int64_t packingBytes() const { return transientBytes - liveBytes; }
};

/// The part of a footprint that recomputation does not change.
struct FixedMemory {
  int64_t inputBytes = 0;
  /// The part of the inputs whose buffers results take over.
  int64_t donatedBytes = 0;
  int64_t outputBytes = 0;
  int64_t constantBytes = 0;
};

/// The result of compile(); figures that are unknown (dynamic shapes, compiled
/// without recomputation) are absent.
struct CompileReport {
  std::string model;
  std::string target;
  /// All flags passed to IREE, the user's and those of the target.
  std::vector<std::string> ireeFlags;
  std::optional<int64_t> capBytes;
  bool capMet = true;
  std::optional<Footprint> before;
  std::optional<Footprint> after;
  /// Of the function that `after` describes.
  std::optional<FixedMemory> fixed;
  /// Whether we packed the slab of `after` instead of IREE.
  bool ownPacking = false;
  /// The plan of the attempt that led to `after`.
  RematReport remat;
  /// Number of planning attempts until the packed slab met the cap.
  int64_t attempts = 0;
  /// Of all attempts together.
  double planSeconds = 0;
  double compileSeconds = 0;
};

/// The fields of `report` in a JSON object, and back.
ReportJson toJson(const CompileReport &report);
CompileReport compileReportFromJson(const ReportJson &json);

/// The report of kind "compile", which remat-compile --report writes.
std::string printReport(const CompileReport &report);
/// What printReport() printed; throws ReportError.
CompileReport parseCompileReport(const std::string &text);

/// A summary for people: three lines of text, or none if the memory is
/// unknown.
std::string summarize(const CompileReport &report);

} // namespace remat

#endif // REMAT_REPORT_COMPILEREPORT_H
