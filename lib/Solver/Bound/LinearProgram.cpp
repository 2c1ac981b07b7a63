//===- LinearProgram.cpp - Linear programs over numbers from 0 to 1 -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/LinearProgram.h"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

namespace remat::solver {
namespace {

/// Stops the simplex method when time runs out.
class Watch : public ClpEventHandler {
public:
  explicit Watch(std::function<bool()> isOutOfTime)
      : isOutOfTime(std::move(isOutOfTime)) {}

  int event(Event whichEvent) override {
    // What CLP expects: a status to stop with, or -1 to continue.
    constexpr int stop = 5, goOn = -1;
    return whichEvent == endOfFactorization && isOutOfTime() ? stop : goOn;
  }
  ClpEventHandler *clone() const override { return new Watch(*this); }

private:
  std::function<bool()> isOutOfTime;
};

} // namespace

struct LinearProgram::Implementation {
  ClpSimplex simplex;

  Outcome outcome() const {
    if (simplex.status() == 0)
      return Outcome::Optimal;
    return simplex.status() == 1 ? Outcome::Infeasible : Outcome::Stopped;
  }
};

/// The rows as CLP wants them.
static CoinPackedMatrix pack(const std::vector<LinearProgram::Row> &rows,
                             int numColumns, std::vector<double> &atLeast) {
  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> columns;
  std::vector<double> values;
  for (const LinearProgram::Row &row : rows) {
    assert(row.columns.size() == row.values.size());
    assert(std::all_of(row.columns.begin(), row.columns.end(),
                       [&](int32_t c) { return c >= 0 && c < numColumns; }));
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    starts.push_back(static_cast<CoinBigIndex>(columns.size()));
    atLeast.push_back(row.atLeast);
  }
  assert(values.size() <=
             static_cast<size_t>(std::numeric_limits<CoinBigIndex>::max()) &&
         "CLP numbers the terms of a matrix in CoinBigIndex");
  return CoinPackedMatrix(/*colordered=*/false, numColumns,
                          static_cast<int>(rows.size()),
                          static_cast<CoinBigIndex>(values.size()),
                          values.data(), columns.data(), starts.data(),
                          /*len=*/nullptr);
}

LinearProgram::LinearProgram(const std::vector<double> &costs,
                             const std::vector<Row> &rows,
                             std::function<bool()> isOutOfTime)
    : impl(std::make_unique<Implementation>()) {
  ClpSimplex &simplex = impl->simplex;
  simplex.setLogLevel(0);
  Watch watch(std::move(isOutOfTime));
  simplex.passInEventHandler(&watch);
  std::vector<double> atLeast, zeros(costs.size(), 0), ones(costs.size(), 1);
  CoinPackedMatrix matrix = pack(rows, static_cast<int>(costs.size()), atLeast);
  std::vector<double> unlimited(rows.size(), COIN_DBL_MAX);
  simplex.loadProblem(matrix, zeros.data(), ones.data(), costs.data(),
                      atLeast.data(), unlimited.data());
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::setBounds(int32_t column, double lower, double upper) {
  assert(column >= 0 && column < impl->simplex.numberColumns());
  assert(lower <= upper);
  impl->simplex.setColumnBounds(column, lower, upper);
}

LinearProgram::Outcome LinearProgram::solve() {
  ClpSimplex &simplex = impl->simplex;
  simplex.setMaximumIterations(std::numeric_limits<int>::max());
  ClpSolve how;
  how.setSolveType(ClpSolve::useDual);
  how.setPresolveType(ClpSolve::presolveOn);
  simplex.initialSolve(how);
  pivots += simplex.numberIterations();
  // What presolve proves by itself comes without multipliers.
  if (impl->outcome() == Outcome::Infeasible) {
    simplex.allSlackBasis(/*resetSolution=*/true);
    simplex.dual();
    pivots += simplex.numberIterations();
  }
  return impl->outcome();
}

LinearProgram::Outcome LinearProgram::resolve(int maxPivots) {
  ClpSimplex &simplex = impl->simplex;
  simplex.setNumberIterations(0);
  simplex.setMaximumIterations(maxPivots);
  simplex.dual();
  pivots += simplex.numberIterations();
  return impl->outcome();
}

std::vector<std::pair<double, double>>
LinearProgram::tryBoth(const std::vector<int32_t> &columns, int maxPivots) {
  ClpSimplex &simplex = impl->simplex;
  size_t number = columns.size();
  std::vector<double> toOne(number, 1), toZero(number, 0);
  std::vector<std::vector<double>> solutions(
      2 * number, std::vector<double>(simplex.numberColumns()));
  std::vector<double *> places;
  for (std::vector<double> &solution : solutions)
    places.push_back(solution.data());
  std::vector<int> status(2 * number), iterations(2 * number);
  simplex.setNumberIterations(0);
  simplex.setMaximumIterations(maxPivots);
  simplex.strongBranching(static_cast<int>(number), columns.data(),
                          toOne.data(), toZero.data(), places.data(),
                          status.data(), iterations.data(),
                          /*stopOnFirstInfeasible=*/false);
  std::vector<std::pair<double, double>> rises;
  for (size_t i = 0; i < number; ++i) {
    rises.push_back({toZero[i], toOne[i]});
    pivots += iterations[2 * i] + iterations[2 * i + 1];
  }
  return rises;
}

LinearProgram::Basis LinearProgram::basis() const {
  const ClpSimplex &simplex = impl->simplex;
  const unsigned char *status = simplex.statusArray();
  return Basis(status, status + simplex.numberColumns() + simplex.numberRows());
}

void LinearProgram::setBasis(const Basis &basis) {
  assert(basis.size() == static_cast<size_t>(impl->simplex.numberColumns() +
                                             impl->simplex.numberRows()));
  std::copy(basis.begin(), basis.end(), impl->simplex.statusArray());
}

std::vector<double> LinearProgram::values() const {
  const double *values = impl->simplex.primalColumnSolution();
  return std::vector<double>(values, values + impl->simplex.numberColumns());
}

std::vector<double> LinearProgram::duals() const {
  const ClpSimplex &simplex = impl->simplex;
  size_t numRows = simplex.numberRows();
  if (impl->outcome() == Outcome::Infeasible) {
    // The caller owns the array.
    std::unique_ptr<double[]> ray(simplex.infeasibilityRay());
    if (ray)
      return std::vector<double>(ray.get(), ray.get() + numRows);
  }
  const double *duals = simplex.dualRowSolution();
  return std::vector<double>(duals, duals + numRows);
}

} // namespace remat::solver
