//===- Deadline.h - An amount of wall-clock time --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SUPPORT_DEADLINE_H
#define REMAT_LIB_SOLVER_SUPPORT_DEADLINE_H

#include <chrono>

namespace remat::solver {

/// So many seconds from now on; 0 for as long as it takes.
class Deadline {
public:
  explicit Deadline(double seconds)
      : seconds(seconds), start(std::chrono::steady_clock::now()) {}

  bool isSet() const { return seconds > 0; }
  bool isPast() const { return isSet() && secondsPassed() >= seconds; }

  double secondsPassed() const {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    return passed.count();
  }
  /// Until the deadline, if it is set; below 0 after it.
  double secondsLeft() const { return seconds - secondsPassed(); }

private:
  double seconds;
  std::chrono::steady_clock::time_point start;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SUPPORT_DEADLINE_H
