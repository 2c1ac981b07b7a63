//===- Signature.cpp - Arguments and results of a program -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Signature.h"

#include <cctype>
#include <map>

using namespace remat::run;

int64_t Signature::argumentBytes() const {
  int64_t bytes = 0;
  for (const Port &port : arguments)
    bytes += port.bytes;
  return bytes;
}

/// `text` without comments, which may contain anything.
static std::string withoutComments(const std::string &text) {
  std::string result;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
      inString = !inString;
    if (!inString && text.compare(i, 2, "//") == 0)
      while (i < text.size() && text[i] != '\n')
        ++i;
    if (i < text.size())
      result += text[i];
  }
  return result;
}

/// The position after the parenthesis that closes the one at `open`.
static size_t closing(const std::string &text, size_t open) {
  int depth = 0;
  bool inString = false;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '"')
      inString = !inString;
    if (inString)
      continue;
    if (text[i] == '(')
      ++depth;
    if (text[i] == ')' && --depth == 0)
      return i + 1;
  }
  return std::string::npos;
}

/// The string after `key = ` in a dictionary of attributes, or empty.
static std::string attribute(const std::string &text, const std::string &key) {
  size_t position = text.find(key + " = \"");
  if (position == std::string::npos)
    return {};
  position += key.size() + 4;
  return text.substr(position, text.find('"', position) - position);
}

/// Fills in elements and bytes of a port from its type, "8x128xf32".
static bool measure(Port &port) {
  static const std::map<std::string, int64_t> elementBytes = {
      {"f64", 8},  {"f32", 4},  {"f16", 2}, {"bf16", 2}, {"i64", 8},
      {"i32", 4},  {"i16", 2},  {"i8", 1},  {"i1", 1},   {"ui64", 8},
      {"ui32", 4}, {"ui16", 2}, {"ui8", 1}};
  size_t position = 0;
  while (position < port.type.size() && std::isdigit(port.type[position])) {
    size_t end = port.type.find('x', position);
    if (end == std::string::npos)
      return false;
    port.elements *= std::atoll(port.type.c_str() + position);
    position = end + 1;
  }
  port.elementType = port.type.substr(position);
  auto bytes = elementBytes.find(port.elementType);
  if (bytes == elementBytes.end())
    return false;
  port.bytes = port.elements * bytes->second;
  return true;
}

/// The ports in the text of an argument or result list.
static bool parsePorts(const std::string &text, std::vector<Port> &ports,
                       std::string &error) {
  const std::string open = "tensor<";
  size_t position = text.find(open);
  while (position != std::string::npos) {
    size_t end = text.find('>', position);
    size_t next = text.find(open, end);
    Port port;
    port.type =
        text.substr(position + open.size(), end - position - open.size());
    if (!measure(port)) {
      error = "unsupported tensor<" + port.type +
              ">; expected a static shape and elements f64, f32, f16, bf16 or "
              "integers of 1 to 64 bits";
      return false;
    }
    std::string attributes = text.substr(end, next - end);
    port.kind = attribute(attributes, "remat.kind");
    port.name = attribute(attributes, "remat.name");
    size_t percent = text.rfind('%', position);
    size_t before = text.rfind(open, position - 1);
    if (port.name.empty() && percent != std::string::npos &&
        (position == 0 || before == std::string::npos || percent > before))
      port.name =
          text.substr(percent + 1, text.find(':', percent) - percent - 1);
    ports.push_back(port);
    position = next;
  }
  return true;
}

/// Guesses the kinds that no attribute gives.
static void guessKinds(Signature &signature) {
  for (Port &argument : signature.arguments) {
    if (!argument.kind.empty())
      continue;
    argument.kind = "input";
    for (const Port &result : signature.results)
      if (result.type == argument.type)
        argument.kind = "parameter";
  }
  for (Port &result : signature.results) {
    if (!result.kind.empty())
      continue;
    result.kind = "output";
    for (const Port &argument : signature.arguments)
      if (result.type == argument.type && argument.kind == "parameter")
        result.kind = "parameter";
  }
}

std::optional<Signature> remat::run::parseSignature(const std::string &source,
                                                    std::string &error) {
  std::string text = withoutComments(source);
  size_t position = 0;
  while ((position = text.find("func", position)) != std::string::npos) {
    size_t name = text.find('@', position);
    std::string between = text.substr(position, name - position);
    bool isHeader = between == "func " || between == "func.func " ||
                    between == "func.func public " || between == "func public ";
    // "func.func @f" is found at its first "func", then at its second.
    if (name != std::string::npos && isHeader)
      break;
    position += 4;
  }
  size_t name =
      position == std::string::npos ? position : text.find('@', position);
  size_t open = name == std::string::npos ? name : text.find('(', name);
  size_t close = open == std::string::npos ? open : closing(text, open);
  if (close == std::string::npos) {
    error = "no public function";
    return std::nullopt;
  }
  Signature signature;
  signature.function = text.substr(name + 1, open - name - 1);
  if (!parsePorts(text.substr(open, close - open), signature.arguments, error))
    return std::nullopt;
  size_t next = text.find_first_not_of(" \n\t", close);
  if (next != std::string::npos && text.compare(next, 2, "->") == 0) {
    next = text.find_first_not_of(" \n\t", next + 2);
    size_t end = next != std::string::npos && text[next] == '('
                     ? closing(text, next)
                     : text.find_first_of("{\n", next);
    if (!parsePorts(text.substr(next, end - next), signature.results, error))
      return std::nullopt;
  }
  guessKinds(signature);
  return signature;
}
