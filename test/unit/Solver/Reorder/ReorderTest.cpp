//===- ReorderTest.cpp - Orders of less memory ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder/Reorder.h"
#include "ParseForTest.h"
#include "RandomProblem.h"
#include "Reorder/ReorderMoves.h"

#include "remat/Solver/Frontier.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

using namespace remat::solver;

namespace {

using Steps = std::vector<StepId>;

int64_t peakOf(const Problem &problem) {
  return computeTimeline(problem, originalPlan(problem)).peakBytes;
}

/// The order of the lowest peak that was found, the schedule if there is none.
Steps lowestOrder(const Problem &problem, ReorderOptions options = {}) {
  std::vector<Order> orders = findOrders(problem, options);
  return orders.empty() ? originalPlan(problem).sequence : orders.back().steps;
}

SolverResult solveAt(const Problem &problem, const char *solver,
                     int64_t capBytes, bool keepOrder = false) {
  SolverOptions options;
  options.capBytes = capBytes;
  options.keepOrder = keepOrder;
  return *solve(problem, solver, options);
}

//===----------------------------------------------------------------------===//
// The late peak
//===----------------------------------------------------------------------===//

/// Eight layers forward and back, with parameters w and moments m that are
/// donated. Behind the backward pass stands, as a compiler may put it, a factor
/// that all updates need, then for each layer what follows from its gradient g:
/// a moment v, a transpose, the update of w in place, which takes the factor
/// and the transpose, and a copy of v over m.
Problem donatedUpdates() {
  constexpr int numLayers = 8;
  Problem problem;
  auto tensor = [&](int64_t bytes, TensorKind kind, TensorId alias = -1) {
    auto id = static_cast<TensorId>(problem.tensors.size());
    problem.tensors.push_back({bytes, kind, alias, id});
    if (kind == TensorKind::Donated)
      problem.inputs.push_back(id);
    if (kind == TensorKind::Output)
      problem.outputs.push_back(id);
    return id;
  };
  auto step = [&](std::vector<TensorId> operands, TensorId result,
                  TensorId overwritten = -1) {
    Step &added = problem.steps.emplace_back();
    added.operands = std::move(operands);
    added.results = {result};
    if (overwritten >= 0)
      added.inPlace = {{result, overwritten}};
    added.label = static_cast<int64_t>(problem.steps.size());
    return result;
  };
  std::vector<TensorId> w, m, activations, gradients;
  for (int i = 0; i < numLayers; ++i)
    w.push_back(tensor(0, TensorKind::Donated));
  for (int i = 0; i < numLayers; ++i)
    m.push_back(tensor(0, TensorKind::Donated));
  for (int i = 0; i < numLayers; ++i)
    activations.push_back(
        step(i ? std::vector<TensorId>{activations.back(), w[i]}
               : std::vector<TensorId>{w[i]},
             tensor(100, TensorKind::Activation)));
  TensorId buffer = step({}, tensor(1, TensorKind::Activation));
  gradients.push_back(
      step({activations.back()}, tensor(50, TensorKind::Gradient)));
  for (int i = numLayers; i-- > 0;)
    gradients.push_back(step({gradients.back(), activations[i]},
                             tensor(50, TensorKind::Gradient)));
  TensorId factor = step({buffer}, tensor(1, TensorKind::Activation));
  for (int i = 0; i < numLayers; ++i) {
    int layer = numLayers - 1 - i;
    TensorId v = step({gradients[i]}, tensor(1, TensorKind::Gradient));
    TensorId transpose = step({gradients[i]}, tensor(50, TensorKind::Gradient));
    step({w[layer], transpose, factor}, tensor(0, TensorKind::Output, w[layer]),
         w[layer]);
    step({m[layer], v}, tensor(0, TensorKind::Output, m[layer]), m[layer]);
  }
  return problem;
}

TEST(Reorder, UpdatesInPlaceLeaveTheEnd) {
  Problem problem = donatedUpdates();
  ASSERT_FALSE(check(problem)) << *check(problem);
  ReorderOptions options;
  options.capBytes = 250;
  std::vector<Order> orders = findOrders(problem, options);
  ASSERT_FALSE(orders.empty());
  // Two gradients at a time instead of all eight.
  EXPECT_EQ(orders.back().latePeakBytes, 102);
  EXPECT_TRUE(validate(problem, {orders.back().steps}).valid());
}

//===----------------------------------------------------------------------===//
// Single moves
//===----------------------------------------------------------------------===//

/// Two layers forward (a, b), two back, and the updates u1 and u2, which read
/// an activation and a gradient each, at the end. An update takes nothing:
/// what it makes lives outside.
constexpr const char *lateUpdates = R"(
tensor 0 bytes=8
tensor 1 bytes=8
tensor 2 bytes=0
tensor 3 bytes=8
tensor 4 bytes=8
tensor 8 bytes=0 kind=output
tensor 9 bytes=0 kind=output
step 0 name="a" out=0
step 1 name="b" in=0 out=1
step 2 name="loss" in=1 out=2
step 3 name="db" in=2 out=3
step 4 name="da" in=3 out=4
step 5 name="ua" in=0,4 out=8
step 6 name="ub" in=1,3 out=9
output 8,9
)";

