//===- GradientTest.cpp - Backward rules against finite differences -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test builds the smallest net around one layer, in which the layer's
// input is a parameter too, and compares every gradient with the central
// difference of the loss. Both are evaluated in double precision.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "remat/Models/Net.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

using namespace remat::models;

namespace {

/// Builds a layer on the value it is given and returns its result.
using Layer = std::function<Value(Net &, Value)>;

/// Elements for all arguments of `graph`, the same for the same `seed`. No two
/// are equal, so that a maximum has one position.
std::vector<Elements> randomArguments(const Graph &graph, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Elements> arguments;
  for (const Port &argument : graph.arguments()) {
    Elements elements(graph.type(argument.value).elements());
    for (double &element : elements)
      element = isFloat(graph.type(argument.value).dtype)
                    ? normal(random)
                    : static_cast<double>(random() % 3);
    arguments.push_back(elements);
  }
  return arguments;
}

/// Compares the gradients of all parameters of `graph`, whose results are the
/// gradients and the loss, with finite differences.
void expectTrueGradients(const Graph &graph, unsigned seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::vector<Elements> arguments = randomArguments(graph, seed);
  std::vector<Elements> results = interpret(graph, arguments);
  size_t result = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (graph.arguments()[i].kind != "parameter")
      continue;
    const std::string &name = graph.arguments()[i].name;
    ASSERT_EQ(graph.results()[result].name, name);
    const Elements &gradient = results[result++];
    ASSERT_EQ(gradient.size(), arguments[i].size());
    // Large tensors by a sample that still meets every residue class.
    size_t stride = gradient.size() / 40 * 2 + 1;
    double squaredError = 0, squaredNorm = 1e-12;
    for (size_t k = 0; k < gradient.size(); k += stride) {
      const double h = 1e-5, x = arguments[i][k];
      auto lossAt = [&](double element) {
        arguments[i][k] = element;
        return interpret(graph, arguments).back()[0];
      };
      double slope = (lossAt(x + h) - lossAt(x - h)) / (2 * h);
      arguments[i][k] = x;
      squaredError += std::pow(gradient[k] - slope, 2);
      squaredNorm += slope * slope;
    }
    EXPECT_LT(std::sqrt(squaredError / squaredNorm), 1e-6) << name;
  }
}

/// A net around `layer`, applied to an input of `shape`: the mean square of its
/// result and a target.
void checkLayer(Shape shape, const Layer &layer, Layout layout = Layout::NHWC) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    Graph graph;
    NetOptions options;
    options.layout = layout;
    options.optimizer = Optimizer::None;
    Net net(graph, options);
    Value seedArgument = net.seedInput();
    (void)seedArgument;
    Value y = layer(net, net.parameter("x", shape, DType::F32));
    Value target = net.input("target", graph.type(y));
    net.minimize(net.meanSquaredError(y, target));
    expectTrueGradients(graph, seed);
  }
}

TEST(Gradient, Relu) {
  checkLayer({3, 4}, [](Net &net, Value x) { return net.relu(x); });
}

TEST(Gradient, Gelu) {
  checkLayer({3, 4}, [](Net &net, Value x) { return net.gelu(x); });
}

TEST(Gradient, AddOfOneValueTwice) {
  checkLayer({3, 4}, [](Net &net, Value x) {
    return net.add(net.scale(x, 3), net.add(x, x));
  });
}

TEST(Gradient, Dropout) {
  checkLayer({5, 8}, [](Net &net, Value x) { return net.dropout(x, 0.3); });
}

// A table of positions: the same for each sample.
TEST(Gradient, Shift) {
  checkLayer({2, 3, 4}, [](Net &net, Value x) {
    return net.gelu(net.shift(x, "positions", {1, 2}));
  });
}

TEST(Gradient, Dense) {
  checkLayer({2, 3, 4}, [](Net &net, Value x) { return net.dense(x, 5); });
}

// One weight used twice: its gradient is the sum of both contributions.
TEST(Gradient, SharedWeight) {
  checkLayer({3, 4}, [](Net &net, Value x) {
    Value weight = net.parameter("shared", {4, 4}, DType::F32);
    return net.matmul(net.relu(net.matmul(x, weight)), weight);
  });
}

// Parts of 2 and 3 samples; the weight's gradient is a sum over them.
TEST(Gradient, Slices) {
  checkLayer({5, 4}, [](Net &net, Value x) {
    return net.inSlices(net.gelu(x), 2, [&](Value part) {
      return net.gelu(net.dense(part, 3));
    });
  });
}

