//===- PassTableTest.cpp - The table of passes and texts of options -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/PassTable.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace remat;

namespace {

const PassEntry &passNamed(const std::string &name) {
  for (const PassEntry &entry : allPasses())
    if (entry.name == name)
      return entry;
  throw std::runtime_error("no pass " + name);
}

/// The error of the pass `name` for `options`; empty if it accepts them.
std::string errorOf(const std::string &name, const std::string &options) {
  std::string error;
  PassFunction function = passNamed(name).bind(options, error);
  EXPECT_EQ(function == nullptr, !error.empty()) << error;
  return error;
}

} // namespace

TEST(PassTable, ListsPassesInTheOrderOfTheirDeclaration) {
  std::vector<std::string> names;
  for (const PassEntry &entry : allPasses())
    names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "rematerialize", "remat-print-live-ranges",
                       "remat-print-costs", "remat-print-problem"}));
}

TEST(PassTable, ShowsDefaultsAsAUserWritesThem) {
  std::vector<std::string> defaults;
  for (const PassOption &option : passNamed("rematerialize").options)
    defaults.push_back(option.name + std::string("=") + option.defaultValue);
  EXPECT_EQ(defaults,
            (std::vector<std::string>{"memory-cap=", "best-effort=false",
                                      "solver=", "keep-order=false",
                                      "deadline=0", "target=auto", "report="}));
  EXPECT_TRUE(passNamed("remat-print-live-ranges").options.empty());
}

TEST(PassOptions, TakesEveryForm) {
  for (const char *text :
       {"", "  ", "memory-cap=50%",
        "memory-cap=50% best-effort keep-order=false",
        "best-effort=true\n\tdeadline=1.5", "report='a file' target=\"cuda\"",
        "memory-cap=", "report=a=b"})
    EXPECT_EQ(errorOf("rematerialize", text), "") << text;
}

TEST(PassOptions, SaysWhatIsWrong) {
  EXPECT_EQ(
      errorOf("rematerialize", "memory-cap=much"),
      "option 'memory-cap': invalid value 'much'; expected 1.5GiB, 800MB, "
      "1048576 or 50%");
  EXPECT_EQ(errorOf("rematerialize", "best-effort=yes"),
            "option 'best-effort': invalid value 'yes'; expected true or "
            "false");
  EXPECT_EQ(errorOf("rematerialize", "deadline=soon"),
            "option 'deadline': invalid value 'soon'; expected a number");
  EXPECT_EQ(errorOf("rematerialize", "deadline=-1"),
            "option 'deadline': invalid value '-1'; expected a number of "
            "seconds, 0 or more");
  EXPECT_EQ(errorOf("rematerialize", "deadline="),
            "option 'deadline': invalid value ''; expected a number");
  EXPECT_EQ(errorOf("remat-print-costs", "target=tpu"),
            "option 'target': invalid value 'tpu'; expected one of auto, cpu, "
            "cuda");
  EXPECT_EQ(errorOf("remat-print-costs", "memory-cap=1"),
            "unknown option 'memory-cap'; expected one of target");
  EXPECT_EQ(errorOf("remat-print-live-ranges", "target=cpu"),
            "unknown option 'target'; expected none");
  EXPECT_EQ(errorOf("rematerialize", "report='a file"),
            "option 'report': missing closing quote");
  EXPECT_EQ(errorOf("rematerialize", "keep-order bogus deadline=soon"),
            "unknown option 'bogus'; expected one of memory-cap, best-effort, "
            "solver, keep-order, deadline, target, report");
}

/// The plugin passes values that MLIR parsed.
TEST(PassOptions, ChecksValuesThatSomeoneElseParsed) {
  RematerializeOptions options;
  EXPECT_EQ(checkOptions(options), "");
  options.deadlineSeconds = std::nan("");
  EXPECT_EQ(checkOptions(options), "option 'deadline': invalid value 'nan'; "
                                   "expected a number of seconds, 0 or more");
  options = {};
  options.target = "gpu";
  EXPECT_EQ(checkOptions(options), "option 'target': invalid value 'gpu'; "
                                   "expected one of auto, cpu, cuda");
}
