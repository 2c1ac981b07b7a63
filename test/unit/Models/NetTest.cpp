//===- NetTest.cpp - Updates, their order, and dropout --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"
#include "Interpreter.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace remat::models;

namespace {

NetOptions withOptimizer(Optimizer optimizer, bool updatesLast = false) {
  NetOptions options;
  options.optimizer = optimizer;
  options.updatesLast = updatesLast;
  return options;
}

/// A step that minimizes the mean square of `w` - `target`, both of two
/// elements: the gradient of each element is w - target.
struct Quadratic {
  Graph graph;
  Net net;

  explicit Quadratic(Optimizer optimizer, bool updatesLast = false)
      : net(graph, withOptimizer(optimizer, updatesLast)) {
    Value target = net.input("target", {DType::F32, {2}});
    Value w = net.parameter("w", {2}, DType::F32);
    net.minimize(net.meanSquaredError(net.scale(w, 1), target));
  }

  std::vector<std::string> argumentNames() const {
    std::vector<std::string> names;
    for (const Port &port : graph.arguments())
      names.push_back(port.name);
    return names;
  }
};

using Names = std::vector<std::string>;

TEST(Optimizer, NoneReturnsTheGradient) {
  Quadratic step(Optimizer::None);
  EXPECT_EQ(step.argumentNames(), (Names{"target", "w"}));
  auto results = interpret(step.graph, {{1, 2}, {4, 0}});
  EXPECT_EQ(results[0], (Elements{3, -2}));
  EXPECT_EQ(results[1], Elements{(9 + 4) / 2.0});
}

TEST(Optimizer, SGD) {
  Quadratic step(Optimizer::SGD);
  EXPECT_EQ(step.argumentNames(), (Names{"target", "learning_rate", "w"}));
  auto results = interpret(step.graph, {{1, 2}, {0.5}, {4, 0}});
  EXPECT_EQ(results[0], (Elements{4 - 0.5 * 3, 0 + 0.5 * 2}));
}

/// Where updates stand does not change what they compute.
TEST(Optimizer, UpdatesLast) {
  Quadratic step(Optimizer::SGD, /*updatesLast=*/true);
  auto results = interpret(step.graph, {{1, 2}, {0.5}, {4, 0}});
  EXPECT_EQ(results[0], (Elements{4 - 0.5 * 3, 0 + 0.5 * 2}));
  Quadratic gradients(Optimizer::None, /*updatesLast=*/true);
  EXPECT_EQ(interpret(gradients.graph, {{1, 2}, {4, 0}})[0], (Elements{3, -2}));
}

TEST(Optimizer, Momentum) {
  Quadratic step(Optimizer::Momentum);
  EXPECT_EQ(step.argumentNames(),
            (Names{"target", "learning_rate", "w", "w.momentum"}));
  auto results = interpret(step.graph, {{1, 2}, {0.5}, {4, 0}, {10, 20}});
  // 0.9 x 10 + 3 and 0.9 x 20 - 2.
  EXPECT_EQ(results[1], (Elements{12, 16}));
  EXPECT_EQ(results[0], (Elements{4 - 0.5 * 12, 0 - 0.5 * 16}));
}

// At the first step from zero averages, the corrected averages are the gradient
// and its square: each element moves by the learning rate against its sign.
TEST(Optimizer, AdamAtTheFirstStep) {
  Quadratic step(Optimizer::Adam);
  EXPECT_EQ(step.argumentNames(), (Names{"target", "learning_rate", "step", "w",
                                         "w.mean", "w.variance"}));
  auto results =
      interpret(step.graph, {{1, 2}, {0.5}, {0}, {4, 0}, {0, 0}, {0, 0}});
  EXPECT_NEAR(results[0][0], 4 - 0.5, 1e-6);
  EXPECT_NEAR(results[0][1], 0 + 0.5, 1e-6);
  EXPECT_NEAR(results[1][0], 0.1 * 3, 1e-12);
  EXPECT_NEAR(results[2][0], 0.001 * 9, 1e-12);
  EXPECT_EQ(results[3], Elements{1});
}

TEST(Optimizer, AdamAtALaterStep) {
  Quadratic step(Optimizer::Adam);
  auto results =
      interpret(step.graph, {{1, 2}, {0.5}, {9}, {4, 0}, {2, 0}, {5, 0}});
  double mean = 0.9 * 2 + 0.1 * 3, variance = 0.999 * 5 + 0.001 * 9;
  double change = mean / (1 - std::pow(0.9, 10)) /
                  (std::sqrt(variance / (1 - std::pow(0.999, 10))) + 1e-8);
  EXPECT_NEAR(results[0][0], 4 - 0.5 * change, 1e-12);
  EXPECT_EQ(results[3], Elements{10});
}

// Three layers: the weights of the last one are updated before the gradient of
// the first one is computed, so that no gradient lives to the end.
TEST(Net, UpdatesRightAfterTheGradient) {
  Graph graph;
  Net net(graph, NetOptions());
  Value x = net.input("x", {DType::F32, {2, 4}});
  Value labels = net.input("labels", {DType::I32, {2}});
  for (const char *name : {"first", "second", "third"}) {
    ScopeGuard scope(graph, name);
    x = net.relu(net.dense(x, 4));
  }
  net.minimize(net.crossEntropy(x, labels));
  auto resultId = [&](const std::string &name) {
    for (const Port &port : graph.results())
      if (port.name == name)
        return port.value.id;
    return -1;
  };
  auto firstOpOf = [&](const std::string &path) {
    for (size_t i = 0; i < graph.ops().size(); ++i)
      if (graph.scopes()[graph.ops()[i].scope] == path)
        return static_cast<int32_t>(i);
    return -1;
  };
  EXPECT_LT(resultId("third.weight"), firstOpOf("second.backward"));
  EXPECT_LT(resultId("second.weight"), firstOpOf("first.backward"));
  EXPECT_GT(firstOpOf("first.backward"), 0);
}

// The model input needs no gradient: the first layer has one product in its
// backward pass (for the weight), the second has two.
TEST(Net, WritesNoGradientOfTheInput) {
  Graph graph;
  Net net(graph, NetOptions());
  Value x = net.input("x", {DType::F32, {2, 4}});
  Value target = net.input("target", {DType::F32, {2, 4}});
  for (const char *name : {"first", "second"}) {
    ScopeGuard scope(graph, name);
    x = net.dense(x, 4);
  }
  net.minimize(net.meanSquaredError(x, target));
  std::map<std::string, int> products;
  for (const Op &op : graph.ops())
    if (op.code == Opcode::Dot)
      ++products[graph.scopes()[op.scope]];
  EXPECT_EQ(products["first.backward"], 1);
  EXPECT_EQ(products["second.backward"], 2);
}

// Layers on three parts of a batch of 7 are the layers on the whole: the same
// arguments give the same loss and the same gradients.
TEST(Net, SlicesAreTheWhole) {
  auto results = [](int64_t slices) {
    Graph graph;
    Net net(graph, withOptimizer(Optimizer::None));
    Value x = net.input("x", {DType::F32, {7, 4}});
    Value target = net.input("target", {DType::F32, {7, 2}});
    Value y = net.inSlices(
        x, slices, [&](Value part) { return net.gelu(net.dense(part, 2)); });
    net.minimize(net.meanSquaredError(y, target));
    std::vector<Elements> arguments;
    double number = 0;
    for (const Port &port : graph.arguments()) {
      arguments.emplace_back(graph.type(port.value).elements());
      for (double &element : arguments.back())
        element = std::sin(++number);
    }
    return interpret(graph, arguments);
  };
  std::vector<Elements> whole = results(1), sliced = results(3);
  ASSERT_EQ(whole.size(), 3u);
  ASSERT_EQ(sliced.size(), 3u);
  for (size_t i = 0; i < whole.size(); ++i)
    for (size_t k = 0; k < whole[i].size(); ++k)
      EXPECT_NEAR(sliced[i][k], whole[i][k], 1e-12);
}

// No step of a sliced layer, forward or backward, computes more than a part.
TEST(Net, SlicedLayersMakePartsOnly) {
  Graph graph;
  Net net(graph, NetOptions());
  Value x = net.input("x", {DType::F32, {6, 4}});
  Value target = net.input("target", {DType::F32, {6, 2}});
  Value y = net.inSlices(x, 3, [&](Value part) {
    ScopeGuard scope(graph, "layer");
    return net.relu(net.dense(part, 2));
  });
  net.minimize(net.meanSquaredError(y, target));
  int products = 0;
  for (const Op &op : graph.ops()) {
    if (op.code != Opcode::Dot)
      continue;
    ++products;
    EXPECT_EQ(graph.shape(op.operands[0])[0], 2);
  }
  EXPECT_EQ(products, 6);
}

TEST(Net, ForwardOnlyEndsWithTheLoss) {
  Graph graph;
  NetOptions options;
  options.forwardOnly = true;
  Net net(graph, options);
  Value x = net.input("x", {DType::F32, {2, 4}});
  Value target = net.input("target", {DType::F32, {2, 4}});
  Value loss = net.meanSquaredError(net.dense(x, 4), target);
  size_t size = graph.ops().size();
  net.minimize(loss);
  EXPECT_EQ(graph.ops().size(), size);
  ASSERT_EQ(graph.results().size(), 1u);
  EXPECT_EQ(graph.results()[0].name, "loss");
}

TEST(Net, ParameterWithoutInfluenceIsAnError) {
  Graph graph;
  Net net(graph, NetOptions());
  Value x = net.input("x", {DType::F32, {2}});
  Value w = net.parameter("w", {2}, DType::F32);
  net.parameter("idle", {2}, DType::F32);
  EXPECT_THROW(net.minimize(net.meanSquaredError(net.relu(w), x)), ModelError);
}

/// The dropout of 10,000 ones at a rate of 0.25, twice in one net.
std::vector<Elements> dropOnes(double seedArgument, uint32_t programSeed) {
  Graph graph;
  NetOptions options;
  options.seed = programSeed;
  Net net(graph, options);
  Value seed = net.seedInput();
  EXPECT_EQ(graph.type(seed).dtype, DType::I32);
  Value ones = graph.constant(1, {DType::F32, {100, 100}});
  graph.result("first", net.dropout(ones, 0.25), "output");
  graph.result("second", net.dropout(ones, 0.25), "output");
  return interpret(graph, {{seedArgument}});
}

// Binomial: a standard deviation of 43 around 7,500 survivors.
TEST(Dropout, KeepsTheShareItShould) {
  for (double seed : {0., 1., 12345., -7.}) {
    SCOPED_TRACE(seed);
    Elements dropped = dropOnes(seed, 0)[0];
    int kept = 0;
    for (double element : dropped) {
      EXPECT_TRUE(element == 0 || std::abs(element - 1 / 0.75) < 1e-9);
      kept += element != 0;
    }
    EXPECT_NEAR(kept, 7500, 4 * 43);
  }
}

/// The number of positions at which two masks agree.
int agreement(const Elements &a, const Elements &b) {
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i)
    count += a[i] == b[i];
  return count;
}

// Independent masks agree in 0.75^2 + 0.25^2 = 62.5 % of the places, with a
// standard deviation of 48 of 10,000.
TEST(Dropout, MasksDifferBySeedLayerAndProgram) {
  std::vector<Elements> masks = dropOnes(1, 0);
  EXPECT_EQ(masks, dropOnes(1, 0));
  EXPECT_NEAR(agreement(masks[0], masks[1]), 6250, 4 * 48);
  EXPECT_NEAR(agreement(masks[0], dropOnes(2, 0)[0]), 6250, 4 * 48);
  EXPECT_NEAR(agreement(masks[0], dropOnes(1, 1)[0]), 6250, 4 * 48);
}

} // namespace
