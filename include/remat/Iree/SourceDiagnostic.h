//===- SourceDiagnostic.h - A diagnostic at a place in a text -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics after their MLIR locations were resolved: plain text and numbers,
// so that printing and checking them needs no context. The text looks like that
// of mlir-opt:
//
//   in.mlir:3:8: error: custom op 'foo' is unknown
//     %0 = foo %x
//          ^
//   in.mlir:1:1: note: in this function
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_SOURCEDIAGNOSTIC_H
#define REMAT_IREE_SOURCEDIAGNOSTIC_H

#include "remat/IR/Diagnostic.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace remat {

/// A text that was read, under the name that locations have for it.
struct SourceBuffer {
  std::string name;
  std::string text;

  /// Line `number`, counted from 1, without its end; empty beyond the text.
  std::string_view line(int number) const;
};

/// Where a location points to. Lines and columns count from 1; 0 where the
/// location names a file alone.
struct SourcePosition {
  std::string file; ///< Empty: the location is unknown.
  int line = 0;
  int column = 0;

  bool isKnown() const { return !file.empty(); }
  bool operator==(const SourcePosition &other) const {
    return file == other.file && line == other.line && column == other.column;
  }
};

/// A diagnostic whose location was resolved.
struct SourceDiagnostic {
  SourceDiagnostic() = default;
  SourceDiagnostic(Severity severity, SourcePosition position,
                   std::string message)
      : severity(severity), position(std::move(position)),
        message(std::move(message)) {}

  Severity severity = Severity::Error;
  SourcePosition position;
  std::string message;
  /// For a location inside inlined code: its callers, innermost first.
  std::vector<SourcePosition> callers;
  /// Each has severity Note and no notes of its own.
  std::vector<SourceDiagnostic> notes;
};

/// "error", "warning", "remark" or "note".
const char *severityName(Severity severity);

/// `diagnostic` with its callers and notes as lines of text. Positions in
/// `source` are followed by that line of it and a caret, but once in a row.
std::string formatDiagnostic(const SourceDiagnostic &diagnostic,
                             const SourceBuffer &source);

} // namespace remat

#endif // REMAT_IREE_SOURCEDIAGNOSTIC_H
