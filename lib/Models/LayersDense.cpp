//===- LayersDense.cpp - Elementwise layers and products ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace remat::models {

/// 0, 1, ..., `count` - 1.
static std::vector<int64_t> firstDims(int64_t count) {
  std::vector<int64_t> dims(count);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

Value Net::relu(Value x) {
  Value zero = graph.constant(0, graph.type(x));
  Value y = graph.maximum(x, zero);
  return record(y, {x}, [=](Value dy) {
    Value mask = graph.compare(Direction::GT, y, zero);
    contribute(x, graph.select(mask, dy, zero));
  });
}

// With u = a (x + b x^3) and t = tanh(u):
//   y = x/2 (1 + t),  dy/dx = (1 + t)/2 + x/2 (1 - t^2) a (1 + 3 b x^2).
Value Net::gelu(Value x) {
  const double a = std::sqrt(2 / std::acos(-1.0)), b = 0.044715;
  Value one = graph.constant(1, graph.type(x));
  Value square = graph.multiply(x, x);
  Value cubic = graph.scale(graph.multiply(square, x), b);
  Value t = graph.tanh(graph.scale(graph.add(x, cubic), a));
  Value half = graph.scale(x, 0.5);
  Value y = graph.multiply(half, graph.add(t, one));
  return record(y, {x}, [=](Value dy) {
    Value flat = graph.scale(graph.add(t, one), 0.5);
    Value sech = graph.subtract(one, graph.multiply(t, t));
    Value slope = graph.scale(graph.add(one, graph.scale(square, 3 * b)), a);
    Value steep = graph.multiply(graph.multiply(half, sech), slope);
    contribute(x, graph.multiply(dy, graph.add(flat, steep)));
  });
}

Value Net::add(Value a, Value b) {
  return record(graph.add(a, b), {a, b}, [=](Value dy) {
    for (Value operand : {a, b})
      if (wants(operand))
        contribute(operand, dy);
  });
}

Value Net::scale(Value x, double factor) {
  return record(graph.scale(x, factor), {x},
                [=](Value dy) { contribute(x, graph.scale(dy, factor)); });
}

Value Net::shift(Value x, const std::string &name, std::vector<int64_t> dims) {
  const Shape shape = graph.shape(x);
  Shape varying;
  std::vector<int64_t> others;
  for (int64_t i = 1; i < graph.type(x).rank(); ++i)
    if (std::find(dims.begin(), dims.end(), i) == dims.end())
      others.push_back(i);
    else
      varying.push_back(shape[i]);
  Value b = parameter(name, varying, graph.type(x).dtype);
  return record(graph.add(x, graph.broadcast(b, shape, dims)), {x, b},
                [=](Value dy) {
                  Value sum = stagedSum(dy, others, {0});
                  contribute(b, graph.convert(sum, graph.type(b).dtype));
                  if (wants(x))
                    contribute(x, dy);
                });
}

// A 32-bit mix of shifts and odd multiplications, each a bijection: bits of the
// position of an element spread over the whole word. The multipliers are the
// usual ones of such finalizers.
Value Net::dropout(Value x, double rate) {
  if (rate == 0)
    return x;
  const Type &type = graph.type(x);
  if (type.elements() > std::numeric_limits<int32_t>::max())
    throw ModelError(graph.scope() + ": dropout of " + type.str() +
                     " has more elements than a 32-bit index can number; use "
                     "a smaller batch");
  Type words{DType::I32, {type.elements()}};
  auto number = [&](uint32_t bits) {
    return graph.constant(static_cast<int32_t>(bits), words);
  };
  auto mix = [&](Value word, int shift, uint32_t factor) {
    Value folded = graph.bitXor(word, graph.shiftRight(word, number(shift)));
    return graph.multiply(folded, number(factor));
  };
  // Each layer of each program starts from another point.
  uint32_t salt =
      (options.seed + 1) * 0x9E3779B9u + 0x85EBCA6Bu * dropoutCount++;
  Value spreadSeed = graph.broadcast(seedInput(), words.shape, {});
  Value key = mix(graph.bitXor(spreadSeed, number(salt)), 15, 0x2C1B3C6Du);
  Value word = graph.add(graph.iota(words, 0), key);
  word = mix(word, 16, 0x7FEB352Du);
  word = mix(word, 15, 0x846CA68Bu);
  word = graph.bitXor(word, graph.shiftRight(word, number(16)));
  // The upper 24 bits as a number in [0, 1), times 2^24.
  Value draw = graph.shiftRight(word, number(8));
  auto threshold = static_cast<uint32_t>(std::lround(rate * (1 << 24)));
  Value keep = graph.reshape(
      graph.compare(Direction::GE, draw, number(threshold)), type.shape);
  Value zero = graph.constant(0, type);
  double factor = 1 / (1 - rate);
  Value y = graph.select(keep, graph.scale(x, factor), zero);
  return record(y, {x}, [=](Value dy) {
    contribute(x, graph.select(keep, graph.scale(dy, factor), zero));
  });
}

Value Net::dot(Value lhs, Value rhs, DotAttr attr) {
  Value sum = graph.dot(lhs, rhs, std::move(attr), DType::F32);
  return graph.convert(sum, graph.type(lhs).dtype);
}

Value Net::matmul(Value x, Value weight) {
  int64_t last = graph.type(x).rank() - 1;
  Value y = dot(x, weight, {{}, {}, {last}, {0}});
  return record(y, {x, weight}, [=](Value dy) {
    if (wants(weight))
      contribute(weight,
                 dot(x, dy, {{}, {}, firstDims(last), firstDims(last)}));
    if (wants(x))
      contribute(x, dot(dy, weight, {{}, {}, {last}, {1}}));
  });
}

Value Net::dense(Value x, int64_t features, bool withBias) {
  Value weight = parameter("weight", {graph.shape(x).back(), features},
                           graph.type(x).dtype);
  Value y = matmul(x, weight);
  return withBias ? bias(y, graph.type(y).rank() - 1) : y;
}

Value Net::batchMatmul(Value a, Value b, bool transposeB) {
  int64_t rows = graph.type(a).rank() - 2, columns = rows + 1;
  std::vector<int64_t> batch = firstDims(rows);
  // The dimensions of `b` that meet the columns of `a`, and that remain.
  int64_t inner = transposeB ? columns : rows;
  int64_t outer = transposeB ? rows : columns;
  Value y = dot(a, b, {batch, batch, {columns}, {inner}});
  return record(y, {a, b}, [=](Value dy) {
    if (wants(a))
      contribute(a, dot(dy, b, {batch, batch, {columns}, {outer}}));
    if (!wants(b))
      return;
    if (transposeB)
      contribute(b, dot(dy, a, {batch, batch, {rows}, {rows}}));
    else
      contribute(b, dot(a, dy, {batch, batch, {rows}, {rows}}));
  });
}

Value Net::splitHeads(Value x, int64_t heads) {
  const Shape shape = graph.shape(x);
  if (shape[2] % heads != 0)
    throw ModelError(graph.scope() + ": a width of " +
                     std::to_string(shape[2]) + " is not a multiple of " +
                     std::to_string(heads) + " heads");
  Shape split = {shape[0], shape[1], heads, shape[2] / heads};
  Value y = graph.transpose(graph.reshape(x, split), {0, 2, 1, 3});
  return record(y, {x}, [=](Value dy) {
    contribute(x, graph.reshape(graph.transpose(dy, {0, 2, 1, 3}), shape));
  });
}

Value Net::mergeHeads(Value x) {
  const Shape shape = graph.shape(x);
  Shape split = {shape[0], shape[2], shape[1], shape[3]};
  Shape merged = {shape[0], shape[2], shape[1] * shape[3]};
  Value y = graph.reshape(graph.transpose(x, {0, 2, 1, 3}), merged);
  return record(y, {x}, [=](Value dy) {
    contribute(x, graph.transpose(graph.reshape(dy, split), {0, 2, 1, 3}));
  });
}

Value Net::embedding(Value index, int64_t rows, int64_t width) {
  Value table = parameter("weight", {rows, width}, options.dtype);
  Value y = graph.gatherRows(table, index);
  return record(y, {table}, [=](Value dy) {
    Value zeros = graph.constant(0, graph.type(table));
    contribute(table, graph.scatterAddRows(zeros, index, dy));
  });
}

Value Net::flatten(Value x) {
  const Shape shape = graph.shape(x);
  Value y = graph.reshape(x, {shape[0], graph.type(x).elements() / shape[0]});
  return record(y, {x},
                [=](Value dy) { contribute(x, graph.reshape(dy, shape)); });
}

} // namespace remat::models
