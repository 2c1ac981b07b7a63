//===- ProofFacts.h - What the judges of bounds know of a problem ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Problem.h alone.
// For judges only: nothing here is shared with the search for bounds.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H
#define REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H

#include "remat/Solver/Certificate.h"

namespace remat::solver {

/// What is wrong with a certificate, or nothing.
using ProofError = std::optional<std::string>;

class ProofFacts {
public:
  explicit ProofFacts(const Problem &problem);

  /// Wide enough for sums of products of sizes and prices.
  using Wide = __int128;

  const Problem &problem;
  /// The step that makes each tensor, -1 for inputs.
  std::vector<StepId> maker;

  StepId numSteps() const { return static_cast<StepId>(problem.steps.size()); }
  TensorId numTensors() const {
    return static_cast<TensorId>(problem.tensors.size());
  }
  std::string nameOf(TensorId tensor) const;
  std::string nameOfStep(StepId step) const;
  static bool contains(const std::vector<TensorId> &list, TensorId tensor);

  /// Whether `storage` names a storage.
  bool isStorage(TensorId storage) const;

  /// In the slot of the first execution of `step` whatever the plan. If that is
  /// the number of steps: in the last slot, which holds what has to be there in
  /// the end.
  bool isFixed(TensorId storage, StepId step) const {
    return isFixed(storage, step, /*isInFirstSlot=*/step == 0);
  }
  bool isFixed(TensorId storage, StepId step, bool isInFirstSlot) const;

  /// Whether `step` may run again after the first execution of `when`.
  bool canRunAgain(StepId step, StepId when) const;

  /// Whether `made` has to be made again to have `tensor` in a new storage.
  bool isInChainOf(TensorId made, TensorId tensor) const;

  /// The function f of remat/Solver/Certificate.h, of a number of bytes which
  /// may be negative; bytes themselves if there is no divisor.
  static Wide weightOf(Wide bytes, Wide divisor, Wide excess);

  Wide totalCost() const;

private:
  /// The step that overwrites each tensor, or the number of steps.
  std::vector<StepId> overwriter;

  /// Whether `tensor` can not be read any more after the first execution of
  /// `when`: that or an earlier step overwrote it, and its maker can not run
  /// again after that.
  bool isLost(TensorId tensor, StepId when) const;
};

/// Judges a certificate of the kind BoundKind::SeveralMoments or AnyOrder.
ProofError checkMoments(const Problem &problem, const Certificate &certificate);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H
