//===- LinearProgramTest.cpp - The wrapper of the simplex code ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/LinearProgram.h"
#include "RandomProblem.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

using Outcome = LinearProgram::Outcome;
using Row = LinearProgram::Row;

constexpr double tolerance = 1e-6;

LinearProgram makeProgram(const std::vector<double> &costs,
                          const std::vector<Row> &rows) {
  return LinearProgram(costs, rows, [] { return false; });
}

double valueOf(const std::vector<double> &costs,
               const std::vector<double> &values) {
  double cost = 0;
  for (size_t i = 0; i < costs.size(); ++i)
    cost += costs[i] * values[i];
  return cost;
}

/// The bound that multipliers of the rows prove: their sum, and the least that
/// is left of the costs over columns from 0 to 1.
double boundOf(const std::vector<double> &costs, const std::vector<Row> &rows,
               const std::vector<double> &duals) {
  double bound = 0;
  std::vector<double> rests = costs;
  for (size_t row = 0; row < rows.size(); ++row) {
    bound += duals[row] * rows[row].atLeast;
    for (size_t i = 0; i < rows[row].columns.size(); ++i)
      rests[rows[row].columns[i]] -= duals[row] * rows[row].values[i];
  }
  for (double rest : rests)
    bound += std::min(0.0, rest);
  return bound;
}

// Both columns together are at least 1.5; the second is the cheaper one.
const std::vector<double> twoCosts = {3, 2};
const std::vector<Row> oneRow = {{{0, 1}, {1, 1}, 1.5}};

TEST(LinearProgram, TakesTheCheaperColumnFirst) {
  LinearProgram program = makeProgram(twoCosts, oneRow);
  ASSERT_EQ(program.solve(), Outcome::Optimal);
  EXPECT_NEAR(program.values()[0], 0.5, tolerance);
  EXPECT_NEAR(program.values()[1], 1, tolerance);
  // Half a unit more of the row costs half of 3.
  EXPECT_NEAR(program.duals()[0], 3, tolerance);
  EXPECT_NEAR(boundOf(twoCosts, oneRow, program.duals()), 3.5, tolerance);
}

TEST(LinearProgram, ContinuesFromABasis) {
  LinearProgram program = makeProgram(twoCosts, oneRow);
  ASSERT_EQ(program.solve(), Outcome::Optimal);
  LinearProgram::Basis basis = program.basis();
  program.setBounds(0, 1, 1);
  ASSERT_EQ(program.resolve(/*maxPivots=*/100), Outcome::Optimal);
  EXPECT_NEAR(program.values()[0], 1, tolerance);
  EXPECT_NEAR(program.values()[1], 0.5, tolerance);
  program.setBounds(0, 0, 1);
  program.setBasis(basis);
  ASSERT_EQ(program.resolve(/*maxPivots=*/100), Outcome::Optimal);
  EXPECT_NEAR(valueOf(twoCosts, program.values()), 3.5, tolerance);
}

TEST(LinearProgram, BothValuesOfAColumnRaiseTheCost) {
  LinearProgram program = makeProgram(twoCosts, oneRow);
  ASSERT_EQ(program.solve(), Outcome::Optimal);
  auto [toZero, toOne] = program.tryBoth({0}, /*maxPivots=*/100).front();
  // Without column 0 the row cannot hold; with all of it column 1 is at 0.5.
  EXPECT_GT(toZero, 1e6);
  EXPECT_NEAR(toOne, 0.5, tolerance);
}

TEST(LinearProgram, InfeasibleProgramsComeWithAContradiction) {
  // x >= 0.75 and -x >= -0.25.
  std::vector<double> costs = {1};
  std::vector<Row> rows = {{{0}, {1}, 0.75}, {{0}, {-1}, -0.25}};
  LinearProgram program = makeProgram(costs, rows);
  ASSERT_EQ(program.solve(), Outcome::Infeasible);
  std::vector<double> ray = program.duals();
  // In one of both directions the multipliers prove a cost above 0 without any
  // costs.
  double best = -1;
  for (double sign : {1.0, -1.0}) {
    std::vector<double> multipliers = ray;
    bool isValid = true;
    for (double &each : multipliers) {
      each *= sign;
      isValid &= each > -tolerance;
    }
    if (isValid)
      best = std::max(best, boundOf({0}, rows, multipliers));
  }
  EXPECT_GT(best, tolerance);
}

TEST(LinearProgram, StopsWhenTimeRunsOut) {
  // A transport problem that takes more than one factorization.
  constexpr int side = 30;
  std::vector<double> costs;
  std::vector<Row> rows(static_cast<size_t>(2 * side));
  uint64_t random = 1;
  for (int32_t column = 0; column < side * side; ++column) {
    costs.push_back(static_cast<double>(1 + nextRandom(random, 1000)));
    for (int32_t row : {column / side, side + column % side}) {
      rows[row].columns.push_back(column);
      rows[row].values.push_back(row < side ? 1 : -1);
      rows[row].atLeast = row < side ? 1 : -2;
    }
  }
  int numAsked = 0;
  LinearProgram program(costs, rows, [&] {
    ++numAsked;
    return true;
  });
  EXPECT_EQ(program.resolve(/*maxPivots=*/100'000), Outcome::Stopped);
  EXPECT_GT(numAsked, 0);
}

/// What the duals prove is the cost of the values: nothing else is optimal.
TEST(LinearProgram, DualsProveTheOptimum) {
  int numOptimal = 0, numInfeasible = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    uint64_t random = seed;
    int numColumns = 1 + static_cast<int>(nextRandom(random, 8));
    std::vector<double> costs;
    for (int i = 0; i < numColumns; ++i)
      costs.push_back(static_cast<double>(nextRandom(random, 20)));
    std::vector<Row> rows(1 + nextRandom(random, 6));
    for (Row &row : rows) {
      for (int32_t column = 0; column < numColumns; ++column)
        if (nextRandom(random, 2)) {
          row.columns.push_back(column);
          row.values.push_back(static_cast<double>(nextRandom(random, 11)) - 4);
        }
      row.atLeast = static_cast<double>(nextRandom(random, 8)) - 3;
    }
    LinearProgram program = makeProgram(costs, rows);
    Outcome outcome = program.solve();
    if (outcome == Outcome::Infeasible) {
      ++numInfeasible;
      continue;
    }
    ASSERT_EQ(outcome, Outcome::Optimal);
    ++numOptimal;
    std::vector<double> values = program.values(), duals = program.duals();
    for (double value : values) {
      ASSERT_GE(value, -tolerance);
      ASSERT_LE(value, 1 + tolerance);
    }
    for (size_t row = 0; row < rows.size(); ++row) {
      double sum = 0;
      for (size_t i = 0; i < rows[row].columns.size(); ++i)
        sum += rows[row].values[i] * values[rows[row].columns[i]];
      ASSERT_GE(sum, rows[row].atLeast - tolerance);
      ASSERT_GE(duals[row], -tolerance);
    }
    ASSERT_NEAR(boundOf(costs, rows, duals), valueOf(costs, values), 1e-5);
  }
  EXPECT_GT(numOptimal, 100);
  EXPECT_GT(numInfeasible, 30);
}

} // namespace
