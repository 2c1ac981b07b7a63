//===- ProofFacts.h - What the proof checkers know of a problem -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Problem.h alone.
// Only the checkers use it; nothing here is shared with the search for bounds.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H
#define REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H

#include "remat/Solver/Certificate.h"

namespace remat::solver {

/// What is wrong with a certificate, or nothing.
using ProofError = std::optional<std::string>;

/// The steps and tensors of a problem that passes check(), looked up slowly and
/// obviously.
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
  /// "tensor 7" or "step 7", by label; "nothing" for no step, -1.
  std::string nameOf(TensorId tensor) const;
  std::string nameOfStep(StepId step) const;
  static bool contains(const std::vector<TensorId> &list, TensorId tensor);

  /// Whether `storage` names a storage: a tensor that owns one.
  bool isStorage(TensorId storage) const;

  /// Whether `storage` is in the slot of the first execution of `step` in every
  /// plan. The number of steps stands for the last slot, which holds the
  /// outputs.
  bool isFixed(TensorId storage, StepId step) const {
    return isFixed(storage, step, /*isInFirstSlot=*/step == 0);
  }
  bool isFixed(TensorId storage, StepId step, bool isInFirstSlot) const;

  /// Whether `step` may run again after the first execution of `when`.
  bool canRunAgain(StepId step, StepId when) const;

  /// Whether `made` must be recomputed to have `tensor` in a new storage.
  bool isInChainOf(TensorId made, TensorId tensor) const;

  /// The function f of remat/Solver/Certificate.h, of a number of bytes that
  /// may be negative; the bytes themselves if there is no divisor.
  static Wide weightOf(Wide bytes, Wide divisor, Wide excess);

  /// The cost of executing every step once.
  Wide totalCost() const;

private:
  /// The step that overwrites each tensor, or the number of steps.
  std::vector<StepId> overwriter;

  /// Whether `tensor` cannot be read any more after the first execution of
  /// `when`: that or an earlier step overwrote it, and its maker cannot run
  /// again after that.
  bool isLost(TensorId tensor, StepId when) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PROOF_PROOFFACTS_H
