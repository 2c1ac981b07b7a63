//===- Progress.h - What long work shows while it runs --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_DRIVERS_RUN_PROGRESS_H
#define REMAT_DRIVERS_RUN_PROGRESS_H

#include <chrono>
#include <string>

namespace remat::run {

/// On a terminal, one line that is overwritten: how much is done, what runs,
/// for how long, and for about how much longer. Elsewhere, one plain line per
/// case. All of it on standard error.
class Progress {
public:
  /// `total` cases are to be done.
  explicit Progress(int total);
  ~Progress() { clear(); }

  /// A case begins.
  void begin(const std::string &name);
  /// What is being done for it.
  void stage(const std::string &text);
  /// It is done; `outcome` is said in one plain line.
  void end(const std::string &outcome);
  /// Removes the line, so that something else can be written.
  void clear();

private:
  void show(const std::string &text);

  bool live;
  int total;
  int done = 0;
  std::string name;
  std::chrono::steady_clock::time_point start;
};

/// "12 s", "3 min 05 s", "1 h 02 min".
std::string formatDuration(double seconds);

} // namespace remat::run

#endif // REMAT_DRIVERS_RUN_PROGRESS_H
