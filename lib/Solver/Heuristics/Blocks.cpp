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
void searchBlocks(PlanPool &search) {
  const GapEncoding &encoding = search.encoding;
  PlanPool::PlannerScope scope(search, "blocks");
  BudgetScope budget =
      search.allow(search.workFor(0, search.tuning.blocks.minSchedules));
  int64_t largest = 0;
  for (const Tensor &tensor : encoding.problem.tensors)
    largest = std::max(largest, tensor.bytes);
  for (double share : search.tuning.blocks.smallShares) {
    std::vector<int32_t> boundaries;
    for (NarrowCut cut : findNarrowCuts(encoding, search.peakSlot(),
                                        share * static_cast<double>(largest)))
      boundaries.push_back(cut.slot);
    search.consider(keepBoundaries(encoding, search.peakSlot(), boundaries));
  }
}

} // namespace remat::solver
