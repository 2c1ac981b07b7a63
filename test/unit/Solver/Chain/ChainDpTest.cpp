//===- ChainDpTest.cpp - The chain DP against all nested plans ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/ChainDp.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

constexpr int64_t layerBytes = 1000, gradientBytes = 10;

/// x1 … xn from an input, each of 1000 bytes and cost 1, then the gradients of
/// 10 bytes, which read them in reverse. The last layer is read by the peak.
Problem uniformChain(int numLayers) {
  Problem problem;
  auto addTensor = [&](int64_t bytes) {
    auto id = static_cast<TensorId>(problem.tensors.size());
    problem.tensors.emplace_back().bytes = bytes;
    problem.tensors.back().label = id;
    return id;
  };
  auto addStep = [&](std::vector<TensorId> operands, int64_t bytes) {
    Step &step = problem.steps.emplace_back();
    step.operands = std::move(operands);
    step.cost = 1;
    step.label = static_cast<int64_t>(problem.steps.size());
    step.results = {addTensor(bytes)};
    return step.results[0];
  };
  std::vector<TensorId> layers = {addTensor(0)};
  problem.inputs = layers;
  for (int i = 0; i < numLayers; ++i)
    layers.push_back(addStep({layers.back()}, layerBytes));
  TensorId gradient = addStep({layers.back()}, gradientBytes);
  for (int i = numLayers; i-- > 1;)
    gradient = addStep({layers[i], gradient}, gradientBytes);
  problem.outputs = {gradient};
  return problem;
}

/// What leaves room for `numLayers` layers and two gradients.
int64_t capFor(int numLayers) {
  return numLayers * layerBytes + 2 * gradientBytes;
}

constexpr int64_t none = -1;

/// The least cost of all plans in which each layer stays from its forward read
/// to its backward read or goes and is recomputed up to three times for the
/// moment before it stays; none if all are above the cap.
int64_t leastCostOfNestedPlans(const Problem &problem, int64_t capBytes) {
  GapEncoding encoding(problem);
  Simulator simulator(encoding);
  std::vector<int32_t> places;
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size()); ++gap)
    if (const Gap &where = encoding.gaps[gap];
        where.endSlot > where.beginSlot + 1 &&
        where.endSlot < static_cast<int32_t>(encoding.slots.size()))
      places.push_back(gap);
  Decisions decisions = encoding.retainAll();
  int64_t least = none;
  while (true) {
    const Outcome &outcome = simulator.run(decisions);
    if (outcome.peakBytes <= capBytes && (least < 0 || outcome.cost < least))
      least = outcome.cost;
    size_t i = 0;
    for (; i < places.size() && decisions[places[i]] == 3; ++i)
      decisions[places[i]] = retain;
    if (i == places.size())
      return least;
    ++decisions[places[i]];
  }
}

/// The least cost of the plans of the DP within the cap; none if all are above.
int64_t leastCostOfDp(const Problem &problem, int64_t capBytes) {
  GapEncoding encoding(problem);
  Simulator simulator(encoding);
  Budget budget(simulator, 0);
  const std::vector<int64_t> bytes =
      simulator.run(encoding.retainAll()).windowBytes;
  auto peakSlot = static_cast<int32_t>(
      std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  ChainDp chain(encoding, simulator, budget, peakSlot, capBytes);
  chain.addPlans({encoding.retainAll()});
  chain.explore(1'000'000);
  chain.solve();
  int64_t least = none;
  for (double share = 1.24; share >= 0; share -= 0.02) {
    std::optional<Decisions> plan = chain.planFor(share);
    if (!plan)
      continue;
    const Outcome &outcome = simulator.run(*plan);
    if (outcome.peakBytes <= capBytes && (least < 0 || outcome.cost < least))
      least = outcome.cost;
  }
  return least;
}

/// 6 layers with room for 6, where all stay, down to 3. With less all is in the
/// sweeps, for which quanta of memory are too coarse.
TEST(ChainDp, IsOptimalOnUniformChains) {
  constexpr int numLayers = 6;
  Problem problem = uniformChain(numLayers);
  ASSERT_EQ(check(problem), std::nullopt);
  for (int room = 3; room <= numLayers; ++room) {
    SCOPED_TRACE(room);
    int64_t least = leastCostOfNestedPlans(problem, capFor(room));
    EXPECT_EQ(leastCostOfDp(problem, capFor(room)), least);
  }
}

/// Where the cap leaves room for all, nothing is recomputed; with less room the
/// cost never falls.
TEST(ChainDp, CostsMoreWithLessRoom) {
  constexpr int numLayers = 40;
  Problem problem = uniformChain(numLayers);
  int64_t before = problem.scheduleCost();
  EXPECT_EQ(leastCostOfDp(problem, capFor(numLayers)), before);
  for (int room : {30, 20, 12, 8}) {
    int64_t cost = leastCostOfDp(problem, capFor(room));
    EXPECT_GT(cost, before) << "with room for " << room;
    before = cost;
  }
  // Checkpoints by segments need room for about 2 * sqrt(40) = 13 layers and
  // recompute each once.
  EXPECT_LE(leastCostOfDp(problem, capFor(12)),
            problem.scheduleCost() + int64_t{2} * numLayers);
}

/// More places where the chain is narrow than blocks can be counted: they are
/// thinned out, and the plans still fit.
TEST(ChainDp, TakesLongChains) {
  constexpr int numLayers = 400;
  Problem problem = uniformChain(numLayers);
  int64_t cost = leastCostOfDp(problem, capFor(60));
  EXPECT_GT(cost, problem.scheduleCost());
  EXPECT_LE(cost, problem.scheduleCost() + int64_t{2} * numLayers);
}

} // namespace
