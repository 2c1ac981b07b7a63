//===- BranchAndBound.h - Branch and bound over a moment program ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of cases of remat/Solver/Moments.h. The case with the lowest bound
// is split in two, at the variable that raises the bounds of both the most, as
// long as it pays. Bounds are computed from the rounded amounts with integers,
// as the checker does; the linear program only proposes amounts.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_BRANCHANDBOUND_H
#define REMAT_LIB_SOLVER_BOUND_BRANCHANDBOUND_H

#include "Bound/LinearProgram.h"
#include "Bound/MomentProgram.h"

namespace remat::solver {

/// Splits the cases of one moment program.
class BranchAndBound {
public:
  /// A bound of `goalExtraCost` is enough, if that is not 0.
  BranchAndBound(const MomentProgram &program, const ProblemIndex &index,
                 int64_t capBytes, int64_t goalExtraCost,
                 std::function<bool()> isOutOfTime,
                 const Tuning &tuning = Tuning::defaults());

  /// Solves the whole as one case; false if time ran out first.
  bool solveRoot();
  /// Splits cases until about `maxWork` more is done, `maxCases` are there or
  /// nothing is left to split. True if nothing is.
  bool run(int64_t maxWork, size_t maxCases);

  /// The number of cases that are neither impossible nor at the goal.
  size_t numCases() const { return open.size(); }
  /// Nothing is left to do: the goal is reached or, without one, nothing is
  /// feasible.
  bool isComplete() const { return open.empty(); }
  /// No plan is of any case.
  bool isInfeasible() const { return open.empty() && goalExtraCost == 0; }
  /// The least extra cost of all cases, if there is any.
  int64_t extraCost() const;
  /// The values of the columns in the case that is lowest, if there is any.
  std::vector<double> lowestValues();
  MomentProof proof() const;

  /// The work done, the same on every machine, in units of about a nanosecond.
  int64_t work() const { return workDone; }

private:
  using Wide = __int128;
  /// Rows, by index, and their amounts.
  using Amounts = std::vector<std::pair<int32_t, int64_t>>;
  /// A node of the tree.
  struct Node {
    int32_t parent = -1;
    /// The column at which the parent was split, and its value here.
    int32_t column = -1;
    int32_t value = 0;
    /// -1 if it is not split.
    int32_t children[2] = {-1, -1};
    Wide bound = 0;
    bool isImpossible = false;
    /// The linear program was solved to the end.
    bool isSolved = false;
    Amounts amounts;
    LinearProgram::Basis basis;
    /// If it is split: the columns that its amounts settle first.
    std::vector<std::pair<int32_t, int8_t>> settled;
    /// Columns with values between 0 and 1, most promising first.
    std::vector<int32_t> fractional;
  };

  const MomentProgram &program;
  const int64_t capBytes;
  const int64_t goalExtraCost;
  const decltype(Tuning::bound) &tuning;
  std::function<bool()> isOutOfTime;
  int64_t scale, weightScale;
  double costFactor;
  std::vector<double> rowFactors;
  LinearProgram linear;
  int64_t workDone = 0;
  std::vector<Node> nodes;
  /// The cases that are neither split nor impossible.
  std::vector<int32_t> open;
  /// By column: the value known in the current case or -1, and scratch space
  /// for sums over rows.
  std::vector<int8_t> known;
  std::vector<int32_t> knownColumns;
  std::vector<Wide> sums;

  LinearProgram makeLinear();
  bool isLower(int32_t a, int32_t b) const;
  void enter(int32_t node);
  void solve(Node &node, int maxPivots);
  void take(Node &node, LinearProgram::Outcome outcome);
  Amounts roundedAmounts(const std::vector<double> &duals, bool isRay) const;
  Wide boundOf(const Amounts &amounts, bool withCosts,
               std::vector<std::pair<int32_t, Wide>> *rests = nullptr);
  Wide unit() const { return Wide(scale) * weightScale; }
  bool isOpen(const Node &node) const;
  void settle(Node &node);
  void countWork(int64_t pivotsBefore);
  int32_t chooseColumn(const Node &node);
  bool split(int32_t lowest);
  void copyCases(int32_t node, MomentProof &proof) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_BRANCHANDBOUND_H
