//===- PriceSweep.h - Plans at many prices of memory ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a byte has a price, a minimum cut says what to retain. No one knows the
// price that belongs to a cap, so planners sweep over prices:
//
//   lowest                                                      highest
//     |------x------x------x--------o------o------o------o------|   grid
//                          ^ ^ ^                                    bisections
//              does not fit     fits
//
// A grid in even ratios finds about where plans begin to fit, or everything
// below; bisections go closer.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_PRICESWEEP_H
#define REMAT_LIB_SOLVER_SEARCH_PRICESWEEP_H

#include "Search/Budget.h"
#include "Search/PricedCuts.h"

#include <functional>

namespace remat::solver {

/// The prices of a sweep, in units (see unitPrice()).
struct PriceSweepOptions {
  double lowest = 1e-3, highest = 1e2;
  /// Prices of the grid: from the lowest on, in even ratios, without the
  /// highest.
  int numGrid = 0;
  /// Whether the highest is visited before all others. If its plan does not
  /// fit, bisections are pointless and left out.
  bool highestFirst = false;
  /// Prices between the last of the grid whose plan does not fit and the first
  /// whose plan does, or between the lowest and the highest without a grid.
  int numBisections = 0;
  /// How much the prices of single tensors vary, a sweep for each; layers that
  /// are alike then change one after the other as prices grow. For
  /// sweepPeakPrices() alone.
  std::vector<double> amplitudes = {0};
  /// The seed of these variations.
  uint64_t seed = 1;
};

/// The price at which the bytes of the peak cost as much as all steps.
double unitPrice(int64_t scheduleCost, int64_t peakBytes);

/// Calls `visit` with the prices of one sweep until the budget is spent. It
/// tells whether the plan at that price fits.
void sweepPrices(const PriceSweepOptions &options, double unit, Budget &budget,
                 const std::function<bool(double price)> &visit);

/// A sweep over prices in the window `peakWindow` alone, at each amplitude.
/// Calls `begin` before each, then `visit` with the cheapest decisions at each
/// price.
void sweepPeakPrices(const PriceSweepOptions &options, double unit,
                     int32_t peakWindow, const GapEncoding &encoding,
                     Budget &budget, const std::function<void()> &begin,
                     const std::function<bool(Decisions)> &visit);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_PRICESWEEP_H
