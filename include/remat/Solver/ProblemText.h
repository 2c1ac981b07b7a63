//===- ProblemText.h - Problems as text -----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text form of a Problem; docs/problem-format.md describes it for users.
//
//   remat-problem 1
//   tensor 0 bytes=4096 kind=input
//   tensor 1 bytes=4096
//   step 0 cost=1500 name="layer1.conv" in=0 out=1
//   input 0
//   output 1
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_PROBLEMTEXT_H
#define REMAT_SOLVER_PROBLEMTEXT_H

#include "remat/Solver/Problem.h"

#include <string_view>

namespace remat::solver {

/// A problem, or the first error of its text, with its line.
struct ParsedProblem {
  std::optional<Problem> problem;
  /// 1-based; 0 if the error concerns the text as a whole.
  int64_t line = 0;
  std::string error;
};

/// Parses `text` strictly: unknown words, repeated keys, malformed numbers,
/// numbers out of range and problems that fail check() are errors.
ParsedProblem parseProblem(std::string_view text);

/// Prints `problem` so that parseProblem() reads back the same. Keys with their
/// default values are omitted.
std::string printProblem(const Problem &problem);

} // namespace remat::solver

#endif // REMAT_SOLVER_PROBLEMTEXT_H
