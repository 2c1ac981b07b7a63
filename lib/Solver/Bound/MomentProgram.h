//===- MomentProgram.h - Several moments as a linear program --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inequalities of remat/Solver/Moments.h that are not trivial: a column for
// each variable that one of them needs, a row for each inequality. All numbers
// are integers.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_MOMENTPROGRAM_H
#define REMAT_LIB_SOLVER_BOUND_MOMENTPROGRAM_H

#include "Bound/CutNetwork.h"

#include "remat/Solver/Moments.h"
#include "remat/Solver/Tuning.h"

namespace remat::solver {

/// Whether each step is executed up to the first execution of one step, or only
/// after it, in every plan.
struct MomentSides {
  std::vector<char> isEarly, isLater;
};

/// The sides of `step`. O(steps * operands).
MomentSides findSides(const ProblemIndex &index, MomentOrder order,
                      StepId step);

/// The program of some moments.
class MomentProgram {
public:
  MomentProgram(const ProblemIndex &index, MomentOrder order,
                std::vector<StepId> moments, int64_t capBytes,
                const Tuning &tuning = Tuning::defaults());

  /// A variable and its cost.
  struct Column {
    MomentVariable variable;
    int64_t cost;
  };
  /// An inequality: the sum of value * column over `terms` is at least
  /// `atLeast`.
  struct Row {
    /// The inequality; its amount is unused.
    MomentAmount key;
    std::vector<std::pair<int32_t, int64_t>> terms;
    int64_t atLeast;
  };
  const MomentOrder order;
  const std::vector<StepId> moments;
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<MomentWeights> weights;

  /// Of the columns that are held(k, s): the bytes of s. 0 for others.
  int64_t bytesOf(int32_t column) const;

  /// The step after the first moment, not among the moments, at which memory
  /// would be highest if `values` of the columns were a plan; -1 if it nowhere
  /// exceeds `share` of the cap. What is recomputed counts from where it is
  /// first needed. A heuristic for choosing a further moment; it proves
  /// nothing. Only in the order of the schedule. Defined in
  /// MomentSelection.cpp.
  StepId fullestStep(const std::vector<double> &values, double share) const;

private:
  // The constant value of a variable without a column.
  static constexpr int32_t isZero = -1;
  static constexpr int32_t isOne = -2;

  const ProblemIndex &index;
  const Problem &problem;
  const int64_t capBytes;
  const decltype(Tuning::bound) &tuning;
  int32_t numMoments;
  /// By moment.
  std::vector<MomentSides> sides;
  /// By moment and storage: always held, or holding what is read later.
  std::vector<std::vector<char>> isFixed, isReadLater;
  /// By moment and storage, or stretch and step: the column, or `isZero`.
  std::vector<std::vector<int32_t>> heldColumn;
  std::vector<std::vector<int32_t>> runsColumn;
  /// By step.
  std::vector<int32_t> againColumn;

  size_t stretch(int32_t from, int32_t to) const {
    return static_cast<size_t>(from) * (static_cast<size_t>(numMoments) + 1) +
           static_cast<size_t>(to);
  }
  /// The last step that is first executed up to moment `to`.
  StepId lastOf(int32_t to) const;
  int32_t held(int32_t moment, TensorId storage);
  int32_t runs(int32_t from, int32_t to, StepId step);
  int32_t again(StepId step);
  bool isMadeEarly(int32_t moment, TensorId tensor) const {
    return index.maker[tensor] < 0 ||
           sides[moment].isEarly[index.maker[tensor]];
  }
  void addMoment(StepId step);
  void addRow(MomentAmount key, std::initializer_list<int32_t> sum,
              int32_t atLeast);
  void addReads(int32_t from, int32_t to, TensorId tensor, StepId reader,
                int32_t atLeast);
  void addFirstReads(int32_t from, int32_t to);
  void addConsequences(int32_t column);
  void addWeights(int32_t moment);
  void addWeightRow(int32_t moment, int64_t fixedBytes, MomentWeights which);
  /// The share of `column`, which may be no column, in `values`.
  static double share(int32_t column, const std::vector<double> &values);
  void fullestIn(int32_t from, const std::vector<double> &values,
                 StepId &fullest, double &mostBytes) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_MOMENTPROGRAM_H
