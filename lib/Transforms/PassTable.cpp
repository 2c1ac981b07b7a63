//===- PassTable.cpp - Our passes by name, for hosts without C++ passes ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table itself is generated from Passes.td (generate_passes.py): names,
// summaries, options, defaults. This file defines the functions that it names.
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PassTable.h"

#include <cstdio>
#include <cstdlib>

using namespace remat;

//===----------------------------------------------------------------------===//
// Values of options
//===----------------------------------------------------------------------===//

static std::string toText(const std::string &value) { return value; }

static std::string toText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

/// The error for an option with an invalid value.
template <typename ValueT>
static std::string invalidValue(std::string_view name, const ValueT &value,
                                const char *expected) {
  return "option '" + std::string(name) + "': invalid value '" + toText(value) +
         "'; expected " + expected;
}

/// The error for an option that a pass does not have; `known` lists those it
/// has.
static std::string unknownOption(std::string_view name,
                                 const std::string &known) {
  return "unknown option '" + std::string(name) + "'; expected " +
         (known.empty() ? "none" : "one of " + known);
}

// setValue: sets a value of each type from text; returns an error, or an empty
// string.

static std::string setValue(std::string &value, std::string_view,
                            const std::string &text) {
  value = text;
  return {};
}

static std::string setValue(bool &value, std::string_view name,
                            const std::string &text) {
  if (text != "true" && text != "false" && !text.empty())
    return invalidValue(name, text, "true or false");
  value = text != "false";
  return {};
}

static std::string setValue(double &value, std::string_view name,
                            const std::string &text) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    return invalidValue(name, text, "a number");
  return {};
}

/// The value of option `name` in `text` at `position`, which moves past it:
/// up to the next blank, or between quotes. Nothing if the closing quote is
/// missing.
static std::optional<std::string> readValue(std::string_view text,
                                            size_t &position) {
  char quote = position < text.size() ? text[position] : ' ';
  bool quoted = quote == '"' || quote == '\'';
  size_t begin = quoted ? position + 1 : position;
  size_t end = quoted
                   ? text.find(quote, begin)
                   : std::min(text.find_first_of(" \t\n", begin), text.size());
  if (end == std::string_view::npos)
    return std::nullopt;
  position = quoted ? end + 1 : end;
  return std::string(text.substr(begin, end - begin));
}

/// Sets each option in `text`, such as `memory-cap=50% best-effort`, with
/// `set`, which returns an error or an empty string. Returns the first error.
static std::string
forEachOption(std::string_view text,
              const std::function<std::string(std::string_view name,
                                              const std::string &value)> &set) {
  constexpr const char *blanks = " \t\n";
  size_t position = text.find_first_not_of(blanks);
  while (position != std::string_view::npos) {
    size_t nameEnd =
        std::min(text.find_first_of("= \t\n", position), text.size());
    std::string_view name = text.substr(position, nameEnd - position);
    std::optional<std::string> value = "";
    position = nameEnd;
    if (position < text.size() && text[position] == '=')
      value = readValue(text, ++position);
    std::string error =
        value ? set(name, *value)
              : "option '" + std::string(name) + "': missing closing quote";
    if (!error.empty())
      return error;
    position = text.find_first_not_of(blanks, position);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

/// Writes the output of a printing pass.
static bool show(bool success, const std::string &text) {
  std::fputs(text.c_str(), stderr);
  return success;
}

bool remat::runPass(MlirOperation root, const RematerializeOptions &options,
                    const DiagnosticSink &sink) {
  RematReport report;
  return rematerialize(root, RematOptions{options}, sink, report);
}

bool remat::runPass(MlirOperation root, const PrintLiveRangesOptions &,
                    const DiagnosticSink &sink) {
  std::string text;
  return show(printLiveRanges(root, sink, text), text);
}

bool remat::runPass(MlirOperation root, const PrintCostsOptions &options,
                    const DiagnosticSink &sink) {
  std::string text;
  return show(printCosts(root, options.target, sink, text), text);
}

bool remat::runPass(MlirOperation root, const PrintProblemOptions &options,
                    const DiagnosticSink &sink) {
  std::string text;
  return show(printProblems(root, options.target, sink, text), text);
}

/// PassEntry::bind for the pass with options of type `OptionsT`; the generated
/// functions setOption() and checkOptions() know them.
template <typename OptionsT>
static PassFunction bindPass(std::string_view text, std::string &error);

#include "remat/Transforms/PassTable.cpp.inc"

template <typename OptionsT>
static PassFunction bindPass(std::string_view text, std::string &error) {
  OptionsT options;
  error =
      forEachOption(text, [&](std::string_view name, const std::string &value) {
        return setOption(options, name, value);
      });
  if (error.empty())
    error = checkOptions(options);
  if (!error.empty())
    return nullptr;
  return [options](MlirOperation root, const DiagnosticSink &sink) {
    return runPass(root, options, sink);
  };
}

const std::vector<PassEntry> &remat::allPasses() {
  static const std::vector<PassEntry> passes(std::begin(passTable),
                                             std::end(passTable));
  return passes;
}
