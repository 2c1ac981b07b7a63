//===- MinCutTest.cpp - Maximum flows and plans from minimum cuts ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MaxFlow.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

//===----------------------------------------------------------------------===//
// MaxFlow
//===----------------------------------------------------------------------===//

TEST(MaxFlow, Nothing) {
  MaxFlow flow;
  EXPECT_EQ(flow.run(), 0);
  EXPECT_TRUE(flow.isOnSourceSide(MaxFlow::source));
  EXPECT_FALSE(flow.isOnSourceSide(MaxFlow::sink));
}

TEST(MaxFlow, TheNarrowArcIsTheCut) {
  MaxFlow flow;
  MaxFlow::Node a = flow.addNode(), b = flow.addNode();
  flow.addArc(MaxFlow::source, a, 7);
  MaxFlow::Arc narrow = flow.addArc(a, b, 3);
  flow.addArc(b, MaxFlow::sink, MaxFlow::infinite);
  EXPECT_EQ(flow.run(), 3);
  EXPECT_EQ(flow.flow(narrow), 3);
  EXPECT_TRUE(flow.isOnSourceSide(a));
  EXPECT_FALSE(flow.isOnSourceSide(b));
}

TEST(MaxFlow, GoesOnWhereCapacitiesGrowAndStartsAgainWhereTheyShrink) {
  MaxFlow flow;
  MaxFlow::Node a = flow.addNode();
  MaxFlow::Arc in = flow.addArc(MaxFlow::source, a, 2);
  flow.addArc(a, MaxFlow::sink, 5);
  EXPECT_EQ(flow.run(), 2);
  flow.setCapacity(in, 4);
  EXPECT_EQ(flow.run(), 4);
  flow.setCapacity(in, 9);
  EXPECT_EQ(flow.run(), 5);
  flow.setCapacity(in, 1);
  EXPECT_EQ(flow.run(), 1);
}

/// The smallest cut among all sets of nodes, while capacities change at random;
/// and the flow is one.
TEST(MaxFlow, AgreesWithAllCuts) {
  struct Arc {
    MaxFlow::Node from, to;
    int64_t capacity;
    MaxFlow::Arc id;
  };
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    uint64_t random = seed;
    int numNodes = 2 + static_cast<int>(nextRandom(random, 6));
    MaxFlow flow;
    for (int i = 2; i < numNodes; ++i)
      flow.addNode();
    std::vector<Arc> arcs;
    for (int i = 0; i < 3 * numNodes; ++i) {
      Arc arc = {static_cast<MaxFlow::Node>(nextRandom(random, numNodes)),
                 static_cast<MaxFlow::Node>(nextRandom(random, numNodes)),
                 nextRandom(random, 10), 0};
      arc.id = flow.addArc(arc.from, arc.to, arc.capacity);
      arcs.push_back(arc);
    }
    for (int round = 0; round < 4; ++round) {
      int64_t smallest = -1;
      for (int set = 0; set < 1 << numNodes; ++set) {
        if (!(set & 1) || set & 2)
          continue;
        int64_t cut = 0;
        for (const Arc &arc : arcs)
          if (set >> arc.from & 1 && !(set >> arc.to & 1))
            cut += arc.capacity;
        smallest = smallest < 0 ? cut : std::min(smallest, cut);
      }
      ASSERT_EQ(flow.run(), smallest);
      std::vector<int64_t> gain(numNodes, 0);
      int64_t cut = 0;
      for (const Arc &arc : arcs) {
        ASSERT_GE(flow.flow(arc.id), 0);
        ASSERT_LE(flow.flow(arc.id), arc.capacity);
        gain[arc.from] -= flow.flow(arc.id);
        gain[arc.to] += flow.flow(arc.id);
        if (flow.isOnSourceSide(arc.from) && !flow.isOnSourceSide(arc.to))
          cut += arc.capacity;
      }
      ASSERT_EQ(cut, smallest);
      ASSERT_EQ(gain[MaxFlow::sink], smallest);
      for (int node = 2; node < numNodes; ++node)
        ASSERT_EQ(gain[node], 0);
      for (Arc &arc : arcs) {
        // Round 0 only grows, the others do both.
        int64_t change = nextRandom(random, 5) - (round == 0 ? 0 : 2);
        arc.capacity = std::max<int64_t>(0, arc.capacity + change);
        flow.setCapacity(arc.id, arc.capacity);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// The solver
//===----------------------------------------------------------------------===//

TEST(MinCut, DropsTheCheaperTensor) {
  // At step 2 one of tensors 0 and 1 has to go; 1 is cheaper to make again.
  Problem problem = parseForTest(R"(
tensor 0 bytes=16
tensor 1 bytes=16
tensor 2 bytes=32
tensor 3 bytes=0
step 0 cost=9 out=0
step 1 cost=4 out=1
step 2 cost=5 out=2
step 3 cost=5 in=2 out=3
step 4 cost=5 in=0
step 5 cost=5 in=1
output 3
)");
  SolverOptions options;
  options.capBytes = 48;
  SolverResult result = *solve(problem, "mincut", options);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_EQ(result.plan.sequence, (std::vector<StepId>{0, 1, 2, 3, 4, 1, 5}));
  EXPECT_TRUE(result.proven);
}

TEST(MinCut, AgainstTheOracle) {
  int numFeasible = 0, numFound = 0, numOptimal = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xc07;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 4);
    SolverResult exact = *solve(problem, "brute-force", options);
    SolverResult result = *solve(problem, "mincut", options);
    ASSERT_LE(result.floorBytes, exact.lowestPeakBytes);
    if (exact.status != SolveStatus::Ok) {
      ASSERT_NE(result.status, SolveStatus::Ok);
      continue;
    }
    ++numFeasible;
    if (result.status != SolveStatus::Ok)
      continue;
    ++numFound;
    ASSERT_GE(result.cost, exact.cost);
    ASSERT_LE(*result.lowerBoundCost, exact.cost);
    numOptimal += result.cost == exact.cost;
  }
  std::printf("feasible %d: found a plan for %d, optimal for %d\n", numFeasible,
              numFound, numOptimal);
  EXPECT_GT(numFeasible, 200);
  // Somewhat below what was measured.
  EXPECT_GE(numFound, 0.80 * numFeasible);
  EXPECT_GE(numOptimal, 0.65 * numFound);
}

} // namespace
