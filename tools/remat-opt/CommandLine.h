//===- CommandLine.h - The command line of remat-opt ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TOOLS_REMATOPT_COMMANDLINE_H
#define REMAT_TOOLS_REMATOPT_COMMANDLINE_H

#include "remat/Iree/PipelineText.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// Which diagnostics `--verify-diagnostics` compares.
enum class VerifyDiagnostics { Off, All, OnlyExpected };

/// The command line of remat-opt.
struct OptOptions {
  std::string input = "-";
  std::string output = "-";

  /// The text of `--pass-pipeline`, if given.
  std::optional<std::string> pipeline;
  /// Otherwise the flags that are not options of the tool, in their order.
  std::vector<PipelineElement> passFlags;

  bool splitInputFile = false;
  VerifyDiagnostics verifyDiagnostics = VerifyDiagnostics::Off;
  bool allowUnregisteredDialect = false;
  bool verifyEach = true;
  bool emitBytecode = false;
  bool timing = false;
  bool disableThreading = false;

  bool printBeforeAll = false;
  bool printAfterAll = false;
  bool printAfterChange = false;
  bool printAfterFailure = false;
  bool printModuleScope = false;
  std::string printTreeDir;

  bool showDialects = false;
  bool listPasses = false;

  /// The flags for IREE's own command line: `--iree-flag`, and MLIR's options
  /// for printing ops.
  std::vector<std::string> ireeFlags;

  bool printsIR() const {
    return printBeforeAll || printAfterAll || printAfterChange ||
           printAfterFailure;
  }
};

/// Parses the command line. If the tool should exit now, after `--help` or an
/// error, which were printed, returns nothing and sets `exitCode`.
std::optional<OptOptions> parseCommandLine(int argc, char **argv,
                                           int &exitCode);

/// Our passes with their options, as `--help` and `--list-passes` show them.
std::string describePasses();

} // namespace remat

#endif // REMAT_TOOLS_REMATOPT_COMMANDLINE_H