TEST(Reorder, UpdatesRunAsSoonAsTheyCan) {
  Problem problem = parseForTest(lateUpdates);
  // a, b, db and da are there together at the end.
  EXPECT_EQ(peakOf(problem), 32);
  // ub only needs db, and lets b and, after da, db go.
  EXPECT_EQ(lowestOrder(problem), (Steps{0, 1, 2, 3, 6, 4, 5}));
  EXPECT_EQ(findOrders(problem, {}).front().peakBytes, 24);
}

/// A splat that is read at the very end is made just before; where it is
/// written in place, the whole chain follows.
TEST(Reorder, SplatsSinkToTheirFirstReader) {
  Problem problem = parseForTest(R"(
tensor 0 bytes=64
tensor 1 bytes=64
tensor 2 bytes=16
tensor 3 bytes=16
tensor 4 bytes=16
step 0 name="splat" out=0
step 1 name="fill" in=0 out=1 inplace=1:0
step 2 name="x" out=2
step 3 name="y" in=2 out=3
step 4 name="z" in=1,3 out=4
output 4
)");
  EXPECT_EQ(peakOf(problem), 96);
  EXPECT_EQ(lowestOrder(problem), (Steps{2, 3, 0, 1, 4}));
}

/// A weight gradient takes more than it frees, but not together with the update
/// that consumes it: the two move as one.
TEST(Reorder, ARunOfUnitsMovesAsOne) {
  Problem problem = parseForTest(R"(
tensor 0 bytes=8
tensor 1 bytes=8
tensor 2 bytes=20
tensor 3 bytes=0 kind=output
tensor 4 bytes=16
tensor 5 bytes=24
tensor 6 bytes=8
step 0 name="a" out=0
step 1 name="g" in=0 out=1
step 2 name="other" in=1 out=4
step 3 name="large" in=4 out=5
step 4 name="small" in=5 out=6
step 5 name="dw" in=0,1 out=2
step 6 name="update" in=2 out=3
output 3,6
)");
  EXPECT_EQ(peakOf(problem), 56);
  EXPECT_EQ(lowestOrder(problem), (Steps{0, 1, 5, 6, 2, 3, 4}));
  EXPECT_EQ(findOrders(problem, {}).front().peakBytes, 40);
}

/// Late updates in one group: the group is split for them.
TEST(Reorder, GroupsAreTornApartWhereThatGains) {
  std::string text = lateUpdates;
  for (const char *name : {"\"ua\"", "\"ub\""})
    text.insert(text.find(name) + 4, " group=0");
  Problem problem = parseForTest(text);
  Steps order = lowestOrder(problem);
  EXPECT_EQ(order, (Steps{0, 1, 2, 3, 6, 4, 5}));
  Problem reordered = withOrder(problem, order);
  EXPECT_EQ(check(reordered).value_or(""), "");
  EXPECT_EQ(reordered.steps[4].group, 0);
  EXPECT_EQ(reordered.steps[6].group, 1);
}

