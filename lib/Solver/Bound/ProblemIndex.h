//===- ProblemIndex.h - Facts about a problem, by id ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_PROBLEMINDEX_H
#define REMAT_LIB_SOLVER_BOUND_PROBLEMINDEX_H

#include "Index/TensorIndex.h"

namespace remat::solver {

/// Facts about a problem that bounds and searches look up often. The problem
/// passes check() and outlives the index.
class ProblemIndex : public TensorIndex {
public:
  explicit ProblemIndex(const Problem &problem);

  /// The last step that reads each tensor, the number of steps if it is an
  /// output, -1 if nothing reads it.
  std::vector<StepId> lastRead;
  /// The first step that reads each tensor and makes something outside its
  /// storage; the number of steps if there is none.
  std::vector<StepId> firstOutsideRead;
  /// The one storage that holds all results of each step, or -1.
  std::vector<TensorId> onlyStorageOf;
  /// The step after whose first execution a tensor can never be read again,
  /// because the step overwrites it and it cannot be recomputed; the number of
  /// steps if there is none.
  std::vector<StepId> lostFrom;
  int64_t totalCost = 0;
  int64_t totalBytes = 0;

  /// Whether `step` cannot run again after the first execution of `cut`.
  bool isOnceOnly(StepId step, StepId cut) const;

  /// The bytes that are fixed or read later at each step. Where they exceed the
  /// cap, something must be dropped.
  std::vector<int64_t> demandBytes() const;

  /// The part of these bytes that is fixed or cannot be recomputed, and, as the
  /// last element, the bytes held at the end. No plan meets a cap below any of
  /// them.
  std::vector<int64_t> unavoidableBytes() const;

private:
  void findReads();
  void findLost();
  std::vector<int64_t> sumBytes(bool onlyUnavoidable) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_PROBLEMINDEX_H
