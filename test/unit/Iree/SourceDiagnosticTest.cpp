//===- SourceDiagnosticTest.cpp - Tests of printing diagnostics -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/SourceDiagnostic.h"

#include <gtest/gtest.h>

using namespace remat;

static const SourceBuffer source{"in.mlir", "first\n\tsecond\nthird"};

TEST(SourceBuffer, FindsLines) {
  EXPECT_EQ(source.line(1), "first");
  EXPECT_EQ(source.line(2), "\tsecond");
  EXPECT_EQ(source.line(3), "third");
  EXPECT_EQ(source.line(4), "");
}

TEST(FormatDiagnostic, ShowsTheLineWithACaret) {
  SourceDiagnostic diagnostic{Severity::Warning, {"in.mlir", 2, 3}, "odd"};
  EXPECT_EQ(formatDiagnostic(diagnostic, source),
            "in.mlir:2:3: warning: odd\n\tsecond\n\t ^\n");
}

TEST(FormatDiagnostic, ShowsNoLineOfOtherFilesOrPlaces) {
  EXPECT_EQ(
      formatDiagnostic({Severity::Error, {"model.py", 2, 3}, "bad"}, source),
      "model.py:2:3: error: bad\n");
  EXPECT_EQ(formatDiagnostic({Severity::Remark, {}, "so"}, source),
            "<unknown>:0: remark: so\n");
  EXPECT_EQ(
      formatDiagnostic({Severity::Error, {"in.mlir", 0, 0}, "bad"}, source),
      "in.mlir:0:0: error: bad\n");
  EXPECT_EQ(
      formatDiagnostic({Severity::Error, {"in.mlir", 1, 99}, "bad"}, source),
      "in.mlir:1:99: error: bad\n");
}

TEST(FormatDiagnostic, CallersAndNotesFollow) {
  SourceDiagnostic diagnostic{Severity::Error, {"in.mlir", 1, 1}, "bad"};
  diagnostic.callers.push_back({"in.mlir", 3, 1});
  diagnostic.notes.push_back({Severity::Note, {"in.mlir", 1, 2}, "because"});
  EXPECT_EQ(formatDiagnostic(diagnostic, source),
            "in.mlir:1:1: error: bad\nfirst\n^\n"
            "in.mlir:3:1: note: called from\nthird\n^\n"
            "in.mlir:1:2: note: because\nfirst\n ^\n");
}

TEST(FormatDiagnostic, ShowsALineOnceInARow) {
  SourceDiagnostic diagnostic{Severity::Error, {"in.mlir", 1, 1}, "bad"};
  diagnostic.notes.push_back({Severity::Note, {"in.mlir", 1, 1}, "because"});
  EXPECT_EQ(formatDiagnostic(diagnostic, source),
            "in.mlir:1:1: error: bad\nfirst\n^\n"
            "in.mlir:1:1: note: because\n");
}

TEST(FormatDiagnostic, ShowsNoBinaryLines) {
  SourceBuffer binary{"in.mlirbc", "ML\xefR\x01"};
  SourceDiagnostic diagnostic{Severity::Error, {"in.mlirbc", 1, 1}, "bad"};
  EXPECT_EQ(formatDiagnostic(diagnostic, binary),
            "in.mlirbc:1:1: error: bad\n");
}
