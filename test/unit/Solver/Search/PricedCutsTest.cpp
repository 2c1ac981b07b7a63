//===- PricedCutsTest.cpp - The cheapest decisions at a price -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "Search/PriceSweep.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

using namespace remat::solver;

namespace {

/// Layers of two tensors, x and y, made by one step each. The backward pass
/// reads both, in reverse:
///
///   slot   0       1       …  n - 1               n         …  2n - 1
///   makes  x0, y0  x1, y1  …  x(n - 1), y(n - 1)  g(n - 1)  …  g0
///   reads          x0      …  x(n - 2)            x, y(n - 1)  x0, y0
///
/// One recomputation returns both. What each choice costs can be written down.
class PricedChain {
public:
  PricedChain(int numLayers, uint64_t seed) : numLayers(numLayers) {
    uint64_t state = seed;
    auto addTensor = [&](int64_t bytes) {
      problem.tensors.emplace_back().bytes = bytes;
      return static_cast<TensorId>(problem.tensors.size()) - 1;
    };
    auto addStep = [&](std::vector<TensorId> operands) -> Step & {
      Step &step = problem.steps.emplace_back();
      step.operands = std::move(operands);
      step.cost = 1 + nextRandom(state, 50);
      return step;
    };
    for (int i = 0; i < numLayers; ++i) {
      Step &step = addStep(i == 0 ? std::vector<TensorId>()
                                  : std::vector<TensorId>{xs.back()});
      xs.push_back(addTensor(1 + nextRandom(state, 9)));
      ys.push_back(addTensor(1 + nextRandom(state, 9)));
      step.results = {xs.back(), ys.back()};
    }
    for (int i = numLayers; i-- > 0;)
      addStep({xs[i], ys[i]}).results = {addTensor(1)};
    problem.outputs = problem.steps.back().results;
  }

  const int numLayers;
  Problem problem;
  std::vector<TensorId> xs, ys;

  /// The backward slot that reads the layer.
  int32_t readOf(int i) const { return 2 * numLayers - 1 - i; }

  /// The price of everything that is retained plus the cost of everything that
  /// is recomputed, where bit i of `droppedXs` drops x(i) after its forward
  /// read, and bit i of `droppedYs` drops y(i) after it was made. The last
  /// layer is read in the very next slot, so it stays.
  int64_t total(const std::vector<double> &prices, unsigned droppedXs,
                unsigned droppedYs) const {
    auto priceOf = [&](TensorId tensor, int32_t begin, int32_t end) {
      double sum =
          std::accumulate(prices.begin() + begin, prices.begin() + end, 0.0);
      return static_cast<int64_t>(sum) * problem.tensors[tensor].bytes;
    };
    int64_t sum = 0;
    for (int i = 0; i + 1 < numLayers; ++i) {
      bool dropsX = droppedXs >> i & 1, dropsY = droppedYs >> i & 1;
      if (!dropsX)
        sum += priceOf(xs[i], i + 2, readOf(i));
      if (!dropsY)
        sum += priceOf(ys[i], i + 1, readOf(i));
      if (dropsX || dropsY)
        sum += problem.steps[i].cost;
    }
    return sum;
  }
};

/// All plans of 6 layers against the cut, at random prices in all windows.
TEST(PricedCuts, AgreeWithBruteForce) {
  constexpr int numLayers = 6;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    PricedChain chain(numLayers, seed);
    GapEncoding encoding(chain.problem);
    PricedCuts cuts(encoding);
    uint64_t state = seed;
    std::vector<double> prices(encoding.slots.size() + 1, 0);
    for (double &price : prices)
      price = static_cast<double>(nextRandom(state, 3));
    Decisions decisions = cuts.solve(prices);

    unsigned droppedXs = 0, droppedYs = 0;
    for (int i = 0; i + 1 < numLayers; ++i) {
      int32_t x = encoding.gapAfter(chain.xs[i], i + 1);
      int32_t y = encoding.gapAfter(chain.ys[i], i);
      droppedXs |= unsigned(decisions[x] != retain) << i;
      droppedYs |= unsigned(decisions[y] != retain) << i;
    }
    int64_t least = std::numeric_limits<int64_t>::max();
    for (unsigned x = 0; x < 1u << (numLayers - 1); ++x)
      for (unsigned y = 0; y < 1u << (numLayers - 1); ++y)
        least = std::min(least, chain.total(prices, x, y));
    EXPECT_EQ(chain.total(prices, droppedXs, droppedYs), least);
  }
}

