//===- Measure.h - Modules on IREE's runtime ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_MEASURE_H
#define REMAT_RUN_MEASURE_H

#include "remat/Report/CaseReport.h"
#include "remat/Run/Inputs.h"
#include "remat/Run/RuntimeOutput.h"
#include "remat/Run/Settings.h"

#include <functional>

namespace remat::run {

/// What to measure.
struct PairRequest {
  std::string before;
  std::string after;
  Signature signature;
  /// Held by the modules and not counted by the runtime.
  int64_t constantBytes = 0;
  /// Called between runs with a description of the next one.
  std::function<void(const std::string &)> onStage;
};

/// Runs and times both modules; if they are the same module, it is run once and
/// counts for both. Throws RunError if one does not run.
Measurement measurePair(const Settings &settings, const PairRequest &request);

/// The kernels of one step of `module` and their times, most expensive first;
/// each time is the median over Settings::repetitions runs.
std::vector<KernelTime> profileModule(const Settings &settings,
                                      const std::string &module,
                                      const Signature &signature);

/// Throws RunError if the device of the settings is not available.
void checkDevice(const Settings &settings);

} // namespace remat::run

#endif // REMAT_RUN_MEASURE_H
