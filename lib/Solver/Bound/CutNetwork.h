//===- CutNetwork.h - What to hold at one step, by minimum cuts -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relaxation that remat/Solver/Certificate.h describes, as a network. For
// every price of a byte its minimum cut says which storages to hold while one
// step runs, and which steps to run again after it.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_BOUND_CUTNETWORK_H
#define REMAT_LIB_SOLVER_BOUND_CUTNETWORK_H

#include "Bound/MaxFlow.h"
#include "Bound/ProblemIndex.h"

#include "remat/Solver/Certificate.h"

namespace remat::solver {

/// The function f of remat/Solver/Certificate.h; `remainder` is r.
int64_t roundedWeight(int64_t bytes, int64_t divisor, int64_t remainder);

/// The network of one step.
class CutNetwork {
public:
  CutNetwork(const ProblemIndex &index, StepId step);

  StepId step;
  /// The bytes that the slot of the step always holds.
  int64_t fixedBytes = 0;

  /// The bytes besides the fixed ones that are read later.
  int64_t readLaterBytes = 0;

  /// Replaces bytes by weights that take into account that storages are held
  /// whole or not at all, if `excessBytes` of what is read later cannot be
  /// held. A divisor of 0 stands for bytes. The excess must not be a multiple
  /// of the divisor.
  void setRounding(int64_t excessBytes, int64_t divisor);
  /// The weight that can be held, besides what is fixed, under the rounding.
  int64_t room() const { return weightRoom; }
  /// Promising divisors: the sizes with the most bytes in total, and one above
  /// all sizes.
  std::vector<int64_t> divisors(size_t maxNumber) const;

  /// The value of the minimum cut at a price of `price` / `costScale` per unit
  /// of weight, times `costScale`. Rising prices are faster than falling ones.
  int64_t minCut(int64_t price, int64_t costScale);

  /// The weight held and the cost of the steps that run again, in the last cut.
  int64_t heldWeight() const { return weightHeld; }
  int64_t repeatedCost() const { return costRepeated; }
  /// The storages that are needed and not held, by id, in the last cut.
  std::vector<TensorId> dropped() const;

  /// Step, price, scale, divisor and flow of the last cut.
  MinCutProof proof() const;

  /// The largest scale at which flows stay within 64 bits.
  static int64_t maxCostScale(const ProblemIndex &index);

private:
  /// A storage that is not fixed and may be needed.
  struct Held {
    TensorId storage;
    /// The head of the arc of its price. The tail is the source if the storage
    /// is read later, otherwise a node that steps lead to.
    MaxFlow::Node remade;
    MaxFlow::Arc price;
    bool isReadLater;
    int64_t weight;
  };
  /// A step that may be recomputed.
  struct Repeated {
    StepId step;
    MaxFlow::Node node;
    MaxFlow::Arc cost;
    bool isOnceOnly;
  };
  /// An arc between a storage and a step.
  struct Link {
    TensorId storage;
    StepId step;
    MaxFlow::Arc arc;
  };

  const ProblemIndex &index;
  MaxFlow network;
  std::vector<Held> held;
  std::vector<Repeated> repeated;
  std::vector<Link> fromStorage, toStorage;
  int64_t lastDivisor = 0, lastPrice = 0, lastScale = -1;
  int64_t weightRoom = 0, weightHeld = 0, costRepeated = 0;

  void addHeld(TensorId storage, bool isReadLater,
               std::vector<MaxFlow::Node> &needed);
  std::vector<StepId> makersToRepeat(TensorId storage) const;
  bool isEarly(TensorId tensor) const { return index.maker[tensor] <= step; }
  bool isReadLater(TensorId tensor) const {
    return isEarly(tensor) && index.lastRead[tensor] > step;
  }
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_BOUND_CUTNETWORK_H
