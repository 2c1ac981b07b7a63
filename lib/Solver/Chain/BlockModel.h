//===- BlockModel.h - A block of the chain by itself ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To measure a choice for a block (BlockChoices.h) it is enough to simulate the
// block, its part of the backward pass, and what later blocks need of it:
//
//   slots of the block | peak | read next | later | read next | windows
//
// where `next` is the boundary after the block. All else is there and takes
// the memory that it takes in the base.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_CHAIN_BLOCKMODEL_H
#define REMAT_LIB_SOLVER_CHAIN_BLOCKMODEL_H

#include "Search/Simulator.h"

#include <map>
#include <memory>

namespace remat::solver {

/// A block of the chain DP, and where in the whole it matters.
struct BlockScope {
  /// Its slots, up to before `endSlot`.
  int32_t beginSlot = 0, endSlot = 0;
  /// The windows after the peak that read it, up to before `endWindow`.
  int32_t beginWindow = 0, endWindow = 0;
  /// Its gaps that lie across the peak; for an open block the last is that of
  /// the boundary after it, about which there is no choice.
  std::vector<int32_t> gaps;
  /// The gap of the boundary before it across the peak, or -1. What reads it
  /// after the peak belongs to the block.
  int32_t boundaryGap = -1;
  /// The gap of the boundary after it, or -1.
  int32_t nextGap = -1;
  /// Whether that boundary is dropped, to be recomputed by a sweep that comes
  /// from before the block.
  bool isOpen = false;
  /// What it keeps in the base over the peak, without the boundary after it.
  int64_t keptBytes = 0;
  /// What earlier blocks and the first boundary keep there.
  int64_t earlierBytes = 0;
};

/// What a choice for a block comes to.
struct BlockMeasures {
  /// What stays over the peak, without the boundary after it.
  int64_t keptBytes = 0;
  /// The most memory in the windows of the block, without what is earlier,
  /// and the first such window, counted from the first one of the block.
  int64_t innerBytes = 0;
  int32_t innerWindow = 0;
  /// For an open block: what else is live, from the time of the sweep to
  /// the windows of the block.
  int64_t heldBytes = 0;
  /// Above that of the base.
  int64_t cost = 0;
};

class BlockModel {
public:
  /// `base` is the plan of the whole in which everything that is read after
  /// the peak stays, and `bytesOfBase` its memory.
  BlockModel(const GapEncoding &whole, const BlockScope &block,
             const Decisions &base, const std::vector<int64_t> &bytesOfBase);

  /// One decision for each gap of the block, then for each of its windows.
  BlockMeasures measure(const Decisions &choice);

  /// The executions simulated so far.
  int64_t numExecutions() const { return simulator->numExecutions; }

private:
  const GapEncoding &whole;
  Problem problem;
  std::unique_ptr<GapEncoding> encoding;
  std::unique_ptr<Simulator> simulator;
  /// The tensors of the model for those of the whole, and whether the model
  /// makes them.
  std::map<TensorId, TensorId> tensorOf;
  std::vector<char> isMade;
  bool isOpen;
  /// The slots of the peak, of the time when later blocks are at work, and of
  /// the first window.
  int32_t peak = 0, later = 0, firstWindow = 0;
  int32_t numWindows;
  /// Where each decision of a choice belongs, or -1.
  std::vector<int32_t> placeOf;
  Decisions base;
  int64_t costOfBase = 0;
  /// What a choice keeps less what is there at the peak.
  int64_t keptBeside = 0;
  /// What else is there in each window.
  std::vector<int64_t> elseBytes;

  TensorId import(TensorId tensor);
  void addSteps(int32_t beginSlot, int32_t endSlot, bool mayRecompute);
  int32_t addMoment(const std::vector<TensorId> &read);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAIN_BLOCKMODEL_H
