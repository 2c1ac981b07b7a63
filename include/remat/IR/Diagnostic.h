//===- Diagnostic.h - What the bridge has to say about IR -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The MLIR C API emits plain errors only, without notes. So the code that both
// hosts share reports through a sink, and each host renders what arrives in its
// own way: the plugin through MLIR's diagnostic engine, the tools on IREE's
// library through their own printer.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_DIAGNOSTIC_H
#define REMAT_IR_DIAGNOSTIC_H

#include "mlir-c/IR.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace remat {

enum class Severity { Error, Warning, Remark, Note };

/// One message about an op, with further messages that explain it.
struct Diagnostic {
  Severity severity = Severity::Error;
  MlirLocation location;
  std::string message;
  /// Each has severity Note and no notes of its own.
  std::vector<Diagnostic> notes;

  Diagnostic &note(MlirLocation where, std::string text) {
    notes.push_back({Severity::Note, where, std::move(text), {}});
    return *this;
  }
};

/// Receives diagnostics in the order in which they arise.
using DiagnosticSink = std::function<void(const Diagnostic &)>;

} // namespace remat

#endif // REMAT_IR_DIAGNOSTIC_H
