//===- PassTable.cpp - Our passes by name, for hosts without C++ passes ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PassTable.h"

#include "remat/Transforms/Rematerialize.h"

#include <cstdio>
#include <cstdlib>

using namespace remat;

namespace {
/// The options of all passes together; each pass allows some of them.
struct ParsedOptions {
  RematOptions values;
  std::string error;
};
} // namespace

/// Sets the option `name` of `options` to `value`; says what is wrong if it
/// cannot.
static std::string setOption(RematOptions &options, std::string_view name,
                             const std::string &value) {
  auto noValue = [&](const char *expected) {
    return "option '" + std::string(name) + "' takes " + expected + ", not '" +
           value + "'";
  };
  if (name == "memory-cap") {
    if (!value.empty() && !parseMemoryCap(value))
      return noValue(memoryCapForms);
    options.memoryCap = value;
  } else if (name == "solver") {
    options.solver = value;
  } else if (name == "report") {
    options.report = value;
  } else if (name == "target") {
    if (value != "auto" && value != "cpu" && value != "cuda")
      return noValue("auto, cpu or cuda");
    options.target = value;
  } else if (name == "best-effort") {
    if (value != "true" && value != "false" && !value.empty())
      return noValue("true or false");
    options.bestEffort = value != "false";
  } else if (name == "deadline") {
    char *end = nullptr;
    options.deadlineSeconds = std::strtod(value.c_str(), &end);
    if (value.empty() || *end || !(options.deadlineSeconds >= 0))
      return noValue("a number of seconds");
  }
  return {};
}

/// Parses `name=value name=value name …`; values may be quoted.
static ParsedOptions parseOptions(const PassEntry &pass,
                                  std::string_view text) {
  ParsedOptions parsed;
  size_t position = 0;
  while (parsed.error.empty()) {
    position = text.find_first_not_of(" \t\n", position);
    if (position == std::string_view::npos)
      break;
    size_t nameEnd = text.find_first_of("= \t\n", position);
    std::string_view name = text.substr(position, nameEnd - position);
    std::string value;
    position = nameEnd;
    if (position != std::string_view::npos && text[position] == '=') {
      ++position;
      char quote = position < text.size() ? text[position] : ' ';
      size_t end;
      if (quote == '"' || quote == '\'') {
        end = text.find(quote, ++position);
        value = text.substr(position, end - position);
        end = end == std::string_view::npos ? end : end + 1;
      } else {
        end = text.find_first_of(" \t\n", position);
        value = text.substr(position, end - position);
      }
      position = end;
    }
    bool known = false;
    for (const PassOption &option : pass.options)
      known |= name == option.name;
    parsed.error = known ? setOption(parsed.values, name, value)
                         : "pass '" + std::string(pass.name) +
                               "' has no option '" + std::string(name) + "'";
    if (position == std::string_view::npos)
      break;
  }
  return parsed;
}

static const PassEntry &entry(std::string_view name) {
  for (const PassEntry &pass : allPasses())
    if (name == pass.name)
      return pass;
  std::abort(); // only called with names from the table below
}

/// Writes what a printing pass printed.
static bool show(bool success, const std::string &text) {
  std::fputs(text.c_str(), stderr);
  return success;
}

template <const char *const &name>
static std::string checkOptionsOf(std::string_view text) {
  return parseOptions(entry(name), text).error;
}

static const char *const rematerializeName = "rematerialize";
static const char *const liveRangesName = "remat-print-live-ranges";
static const char *const costsName = "remat-print-costs";
static const char *const problemName = "remat-print-problem";

const std::vector<PassEntry> &remat::allPasses() {
  static const PassOption target = {
      "target", "auto",
      "Machine of the cost model: auto (what the module is compiled for, else "
      "cpu), cpu or cuda"};
  static const std::vector<PassEntry> passes = {
      {rematerializeName,
       "Recompute instead of retain, so that a memory cap holds",
       {{"memory-cap", "",
         "Peak bytes allowed, inclusive, e.g. 1.5GiB, 800MB, or 50% of the "
         "original peak; empty means no cap"},
        {"best-effort", "false",
         "Where the cap cannot be met take the lowest peak found instead of "
         "failing"},
        {"solver", "",
         "Planning algorithm, as remat-solve --list-solvers names them; empty "
         "means the default"},
        {"deadline", "0",
         "Seconds after which the search for a better plan stops, per region; "
         "0 means none"},
        target,
        {"report", "", "Write what was done to this file, as JSON"}},
       checkOptionsOf<rematerializeName>,
       [](MlirOperation root, std::string_view text,
          const DiagnosticSink &sink) {
         RematReport report;
         return rematerialize(
             root, parseOptions(entry(rematerializeName), text).values, sink,
             report);
       }},
      {liveRangesName,
       "Print the live range of every tensor and the memory of every slot",
       {},
       checkOptionsOf<liveRangesName>,
       [](MlirOperation root, std::string_view, const DiagnosticSink &sink) {
         std::string text;
         return show(printLiveRanges(root, sink, text), text);
       }},
      {costsName,
       "Print the modelled cost of every step and whether it may be recomputed",
       {target},
       checkOptionsOf<costsName>,
       [](MlirOperation root, std::string_view options,
          const DiagnosticSink &sink) {
         std::string text;
         std::string target =
             parseOptions(entry(costsName), options).values.target;
         return show(printCosts(root, target, sink, text), text);
       }},
      {problemName,
       "Print each region as a problem that remat-solve can plan",
       {target},
       checkOptionsOf<problemName>,
       [](MlirOperation root, std::string_view options,
          const DiagnosticSink &sink) {
         std::string text;
         std::string target =
             parseOptions(entry(problemName), options).values.target;
         return show(printProblems(root, target, sink, text), text);
       }},
  };
  return passes;
}
