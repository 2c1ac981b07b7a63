//===- GraphTest.cpp - The builder and its text ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Graph.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace remat::models;

namespace {

/// The message of the ModelError that `action` throws.
template <typename Action> std::string errorOf(Action action) {
  try {
    action();
  } catch (const ModelError &error) {
    return error.what();
  }
  return "no error";
}

TEST(Graph, PrintsWhatTheResultsNeed) {
  Graph graph;
  Value x = graph.argument("x", {DType::F32, {2, 3}}, "input");
  Value y;
  {
    ScopeGuard scope(graph, "layer1");
    graph.tanh(x); // No result needs it.
    y = graph.scale(x, 1e-5);
  }
  graph.result("y", y, "output");
  EXPECT_EQ(printModule(graph, "small", "First.\n\nLast."), R"(// First.
//
// Last.
#l1 = loc("layer1")

module @small {
func.func @main(
    %x: tensor<2x3xf32> {remat.kind = "input", remat.name = "x"}
  ) -> (
    tensor<2x3xf32> {remat.kind = "output", remat.name = "y"}
  ) {
  %0 = stablehlo.constant dense<1.0e-05> : tensor<2x3xf32>

  // layer1
  %1 = stablehlo.multiply %x, %0 : tensor<2x3xf32> loc(#l1)

  return %1
      : tensor<2x3xf32>
}
}
)");
}

// Bit patterns, because MLIR has no word for infinity.
TEST(Graph, PrintsInfinityPerType) {
  Graph graph;
  for (DType dtype : {DType::F32, DType::F16, DType::BF16})
    graph.result("r", graph.constant(-HUGE_VAL, {dtype, {}}), "output");
  std::string text = printModule(graph, "m");
  EXPECT_NE(text.find("dense<0xFF800000> : tensor<f32>"), std::string::npos);
  EXPECT_NE(text.find("dense<0xFC00> : tensor<f16>"), std::string::npos);
  EXPECT_NE(text.find("dense<0xFF80> : tensor<bf16>"), std::string::npos);
}

TEST(Graph, EqualConstantsAreOne) {
  Graph graph;
  Type f32{DType::F32, {4}}, f16{DType::F16, {4}};
  EXPECT_EQ(graph.constant(1, f32), graph.constant(1, f32));
  EXPECT_NE(graph.constant(1, f32), graph.constant(2, f32));
  EXPECT_NE(graph.constant(1, f32), graph.constant(1, f16));
}

TEST(Graph, InfersShapes) {
  Graph graph;
  auto value = [&](Shape shape) {
    return graph.argument("a", {DType::F32, shape}, "input");
  };
  Value a = value({2, 3, 4}), b = value({2, 4, 5});
  EXPECT_EQ(graph.shape(graph.dot(a, b, {{0}, {0}, {2}, {1}})),
            (Shape{2, 3, 5}));
  // (8 + 1 + 1 - 3) / 2 + 1 = 4.
  ConvAttr conv{{0, 3, {1, 2}}, {2, 3, {0, 1}}, {0, 3, {1, 2}}};
  conv.stride = {2, 2};
  conv.low = conv.high = {1, 1};
  EXPECT_EQ(graph.shape(graph.convolution(value({1, 8, 8, 3}),
                                          value({3, 3, 3, 7}), conv)),
            (Shape{1, 4, 4, 7}));
  // Indices 1 and 4 of 0..5.
  EXPECT_EQ(graph.shape(graph.slice(value({6}), {{1}, {6}, {3}})), Shape{2});
  // Five elements and four times two between them, one below, two above.
  EXPECT_EQ(graph.shape(graph.pad(value({5}), 0, {{1}, {2}, {2}})), Shape{16});
  EXPECT_EQ(graph.shape(graph.concatenate({a, a, value({2, 1, 4})}, 1)),
            (Shape{2, 7, 4}));
}

TEST(Graph, NamesTheLayerAndTheTypesThatDoNotFit) {
  Graph graph;
  Value a = graph.argument("a", {DType::F32, {2, 3}}, "input");
  Value b = graph.argument("b", {DType::F32, {3, 2}}, "input");
  ScopeGuard scope(graph, "block.dense");
  EXPECT_EQ(errorOf([&] { graph.add(a, b); }),
            "block.dense: add of tensor<2x3xf32> and tensor<3x2xf32>");
  EXPECT_EQ(errorOf([&] {
              graph.dot(a, a, {{}, {}, {1}, {0}});
            }),
            "block.dense: dot product of tensor<2x3xf32> and tensor<2x3xf32>");
  EXPECT_EQ(errorOf([&] {
              graph.concatenate({a, b}, 0);
            }),
            "block.dense: concatenation of tensor<2x3xf32> and "
            "tensor<3x2xf32>");
  EXPECT_EQ(errorOf([&] { graph.reshape(a, {5}); }),
            "block.dense: reshape of tensor<2x3xf32> to 5");
}

TEST(Graph, CountsOperations) {
  Graph graph;
  Value a = graph.argument("a", {DType::F32, {2, 3}}, "input");
  Value b = graph.argument("b", {DType::F32, {3, 5}}, "input");
  // 2 x 5 results of 3 products and 3 sums each.
  EXPECT_EQ(graph.flops(graph.dot(a, b, {{}, {}, {1}, {0}})), 60);
  EXPECT_EQ(graph.flops(graph.reduceAdd(a, {1})), 6);
  EXPECT_EQ(graph.flops(graph.transpose(a, {1, 0})), 0);
  // 4 x 4 x 7 results of 3 x 3 x 3 products and sums each.
  Value image = graph.argument("i", {DType::F32, {1, 4, 4, 3}}, "input");
  Value kernel = graph.argument("k", {DType::F32, {3, 3, 3, 7}}, "input");
  ConvAttr conv{{0, 3, {1, 2}}, {2, 3, {0, 1}}, {0, 3, {1, 2}}};
  conv.low = conv.high = {1, 1};
  EXPECT_EQ(graph.flops(graph.convolution(image, kernel, conv)),
            2 * 4 * 4 * 7 * 27);
}

} // namespace
