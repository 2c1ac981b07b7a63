//===- LayersNorm.cpp - Normalization, softmax and losses -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of these compute in f32. Where a mean is subtracted, its negation is
// added: compilers fold the negation of an element into the accumulation of a
// reduction, and then no longer recognize the reduction.
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat::models {

/// Keeps the variance away from zero; the usual value.
static constexpr double normEpsilon = 1e-5;

// A single sum over a large tensor loses digits if it is computed element by
// element; sums of sums lose far fewer.
Value Net::stagedSum(Value x, std::vector<int64_t> inner,
                     const std::vector<int64_t> &outer) {
  Value sum = graph.convert(x, DType::F32);
  if (!inner.empty())
    sum = graph.reduceAdd(sum, inner);
  std::vector<int64_t> shifted;
  for (int64_t dim : outer)
    shifted.push_back(dim - std::count_if(inner.begin(), inner.end(),
                                          [=](int64_t i) { return i < dim; }));
  return outer.empty() ? sum : graph.reduceAdd(sum, shifted);
}

// With n the normalized x, g the scale, r = 1/sqrt(variance + epsilon), and
// <.> the mean over batch and space:
//   dx = g r (dy - <dy> - n <dy n>).
Value Net::batchNorm(Value x) {
  int64_t channel = channelDim(x);
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  Value scale = parameter("scale", {shape[channel]}, DType::F32);
  Value shift = parameter("shift", {shape[channel]}, DType::F32);
  const Pair space = spatialDims();
  double count = static_cast<double>(graph.type(x).elements()) /
                 static_cast<double>(shape[channel]);
  auto spread = [=](Value v) { return graph.broadcast(v, shape, {channel}); };
  auto sum = [=](Value v) { return stagedSum(v, {space[0], space[1]}, {0}); };

  Value xf = graph.convert(x, DType::F32);
  Value minusMean = graph.scale(sum(xf), -1 / count);
  Value centered = graph.add(xf, spread(minusMean));
  Value variance =
      graph.scale(sum(graph.multiply(centered, centered)), 1 / count);
  Value r = graph.rsqrt(graph.addNumber(variance, normEpsilon));
  Value normal = graph.multiply(centered, spread(r));
  Value yf = graph.add(graph.multiply(normal, spread(scale)), spread(shift));
  Value y = graph.convert(yf, dtype);
  return record(y, {x, scale, shift}, [=](Value dy) {
    Value dyf = graph.convert(dy, DType::F32);
    Value dShift = sum(dyf);
    contribute(shift, dShift);
    Value dScale = sum(graph.multiply(dyf, normal));
    contribute(scale, dScale);
    if (!wants(x))
      return;
    Value level = spread(graph.scale(dShift, -1 / count));
    Value tilt = spread(graph.scale(dScale, -1 / count));
    Value rest = graph.add(graph.add(dyf, level), graph.multiply(normal, tilt));
    Value factor = spread(graph.multiply(scale, r));
    contribute(x, graph.convert(graph.multiply(rest, factor), dtype));
  });
}

// As batchNorm, with the means over the last dimension.
Value Net::layerNorm(Value x) {
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  int64_t last = graph.type(x).rank() - 1;
  Value scale = parameter("scale", {shape[last]}, DType::F32);
  Value shift = parameter("shift", {shape[last]}, DType::F32);
  std::vector<int64_t> rows(last);
  std::iota(rows.begin(), rows.end(), 0);
  double count = static_cast<double>(shape[last]);
  auto spreadRow = [=](Value v) { return graph.broadcast(v, shape, rows); };
  auto spreadColumn = [=](Value v) {
    return graph.broadcast(v, shape, {last});
  };
  auto mean = [=](Value v, double sign) {
    return graph.scale(graph.reduceAdd(v, {last}), sign / count);
  };

  Value xf = graph.convert(x, DType::F32);
  Value centered = graph.add(xf, spreadRow(mean(xf, -1)));
  Value variance = mean(graph.multiply(centered, centered), 1);
  Value r = spreadRow(graph.rsqrt(graph.addNumber(variance, normEpsilon)));
  Value normal = graph.multiply(centered, r);
  Value yf = graph.add(graph.multiply(normal, spreadColumn(scale)),
                       spreadColumn(shift));
  Value y = graph.convert(yf, dtype);
  return record(y, {x, scale, shift}, [=](Value dy) {
    Value dyf = graph.convert(dy, DType::F32);
    std::vector<int64_t> inner(rows.begin() + 1, rows.end());
    contribute(shift, stagedSum(dyf, inner, {0}));
    contribute(scale, stagedSum(graph.multiply(dyf, normal), inner, {0}));
    if (!wants(x))
      return;
    Value dNormal = graph.multiply(dyf, spreadColumn(scale));
    Value level = spreadRow(mean(dNormal, -1));
    Value tilt = spreadRow(mean(graph.multiply(dNormal, normal), -1));
    Value rest =
        graph.add(graph.add(dNormal, level), graph.multiply(normal, tilt));
    contribute(x, graph.convert(graph.multiply(rest, r), dtype));
  });
}

// dx = y (dy - sum(dy y)).
Value Net::softmax(Value x, bool causal) {
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  int64_t last = graph.type(x).rank() - 1;
  std::vector<int64_t> rows(last);
  std::iota(rows.begin(), rows.end(), 0);
  auto spread = [=](Value v) { return graph.broadcast(v, shape, rows); };

  Value xf = graph.convert(x, DType::F32);
  if (causal) {
    Type words{DType::I32, shape};
    Value seen = graph.compare(Direction::LE, graph.iota(words, last),
                               graph.iota(words, last - 1));
    // Far enough below every score for its exponential to be zero.
    xf = graph.select(seen, xf, graph.constant(-1e30, graph.type(xf)));
  }
  Value minusMax = spread(graph.negate(graph.reduceMax(xf, {last})));
  Value power = graph.exponential(graph.add(xf, minusMax));
  Value sum = graph.reduceAdd(power, {last});
  Value inverse = graph.divide(graph.constant(1, graph.type(sum)), sum);
  Value yf = graph.multiply(power, spread(inverse));
  Value y = graph.convert(yf, dtype);
  return record(y, {x}, [=](Value dy) {
    Value dyf = graph.convert(dy, DType::F32);
    Value total = graph.reduceAdd(graph.multiply(dyf, yf), {last});
    Value rest = graph.add(dyf, spread(graph.negate(total)));
    contribute(x, graph.convert(graph.multiply(yf, rest), dtype));
  });
}

Value Net::mean(Value x, int64_t dim) {
  const Shape shape = graph.shape(x);
  double factor = 1 / static_cast<double>(shape[dim]);
  std::vector<int64_t> rest;
  for (int64_t i = 0; i < graph.type(x).rank(); ++i)
    if (i != dim)
      rest.push_back(i);
  Value sum = graph.reduceAdd(graph.convert(x, DType::F32), {dim});
  Value y = graph.convert(graph.scale(sum, factor), graph.type(x).dtype);
  return record(y, {x}, [=](Value dy) {
    // Scaled after the broadcast: IREE would take a product of a broadcast
    // tensor, summed by the norm before, for a matrix-vector product, which it
    // fails to distribute on a GPU.
    contribute(x, graph.scale(graph.broadcast(dy, shape, rest), factor));
  });
}

// With s the logits less their maximum, per row: log(sum(exp(s))) - s[label].
Value Net::crossEntropy(Value logits, Value labels) {
  const Shape shape = graph.shape(logits);
  const DType dtype = graph.type(logits).dtype;
  int64_t last = graph.type(logits).rank() - 1;
  std::vector<int64_t> rows(last);
  std::iota(rows.begin(), rows.end(), 0);
  double factor = static_cast<double>(shape[last]) /
                  static_cast<double>(graph.type(logits).elements());
  auto spread = [=](Value v) { return graph.broadcast(v, shape, rows); };

  Value xf = graph.convert(logits, DType::F32);
  Value classes = graph.iota({DType::I32, shape}, last);
  Value hot = graph.convert(
      graph.compare(Direction::EQ, spread(labels), classes), DType::F32);
  Value minusMax = spread(graph.negate(graph.reduceMax(xf, {last})));
  Value shifted = graph.add(xf, minusMax);
  Value power = graph.exponential(shifted);
  Value sum = graph.reduceAdd(power, {last});
  Value picked = graph.reduceAdd(graph.multiply(shifted, hot), {last});
  Value total = graph.subtract(graph.reduceAdd(graph.log(sum), rows),
                               graph.reduceAdd(picked, rows));
  Value loss = graph.scale(total, factor);
  return record(loss, {logits}, [=](Value dy) {
    Value inverse = graph.divide(graph.constant(1, graph.type(sum)), sum);
    Value chance = graph.multiply(power, spread(inverse));
    Value weight = graph.broadcast(graph.scale(dy, factor), shape, {});
    Value dx = graph.multiply(graph.subtract(chance, hot), weight);
    contribute(logits, graph.convert(dx, dtype));
  });
}

Value Net::meanSquaredError(Value x, Value target) {
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  double factor = 1 / static_cast<double>(graph.type(x).elements());
  std::vector<int64_t> inner(shape.size() - 1);
  std::iota(inner.begin(), inner.end(), 1);
  Value difference = graph.subtract(graph.convert(x, DType::F32),
                                    graph.convert(target, DType::F32));
  Value total = stagedSum(graph.multiply(difference, difference), inner, {0});
  Value loss = graph.scale(total, factor);
  return record(loss, {x}, [=](Value dy) {
    Value weight = graph.broadcast(graph.scale(dy, 2 * factor), shape, {});
    contribute(x, graph.convert(graph.multiply(difference, weight), dtype));
  });
}

} // namespace remat::models
