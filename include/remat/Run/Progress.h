//===- Progress.h - What long work shows while it runs --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_PROGRESS_H
#define REMAT_RUN_PROGRESS_H

#include <chrono>
#include <string>

namespace remat::run {

/// Shows progress on standard error. On a terminal, one line that is
/// overwritten: how much is done, what runs, for how long, and the estimated
/// time left. Elsewhere, one plain line per case. At most one object exists at
/// a time.
class Progress {
public:
  /// `total` cases are to be done; 0 if that is not known.
  explicit Progress(int total);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// A case begins.
  void begin(const std::string &name);
  /// The current stage of the case.
  void stage(const std::string &text);
  /// The case ends; `outcome` is printed in one plain line.
  void end(const std::string &outcome);
  /// Removes the line, so that something else can be written.
  void clear();

private:
  double elapsedSeconds() const;
  void show();

  bool live;
  bool shown = false;
  int total;
  int done = 0;
  /// When the last finished case ended.
  double doneSeconds = 0;
  std::string name;
  std::string stageText;
  std::chrono::steady_clock::time_point start;
};

/// About how long `total` cases take from here on, if `done` of them took
/// `doneSeconds` and the next one has been running since.
double estimateSeconds(int done, int total, double doneSeconds,
                       double elapsedSeconds);

/// "12 s", "3 min 05 s", "1 h 02 min".
std::string formatDuration(double seconds);

} // namespace remat::run

#endif // REMAT_RUN_PROGRESS_H
