//===- PricedCuts.h - Plans for given prices on memory --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a byte had a price in each window of the schedule, what would one keep?
// Each gap then either costs the price of its tensor over its windows, or a
// recomputation at its end together with what that takes. All gaps at once
// are one minimum cut:
//
//   source -inf-> kept(g)                    for each gap that a touch ends
//   kept(g) -price-> made(g)                 cut: the tensor stays
//   made(g) -cost of the step-> sink         cut: the step runs again
//   made(g) -inf-> kept(operand's gap)       its operands at that time
//
// This generalizes the cut at a single slot (a price in one window only) to
// schedules of several peaks. What it leaves out, the memory that early
// recomputations hold and repeated ones, the simulator tells afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_PRICEDCUTS_H
#define REMAT_LIB_SOLVER_SEARCH_PRICEDCUTS_H

#include "Bound/MaxFlow.h"
#include "Search/GapEncoding.h"
#include "Support/Random.h"

namespace remat::solver {

class PricedCuts {
public:
  explicit PricedCuts(const GapEncoding &encoding);

  /// The cheapest decisions if a byte costs `prices[w]` in window w.
  Decisions solve(const std::vector<double> &prices);

  /// Weighs the prices of all tensors anew by factors of 1 +- `amplitude`.
  /// Layers that are alike then change one after the other as prices grow.
  void perturb(double amplitude, Random &random);

private:
  const GapEncoding &encoding;
  MaxFlow flow;

  /// A tensor that may stay over windows [begin, end).
  struct Stay {
    /// The gap, or -1 for a tensor that cannot be recomputed.
    int32_t gap;
    MaxFlow::Arc arc;
    MaxFlow::Node node;
    MaxFlow::Node recipe;
    int32_t begin, end;
    int64_t bytes;
    double weight = 1;
  };
  std::vector<Stay> stays;

  void build();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_PRICEDCUTS_H