/// Steps 1 and 2 read what step 3 overwrites; step 4 takes memory and is of no
/// use before step 5.
TEST(Reorder, ReadersStayBeforeWhatOverwrites) {
  Problem problem = parseForTest(R"(
tensor 0 bytes=8
tensor 1 bytes=8 alias=0
tensor 2 bytes=8
tensor 3 bytes=8
tensor 4 bytes=8
step 0 out=0
step 1 in=0 out=1
step 2 in=1 out=2
step 3 in=0 out=3 inplace=3:0
step 4 in=3,2 out=4
output 4
)");
  UnitGraph graph(problem, originalPlan(problem).sequence, false);
  auto before = [&](int32_t unit) {
    Lists::Range range = graph.predecessors[unit];
    return Steps(range.begin(), range.end());
  };
  EXPECT_EQ(before(1), (Steps{0}));
  EXPECT_EQ(before(2), (Steps{1}));
  EXPECT_EQ(before(3), (Steps{0, 1, 2}));
  EXPECT_EQ(before(4), (Steps{2, 3}));
}

TEST(Reorder, NoOrderIsBetterThanAChain) {
  Problem problem = parseForTest("tensor 0 bytes=8\ntensor 1 bytes=8\n"
                                 "step 0 out=0\nstep 1 in=0 out=1\noutput 1\n");
  EXPECT_TRUE(findOrders(problem, {}).empty());
  EXPECT_TRUE(findOrders(Problem(), {}).empty());
}

//===----------------------------------------------------------------------===//
// Against all orders
//===----------------------------------------------------------------------===//

/// The lowest peak of all orders that validate() accepts.
int64_t lowestPeakOfAll(const Problem &problem) {
  Steps order = originalPlan(problem).sequence;
  int64_t lowest = peakOf(problem);
  do {
    Validation verdict = validate(problem, {order});
    if (verdict.valid())
      lowest = std::min(lowest, verdict.peakBytes);
  } while (std::next_permutation(order.begin(), order.end()));
  return lowest;
}

TEST(Reorder, AgainstAllOrders) {
  int numBetter = 0, numOptimal = 0, numOptimalByMoves = 0;
  constexpr int numSeeds = 2000;
  for (uint64_t seed = 0; seed < numSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 7);
    int64_t best = lowestPeakOfAll(problem);
    if (best == peakOf(problem)) {
      // Nothing to gain but overlap.
      for (const Order &order : findOrders(problem, {}))
        ASSERT_EQ(order.peakBytes, best);
      continue;
    }
    ++numBetter;
    ReorderOptions moves;
    Tuning withoutWindows;
    withoutWindows.reorder.windows = false;
    moves.tuning = &withoutWindows;
    numOptimal += validate(problem, {lowestOrder(problem)}).peakBytes == best;
    numOptimalByMoves +=
        validate(problem, {lowestOrder(problem, moves)}).peakBytes == best;
  }
  std::printf("another order has a lower peak in %d of %d problems: the lowest "
              "found in %d, in %d without windows\n",
              numBetter, numSeeds, numOptimal, numOptimalByMoves);
  EXPECT_GT(numBetter, 200);
  // Somewhat below what was measured (80 %, 61 %; of problems without groups
  // 95 %): most misses put steps of a group apart by one of no use there.
  EXPECT_GE(numOptimal, 0.75 * numBetter);
  EXPECT_GE(numOptimalByMoves, 0.55 * numBetter);
}

TEST(Reorder, OrdersAreValidAndNeverHigher) {
  int numOrders = 0, numTorn = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 60);
    int64_t last = peakOf(problem);
    for (const Order &order : findOrders(problem, {})) {
      ++numOrders;
      ASSERT_EQ(order.steps.size(), problem.steps.size());
      Validation verdict = validate(problem, {order.steps});
      ASSERT_EQ(verdict.error, "");
      ASSERT_EQ(verdict.peakBytes, order.peakBytes);
      ASSERT_LE(order.peakBytes, last);
      last = order.peakBytes;
      // The same in a problem that has the order for a schedule.
      Problem reordered = withOrder(problem, order.steps);
      ASSERT_EQ(check(reordered).value_or(""), "");
      ASSERT_EQ(peakOf(reordered), order.peakBytes);
      numTorn += computeTimeline(problem, {order.steps}).slots.size() !=
                 computeTimeline(problem, originalPlan(problem)).slots.size();
    }
  }
  EXPECT_GT(numOrders, 500);
  EXPECT_GT(numTorn, 50);
}

