//===- ChainSearch.h - The chain DP as a member of searches ---------------===//
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

/// Plans of the chain DP, put into a search.
class ChainSearch {
public:
  explicit ChainSearch(PlanPool &search);

  /// Makes plans from minimum cuts under prices on memory, and refines them.
  void construct(double workShare = 1);

  /// Makes plans from parts of the best plans so far.
  void recombine();

private:
  PlanPool &search;
  ChainDp chain;

  void findChoices(int64_t executions);
  std::vector<Decisions> plansForPrices();
  std::vector<Candidate> solveChain();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_CHAIN_CHAINSEARCH_H