TEST(Gradient, BatchMatmul) {
  for (bool transposeB : {false, true})
    checkLayer({2, 2, 3, 3}, [=](Net &net, Value x) {
      return net.batchMatmul(x, net.gelu(x), transposeB);
    });
}

TEST(Gradient, Heads) {
  checkLayer({2, 3, 4}, [](Net &net, Value x) {
    return net.mergeHeads(net.gelu(net.splitHeads(x, 2)));
  });
}

TEST(Gradient, Embedding) {
  checkLayer({2, 3, 4}, [](Net &net, Value x) {
    Value index = net.input("index", {DType::I32, {2, 3}});
    return net.add(x, net.embedding(index, 3, 4));
  });
}

TEST(Gradient, LayerNorm) {
  checkLayer({2, 3, 5}, [](Net &net, Value x) { return net.layerNorm(x); });
}

TEST(Gradient, Softmax) {
  for (bool causal : {false, true})
    checkLayer({2, 4, 4},
               [=](Net &net, Value x) { return net.softmax(x, causal); });
}

TEST(Gradient, Mean) {
  checkLayer({2, 3, 4}, [](Net &net, Value x) { return net.mean(x, 1); });
}

TEST(Gradient, CrossEntropy) {
  Graph graph;
  NetOptions options;
  options.optimizer = Optimizer::None;
  Net net(graph, options);
  Value labels = net.input("labels", {DType::I32, {2, 4}});
  Value x = net.parameter("x", {2, 4, 3}, DType::F32);
  net.minimize(net.crossEntropy(net.scale(x, 2), labels));
  expectTrueGradients(graph, 7);
}

/// The layers of images, in both layouts; shapes are written channels last.
class ImageGradient : public testing::TestWithParam<Layout> {
protected:
  void check(Shape nhwc, const Layer &layer) {
    Shape nchw = {nhwc[0], nhwc[3], nhwc[1], nhwc[2]};
    checkLayer(GetParam() == Layout::NHWC ? nhwc : nchw, layer, GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Layouts, ImageGradient,
                         testing::Values(Layout::NHWC, Layout::NCHW),
                         [](const auto &info) {
                           return info.param == Layout::NHWC ? "NHWC" : "NCHW";
                         });

TEST_P(ImageGradient, ConvolutionOfEveryWindow) {
  for (Padding padding : {Padding::Same, Padding::Symmetric, Padding::Valid})
    for (Pair size : {Pair{3, 3}, Pair{1, 1}, Pair{1, 5}, Pair{5, 1}})
      for (Pair stride : {Pair{1, 1}, Pair{2, 2}}) {
        SCOPED_TRACE(testing::Message()
                     << "padding " << static_cast<int>(padding) << " window "
                     << size[0] << "x" << size[1] << " stride " << stride[0]);
        // Even and odd extents: the last row may be out of reach.
        check({2, 6, 7, 2}, [=](Net &net, Value x) {
          return net.conv(x, 3, {size, stride, padding}, /*withBias=*/true);
        });
      }
}

TEST_P(ImageGradient, UpConvolution) {
  check({2, 3, 2, 3}, [](Net &net, Value x) { return net.upConv(x, 2); });
}

TEST_P(ImageGradient, BatchNorm) {
  check({2, 3, 3, 2}, [](Net &net, Value x) { return net.batchNorm(x); });
}

TEST_P(ImageGradient, Pools) {
  for (Padding padding : {Padding::Same, Padding::Symmetric, Padding::Valid})
    for (int64_t size : {1, 2, 3})
      for (int64_t stride : {1, 2, 3}) {
        SCOPED_TRACE(testing::Message()
                     << "padding " << static_cast<int>(padding) << " window "
                     << size << " stride " << stride);
        Window window{{size, size}, {stride, stride}, padding};
        check({2, 5, 6, 2},
              [=](Net &net, Value x) { return net.maxPool(x, window); });
        check({2, 5, 6, 2},
              [=](Net &net, Value x) { return net.averagePool(x, window); });
      }
}

TEST_P(ImageGradient, GlobalMean) {
  check({2, 3, 4, 2}, [](Net &net, Value x) { return net.globalMean(x); });
}

TEST_P(ImageGradient, ConcatAndFlatten) {
  check({2, 2, 3, 2}, [](Net &net, Value x) {
    return net.flatten(
        net.channelsLast(net.concat({net.relu(x), net.gelu(x), x})));
  });
}

} // namespace
