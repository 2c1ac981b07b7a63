//===- LinearProgram.h - Linear programs over numbers from 0 to 1 ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows the simplex code behind it, COIN-OR's CLP. Nothing
// that it says is trusted: what comes out of the duals is computed again with
// integers.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H
#define REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace remat::solver {

/// Minimise the sum of cost * column such that the sum of value * column is at
/// least `atLeast` in every row. Columns lie within bounds, at first 0 and 1.
class LinearProgram {
public:
  struct Row {
    std::vector<int32_t> columns;
    std::vector<double> values;
    double atLeast;
  };
  enum class Outcome { Optimal, Infeasible, Stopped };
  /// Where the simplex method stands; to go on from there later.
  using Basis = std::vector<unsigned char>;

  /// `isOutOfTime` is asked now and then, and ends the work.
  LinearProgram(const std::vector<double> &costs, const std::vector<Row> &rows,
                std::function<bool()> isOutOfTime);
  ~LinearProgram();

  void setBounds(int32_t column, double lower, double upper);

  /// Solves from nothing.
  Outcome solve();
  /// Solves from the present basis, in so many pivots at most.
  Outcome resolve(int maxPivots);

  /// After `Optimal`: how far the cost would rise with each of `columns` 0, and
  /// with it 1, as far as so many pivots tell; very far if nothing is left.
  std::vector<std::pair<double, double>>
  tryBoth(const std::vector<int32_t> &columns, int maxPivots);

  Basis basis() const;
  void setBasis(const Basis &basis);

  /// The pivots of all calls so far.
  int64_t numPivots() const { return pivots; }
  /// Of the columns.
  std::vector<double> values() const;
  /// Of the rows; after `Infeasible`, multipliers that add up to a
  /// contradiction. At any time they are some multipliers to try.
  std::vector<double> duals() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> impl;
  int64_t pivots = 0;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H
