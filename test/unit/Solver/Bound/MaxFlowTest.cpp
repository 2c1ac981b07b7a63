//===- MaxFlowTest.cpp - Maximum flows and minimum cuts -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MaxFlow.h"
#include "RandomProblem.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

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

} // namespace
