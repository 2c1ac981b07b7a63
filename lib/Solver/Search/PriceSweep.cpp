//===- PriceSweep.cpp - Plans at many prices of memory --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PriceSweep.h"

#include <cassert>
#include <cmath>

namespace remat::solver {

double unitPrice(int64_t scheduleCost, int64_t peakBytes) {
  assert(scheduleCost >= 0 && peakBytes >= 0 && "sizes and costs are no less");
  return static_cast<double>(scheduleCost + 1) /
         static_cast<double>(peakBytes + 1);
}

void sweepPrices(const PriceSweepOptions &options, double unit, Budget &budget,
                 const std::function<bool(double)> &visit) {
  assert(options.lowest > 0 && options.lowest < options.highest);
  double low = unit * options.lowest, high = unit * options.highest;
  bool mayFit = !options.highestFirst || visit(high);
  bool hasFit = false;
  double ratio = options.highest / options.lowest;
  for (int i = 0; i < options.numGrid && !budget.isSpent(); ++i) {
    double price =
        unit * options.lowest * std::pow(ratio, double(i) / options.numGrid);
    bool fits = visit(price);
    if (!hasFit)
      (fits ? high : low) = price;
    hasFit |= fits;
  }
  for (int i = 0; i < options.numBisections && (mayFit || hasFit) &&
                  low < high && !budget.isSpent();
       ++i) {
    double price = std::sqrt(low * high);
    (visit(price) ? high : low) = price;
  }
}

void sweepPeakPrices(const PriceSweepOptions &options, double unit,
                     int32_t peakWindow, const GapEncoding &encoding,
                     Budget &budget, const std::function<void()> &begin,
                     const std::function<bool(Decisions)> &visit) {
  PricedCuts cuts(encoding);
  Random random(options.seed);
  std::vector<double> prices(encoding.slots.size() + 1, 0);
  for (double amplitude : options.amplitudes) {
    if (budget.isSpent())
      return;
    begin();
    cuts.perturb(amplitude, random);
    sweepPrices(options, unit, budget, [&](double price) {
      prices[peakWindow] = price;
      return visit(cuts.solve(prices));
    });
  }
}

} // namespace remat::solver
