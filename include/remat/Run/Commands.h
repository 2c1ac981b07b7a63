//===- Commands.h - What remat-run can do ---------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_COMMANDS_H
#define REMAT_RUN_COMMANDS_H

#include "remat/Run/Case.h"
#include "remat/Run/Page.h"

namespace remat::run {

/// Where a report goes; empty paths mean nowhere.
struct OutputOptions {
  std::string html;
  std::string csv;
  std::string json;
  std::string markdown;
  /// A directory for the plots.
  std::string svgDirectory;
};

/// Throws RunError if one of the files cannot be written, as far as that can be
/// known in advance.
void checkOutputs(const OutputOptions &outputs);

/// Writes a report; `main` is the table of the CSV and Markdown files, and
/// `command` the command line that reproduces it. Throws RunError.
void writeOutputs(const OutputOptions &outputs, const Page &page,
                  const Table &main, const std::string &command);

/// The options of every command.
struct CommonOptions {
  Settings settings;
  OutputOptions outputs;
  ProgramSource source;
  /// The command line, for reports.
  std::string command;
};

struct CompareOptions {
  /// A second module: compare two that are compiled already.
  std::string otherModule;
  int64_t batch = 0;
  std::string memoryCap = "50%";
  bool bestEffort = false;
  Execute execute = Execute::Always;
  std::string calibrationFile;
};

/// Each command throws RunError or Interrupted, prints its tables to standard
/// output, and returns its exit code.

/// One program with and without recomputation.
int runCompare(const CommonOptions &common, const CompareOptions &options);

struct SweepOptions {
  std::vector<int64_t> batches;
  /// One for all batches, or one for each; none with `against`.
  std::vector<std::string> memoryCaps;
  /// A solver that follows a simple rule, whose lowest peak is the cap.
  std::string against;
  /// A report with measured cases, for predictions; may be empty.
  std::string calibrationFile;
  Execute execute = Execute::Auto;
  double budgetSeconds = 60;
  bool resume = false;
};

/// One program at several batches.
int runSweep(const CommonOptions &common, const SweepOptions &options);

struct FrontierOptions {
  int64_t batch = 0;
  int points = 16;
};

/// One program under many caps.
int runFrontier(const CommonOptions &common, const FrontierOptions &options);

struct MaxBatchOptions {
  std::string memory;
  int64_t firstBatch = 8;
  std::string calibrationFile;
  bool resume = false;
};

/// The largest batches that fit.
int runMaxBatch(const CommonOptions &common, const MaxBatchOptions &options);

struct ProfileOptions {
  int64_t batch = 0;
  std::string memoryCap;
  std::string costsOutput;
};

/// The time of each kernel and the memory of each tensor.
int runProfile(const CommonOptions &common, const ProfileOptions &options);

/// The trace that a case left in the work directory.
std::vector<TracedRegion> loadTrace(const Settings &settings,
                                    const std::string &name);

} // namespace remat::run

#endif // REMAT_RUN_COMMANDS_H
