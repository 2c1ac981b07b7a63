//===- Process.h - Programs run to their end, or ended --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_PROCESS_H
#define REMAT_RUN_PROCESS_H

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace remat::run {

/// An error to report to the user; ends the program with exit code 1.
struct RunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The user asked to stop (Ctrl-C, or a signal to terminate).
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Lets SIGINT and SIGTERM stop the running program: runProcess() then kills it
/// and throws Interrupted.
void handleInterrupts();

/// Throws Interrupted if the user asked to stop.
void checkInterrupted();

/// The exit code and the output of a program.
struct ProcessResult {
  /// The exit code; 128 + the signal if one ended the program.
  int exitCode = 0;
  bool timedOut = false;
  std::string output;
  std::string error;
  double seconds = 0;

  bool succeeded() const { return exitCode == 0 && !timedOut; }
};

/// Calls `callback` about once a second while runProcess() waits; an empty one
/// stops that.
void setWaitCallback(std::function<void()> callback);

/// Runs `command` (a path and its arguments) to its end, with nothing on its
/// standard input. The program leads a process group of its own, which is
/// killed as a whole at the time limit (0 means none), at an interrupt, and
/// when this program dies. Throws RunError if the program cannot be started,
/// Interrupted after an interrupt.
ProcessResult runProcess(const std::vector<std::string> &command,
                         double timeoutSeconds = 0);

/// The last lines of the output of a failed program, for messages.
std::string lastLines(const ProcessResult &result, size_t lines = 6);

} // namespace remat::run

#endif // REMAT_RUN_PROCESS_H
