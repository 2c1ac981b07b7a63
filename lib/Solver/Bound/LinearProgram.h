//===- LinearProgram.h - Linear programs over numbers from 0 to 1 ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that knows the simplex code, COIN-OR's CLP. Its results are
// not trusted: bounds are computed from the duals with integers.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H
#define REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace remat::solver {

/// Minimizes the sum of cost * column such that the sum of value * column is at
/// least `atLeast` in every row. Columns are within bounds, initially 0 and 1.
class LinearProgram {
public:
  /// One inequality; each column occurs at most once.
  struct Row {
    std::vector<int32_t> columns;
    std::vector<double> values;
    double atLeast;
  };
  enum class Outcome { Optimal, Infeasible, Stopped };
  /// The state of the simplex method, from which it can continue later.
  using Basis = std::vector<unsigned char>;

  /// `isOutOfTime` is called now and then, and stops the work.
  LinearProgram(const std::vector<double> &costs, const std::vector<Row> &rows,
                std::function<bool()> isOutOfTime);
  ~LinearProgram();

  /// Restricts one column.
  void setBounds(int32_t column, double lower, double upper);

  /// Solves from scratch.
  Outcome solve();
  /// Solves from the current basis, in at most `maxPivots` pivots.
  Outcome resolve(int maxPivots);

  /// After `Optimal`: the rise of the cost with each of `columns` set to 0, and
  /// set to 1, as far as `maxPivots` pivots show; very large if that is
  /// infeasible.
  std::vector<std::pair<double, double>>
  tryBoth(const std::vector<int32_t> &columns, int maxPivots);

  Basis basis() const;
  void setBasis(const Basis &basis);

  /// The pivots of all calls so far.
  int64_t numPivots() const { return pivots; }
  /// The values of the columns.
  std::vector<double> values() const;
  /// The multipliers of the rows; after `Infeasible`, multipliers that add up
  /// to a contradiction. After `Stopped` they are multipliers worth trying.
  std::vector<double> duals() const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> impl;
  int64_t pivots = 0;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_LINEARPROGRAM_H
