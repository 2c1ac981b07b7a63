//===- ParseForTest.h - Problems written in tests -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_SUPPORT_PARSEFORTEST_H
#define REMAT_TEST_UNIT_SOLVER_SUPPORT_PARSEFORTEST_H

#include "remat/Solver/ProblemText.h"

#include <gtest/gtest.h>

namespace remat::solver {

/// The problem that `lines` describe after the header line, which tests leave
/// out; a text that does not parse fails the test and gives an empty problem.
inline Problem parseForTest(const std::string &lines) {
  ParsedProblem parsed = parseProblem("remat-problem 1\n" + lines);
  EXPECT_TRUE(parsed.problem) << "line " << parsed.line << ": " << parsed.error;
  return parsed.problem.value_or(Problem());
}

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_SUPPORT_PARSEFORTEST_H
