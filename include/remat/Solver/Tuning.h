//===- Tuning.h - What the solver's work is tuned by ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record of all constants that decide how much work goes where, and of all
// rules and planners that can be switched off. Tuning.def lists them, each with
// its unit, range, default and reason. The defaults are what users get; others
// are for measurements (remat-bench --set, --without).
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_TUNING_H
#define REMAT_SOLVER_TUNING_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat::solver {

struct Tuning {
#define REMAT_TUNING_GROUP(GROUP, FOLDER) struct {
#define REMAT_TUNING(GROUP, TYPE, NAME, DEFAULT, LEAST, MOST, UNIT, REASON)    \
  TYPE NAME = DEFAULT;
#define REMAT_TUNING_LIST(GROUP, NAME, LEAST, MOST, UNIT, REASON, ...)         \
  std::vector<double> NAME = {__VA_ARGS__};
#define REMAT_TUNING_RULE(GROUP, NAME, WHAT) bool NAME = true;
#define REMAT_TUNING_GROUP_END(GROUP)                                          \
  }                                                                            \
  GROUP;
#include "remat/Solver/Tuning.def"
#undef REMAT_TUNING_GROUP
#undef REMAT_TUNING
#undef REMAT_TUNING_LIST
#undef REMAT_TUNING_RULE
#undef REMAT_TUNING_GROUP_END

  /// What all work is done with unless someone says otherwise.
  static const Tuning &defaults();
};

/// One entry of Tuning.def, as text.
struct TuningEntry {
  /// Group and name: "chain.num-prices".
  std::string name;
  /// Where it is used: a folder of lib/Solver.
  std::string folder;
  bool isRule = false;
  std::string defaultValue;
  /// Both inclusive; empty for rules.
  std::string least, most;
  std::string unit;
  std::string reason;
};

/// All entries, in the order of Tuning.def.
std::vector<TuningEntry> tuningEntries();

/// Sets the entry called `name` to `value`: a number, for a list numbers
/// separated by commas, for a rule "on" or "off". Returns what is wrong with
/// name or value, and leaves `tuning` as it was then.
std::optional<std::string> setTuning(Tuning &tuning, std::string_view name,
                                     std::string_view value);

} // namespace remat::solver

#endif // REMAT_SOLVER_TUNING_H
