//===- DiagnosticVerifier.cpp - Diagnostics against what a test expects ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/DiagnosticVerifier.h"

#include <algorithm>

using namespace remat;

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

bool ExpectedDiagnostic::matches(const std::string &message) const {
  if (pattern)
    return std::regex_search(message, *pattern);
  return message.find(text) != std::string::npos;
}

/// A regular expression for `text`, in which only the parts between `{{` and
/// `}}` are regular expressions. Throws std::regex_error.
static std::regex makePattern(const std::string &text) {
  std::string pattern;
  size_t position = 0;
  while (position < text.size()) {
    size_t open = text.find("{{", position);
    size_t close = open == std::string::npos ? open : text.find("}}", open + 2);
    if (close == std::string::npos)
      open = text.size();
    for (; position < open; ++position) {
      if (std::string_view("^$\\.*+?()[{|").find(text[position]) !=
          std::string_view::npos)
        pattern += '\\';
      pattern += text[position];
    }
    if (open == text.size())
      break;
    pattern += "(" + text.substr(open + 2, close - open - 2) + ")";
    position = close + 2;
  }
  return std::regex(pattern, std::regex::extended);
}

static Severity parseSeverity(const std::string &name) {
  for (Severity severity :
       {Severity::Error, Severity::Warning, Severity::Remark})
    if (name == severityName(severity))
      return severity;
  return Severity::Note;
}

std::vector<ExpectedDiagnostic>
remat::parseExpectedDiagnostics(const SourceBuffer &source,
                                std::vector<SourceDiagnostic> &complaints) {
  static const std::regex comment(
      "expected-(error|warning|remark|note)(-re)?[ \t]*"
      "(@([^ \t{]*))?[ \t]*\\{\\{(.*)");
  static const std::regex distance("[+-][0-9]{1,9}");

  std::vector<ExpectedDiagnostic> expected;
  // The indices of those with `@below` that have no line yet.
  std::vector<size_t> waiting;
  int lastPlainLine = 1;
  size_t begin = 0;
  for (int number = 1; begin < source.text.size(); ++number) {
    size_t end = std::min(source.text.find('\n', begin), source.text.size());
    std::string line = source.text.substr(begin, end - begin);
    begin = end + 1;

    std::smatch match;
    // Searching for a word first is much faster than the expression.
    if (line.find("expected-") == std::string::npos ||
        !std::regex_search(line, match, comment)) {
      lastPlainLine = number;
      for (size_t index : waiting)
        expected[index].line = number;
      waiting.clear();
      continue;
    }

    ExpectedDiagnostic next;
    next.severity = parseSeverity(match[1]);
    next.comment = {source.name, number,
                    static_cast<int>(match.position(0)) + 1};
    auto complain = [&](const std::string &message) {
      complaints.push_back({Severity::Error, next.comment, message});
    };

    std::string rest = match[5];
    rest.erase(rest.find_last_not_of(" \t\r") + 1);
    if (rest.size() < 2 || rest.compare(rest.size() - 2, 2, "}}") != 0) {
      complain("the expectation does not end with '}}' at the end of the line");
      continue;
    }
    next.text = rest.substr(0, rest.size() - 2);
    if (match[2].matched) {
      try {
        next.pattern = makePattern(next.text);
      } catch (const std::regex_error &) {
        complain("invalid regular expression in the expectation");
        continue;
      }
    }

    std::string where = match[4];
    next.line = number;
    if (where == "unknown") {
      next.line.reset();
    } else if (where == "above") {
      next.line = lastPlainLine;
    } else if (where == "below") {
      waiting.push_back(expected.size());
    } else if (std::regex_match(where, distance)) {
      next.line = number + std::stoi(where);
    } else if (match[3].matched) {
      complain("unknown place '@" + where +
               "'; expected @+N, @-N, @above, @below or @unknown");
      continue;
    }
    expected.push_back(std::move(next));
  }
  return expected;
}

//===----------------------------------------------------------------------===//
// DiagnosticVerifier
//===----------------------------------------------------------------------===//

DiagnosticVerifier::DiagnosticVerifier(const SourceBuffer &source,
                                       bool onlyExpected)
    : sourceName(source.name), onlyExpected(onlyExpected),
      expected(parseExpectedDiagnostics(source, found)) {}

void DiagnosticVerifier::check(const SourceDiagnostic &diagnostic) {
  checkOne(diagnostic);
  for (const SourceDiagnostic &note : diagnostic.notes)
    checkOne(note);
}

void DiagnosticVerifier::checkOne(const SourceDiagnostic &diagnostic) {
  const SourcePosition &position = diagnostic.position;
  const ExpectedDiagnostic *nearMiss = nullptr;
  for (ExpectedDiagnostic &candidate : expected) {
    bool sameLine = position.isKnown() ? position.file == sourceName &&
                                             candidate.line == position.line
                                       : !candidate.line;
    if (!sameLine || candidate.matched ||
        !candidate.matches(diagnostic.message))
      continue;
    if (candidate.severity == diagnostic.severity) {
      candidate.matched = true;
      return;
    }
    nearMiss = &candidate;
  }
  if (onlyExpected)
    return;

  std::string severity = severityName(diagnostic.severity);
  SourceDiagnostic complaint{Severity::Error, position,
                             "unexpected " + severity + ": " +
                                 diagnostic.message};
  if (nearMiss)
    complaint.notes.push_back({Severity::Note, nearMiss->comment,
                               std::string("expected as ") +
                                   severityName(nearMiss->severity) + " here"});
  found.push_back(std::move(complaint));
}

std::vector<SourceDiagnostic> DiagnosticVerifier::complaints() const {
  std::vector<SourceDiagnostic> result = found;
  for (const ExpectedDiagnostic &missing : expected)
    if (!missing.matched)
      result.push_back({Severity::Error, missing.comment,
                        std::string("expected ") +
                            severityName(missing.severity) + " \"" +
                            missing.text + "\" was not produced"});
  return result;
}
