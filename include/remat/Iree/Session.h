//===- Session.h - IREE's compiler library, set up ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_SESSION_H
#define REMAT_IREE_SESSION_H

#include "remat/Iree/CompilerApi.h"
#include "remat/Iree/SourceDiagnostic.h"

#include <string>
#include <vector>

namespace remat {

/// IREE's compiler, set up for this process, with one session and its context.
/// All dialects and passes of IREE are registered. At most one object
/// may exist in the life of a process: IREE's set-up cannot be repeated.
class IreeSession {
public:
  /// `flags` are put on IREE's own command line. One that IREE does not know
  /// makes it report that and end the process with exit code 1; the messages
  /// begin with `program`.
  IreeSession(const char *program, const std::vector<std::string> &flags);
  ~IreeSession();
  IreeSession(const IreeSession &) = delete;
  IreeSession &operator=(const IreeSession &) = delete;

  iree_compiler_session_t *get() { return session; }
  MlirContext context() { return ireeCompilerSessionBorrowContext(session); }

  /// Parses and verifies text or bytecode; top-level ops are put into a
  /// module. Locations name `source.name`. Returns the module, which the caller
  /// owns, or a null operation after the reason was reported to the context's
  /// diagnostic handlers.
  MlirOperation parse(const SourceBuffer &source);

private:
  iree_compiler_session_t *session;
};

/// "IREE compiler 3.13.0 @ 89ece87b, MLIR C API 22.1.8", for --version: the
/// library that was loaded, and the headers that our code was compiled with.
/// Call it instead of creating a session: it sets IREE up, too.
std::string ireeCompilerVersionText();

} // namespace remat

#endif // REMAT_IREE_SESSION_H
