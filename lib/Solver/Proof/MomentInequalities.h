//===- MomentInequalities.h - Sums of inequalities over moments -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Moments.h alone.
// Only the checker uses it; nothing here is shared with the search for bounds.
// Every inequality that a proof names is derived from the definitions.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PROOF_MOMENTINEQUALITIES_H
#define REMAT_LIB_SOLVER_PROOF_MOMENTINEQUALITIES_H

#include "Proof/ProofFacts.h"

#include <array>
#include <map>

namespace remat::solver {

/// Adds up the inequalities of one proof.
class MomentInequalities : public ProofFacts {
public:
  MomentInequalities(const Problem &problem, const MomentProof &proof,
                     int64_t capBytes);

  /// What is wrong with moments, scales and weights. If something is, no other
  /// function may be called.
  ProofError checkNumbers();

  /// held(k, s), runs(k, l, j) or again(j), identified by all its indices.
  using Key = std::array<int32_t, 4>;
  ProofError keyOf(const MomentVariable &variable, Key &key) const;

  /// Adds up the inequalities of a sum, times their amounts:
  /// sum of sums[v] * v >= atLeast.
  ProofError addUp(int32_t sum);
  std::map<Key, Wide> sums;
  Wide atLeast = 0;

  /// The cost of a variable, in the unit of the amounts.
  Wide costOf(const Key &key) const;
  /// `cost` in the unit of the amounts; nothing if that is out of range. No
  /// amounts add up to as much.
  std::optional<Wide> inUnits(Wide cost) const;

private:
  /// Numbers stay below this, so that sums of some of them fit into Wide.
  static constexpr long double limit = 1e36L;

  const MomentProof &proof;
  const int64_t capBytes;
  /// The moment that is the end.
  const int32_t end;
  /// By moment and step: always executed up to the moment, or always after it.
  std::vector<std::vector<char>> isEarly, isLater;
  /// The sum of the absolute values of all summands so far.
  long double magnitude = 0;

  bool inOrder() const { return proof.order == MomentOrder::Schedule; }
  Wide unit() const { return Wide(proof.scale) * proof.weightScale; }
  void findSides(StepId moment);

  /// Whether 0 <= from < to <= end and, in any order, to = end.
  bool isStretch(int32_t from, int32_t to) const {
    return from >= 0 && from < to && to <= end && (inOrder() || to == end);
  }
  bool isMadeEarly(TensorId tensor, int32_t moment) const {
    return maker[tensor] < 0 || isEarly[moment][maker[tensor]];
  }
  /// Whether a step runs up to the moment, so that it may run again after it.
  bool isEarlyStep(StepId step, int32_t moment) const {
    return step >= 0 && step < numSteps() && isEarly[moment][step];
  }
  bool isHeldAlways(TensorId storage, int32_t moment) const;
  bool mayRunAfter(StepId step, int32_t moment) const;
  bool isReadInStretch(TensorId made, int32_t from, int32_t to) const;
  bool hasWeight(TensorId storage, int32_t moment) const;
  Wide excessOf(const MomentWeights &which) const;

  void addHeld(int32_t moment, TensorId storage, Wide factor);
  void addRuns(int32_t from, int32_t to, StepId step, Wide factor);

  ProofError checkWeights(const MomentWeights &which) const;
  ProofError addInequality(const MomentAmount &each);
  ProofError addRead(const MomentAmount &each, Wide factor);
  ProofError addStay(const MomentAmount &each, Wide factor);
  ProofError addPart(const MomentAmount &each, Wide factor);
  ProofError addAgain(const MomentAmount &each, Wide factor);
  ProofError addWeight(const MomentAmount &each);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PROOF_MOMENTINEQUALITIES_H
