//===- Compiler.h - From a program and a cap to a module that fits --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The implementation of remat-compile, in one process on IREE's compiler
// library:
//
//   source -> flow -> stream.async -+-> [rematerialize] -> stream.cmd -> .vmfb
//                                   |                          |
//                                   +---- more than the cap ---+
//
// IREE's packing may need more than the live ranges of a plan. So the compiler
// reads the slab that IREE allocated, and while the whole footprint exceeds the
// cap, plans the region at fault again for a cap lowered by the excess.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_COMPILER_H
#define REMAT_IREE_COMPILER_H

#include "remat/Iree/Donation.h"
#include "remat/Iree/Target.h"
#include "remat/Report/CompileReport.h"
#include "remat/Transforms/Rematerialize.h"

#include <functional>

namespace remat {

/// The program to compile, its target and its memory cap.
struct CompileOptions {
  /// A file of StableHLO (or any other input of IREE), or "-".
  std::string input;
  /// One of `targetForms`.
  std::string target = "cpu";
  /// Put on IREE's command line as they are.
  std::vector<std::string> ireeFlags;
  /// Which arguments give their buffers to results.
  Donation donation;
  /// Compile without recomputation, to the same bytes as iree-compile: nothing
  /// is planned or rewritten, and late reads (see LateReads.h) are only warned
  /// about.
  bool noRemat = false;
  /// Stop after memory allocation: no code is generated, the bytes are empty.
  bool planOnly = false;
  /// Cap (empty: nothing is planned), solver, deadline, best effort, costs and
  /// trace; `report` and `target` are not read.
  RematOptions remat;
  /// A directory for the IR after each stage; empty means none is written.
  std::string dumpIrDirectory;
};

/// Everything that the user of compile() sees while it runs.
struct CompileListener {
  /// A stage begins.
  std::function<void(const std::string &stage)> onStage;
  /// A detail, for verbose output.
  std::function<void(const std::string &detail)> onDetail;
  /// An error or warning, rendered, with its source line.
  std::function<void(const std::string &message)> onMessage;
};

/// Compiles; returns the bytes of the .vmfb, or nothing after the reason was
/// passed to the listener. `program` begins the messages that IREE's command
/// line prints. One call per process: IREE's flags are global.
std::optional<std::string> compile(const char *program,
                                   const CompileOptions &options,
                                   const CompileListener &listener,
                                   CompileReport &report);

} // namespace remat

#endif // REMAT_IREE_COMPILER_H
