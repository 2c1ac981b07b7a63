//===- NeighbourhoodSearchTest.cpp - Plans only get better ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/NeighbourhoodSearch.h"
#include "SearchFixture.h"

using namespace remat::solver;

namespace {

/// A chain of `number` layers, the costs and sizes of which vary, and the
/// backward pass that reads them in reverse.
Problem unevenChain(int number) {
  Problem problem;
  auto add = [&](std::vector<TensorId> operands, int64_t bytes, int64_t cost) {
    Step &step = problem.steps.emplace_back();
    step.operands = std::move(operands);
    step.results = {static_cast<TensorId>(problem.tensors.size())};
    step.cost = cost;
    step.label = static_cast<int64_t>(problem.steps.size());
    problem.tensors.emplace_back().bytes = bytes;
    problem.tensors.back().label = step.results[0];
    return step.results[0];
  };
  std::vector<TensorId> layers;
  for (int i = 0; i < number; ++i)
    layers.push_back(add(i == 0 ? std::vector<TensorId>()
                                : std::vector<TensorId>{layers.back()},
                         100 + i * 37 % 90, 10 + i * 53 % 70));
  TensorId gradient = add({layers.back()}, 10, 1);
  for (int i = number - 1; i-- > 0;)
    gradient = add({layers[i], gradient}, 10, 1);
  problem.outputs = {gradient};
  return problem;
}

/// The plan of a repair: it fits, and may leave something to gain.
Candidate repairedStart(SearchForTest &search) {
  Candidate start = search.repairer.evaluate(search.encoding.retainAll());
  EXPECT_TRUE(search.repairer.repair(start, RepairStrategy::Promising));
  EXPECT_EQ(start.excess, 0);
  return start;
}

Candidate improved(const Problem &problem, double cap, uint64_t seed,
                   int64_t executions) {
  SearchForTest search(problem, capForTest(problem, cap), seed);
  Candidate best = repairedStart(search);
  int64_t costBefore = best.cost;
  NeighbourhoodSearch neighbourhood(search.repairer);
  BudgetScope scope(search.budget, executions);
  neighbourhood.improve(best, /*goalCost=*/0);
  EXPECT_LE(best.cost, costBefore);
  EXPECT_EQ(best.excess, 0);
  EXPECT_LE(best.peakBytes, search.repairer.plan.capBytes());
  search.expectTrue(best);
  return best;
}

TEST(NeighbourhoodSearch, IsNeverWorseThanItsStart) {
  Problem problem = unevenChain(24);
  for (double cap : {0.7, 0.5, 0.35})
    for (uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(testing::Message() << cap << ", seed " << seed);
      improved(problem, cap, seed, 200'000);
    }
}

/// More work from the same seed continues the same way.
TEST(NeighbourhoodSearch, DependsOnItsSeedAlone) {
  Problem problem = unevenChain(24);
  Candidate first = improved(problem, 0.5, 7, 100'000);
  Candidate again = improved(problem, 0.5, 7, 100'000);
  EXPECT_EQ(first.decisions, again.decisions);
  Candidate longer = improved(problem, 0.5, 7, 200'000);
  EXPECT_LE(longer.cost, first.cost);
}

/// It does find something: a plan for half of the memory drops much that a cap
/// of 90 % leaves room for.
TEST(NeighbourhoodSearch, TakesBackWhatIsNotNeeded) {
  Problem problem = unevenChain(12);
  SearchForTest search(problem, capForTest(problem, 0.9));
  Candidate best = search.repairer.evaluate(search.encoding.retainAll());
  {
    CapScope scope(search.repairer, capForTest(problem, 0.5));
    ASSERT_TRUE(search.repairer.repair(best, RepairStrategy::Promising));
  }
  int64_t costBefore = best.cost;
  NeighbourhoodSearch neighbourhood(search.repairer);
  BudgetScope scope(search.budget, 500'000);
  neighbourhood.improve(best, /*goalCost=*/0);
  int64_t scheduleCost = problem.scheduleCost();
  EXPECT_LT(best.cost - scheduleCost, (costBefore - scheduleCost) / 2);
}

} // namespace
