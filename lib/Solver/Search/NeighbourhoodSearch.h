//===- NeighbourhoodSearch.h - Improve a plan by undoing parts of it ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large-neighbourhood search. One round starts from a plan within the cap and
//
//   destroys   takes back some of its drops (near each other in time, or of
//              tensors that follow from each other, or any), which makes it
//              cheaper but too large; or adds drops and takes back others;
//   repairs    drops other tensors at the highest window until it fits again,
//              looking at the most promising only: bytes freed by cost, where
//              the cost is what the same drop added when it was last tried;
//   trims      takes back those drops that turned out not to be needed;
//   accepts    the outcome if it costs less, or hardly more than the best.
//
// All is measured by the exact simulator, which starts from the first execution
// that changes.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H
#define REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H

#include "Search/Repair.h"

namespace remat::solver {

class NeighbourhoodSearch {
public:
  /// Plans, evaluates and repairs by `repairer`.
  explicit NeighbourhoodSearch(Repairer &repairer)
      : repairer(repairer), encoding(repairer.encoding), plan(repairer.plan),
        random(repairer.random), tuning(repairer.tuning.neighbourhood) {}

  /// Adds a plan whose parts the search may take over.
  void addDonor(const Decisions &donor) { donors.push_back(donor); }
  const std::vector<Decisions> &allDonors() const { return donors; }

  /// Improves `best`, which is within the cap, until the budget is spent or its
  /// cost is at most `goalCost`.
  void improve(Candidate &best, int64_t goalCost);

private:
  Repairer &repairer;
  const GapEncoding &encoding;
  /// What is being improved, as its base, with the changes of this round.
  WorkingPlan &plan;
  Random &random;
  const decltype(Tuning::neighbourhood) &tuning;

  std::vector<Decisions> donors;
  /// The decisions of the base that are not to retain.
  std::vector<int32_t> dropped;

  void setBase(const Candidate &candidate);
  void findDropped();
  void destroy();
  void destroyRun();
  void destroyRelated();
  void addDrop();
  void crossOver();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_NEIGHBOURHOODSEARCH_H