/// The higher the price at the peak, the less the cuts hold there.
TEST(PricedCuts, HoldLessAtHigherPrices) {
  constexpr int numLayers = 12;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    PricedChain chain(numLayers, seed);
    GapEncoding encoding(chain.problem);
    PricedCuts cuts(encoding);
    constexpr int32_t peak = numLayers;
    int64_t before = std::numeric_limits<int64_t>::max(), first = 0;
    for (int price : {0, 1, 2, 3, 5, 8, 13, 21, 51}) {
      std::vector<double> prices(encoding.slots.size() + 1, 0);
      prices[peak] = price;
      Decisions decisions = cuts.solve(prices);
      int64_t held = 0;
      for (int i = 0; i + 1 < numLayers; ++i)
        for (TensorId tensor : {chain.xs[i], chain.ys[i]})
          if (decisions[encoding.gapAfter(tensor, peak)] == retain)
            held += chain.problem.tensors[tensor].bytes;
      EXPECT_LE(held, before) << "at price " << price;
      before = held;
      if (price == 0)
        first = held;
    }
    // No step costs more than 50, and every byte costs 51 at last.
    EXPECT_GT(first, 0);
    EXPECT_EQ(before, 0);
  }
}

/// Same seed, same variation; and another one varies otherwise.
TEST(PricedCuts, VariationDependsOnItsSeed) {
  PricedChain chain(20, 3);
  GapEncoding encoding(chain.problem);
  auto plans = [&](uint64_t seed) {
    Simulator simulator(encoding);
    Budget budget(simulator, 0);
    PriceSweepOptions options;
    options.numGrid = 30;
    options.amplitudes = {0.5};
    options.seed = seed;
    std::vector<Decisions> found;
    sweepPeakPrices(
        options, unitPrice(chain.problem.scheduleCost(), 100),
        /*peakWindow=*/20, encoding, budget, [] {},
        [&](Decisions plan) {
          found.push_back(std::move(plan));
          return false;
        });
    return found;
  };
  EXPECT_EQ(plans(1), plans(1));
  EXPECT_NE(plans(1), plans(2));
}

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

/// The prices that a sweep visits if plans fit from `threshold` on.
std::vector<double> pricesOf(const PriceSweepOptions &options,
                             double threshold) {
  Problem problem = PricedChain(2, 0).problem;
  GapEncoding encoding(problem);
  Simulator simulator(encoding);
  Budget budget(simulator, 0);
  std::vector<double> prices;
  sweepPrices(options, /*unit=*/1, budget, [&](double price) {
    prices.push_back(price);
    return price >= threshold;
  });
  return prices;
}

/// 1, 10, 100 of [1, 1000); then between 10, which does not fit, and 100, whose
/// plan does: sqrt(1000), and as that fits, sqrt(10 * sqrt(1000)).
TEST(PriceSweep, BisectsWhereTheGridBeginsToFit) {
  PriceSweepOptions options;
  options.lowest = 1;
  options.highest = 1000;
  options.numGrid = 3;
  options.numBisections = 2;
  std::vector<double> prices = pricesOf(options, 20);
  ASSERT_EQ(prices.size(), 5u);
  double expected[] = {1, 10, 100, 31.6228, 17.7828};
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(prices[i], expected[i], 1e-3);
}

/// If not even the highest price fits, there is nothing to find in between.
TEST(PriceSweep, LeavesOutVainBisections) {
  PriceSweepOptions options;
  options.numGrid = 4;
  options.highestFirst = true;
  options.numBisections = 8;
  std::vector<double> prices = pricesOf(options, 1e9);
  EXPECT_EQ(prices.size(), 5u);
  EXPECT_EQ(prices[0], 1e2);
}

/// The bracket of 16 bisections is 6 decades / 2^16.
TEST(PriceSweep, BisectsWithoutAGrid) {
  PriceSweepOptions options;
  options.lowest = 1e-4;
  options.highest = 1e2;
  options.numBisections = 16;
  EXPECT_NEAR(pricesOf(options, 0.3).back(), 0.3, 1e-3);
}

} // namespace
