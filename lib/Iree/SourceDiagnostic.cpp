//===- SourceDiagnostic.cpp - A diagnostic at a place in a text -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/SourceDiagnostic.h"

#include <algorithm>
#include <cctype>

using namespace remat;

std::string_view SourceBuffer::line(int number) const {
  size_t begin = 0;
  for (int current = 1; current < number; ++current) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos)
      return {};
    begin = end + 1;
  }
  size_t end = text.find('\n', begin);
  return std::string_view(text).substr(
      begin, end == std::string::npos ? end : end - begin);
}

const char *remat::severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  return "error";
}

/// Appends a message and the line it refers to, unless the message `before` it
/// showed that line.
static void appendMessage(std::string &out, Severity severity,
                          const SourcePosition &position,
                          const std::string &message,
                          const SourceBuffer &source,
                          const SourcePosition &before) {
  if (position.isKnown())
    out += position.file + ":" + std::to_string(position.line) + ":" +
           std::to_string(position.column);
  else
    out += "<unknown>:0";
  out += std::string(": ") + severityName(severity) + ": " + message + "\n";

  if (position.file != source.name || position.line < 1 || position.column < 1)
    return;
  if (position == before)
    return;
  std::string_view line = source.line(position.line);
  size_t column = static_cast<size_t>(position.column) - 1;
  // Lines of binary input, and of large constants, are useless to print.
  constexpr size_t longestLine = 1000;
  bool isBinary = std::any_of(line.begin(), line.end(), [](unsigned char c) {
    return c != '\t' && c != '\r' && std::iscntrl(c);
  });
  if (column > line.size() || line.size() > longestLine || isBinary)
    return;
  out += std::string(line) + "\n";
  // Tabs stay tabs, so that the caret stands below its column whatever the
  // width of a tab.
  for (char c : line.substr(0, column))
    out += c == '\t' ? '\t' : ' ';
  out += "^\n";
}

std::string remat::formatDiagnostic(const SourceDiagnostic &diagnostic,
                                    const SourceBuffer &source) {
  std::string out;
  appendMessage(out, diagnostic.severity, diagnostic.position,
                diagnostic.message, source, SourcePosition());
  const SourcePosition *before = &diagnostic.position;
  auto appendNote = [&](const SourcePosition &position,
                        const std::string &message) {
    appendMessage(out, Severity::Note, position, message, source, *before);
    before = &position;
  };
  for (const SourcePosition &caller : diagnostic.callers)
    appendNote(caller, "called from");
  for (const SourceDiagnostic &note : diagnostic.notes)
    appendNote(note.position, note.message);
  return out;
}
