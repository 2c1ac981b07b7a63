//===- Blocks.cpp - One checkpoint for each block -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What users do by hand: keep the tensor between each two blocks of a model and
// make all that is inside them again. A block ends where a single tensor leads
// on; what counts as small is tried from nothing to most of the largest tensor.
//
//===----------------------------------------------------------------------===//

#include "Heuristics/Heuristics.h"
#include "Search/NarrowCuts.h"

#include <algorithm>

namespace remat::solver {
void searchBlocks(PlanPool &pool) {
  const GapEncoding &encoding = pool.encoding;
  PlanPool::PlannerScope scope(pool, "blocks");
  BudgetScope budget =
      pool.allow(pool.workFor(0, pool.tuning.blocks.minSchedules));
  int64_t largest = 0;
  for (const Tensor &tensor : encoding.problem.tensors)
    largest = std::max(largest, tensor.bytes);
  for (double share : pool.tuning.blocks.smallShares) {
    std::vector<int32_t> boundaries;
    for (NarrowCut cut : findNarrowCuts(encoding, pool.peakSlot(),
                                        share * static_cast<double>(largest)))
      boundaries.push_back(cut.slot);
    pool.consider(keepBoundaries(encoding, pool.peakSlot(), boundaries));
  }
}

} // namespace remat::solver
