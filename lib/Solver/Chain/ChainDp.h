//===- ChainDp.h - Checkpoints along a chain of blocks --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic program proper. It looks at the schedule up to its peak as a
// chain of blocks, cut where a single tensor of any size (the boundary) leads
// on:
//
//     inputs -> block 0 -> x1 -> block 1 -> x2 -> … -> block n-1 -> peak
//
// What the steps after the peak read of a block, they read in reverse order of
// the blocks. So when they come to block b, later blocks need no memory any
// more. A sweep runs blocks forward from a boundary that is there; the schedule
// itself is the first sweep. The choices for a block are a Pareto set
// (BlockChoices.h) of what stays over the peak, what its own part of the
// backward pass needs, and what that costs. Those for an open block go without
// the boundary after it: a sweep recomputes that for later blocks, and leaves
// it and other things in store until the block is read.
//
// With the boundary x_i in store and m bytes for the rest, the least cost of
// the blocks i..j is
//
//   first[m][h][i]   of the blocks i..n-1 in the first sweep, where later
//   sweeps
//                    that lead to i leave h bytes in store:
//     choose for i           cost of the choice, if h and its inner peak fit in
//                            m + p, + first[m - kept - x_(i+1)][0][i+1]
//     choose for i, open     likewise, + first[m - kept][h + held][i+1]
//     go on to boundary k    first[m - x_k][0][k] + sweep over i..k-1
//      (if h = 0)            + again[m + p][i][k-1]
//     keep nothing           two sweeps over i..n-2 + again[m + p][i][n-2]
//      (if h = 0)
//   again[m][i][j]   of the blocks i..j in any later sweep, likewise:
//     i = j: choose for i    if the inner peak fits in m
//     go on to boundary k    again[m - x_k][k][j] + sweep over i..k-1
//                            + again[m][i][k-1]
//
// where p is what the peak itself holds, which is gone after it. `again` is as
// in Revolve and rotor: all is recomputed. What open blocks keep makes sweeps
// over them cheap: mostly what is expensive to compute stays, and what follows
// from it comes back in one sweep over many blocks. Memory is in quanta, and
// sweeps need a little more than the model knows; so the caller takes plans for
// more than one amount of memory and has the simulator evaluate them.
//
// A. Griewank, A. Walther: Algorithm 799: Revolve, ACM TOMS 26 (2000).
// O. Beaumont et al.: Optimal checkpointing for heterogeneous chains: how to
// train deep neural networks with limited memory, Inria RR-9302 (2019).
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_CHAIN_CHAINDP_H
#define REMAT_LIB_SOLVER_CHAIN_CHAINDP_H

#include "Chain/BlockChoices.h"

#include "remat/Solver/Tuning.h"

#include <cassert>
#include <limits>
#include <memory>
#include <optional>

namespace remat::solver {

class ChainDp {
public:
  /// Finds the blocks before `peakSlot`.
  ChainDp(const GapEncoding &encoding, Simulator &simulator, Budget &budget,
          int32_t peakSlot, int64_t capBytes,
          const Tuning &tuning = Tuning::defaults());

  /// Takes what `plans` decide about blocks as choices for them.
  void addPlans(const std::vector<Decisions> &plans);

  /// Looks for more choices, with `executions` in all.
  void explore(int64_t executions);

  /// Solves for all multiples of a quantum up to somewhat more than the cap
  /// leaves. O(numQuanta * (blocks^3 + choices * amounts held)).
  void solve();

  int numBlocks() const { return static_cast<int>(blocks.size()); }

