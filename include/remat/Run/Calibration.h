//===- Calibration.h - Predicted times by measured ones -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_CALIBRATION_H
#define REMAT_RUN_CALIBRATION_H

#include "remat/Report/CaseReport.h"

namespace remat::run {

/// The ratio of measured to modelled time of one case.
struct Calibration {
  std::string title;
  /// 0 if there is none.
  int64_t batch = 0;
  /// Measured time over the model's.
  double timeScale = 1;
};

/// Adds the ratio of `result`, if it was measured.
void addCalibration(std::vector<Calibration> &calibration,
                    const CaseReport &result);

/// The measured cases in a report that --json wrote, of this version of the
/// schema or without a version. Throws RunError if the file cannot be read or
/// has no such case.
std::vector<Calibration> loadCalibration(const std::string &path);

} // namespace remat::run

#endif // REMAT_RUN_CALIBRATION_H
