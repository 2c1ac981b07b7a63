//===- DiagnosticVerifierTest.cpp - Tests of expected diagnostics ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/DiagnosticVerifier.h"

#include <gtest/gtest.h>

using namespace remat;

static std::vector<ExpectedDiagnostic> parse(const std::string &text) {
  std::vector<SourceDiagnostic> complaints;
  std::vector<ExpectedDiagnostic> expected =
      parseExpectedDiagnostics({"in", text}, complaints);
  EXPECT_TRUE(complaints.empty()) << complaints.front().message;
  return expected;
}

/// The lines of the expectations in `text`; 0 for @unknown.
static std::vector<int> linesOf(const std::string &text) {
  std::vector<int> lines;
  for (const ExpectedDiagnostic &expected : parse(text))
    lines.push_back(expected.line.value_or(0));
  return lines;
}

/// The error about the one malformed expectation in `text`.
static std::string complaintOf(const std::string &text) {
  std::vector<SourceDiagnostic> complaints;
  EXPECT_TRUE(parseExpectedDiagnostics({"in", text}, complaints).empty());
  EXPECT_EQ(complaints.size(), 1u);
  return complaints.empty() ? "" : complaints[0].message;
}

TEST(ExpectedDiagnostics, KnowsTheSeverities) {
  std::vector<ExpectedDiagnostic> expected =
      parse("// expected-error {{a}}\n// expected-warning {{b}}\n"
            "// expected-remark {{c}}\n// expected-note {{d}}\n");
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_EQ(expected[0].severity, Severity::Error);
  EXPECT_EQ(expected[1].severity, Severity::Warning);
  EXPECT_EQ(expected[2].severity, Severity::Remark);
  EXPECT_EQ(expected[3].severity, Severity::Note);
  EXPECT_EQ(expected[3].text, "d");
  EXPECT_EQ(expected[3].comment.line, 4);
  EXPECT_EQ(expected[3].comment.column, 4);
}

TEST(ExpectedDiagnostics, FindsTheirLines) {
  EXPECT_EQ(linesOf("op // expected-error {{a}}"), std::vector<int>{1});
  EXPECT_EQ(linesOf("\n// expected-error@+2 {{a}}"), std::vector<int>{4});
  EXPECT_EQ(linesOf("\n\n// expected-error @-1 {{a}}"), std::vector<int>{2});
  EXPECT_EQ(linesOf("// expected-error@unknown {{a}}"), std::vector<int>{0});
}

// Those that stand together all mean the next, or the last, other line.
TEST(ExpectedDiagnostics, AboveAndBelowPassOverExpectations) {
  EXPECT_EQ(linesOf("op\n// expected-error@below {{a}}\n"
                    "// expected-note@above {{b}}\n"
                    "// expected-note@below {{c}}\nop\n"),
            (std::vector<int>{5, 1, 5}));
}

TEST(ExpectedDiagnostics, TextExtendsToTheEndOfTheLine) {
  EXPECT_EQ(parse("// expected-error {{a {{b}} c}}  ")[0].text, "a {{b}} c");
  EXPECT_TRUE(parse("// expected-error without a text").empty());
}

TEST(ExpectedDiagnostics, MatchPartsOfMessages) {
  ExpectedDiagnostic expected = parse("// expected-error {{a.c}}")[0];
  EXPECT_TRUE(expected.matches("xa.cx"));
  EXPECT_FALSE(expected.matches("abc"));
}

TEST(ExpectedDiagnostics, MatchRegularExpressions) {
  ExpectedDiagnostic expected =
      parse("// expected-error-re {{[a] took {{[0-9]+|no}} bytes (+)}}")[0];
  EXPECT_TRUE(expected.matches("so [a] took 17 bytes (+)."));
  EXPECT_TRUE(expected.matches("[a] took no bytes (+)"));
  EXPECT_FALSE(expected.matches("[a] took x bytes (+)"));
  EXPECT_FALSE(expected.matches("a took 17 bytes (+)"));
}

TEST(ExpectedDiagnostics, MalformedOnesAreErrors) {
  EXPECT_EQ(complaintOf("// expected-error {{a} }"),
            "the expectation does not end with '}}' at the end of the line");
  EXPECT_EQ(complaintOf("// expected-error@next {{a}}"),
            "unknown place '@next'; expected @+N, @-N, @above, @below or "
            "@unknown");
  EXPECT_EQ(complaintOf("// expected-error-re {{a {{(}} }}"),
            "invalid regular expression in the expectation");
}

/// The errors of a verifier of `text` for the diagnostics `reported`.
static std::vector<std::string>
verify(const std::string &text, const std::vector<SourceDiagnostic> &reported,
       bool onlyExpected = false) {
  DiagnosticVerifier verifier({"in", text}, onlyExpected);
  for (const SourceDiagnostic &diagnostic : reported)
    verifier.check(diagnostic);
  std::vector<std::string> messages;
  for (const SourceDiagnostic &complaint : verifier.complaints()) {
    messages.push_back(complaint.message);
    for (const SourceDiagnostic &note : complaint.notes)
      messages.push_back("note: " + note.message);
  }
  return messages;
}

using Messages = std::vector<std::string>;

TEST(DiagnosticVerifier, AcceptsWhatIsExpected) {
  SourceDiagnostic error{Severity::Error, {"in", 1, 4}, "bad op"};
  error.notes.push_back({Severity::Note, {"in", 2, 1}, "see"});
  EXPECT_EQ(
      verify("op // expected-error {{bad}}\n// expected-note {{see}}", {error}),
      Messages{});
  SourceDiagnostic remark{Severity::Remark, SourcePosition(), "so it is"};
  EXPECT_EQ(verify("// expected-remark@unknown {{so}}", {remark}), Messages{});
}

TEST(DiagnosticVerifier, RejectsTheUnexpected) {
  SourceDiagnostic error{Severity::Error, {"in", 2, 4}, "bad"};
  EXPECT_EQ(verify("", {error}), Messages{"unexpected error: bad"});
  EXPECT_EQ(verify("", {error}, /*onlyExpected=*/true), Messages{});
  // On another line, in another file.
  std::string text = "// expected-error {{bad}}";
  EXPECT_EQ(verify(text, {error}),
            (Messages{"unexpected error: bad",
                      "expected error \"bad\" was not produced"}));
  error.position = {"other", 1, 1};
  EXPECT_EQ(verify(text, {error}).size(), 2u);
  // A note is not part of its error.
  error.position = {"in", 1, 1};
  error.notes.push_back({Severity::Note, {"in", 1, 1}, "see"});
  EXPECT_EQ(verify(text, {error}), Messages{"unexpected note: see"});
}

TEST(DiagnosticVerifier, RejectsTheUnreported) {
  Messages missing{"expected warning \"a\" was not produced"};
  EXPECT_EQ(verify("// expected-warning {{a}}", {}), missing);
  EXPECT_EQ(verify("// expected-warning {{a}}", {}, /*onlyExpected=*/true),
            missing);
}

TEST(DiagnosticVerifier, EachStandsForOneDiagnostic) {
  SourceDiagnostic error{Severity::Error, {"in", 1, 1}, "bad"};
  EXPECT_EQ(verify("// expected-error {{bad}}", {error, error}),
            Messages{"unexpected error: bad"});
}

TEST(DiagnosticVerifier, HintsAtAnotherSeverity) {
  SourceDiagnostic error{Severity::Error, {"in", 1, 1}, "bad"};
  EXPECT_EQ(verify("// expected-warning {{bad}}", {error}),
            (Messages{"unexpected error: bad", "note: expected as warning here",
                      "expected warning \"bad\" was not produced"}));
}
