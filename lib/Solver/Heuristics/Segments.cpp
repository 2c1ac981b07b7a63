//===- Segments.cpp - Checkpointing by segments ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forward pass is cut into segments; what leads from one to the next is
// retained, all else is recomputed, segment by segment, backward. Segments end
// after equal numbers of slots, the square root of all among them, or where the
// bytes made since the last boundary pass a threshold.
//
// T. Chen et al.: Training deep nets with sublinear memory cost, 2016.
//
//===----------------------------------------------------------------------===//

#include "Heuristics/Heuristics.h"
#include "Search/NarrowCuts.h"

#include <cmath>

namespace remat::solver {
void searchSegments(PlanPool &pool) {
  const GapEncoding &encoding = pool.encoding;
  const Problem &problem = encoding.problem;
  int32_t peak = pool.peakSlot();
  PlanPool::PlannerScope scope(pool, "segments");
  const int numSizes = pool.tuning.segments.numSizes;
  BudgetScope budget =
      pool.allow(pool.workFor(0, int64_t(3) * (numSizes + 1) * 2));

  auto consider = [&](const std::vector<int32_t> &boundaries) {
    pool.consider(keepBoundaries(encoding, peak, boundaries));
  };
  auto considerNumber = [&](double number) {
    consider(equalSegments(peak + 1, number));
  };
  considerNumber(std::floor(std::sqrt(peak + 1.0)));

  std::vector<double> madeIn(peak + 1, 0);
  double total = 0;
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    if (encoding.maker[tensor] < 0 ||
        encoding.slotOf[encoding.maker[tensor]] > peak ||
        problem.tensors[tensor].alias >= 0)
      continue;
    double bytes = static_cast<double>(problem.tensors[tensor].bytes);
    madeIn[encoding.slotOf[encoding.maker[tensor]]] += bytes;
    total += bytes;
  }
  for (int i = 1; i <= numSizes; ++i) {
    // From two segments to one slot each, in even ratios.
    double number = 2 * std::pow((peak + 1) / 2.0, (i - 1.0) / numSizes);
    considerNumber(std::floor(number));
    std::vector<int32_t> boundaries;
    double sum = 0;
    for (int32_t slot = 0; slot < peak; ++slot) {
      sum += madeIn[slot];
      if (sum < total / number)
        continue;
      boundaries.push_back(slot);
      sum = 0;
    }
    consider(boundaries);
  }
}

} // namespace remat::solver
