//===- DiagnosticVerifier.h - Diagnostics against what a test expects -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements `--verify-diagnostics`. Comments in the input state the expected
// diagnostics, as in MLIR:
//
//   // expected-error {{part of the message}}        on this line
//   // expected-warning@+2 {{...}}, @-1              lines below, above
//   // expected-note@below {{...}}, @above           the next, the last line
//                                                    that expects nothing
//                                                    itself
//   // expected-remark@unknown {{...}}               at no known location
//   // expected-error-re {{took {{[0-9]+}} bytes}}   regular expressions within
//
// An expectation extends to the end of its line. Each stands for one diagnostic
// or note.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_DIAGNOSTICVERIFIER_H
#define REMAT_IREE_DIAGNOSTICVERIFIER_H

#include "remat/Iree/SourceDiagnostic.h"

#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace remat {

/// One `expected-...` comment.
struct ExpectedDiagnostic {
  Severity severity = Severity::Error;
  /// The line the diagnostic must be on; nothing: at no known location.
  std::optional<int> line;
  /// What the message must contain; where `pattern` is set, that instead.
  std::string text;
  std::optional<std::regex> pattern;
  /// The place of the comment itself.
  SourcePosition comment;
  bool matched = false;

  /// Whether `message` contains what is expected.
  bool matches(const std::string &message) const;
};

/// The expectations in `source`. Comments that look like one but are malformed
/// add an error to `complaints`.
std::vector<ExpectedDiagnostic>
parseExpectedDiagnostics(const SourceBuffer &source,
                         std::vector<SourceDiagnostic> &complaints);

/// Compares what is reported about one source with what it expects.
class DiagnosticVerifier {
public:
  /// With `onlyExpected`, diagnostics that nothing expects are ignored.
  DiagnosticVerifier(const SourceBuffer &source, bool onlyExpected);

  /// Takes a diagnostic and its notes, each of which must be expected.
  void check(const SourceDiagnostic &diagnostic);

  /// What was unexpected, malformed, or expected and not reported. Empty on
  /// success.
  std::vector<SourceDiagnostic> complaints() const;

private:
  void checkOne(const SourceDiagnostic &diagnostic);

  std::string sourceName;
  bool onlyExpected;
  std::vector<SourceDiagnostic> found;
  std::vector<ExpectedDiagnostic> expected;
};

} // namespace remat

#endif // REMAT_IREE_DIAGNOSTICVERIFIER_H
