//===- RepairTest.cpp - Repaired and pruned plans -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"
#include "SearchFixture.h"

using namespace remat::solver;

namespace {

/// Three layers and their gradients. Memory of the schedule by slot, with a, b
/// and c of 4 bytes and g, h and o of 1:
///
///   slot   0  1   2    3      4      5
///   live   a  ab  abc  abcg   abgh   aho
///   bytes  4  8   12   13     10     6
///
/// To recompute a for slot 5 costs 5 and leaves 9 bytes in slot 3; to recompute
/// b for slot 4 costs 7 and leaves 9 as well.
const char *layers = "tensor 0 bytes=4\ntensor 1 bytes=4\ntensor 2 bytes=4\n"
                     "tensor 3 bytes=1\ntensor 4 bytes=1\ntensor 5 bytes=1\n"
                     "step 0 cost=5 out=0\nstep 1 cost=7 in=0 out=1\n"
                     "step 2 cost=1 in=1 out=2\nstep 3 cost=1 in=2 out=3\n"
                     "step 4 cost=1 in=1,3 out=4\nstep 5 cost=1 in=0,4 out=5\n"
                     "output 5\n";
constexpr TensorId a = 0, b = 1;

class RepairOfLayers : public testing::TestWithParam<RepairStrategy> {};

/// 1 byte above the cap of 12: both drops remove it, that of a for less.
TEST_P(RepairOfLayers, TakesTheBestRatio) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/12);
  Candidate plan = search.repairer.evaluate(search.encoding.retainAll());
  EXPECT_EQ(plan.excess, 1);
  EXPECT_TRUE(search.repairer.repair(plan, GetParam()));
  EXPECT_EQ(plan.excess, 0);
  EXPECT_EQ(plan.cost, 16 + 5);
  EXPECT_EQ(plan.decisions[search.encoding.gapAfter(a, 3)], 0);
  EXPECT_EQ(plan.decisions[search.encoding.gapAfter(b, 3)], retain);
  search.expectTrue(plan);
}

/// No plan has less than 8 bytes in slot 1. Repair goes as far as it can.
TEST_P(RepairOfLayers, SaysThatItFails) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/7);
  Candidate plan = search.repairer.evaluate(search.encoding.retainAll());
  EXPECT_FALSE(search.repairer.repair(plan, GetParam()));
  EXPECT_GT(plan.excess, 0);
  EXPECT_LT(plan.excess, 1 + 5 + 6 + 3);
  search.expectTrue(plan);
}

TEST_P(RepairOfLayers, LeavesWhatFits) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/13);
  Candidate plan = search.repairer.evaluate(search.encoding.retainAll());
  EXPECT_TRUE(search.repairer.repair(plan, GetParam()));
  EXPECT_EQ(plan.decisions, search.encoding.retainAll());
}

INSTANTIATE_TEST_SUITE_P(Strategies, RepairOfLayers,
                         testing::Values(RepairStrategy::Exhaustive,
                                         RepairStrategy::Promising));

/// Both drops fit in 12 bytes; without that of b, which costs more, the plan
/// still does, and then that of a is needed.
TEST(Repair, PrunesTheMoreExpensiveDrop) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/12);
  Decisions decisions = search.encoding.retainAll();
  decisions[search.encoding.gapAfter(a, 3)] = 0;
  decisions[search.encoding.gapAfter(b, 3)] = 0;
  Candidate plan = search.repairer.evaluate(decisions);
  search.repairer.prune(plan);
  EXPECT_EQ(plan.cost, 16 + 5);
  EXPECT_EQ(plan.decisions[search.encoding.gapAfter(b, 3)], retain);
  search.expectTrue(plan);
}

/// The drop of b alone fits, at 7. Taken back, a is dropped instead, at 5.
TEST(Repair, ExchangesADropForACheaperOne) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/12);
  Decisions decisions = search.encoding.retainAll();
  decisions[search.encoding.gapAfter(b, 3)] = 0;
  Candidate plan = search.repairer.evaluate(decisions);
  EXPECT_EQ(plan.cost, 16 + 7);
  search.repairer.exchange(plan);
  EXPECT_EQ(plan.cost, 16 + 5);
  EXPECT_EQ(plan.excess, 0);
}