TEST(Reorder, UnitGraphAndTimelineAgree) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 30);
    Plan plan = originalPlan(problem);
    UnitGraph graph(problem, plan.sequence, false);
    std::vector<int32_t> units(graph.numUnits());
    std::iota(units.begin(), units.end(), 0);
    std::vector<int64_t> bytes = bytesOf(graph, units);
    Timeline timeline = computeTimeline(problem, plan);
    ASSERT_EQ(bytes.size(), timeline.slots.size());
    for (size_t i = 1; i < bytes.size(); ++i)
      ASSERT_EQ(bytes[i], timeline.slots[i].bytes);
    // Donated inputs that nobody reads are in the first slot only.
    ASSERT_LE(bytes[0], timeline.slots[0].bytes);
    // Backward in time it is the same.
    UnitGraph reversed = graph.reversed();
    std::vector<int64_t> backward = bytesOf(reversed, units);
    std::reverse(backward.begin(), backward.end());
    ASSERT_EQ(backward, bytes);
    ASSERT_EQ(reversed.stepsOf(units), plan.sequence);
  }
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

TEST(Reorder, TheOrderSolverRecomputesNothing) {
  Problem problem = parseForTest(lateUpdates);
  SolverResult result = solveAt(problem, "order", 24);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_TRUE(result.isReordered);
  EXPECT_EQ(result.plan.sequence.size(), problem.steps.size());
  // That every step runs once is the least whatever the order.
  EXPECT_EQ(result.boundKind, BoundKind::Schedule);
  EXPECT_TRUE(result.proven);
  EXPECT_EQ(solveAt(problem, "order", 23).status, SolveStatus::Infeasible);
  EXPECT_EQ(solveAt(problem, "order", 24, /*keepOrder=*/true).status,
            SolveStatus::Infeasible);
}

TEST(Reorder, AutoRecomputesNothingWhereAnOrderWillDo) {
  Problem problem = parseForTest(lateUpdates);
  SolverResult result = solveAt(problem, "auto", 24);
  EXPECT_EQ(result.status, SolveStatus::Ok);
  EXPECT_EQ(result.member, "order");
  EXPECT_EQ(result.plan.sequence.size(), problem.steps.size());
  SolverResult kept = solveAt(problem, "auto", 24, /*keepOrder=*/true);
  EXPECT_FALSE(kept.isReordered);
  EXPECT_GT(kept.plan.sequence.size(), problem.steps.size());
}

/// Never worse than with the order kept, and what is said of the plan holds in
/// its order: the certificate by its checker, the bound by brute force there.
TEST(Reorder, AutoAgainstTheOracle) {
  int numReordered = 0, numCheaper = 0, numMoreFound = 0;
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 9);
    int64_t peak = peakOf(problem);
    uint64_t random = seed ^ 0x0bde;
    int64_t cap = peak - 1 - nextRandom(random, 1 + peak / 3);
    SolverResult exact = solveAt(problem, "brute-force", cap);
    SolverResult result = solveAt(problem, "auto", cap);
    ASSERT_EQ(validate(problem, result.plan).error, "");
    ASSERT_EQ(checkCertificate(problem, cap, result.certificate).value_or(""),
              "");
    if (exact.status == SolveStatus::Ok) {
      ASSERT_EQ(result.status, SolveStatus::Ok);
      ASSERT_LE(result.cost, exact.cost);
      numCheaper += result.cost < exact.cost;
    } else {
      numMoreFound += result.status == SolveStatus::Ok;
      ASSERT_LE(result.peakBytes, exact.lowestPeakBytes);
    }
    if (!result.isReordered)
      continue;
    ++numReordered;
    Problem reordered =
        withOrder(problem, firstExecutions(problem, result.plan));
    SolverResult best = solveAt(reordered, "brute-force", cap);
    // Groups that the order tore apart are looser there, never tighter.
    if (best.status == SolveStatus::Ok) {
      ASSERT_LE(result.lowerBoundCost.value_or(0), best.cost);
    }
    if (result.proven && result.status == SolveStatus::Ok) {
      ASSERT_EQ(result.cost, best.cost);
    }
    ASSERT_LE(result.floorBytes, result.lowestPeakBytes);
  }
  std::printf("reordered %d: cheaper than all plans in order %d, the only plan "
              "%d\n",
              numReordered, numCheaper, numMoreFound);
  EXPECT_GT(numReordered, 100);
  EXPECT_GT(numCheaper, 50);
  EXPECT_GT(numMoreFound, 5);
}

