//===- Measure.h - Modules on IREE's runtime ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_MEASURE_H
#define REMAT_RUN_MEASURE_H

#include "remat/Run/Inputs.h"
#include "remat/Run/RuntimeOutput.h"
#include "remat/Run/Settings.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace remat::run {

/// The median; 0 of nothing.
double median(std::vector<double> values);

/// Both modules of a pair, on the same inputs.
struct PairMeasurement {
  /// What the runtime counted, constants of the module added.
  int64_t peakBytesBefore = 0;
  int64_t peakBytesAfter = 0;
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
  double overheadPercent() const {
    return before() > 0 ? 100 * (after() / before() - 1) : 0;
  }
  double cpuOverheadPercent() const {
    double cpu = median(cpuSecondsBefore);
    return cpu > 0 ? 100 * (median(cpuSecondsAfter) / cpu - 1) : 0;
  }
};

nlohmann::json toJson(const PairMeasurement &measurement);
PairMeasurement measurementFromJson(const nlohmann::json &json);

/// What to measure.
struct PairRequest {
  std::string before;
  std::string after;
  Signature signature;
  /// Held by the modules and not counted by the runtime.
  int64_t constantBytes = 0;
  /// Called between runs with a word about the next one.
  std::function<void(const std::string &)> onStage;
};

/// Runs and times both modules; one that stands for both is run once and
/// counts for both. Throws RunError if one does not run.
PairMeasurement measurePair(const Settings &settings,
                            const PairRequest &request);

/// The kernels of one step of `module` and their times, dearest first; each
/// time is the median of as many runs as the settings ask for.
std::vector<KernelTime> profileModule(const Settings &settings,
                                      const std::string &module,
                                      const Signature &signature);

/// Throws RunError if the device of the settings is not there.
void checkDevice(const Settings &settings);

} // namespace remat::run

#endif // REMAT_RUN_MEASURE_H
