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
// What the steps behind the peak read of a block, they read in reverse order of
// the blocks. So when they come to block b, later blocks need no memory any
// more. A sweep runs blocks forward from a boundary that is there; the schedule
// itself is the first sweep. With the boundary x_i in store and m bytes for the
// rest, the least cost of the blocks i..j is
//
//   first[m][i]      of the blocks i..n-1 in the first sweep:
//     keep part of block i        cost of the rest + first[m - part - x][i+1]
//     go on to boundary k         first[m - x_k][k] + sweep over i..k-1
//                                 + again[m][i][k-1]
//     keep nothing                two sweeps over i..n-2 + again[m][i][n-2]
//   again[m][i][j]   of the blocks i..j in any later sweep, likewise:
//     i = j: keep all of block i if m has room for it
//     go on to boundary k         again[m - x_k][k][j] + sweep over i..k-1
//                                 + again[m][i][k-1]
//
// as in Revolve and rotor, with memory in whole quanta, rounded up. What part
// of a block to keep comes from a list of choices, from all to nothing, made by
// giving up what frees the most bytes for its cost. The model leaves out what
// the steps themselves need for the moment; so the caller takes plans for all
// amounts of memory and has the simulator judge them.
//
// A. Griewank, A. Walther: Algorithm 799: Revolve, ACM TOMS 26 (2000).
// O. Beaumont et al.: Optimal checkpointing for heterogeneous chains: how to
// train deep neural networks with limited memory, Inria RR-9302 (2019).
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_CHAINDP_H
#define REMAT_LIB_SOLVER_CHAINDP_H

#include "GapEncoding.h"

namespace remat::solver {

class ChainDp {
public:
  /// Finds the blocks before `peakSlot` and solves for all multiples of
  /// `quantumBytes` up to `numQuanta`. O(numQuanta * blocks^3).
  ChainDp(const GapEncoding &encoding, int32_t peakSlot, int64_t quantumBytes,
          int numQuanta);

  /// Allows `quanta` more for what later sweeps keep than for what the first
  /// one keeps across the peak, where the steps themselves need the most.
  /// Without a call it is 0.
  void setSlack(int quanta);

  int numBlocks() const { return static_cast<int>(blocks.size()); }

  /// The decisions of the cheapest plan with `quanta` quanta for what is kept,
  /// or nothing if the model knows none.
  std::optional<Decisions> planFor(int quanta) const;

private:
  /// A part of a block's tensors to keep in the first sweep.
  struct Choice {
    std::vector<TensorId> dropped;
    int quanta;
    /// The cost to make what is dropped again.
    int64_t cost;
  };
  struct Block {
    /// The slots of the block.
    int32_t begin, end;
    /// The tensors that lead into it; none for the first block.
    std::vector<TensorId> boundary;
    int boundaryQuanta = 0;
    /// What is read behind the peak, without the boundary of the next block.
    std::vector<TensorId> kept;
    int keptQuanta = 0;
    /// What is not: it goes after the sweep.
    std::vector<TensorId> passing;
    /// What a sweep to the next boundary makes, in order of ids.
    std::vector<TensorId> onPath;
    /// The cost of such a sweep, and of the rest of `kept` after it.
    int64_t sweepCost = 0;
    int64_t restCost = 0;
    std::vector<Choice> choices;
  };
  /// How an optimum arises: the index of a choice, or the boundary to go to.
  struct Origin {
    int16_t choice = -1;
    int16_t boundary = -1;
    bool isBoundaryDropped = false;
  };
  struct Entry {
    int64_t cost;
    Origin origin;
  };

  const GapEncoding &encoding;
  const Problem &problem;
  int32_t peakSlot;
  int64_t quantumBytes;
  int numQuanta;
  int slack = 0;
  std::vector<Block> blocks;
  /// The sweep costs of the first blocks, summed up.
  std::vector<int64_t> sweepCostBefore;
  /// The last call of closureCost() that met each step.
  std::vector<int64_t> closureOfStep;
  int64_t currentClosure = 0;
  /// The steps that all of them met.
  int64_t numVisits = 0;
  /// first[i * (numQuanta + 1) + m], again[(i * n + j) * (numQuanta + 1) + m].
  std::vector<Entry> first, again;

  int quantaOf(const std::vector<TensorId> &tensors) const;
  void findBlocks();
  void fillBlock(Block &block, const std::vector<TensorId> &nextBoundary);
  void makeChoices(Block &block);
  int64_t closureCost(const Block &block, const std::vector<TensorId> &wanted,
                      const std::vector<char> &isThere,
                      std::vector<TensorId> *made);
  int64_t sweepCost(int from, int to) const {
    return sweepCostBefore[to] - sweepCostBefore[from];
  }
  const Entry &firstAt(int i, int m) const {
    return first[static_cast<size_t>(i) * (numQuanta + 1) + m];
  }
  const Entry &againAt(int i, int j, int m) const {
    return again[(static_cast<size_t>(i) * blocks.size() + j) *
                     (numQuanta + 1) +
                 m];
  }
  void solveAgain();
  void solveFirst();
  void decideFirst(int i, int m, Decisions &decisions) const;
  void decideAgain(int i, int j, int m, int sweep, Decisions &decisions) const;
  void decide(const std::vector<TensorId> &tensors, int16_t decision,
              Decisions &decisions) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAINDP_H
