//===- PipelineText.cpp - The textual form of a pass pipeline -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/PipelineText.h"

using namespace remat;

std::string PipelineElement::text() const {
  std::string result = name;
  if (isNested) {
    result += "(";
    for (size_t i = 0; i < nested.size(); ++i)
      result += (i ? "," : "") + nested[i].text();
    result += ")";
  } else if (!options.empty()) {
    result += "{" + options + "}";
  }
  return result;
}

std::string PipelineError::format(std::string_view text) const {
  std::string result = "in the pass pipeline, column " +
                       std::to_string(offset + 1) + ": " + message + "\n  ";
  // One line of text, so that the caret stands in the right column.
  for (char c : text)
    result += c == '\n' || c == '\t' ? ' ' : c;
  return result + "\n  " + std::string(offset, ' ') + "^";
}

namespace {

/// A recursive-descent parser. The depth of nesting is bounded, because a text
/// of nothing but parentheses would otherwise exhaust the stack.
class Parser {
public:
  Parser(std::string_view text, PipelineError &error)
      : text(text), error(error) {}

  std::optional<PipelineElement> parsePipeline();

private:
  static constexpr int deepestNesting = 100;

  bool fail(size_t where, std::string message) {
    error = {std::move(message), where};
    return false;
  }
  void skipSpace() {
    position = text.find_first_not_of(" \t\n\r", position);
    if (position == std::string_view::npos)
      position = text.size();
  }
  bool atEnd() const { return position == text.size(); }
  bool consume(char c) {
    skipSpace();
    if (atEnd() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  bool parseElement(PipelineElement &element, int depth);
  bool parseNested(PipelineElement &element, int depth);
  bool parseOptions(PipelineElement &element);

  std::string_view text;
  PipelineError &error;
  size_t position = 0;
};

} // namespace

bool Parser::parseElement(PipelineElement &element, int depth) {
  skipSpace();
  element.offset = position;
  size_t end = text.find_first_of(" \t\n\r,(){}", position);
  if (end == std::string_view::npos)
    end = text.size();
  if (end == position)
    return fail(position, "expected a pass name");
  element.name = text.substr(position, end - position);
  position = end;

  if (consume('(')) {
    element.isNested = true;
    return parseNested(element, depth + 1);
  }
  if (consume('{'))
    return parseOptions(element);
  return true;
}

bool Parser::parseNested(PipelineElement &element, int depth) {
  size_t open = position - 1;
  if (depth > deepestNesting)
    return fail(open, "nested deeper than " + std::to_string(deepestNesting));
  if (consume(')'))
    return true;
  do {
    element.nested.emplace_back();
    if (!parseElement(element.nested.back(), depth))
      return false;
  } while (consume(','));
  if (consume(')'))
    return true;
  if (atEnd())
    return fail(open, "unmatched '('");
  return fail(position, "expected ',' or ')'");
}

bool Parser::parseOptions(PipelineElement &element) {
  size_t begin = position;
  for (int depth = 1; !atEnd(); ++position) {
    char c = text[position];
    if (c == '"' || c == '\'') {
      // A single quote without a partner is an ordinary character.
      size_t close = text.find(c, position + 1);
      if (close != std::string_view::npos)
        position = close;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      element.options = text.substr(begin, position - begin);
      ++position;
      return true;
    }
  }
  return fail(begin - 1, "unmatched '{'");
}

std::optional<PipelineElement> Parser::parsePipeline() {
  PipelineElement pipeline;
  if (!parseElement(pipeline, /*depth=*/0))
    return std::nullopt;
  skipSpace();
  if (!pipeline.isNested) {
    fail(0, "expected the op that the pipeline runs on around the passes, such "
            "as 'builtin.module(" +
                std::string(text) + ")'");
    return std::nullopt;
  }
  if (!atEnd()) {
    fail(position, "expected the end of the pipeline");
    return std::nullopt;
  }
  return pipeline;
}

std::optional<PipelineElement> remat::parsePipelineText(std::string_view text,
                                                        PipelineError &error) {
  return Parser(text, error).parsePipeline();
}
