//===- NarrowCuts.cpp - Plans that keep chosen tensors only ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NarrowCuts.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

/// The last slot up to `peakSlot` that touches `tensor`.
static int32_t lastTouchBefore(const GapEncoding &encoding, TensorId tensor,
                               int32_t peakSlot) {
  int32_t last = encoding.slotOf[encoding.maker[tensor]];
  for (int32_t gap = encoding.firstGap[tensor];
       gap < encoding.firstGap[tensor + 1] &&
       encoding.gaps[gap].beginSlot <= peakSlot;
       ++gap)
    last = encoding.gaps[gap].beginSlot;
  return last;
}

std::vector<NarrowCut> findNarrowCuts(const GapEncoding &encoding,
                                      int32_t peakSlot, double smallBytes) {
  const Problem &problem = encoding.problem;
  // How many tensors lead over each slot, and the sum of their ids, which is
  // the id where there is but one; both as differences first.
  std::vector<int64_t> count(peakSlot + 2, 0), sum(peakSlot + 2, 0);
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    if (!encoding.canRegenerate[tensor] ||
        problem.tensors[tensor].bytes < smallBytes ||
        problem.steps[encoding.maker[tensor]].operands.empty())
      continue;
    int32_t made = encoding.slotOf[encoding.maker[tensor]];
    int32_t last = lastTouchBefore(encoding, tensor, peakSlot);
    if (made >= last)
      continue;
    ++count[made];
    --count[last];
    sum[made] += tensor;
    sum[last] -= tensor;
  }
  std::vector<NarrowCut> cuts;
  for (int32_t slot = 0; slot < peakSlot; ++slot) {
    if (slot > 0) {
      count[slot] += count[slot - 1];
      sum[slot] += sum[slot - 1];
    }
    TensorId leading = static_cast<TensorId>(sum[slot]);
    if (count[slot] == 1 && (cuts.empty() || cuts.back().tensor != leading))
      cuts.push_back({slot, leading});
  }
  return cuts;
}

std::vector<int32_t> equalSegments(int32_t endSlot, double number) {
  std::vector<int32_t> boundaries;
  for (int64_t i = 1; i < number; ++i)
    // The product is beyond 32 bits from some 50,000 slots on.
    boundaries.push_back(static_cast<int32_t>(i * endSlot / number) - 1);
  return boundaries;
}

Decisions keepBoundaries(const GapEncoding &encoding, int32_t peakSlot,
                         const std::vector<int32_t> &boundaries) {
  const Problem &problem = encoding.problem;
  // The number of boundaries before each slot.
  std::vector<int32_t> boundariesBefore(peakSlot + 2, 0);
  for (int32_t boundary : boundaries) {
    assert(boundary >= -1 && "no slot, nor the time before the first");
    if (boundary <= peakSlot)
      ++boundariesBefore[boundary + 1];
  }
  for (int32_t slot = 0; slot <= peakSlot; ++slot)
    boundariesBefore[slot + 1] += boundariesBefore[slot];
  Decisions decisions = encoding.retainAll();
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    int32_t gap = encoding.gapAfter(tensor, peakSlot);
    // What the peak itself touches is there in any case.
    if (gap < 0 || encoding.gaps[gap].beginSlot == peakSlot)
      continue;
    int32_t made = encoding.slotOf[encoding.maker[tensor]];
    int32_t last = lastTouchBefore(encoding, tensor, peakSlot);
    if (boundariesBefore[last] == boundariesBefore[made])
      decisions[gap] = 0;
  }
  return decisions;
}

} // namespace remat::solver
