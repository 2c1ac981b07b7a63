//===- BlockChoices.h - Ways to hold less of a block ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the chain DP puts together. For each block there is a Pareto set of
// decisions about its tensors, by these measures:
//
//   kept    the bytes of the block that stay over the peak, while others are at
//           work;
//   inner   the most memory while the steps after the peak read the block,
//           recomputations included, without what earlier blocks keep;
//   held    if the boundary after the block is dropped too (the block is open)
//           and a sweep recomputes it for later blocks: what that leaves
//           in store until the block is read;
//   cost    of the steps that run again.
//
// They come from plans for the whole problem. From each all single changes are
// tried (drop, keep after all, repeat more often, split a group), and
// again from those that are good for something. All measures are those of the
// exact simulator, in a model of the block by itself (BlockModel.h).
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_CHAIN_BLOCKCHOICES_H
#define REMAT_LIB_SOLVER_CHAIN_BLOCKCHOICES_H

#include "Chain/BlockModel.h"
#include "Search/Repair.h"

#include <map>
#include <memory>
#include <set>

namespace remat::solver {

/// Decisions about the tensors of a block.
struct BlockChoice {
  /// What differs from keeping all that is read after the peak.
  Changes changes;
  BlockMeasures measures;
};

/// Finds the choices of blocks. Blocks that are alike share theirs.
class BlockExplorer {
public:
  /// `base` is the plan that keeps all that is read after the peak, and
  /// `bytesOfBase` its memory. Differences below `quantumBytes` do not matter.
  /// Work counts as that of `simulator`.
  BlockExplorer(const GapEncoding &encoding, Simulator &simulator,
                Budget &budget, const Decisions &base,
                std::vector<int64_t> bytesOfBase, int64_t quantumBytes,
                int maxMoments);

  /// Adds what `plan` decides about the block to its choices.
  void addSeed(const BlockScope &block, const Decisions &plan);

  /// Looks for more choices for all blocks, with `executions` in all.
  void explore(int64_t executions);

  /// The choices of a block so far.
  std::vector<BlockChoice> choicesOf(const BlockScope &block);

private:
  /// A choice in terms of its block alone: one decision for each of its gaps,
  /// then one for each window in which they are read.
  struct Node {
    Decisions decisions;
    BlockMeasures measures;
    bool isExplored = false;
  };
  /// What makes blocks alike.
  using Shape = std::vector<int64_t>;
  /// Blocks that are alike.
  struct Kind {
    BlockScope example;
    std::unique_ptr<BlockModel> model;
    /// For each gap those of tensors that are only there to make its tensor
    /// again.
    std::vector<std::vector<size_t>> waysTo;
    std::vector<Node> front;
    std::set<Decisions> seen;
  };

  const GapEncoding &encoding;
  Simulator &simulator;
  Budget &budget;
  const Decisions &base;
  std::vector<int64_t> bytesOfBase;
  int64_t quantumBytes;
  /// The most times that a choice recomputes a tensor for the moment.
  int maxMoments;
  std::map<Shape, Kind> kinds;

  static bool hasChoice(const BlockScope &block) {
    return block.isOpen || block.beginWindow < block.endWindow;
  }
  Kind &kindOf(const BlockScope &block);
  Shape shapeOf(const BlockScope &block) const;
  Changes changesOf(const BlockScope &block, const Decisions &decisions) const;
  std::vector<std::vector<size_t>> findWaysTo(const BlockScope &block) const;
  std::vector<Decisions> movesOf(const Kind &kind, const Node &node) const;
  bool dominates(const BlockMeasures &a, const BlockMeasures &b) const;
  /// Measures decisions and adds them unless others are as good.
  void consider(Kind &kind, Decisions decisions);
  void explore(Kind &kind, int64_t executions);
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAIN_BLOCKCHOICES_H