TEST(Repair, CapScopeEnds) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/13);
  {
    CapScope scope(search.repairer, 10);
    EXPECT_EQ(search.repairer.evaluate(search.encoding.retainAll()).excess,
              2 + 3);
  }
  EXPECT_EQ(search.repairer.evaluate(search.encoding.retainAll()).excess, 0);
}

/// Each run of the schedule takes 6 executions.
TEST(Repair, BudgetScopesNest) {
  SearchForTest search(parseForTest(layers), /*capBytes=*/13);
  BudgetScope outer(search.budget, 12);
  {
    BudgetScope inner(search.budget, 6);
    EXPECT_EQ(search.budget.executionsLeft(), 6);
    search.simulator.run(search.encoding.retainAll());
    EXPECT_TRUE(search.budget.isSpent());
  }
  EXPECT_FALSE(search.budget.isSpent());
  EXPECT_EQ(search.budget.executionsLeft(), 6);
  BudgetScope beyond(search.budget, 100);
  EXPECT_EQ(search.budget.executionsLeft(), 6);
}

/// Whatever it starts from, a repair is no further above the cap after it, and
/// what it says is true.
TEST(Repair, NeverMakesRandomPlansWorse) {
  int numRepaired = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = randomProblem(seed, 14);
    int64_t capBytes = capForTest(problem, 0.8);
    SearchForTest search(std::move(problem), capBytes, seed);
    uint64_t state = seed;
    for (RepairStrategy strategy :
         {RepairStrategy::Exhaustive, RepairStrategy::Promising,
          RepairStrategy::Local}) {
      Candidate plan =
          search.repairer.evaluate(randomDecisions(search.encoding, state));
      int64_t excessBefore = plan.excess;
      bool fits = search.repairer.repair(plan, strategy);
      EXPECT_LE(plan.excess, excessBefore);
      EXPECT_EQ(fits, plan.peakBytes <= capBytes);
      search.expectTrue(plan);
      numRepaired += fits && excessBefore > 0;

      Candidate pruned = plan;
      search.repairer.prune(pruned);
      EXPECT_LE(pruned.cost, plan.cost);
      EXPECT_LE(pruned.excess, plan.excess);
      search.expectTrue(pruned);
    }
  }
  EXPECT_GE(numRepaired, 40);
}

/// A working plan is its base with its changes, whatever is tried in between.
TEST(WorkingPlan, UndoesAndMeasures) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = randomProblem(seed, 14);
    int64_t capBytes = capForTest(problem, 0.7);
    GapEncoding encoding(problem);
    Simulator simulator(encoding), reference(encoding);
    uint64_t state = seed;
    Decisions base = randomDecisions(encoding, state);
    WorkingPlan plan(encoding, simulator);
    plan.start(base, capBytes);
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < 3; ++i)
        plan.change(
            static_cast<int32_t>(nextRandom(state, encoding.numDecisions())),
            static_cast<int16_t>(nextRandom(state, 3) - 1));
      plan.measure();
      const Outcome &expected = reference.run(plan.decisions());
      EXPECT_EQ(plan.measures().cost, expected.cost);
      EXPECT_EQ(plan.measures().windowBytes, expected.windowBytes);
      EXPECT_EQ(plan.measures().excess, expected.excess(capBytes));
      EXPECT_EQ(plan.isBase(), plan.decisions() == base);
      plan.undo();
      EXPECT_EQ(plan.decisions(), base);
      EXPECT_TRUE(plan.changes().empty());
    }
  }
}

/// One more recomputation than can be counted is no more.
TEST(Decisions, MomentsDoNotOverflow) {
  EXPECT_EQ(moreMoments(0, 1), 1);
  EXPECT_EQ(moreMoments(alwaysForTheMoment - 1, 1), alwaysForTheMoment);
  EXPECT_EQ(moreMoments(alwaysForTheMoment, 2), alwaysForTheMoment);
}

} // namespace
