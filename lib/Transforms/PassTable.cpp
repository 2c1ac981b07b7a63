//===- PassTable.cpp - Our passes by name, for hosts without C++ passes ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PassTable.h"

#include <cstdio>
#include <cstdlib>

using namespace remat;

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
  } else if (name == "best-effort" || name == "keep-order") {
    if (value != "true" && value != "false" && !value.empty())
      return noValue("true or false");
    (name == "best-effort" ? options.bestEffort : options.keepOrder) =
        value != "false";
  } else if (name == "deadline") {
    char *end = nullptr;
    options.deadlineSeconds = std::strtod(value.c_str(), &end);
    if (value.empty() || *end || !(options.deadlineSeconds >= 0))
      return noValue("a number of seconds");
  }
  return {};
}

std::string remat::parsePassOptions(const PassEntry &pass,
                                    std::string_view text,
                                    RematOptions &options) {
  constexpr const char *blanks = " \t\n";
  size_t position = text.find_first_not_of(blanks);
  while (position != std::string_view::npos) {
    size_t nameEnd = text.find_first_of("= \t\n", position);
    std::string name(text.substr(position, nameEnd - position));
    std::string value;
    position = nameEnd;
    if (position != std::string_view::npos && text[position] == '=') {
      size_t begin = position + 1;
      char quote = begin < text.size() ? text[begin] : ' ';
      if (quote == '"' || quote == '\'') {
        position = text.find(quote, ++begin);
        if (position == std::string_view::npos)
          return "the value of option '" + name + "' lacks its closing quote";
        value = text.substr(begin, position - begin);
        ++position;
      } else {
        position = text.find_first_of(blanks, begin);
        value = text.substr(begin, position - begin);
      }
    }
    bool known = false;
    for (const PassOption &option : pass.options)
      known |= name == option.name;
    std::string error = known ? setOption(options, name, value)
                              : "there is no option '" + name + "'";
    if (!error.empty())
      return error;
    position = text.find_first_not_of(blanks, position);
  }
  return {};
}

/// Writes what a printing pass printed.
static bool show(bool success, const std::string &text) {
  std::fputs(text.c_str(), stderr);
  return success;
}

const std::vector<PassEntry> &remat::allPasses() {
  static const PassOption target = {
      "target", "auto",
      "Machine of the cost model: auto (what the module is compiled for, else "
      "cpu), cpu or cuda"};
  static const std::vector<PassEntry> passes = {
      {"rematerialize",
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
        {"keep-order", "false",
         "Leave the original ops in their order; otherwise they move where "
         "that saves memory"},
        {"deadline", "0",
         "Seconds after which the search for a better plan stops, per region; "
         "0 means none"},
        target,
        {"report", "", "Write what was done to this file, as JSON"}},
       [](MlirOperation root, const RematOptions &options,
          const DiagnosticSink &sink) {
         RematReport report;
         return rematerialize(root, options, sink, report);
       }},
      {"remat-print-live-ranges",
       "Print the live range of every tensor and the memory of every slot",
       {},
       [](MlirOperation root, const RematOptions &,
          const DiagnosticSink &sink) {
         std::string text;
         return show(printLiveRanges(root, sink, text), text);
       }},
      {"remat-print-costs",
       "Print the modelled cost of every step and whether it may be recomputed",
       {target},
       [](MlirOperation root, const RematOptions &options,
          const DiagnosticSink &sink) {
         std::string text;
         return show(printCosts(root, options.target, sink, text), text);
       }},
      {"remat-print-problem",
       "Print each region as a problem that remat-solve can plan",
       {target},
       [](MlirOperation root, const RematOptions &options,
          const DiagnosticSink &sink) {
         std::string text;
         return show(printProblems(root, options.target, sink, text), text);
       }},
  };
  return passes;
}
