//===- Compiled.h - Programs through remat-gen and remat-compile ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_COMPILED_H
#define REMAT_RUN_COMPILED_H

#include "remat/Report/CompileReport.h"
#include "remat/Run/Settings.h"
#include "remat/Run/Signature.h"
#include "remat/Solver/Problem.h"

namespace remat::run {

/// A region as remat-compile --trace writes it.
struct TracedRegion {
  std::string function;
  int64_t index = 0;
  /// Held while the region runs, in addition to what its problem counts.
  int64_t outsideBytes = 0;
  solver::Problem problem;
  solver::Plan plan;
  /// Per step: its origin, and the bytes it reads and writes.
  std::vector<std::string> origins;
  std::vector<int64_t> movedBytes;
};

/// Reads a trace; throws RunError if `text` is not one.
std::vector<TracedRegion> parseTrace(const std::string &text);

/// The region with the largest peak; there must be one.
const TracedRegion &largestRegion(const std::vector<TracedRegion> &regions);

/// A program that remat-compile compiled.
struct Compiled {
  /// The path of the module; empty if no code was generated.
  std::string module;
  /// What --report wrote.
  CompileReport report;
  std::vector<TracedRegion> regions;
};

/// How to compile.
struct CompileRequest {
  std::string input;
  /// The prefix of the names of its files in the work directory.
  std::string name;
  /// Empty means no recomputation.
  std::string memoryCap;
  bool bestEffort = false;
  bool planOnly = false;
};

/// Compiles; throws RunError with the messages of remat-compile if that fails,
/// or if the memory of the program is unknown.
Compiled compileProgram(const Settings &settings,
                        const CompileRequest &request);

/// A program to compile: a file, or a model of remat-gen with its options.
struct ProgramSource {
  /// A path, in which "{batch}" stands for the batch; empty for a model.
  std::string path;
  std::string model;
  std::vector<std::string> modelOptions;

  /// For titles: "resnet50" or the name of the file.
  std::string title() const;
};

/// The path of the program for `batch` (0: the model's own), generated if it
/// is not a file. Throws RunError.
std::string obtainProgram(const Settings &settings, const ProgramSource &source,
                          int64_t batch);

/// The signature of the program at `path`; nothing if it is not text.
std::optional<Signature> readSignature(const std::string &path);

/// The signature that a compiled module carries; throws RunError.
Signature moduleSignature(const Settings &settings, const std::string &module);

} // namespace remat::run

#endif // REMAT_RUN_COMPILED_H
