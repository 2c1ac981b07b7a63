//===- TensorIndex.h - Who makes, shares and overwrites each tensor -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a problem says of its tensors, turned round so that it can be looked up
// by tensor. Bounds, searches and re-ordering build on it. The checker of
// proofs does not: it has its own, on purpose.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_INDEX_TENSORINDEX_H
#define REMAT_LIB_SOLVER_INDEX_TENSORINDEX_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// Facts about the tensors of a problem. A storage is named by the tensor that
/// owns it.
class TensorIndex {
public:
  /// O(operands, results and in-place pairs with all that share their storage).
  explicit TensorIndex(const Problem &problem);

  const Problem &problem;
  /// The step that makes each tensor, -1 for inputs.
  std::vector<StepId> maker;
  /// The storage of each tensor.
  std::vector<TensorId> storageOf;
  /// The tensors in each storage, by id; none for what owns no storage.
  std::vector<std::vector<TensorId>> members;
  /// The step that overwrites each tensor in the schedule, or -1: the first
  /// after its maker that overwrites any tensor in its storage.
  std::vector<StepId> overwriter;
  /// Whether a storage is live in every slot of every plan.
  std::vector<char> isPermanent;

  /// Whether other tensors may be in the same storage.
  bool sharesStorage(TensorId tensor) const {
    return members[storageOf[tensor]].size() > 1;
  }
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_INDEX_TENSORINDEX_H