  /// The decisions of the cheapest plan if `share` of the room under the cap is
  /// there for what is kept, or nothing if the model knows none.
  std::optional<Decisions> planFor(double share) const;

private:
  /// A choice, in quanta.
  struct Choice {
    Changes changes;
    int keptQuanta;
    int innerQuanta;
    int heldQuanta;
    int64_t cost;
  };
  struct Block {
    /// The slots of the block.
    int32_t begin, end;
    /// The tensors that lead into it; none for the first block.
    std::vector<TensorId> boundary;
    int64_t boundaryBytes = 0;
    /// Its part that is read after the peak: the rest is kept for the chain
    /// only.
    int64_t boundaryReadBytes = 0;
    /// The gap of the boundary across the peak, or -1.
    int32_t boundaryGap = -1;
    int boundaryQuanta = 0;
    /// What is read after the peak, without the boundary of the next block.
    std::vector<TensorId> kept;
    int64_t keptBytes = 0;
    /// What is not: it goes after the sweep.
    std::vector<TensorId> passing;
    /// What a sweep to the next boundary makes, in order of ids.
    std::vector<TensorId> onPath;
    /// The cost of such a sweep, and of the rest of `kept` after it.
    int64_t sweepCost = 0;
    int64_t restCost = 0;
    /// The block as it is between two boundaries that are there, and without
    /// the one after it, and choices for both.
    BlockScope closed, open;
    std::vector<Choice> closedChoices, openChoices;
  };
  enum class How : int8_t { Closed, Open, Sweep, TwoSweeps };
  /// How an optimum arises: by a choice for a block, or by sweeps; `end` is
  /// where it goes on.
  struct Origin {
    Origin() = default;
    Origin(How how, int end, size_t choice = 0)
        : how(how), end(static_cast<uint8_t>(end)),
          choice(static_cast<uint16_t>(choice)) {
      assert(end >= 0 && end <= maxEnd && choice <= maxChoice);
    }
    How how = How::Closed;
    /// There are many millions of origins; so they are kept small. The number
    /// of blocks and of choices is limited accordingly.
    uint8_t end = 0;
    uint16_t choice = 0;
    static constexpr int maxEnd = std::numeric_limits<uint8_t>::max();
    static constexpr size_t maxChoice = std::numeric_limits<uint16_t>::max();
  };
  struct Entry {
    int64_t cost;
    Origin origin;
  };

  const GapEncoding &encoding;
  const Problem &problem;
  Simulator &simulator;
  Budget &budget;
  int32_t peakSlot;
  int64_t capBytes;
  const decltype(Tuning::chain) &tuning;
  int64_t quantumBytes = 1;
  /// The most quanta in all, and the quanta of the room: what the cap leaves,
  /// and the most that plans are made for.
  int maxQuanta = 0;
  int roomQuanta = 0, maxRoomQuanta = 0;
  /// The most that is held, in steps of some quanta.
  int maxHeld = 0;
  /// The plan that keeps all that is read after the peak.
  Decisions keepAll;
  std::vector<Block> blocks;
  std::unique_ptr<BlockExplorer> explorer;
  /// The sweep costs of the first blocks, summed up.
  std::vector<int64_t> sweepCostBefore;
  /// The last call of closureCost() that met each step.
  std::vector<int64_t> closureOfStep;
  int64_t currentClosure = 0;
  /// How first[m][h][i] arises, at
  /// [(i * (maxRoomQuanta + 1) + m) * (maxHeld + 1) + h].
  std::vector<Origin> origins;
  /// first[m][0][i] at [i * (maxRoomQuanta + 1) + m].
  std::vector<int64_t> withNothingHeld;
  /// again[m][i][j] at againIndex(i, j, m).
  std::vector<Entry> again;

  /// Makes the explorer, the first time.
  void prepare();
  int64_t bytesOf(const std::vector<TensorId> &tensors) const;
  /// Rounded up or down; never below 0, and beyond all plans if it is too much.
  int quantaOf(int64_t bytes, int block) const;
  void findBlocks();
  void fillBlock(Block &block, const std::vector<TensorId> &nextBoundary);
  BlockScope scopeOf(int index) const;
  int64_t closureCost(const Block &block, const std::vector<TensorId> &wanted,
                      const std::vector<char> &isThere,
                      std::vector<TensorId> *made);
  int64_t sweepCost(int from, int to) const {
    return sweepCostBefore[to] - sweepCostBefore[from];
  }
  /// What there is for a block after the peak, where `m` quanta were left for
  /// it at the peak: there, what the peak itself holds is gone.
  int laterQuanta(int m) const { return m + maxQuanta - maxRoomQuanta; }
  Origin originAt(int i, int m, int held) const {
    return origins[(static_cast<size_t>(i) * (maxRoomQuanta + 1) + m) *
                       (maxHeld + 1) +
                   held];
  }
  /// There is a place for i <= j only.
  size_t againIndex(int i, int j, int m) const {
    auto column = static_cast<size_t>(j);
    return (column * (column + 1) / 2 + i) * (maxQuanta + 1) + m;
  }
  const Entry &againAt(int i, int j, int m) const {
    return again[againIndex(i, j, m)];
  }
  std::vector<Choice> choicesOf(const BlockScope &scope, int block) const;
  void solveAgain();
  void solveFirst();
  void decideFirst(int room, Decisions &decisions) const;
  void decideAgain(int i, int j, int m, int sweep, Decisions &decisions) const;
  void decide(const std::vector<TensorId> &tensors, int16_t decision,
              Decisions &decisions) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAIN_CHAINDP_H
