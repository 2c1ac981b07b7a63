//===- Settings.h - What all commands of remat-run share ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_SETTINGS_H
#define REMAT_RUN_SETTINGS_H

#include <cstdint>
#include <string>
#include <vector>

namespace remat::run {

/// The programs that remat-run drives, as paths.
struct Programs {
  std::string rematCompile;
  std::string rematGen;
  std::string ireeRunModule;
  std::string ireeBenchmarkModule;
  std::string ireeProfile;
  std::string ireeDumpModule;
};

/// Finds our programs next to this one, and IREE's in `ireeDirectory`, or, if
/// that is empty, where the build puts them, then on PATH. A program that is
/// not found keeps its bare name; use() reports it.
Programs findPrograms(const std::string &ireeDirectory);

/// `program` if it can be executed; otherwise throws RunError with a way out.
const std::string &use(const std::string &program);

/// The target, the device and the number of runs.
struct Settings {
  Programs programs;
  /// Holds all intermediate files; exists.
  std::string workDirectory;
  std::string target = "cpu";
  std::string device = "local-task";
  uint64_t seed = 0;
  int repetitions = 5;
  /// For each single program that is run; 0 means no limit.
  double timeoutSeconds = 0;
  /// Passed on to remat-compile.
  std::vector<std::string> ireeFlags;
  std::string donation = "auto";
  std::string solver;
  double deadlineSeconds = 0;
  bool keepOrder = false;
  std::string costsFile;
};

/// The solver called `name`, the default one for an empty name; throws RunError
/// if there is no such solver.
std::string solverCalled(const std::string &name);

} // namespace remat::run

#endif // REMAT_RUN_SETTINGS_H
