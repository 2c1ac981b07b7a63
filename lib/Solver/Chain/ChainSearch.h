//===- ChainSearch.h - The chain DP as a planner --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_CHAIN_CHAINSEARCH_H
#define REMAT_LIB_SOLVER_CHAIN_CHAINSEARCH_H

#include "Chain/ChainDp.h"
#include "Search/PlanPool.h"

namespace remat::solver {

/// Plans of the chain DP, put into a pool.
class ChainSearch {
public:
  explicit ChainSearch(PlanPool &pool);

  /// Makes plans from minimum cuts under prices on memory, and refines them.
  void construct(double workShare = 1);

  /// Makes plans from parts of the best plans so far.
  void recombine();

private:
  PlanPool &pool;
  ChainDp chain;
  const decltype(Tuning::chain) &tuning;

  void findChoices(int64_t executions);
  std::vector<Decisions> plansForPrices();
  std::vector<Candidate> solveChain();
};

/// Dynamic programming over the chain of blocks that the schedule forms up to
/// its peak, with partial retention (Pareto sets of choices for each block),
/// sweeps over many blocks and nested recomputation, then repair, pruning and
/// neighbourhood search of single tensors under an exact simulation.
/// Complexity: O(blocks^3) with at most 100 blocks, and a fixed number of
/// simulated executions: a second or two for most problems that do not fit at
/// once, some seconds for thousands of steps.
void searchChains(PlanPool &pool);

/// Hardly more than the plans of the DP, with a share of the work.
void searchChainsBriefly(PlanPool &pool, double workShare);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAIN_CHAINSEARCH_H