TEST(Reorder, CertificatesOfAnotherOrderHaveATextForm) {
  Problem problem = parseForTest(lateUpdates);
  SolverResult result = solveAt(problem, "order", 23);
  ASSERT_TRUE(result.isReordered);
  std::string text = printCertificate(problem, result.certificate);
  EXPECT_NE(text.find("order 0,1,2,3,6,4,5\n"), std::string::npos) << text;
  ParsedCertificate parsed = parseCertificate(problem, text);
  ASSERT_TRUE(parsed.certificate) << parsed.error;
  EXPECT_EQ(printCertificate(problem, *parsed.certificate), text);
  EXPECT_EQ(checkCertificate(problem, 23, *parsed.certificate).value_or(""),
            "");
  // An order that is none proves nothing.
  parsed.certificate->order = {6, 0, 1, 2, 3, 4, 5};
  EXPECT_NE(checkCertificate(problem, 23, *parsed.certificate), std::nullopt);
  parsed.certificate->order = {0, 1, 2, 3, 6, 4, 5, 5};
  EXPECT_NE(checkCertificate(problem, 23, *parsed.certificate), std::nullopt);
}

TEST(Reorder, TheFrontierIsNoHigher) {
  Problem problem = parseForTest(lateUpdates);
  FrontierOptions options;
  options.solver = "auto";
  options.numCaps = 5;
  std::vector<FrontierPoint> free = *computeFrontier(problem, options);
  options.keepOrder = true;
  std::vector<FrontierPoint> kept = *computeFrontier(problem, options);
  ASSERT_EQ(free.size(), 5u);
  EXPECT_LE(free.front().capBytes, kept.front().capBytes);
  EXPECT_EQ(free.back().capBytes, kept.back().capBytes);
  EXPECT_FALSE(free.back().isReordered);
  for (const FrontierPoint &point : free) {
    EXPECT_EQ(validate(problem, point.plan).peakBytes, point.peakBytes);
    EXPECT_LE(point.peakBytes, point.capBytes);
    EXPECT_LE(point.lowerBoundCost, point.cost);
    EXPECT_TRUE(point.capBytes < 24 || point.cost == kept.back().cost);
  }
}

/// A hundred thousand steps whose updates all come last.
TEST(Reorder, LongChains) {
  constexpr int numLayers = 33000;
  Problem problem;
  auto add = [&](Steps operands, int64_t bytes) {
    auto result = static_cast<TensorId>(problem.tensors.size());
    problem.tensors.emplace_back().label = result;
    problem.tensors.back().bytes = bytes;
    Step &step = problem.steps.emplace_back();
    step.label = result;
    step.cost = 1;
    step.operands = std::move(operands);
    step.results = {result};
    return result;
  };
  TensorId last = add({}, 1000);
  for (int i = 1; i < numLayers; ++i)
    last = add({last}, 1000);
  Steps gradients(numLayers);
  for (TensorId layer = numLayers - 1; layer >= 0; --layer)
    gradients[layer] = last = add({last}, 1000);
  for (TensorId layer = 0; layer < numLayers; ++layer)
    problem.outputs.push_back(add({layer, gradients[layer]}, 0));
  ASSERT_EQ(check(problem).value_or(""), "");
  EXPECT_EQ(peakOf(problem), 2000 * numLayers);
  std::vector<Order> orders = findOrders(problem, {});
  ASSERT_FALSE(orders.empty());
  // The activations, and two gradients.
  EXPECT_LE(orders.front().peakBytes, 1000 * (numLayers + 2));
}

} // namespace
