//===- LayersPool.cpp - Pooling layers ------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>
#include <cmath>

namespace remat::models {

// Forward: the maximum of strided slices, one per position in the window, and
// the position at which it was first found. Backward, for a stride of 2: rows
// of the padded image fall into the classes 0 (even) and 1 (odd). A row 2h + a
// lies in window h at place a, in window h - 1 at place a + 2, ...:
//
//   image row     0 1 2 3 4 5 6        class 0: rows 0 2 4 6
//   window 0      0 1 2                row 2 is place 2 of window 0
//   window 1          0 1 2                     and place 0 of window 1
//
// So the gradient of a class is a sum of shifted gradients of the results,
// each where the place is the one in question, and the classes interleaved are
// the gradient of the image. There is no scatter and no large temporary.
Value Net::maxPool(Value x, Window window) {
  const Pair size = window.size, stride = window.stride;
  const Border border = borderOf(x, window);
  const Pair dims = spatialDims();
  const Shape shape = graph.shape(x);

  Value padded = spatialPad(x, -HUGE_VAL, border.low, border.high);
  Pair paddedExtent, results;
  for (int i = 0; i < 2; ++i) {
    paddedExtent[i] = graph.shape(padded)[dims[i]];
    if (paddedExtent[i] < size[i])
      throw ModelError(graph.scope() + ": an image extent of " +
                       std::to_string(shape[dims[i]]) +
                       " is smaller than the window of " +
                       std::to_string(size[i]) + "; use a larger image");
    results[i] = (paddedExtent[i] - size[i]) / stride[i] + 1;
  }
  Value best, place;
  Type placeType;
  for (int64_t i = 0; i < size[0]; ++i)
    for (int64_t j = 0; j < size[1]; ++j) {
      Value candidate = spatialSlice(padded, {i, j}, results, stride);
      if (!best) {
        best = candidate;
        placeType = {DType::I8, graph.shape(best)};
        place = graph.constant(0, placeType);
        continue;
      }
      Value better = graph.compare(Direction::GT, candidate, best);
      Value here =
          graph.constant(static_cast<double>(i * size[1] + j), placeType);
      place = graph.select(better, here, place);
      best = graph.maximum(best, candidate);
    }

  return record(best, {x}, [=](Value dy) {
    Pair extent, below, above;
    for (int i = 0; i < 2; ++i) {
      extent[i] = (paddedExtent[i] + stride[i] - 1) / stride[i];
      below[i] = (size[i] - 1) / stride[i];
      above[i] = std::max<int64_t>(extent[i] - results[i], 0);
    }
    Value dyPadded = spatialPad(dy, 0, below, above);
    Value placePadded = spatialPad(place, -1, below, above);
    // The gradient of the rows r0 and columns r1 modulo the stride.
    auto classGradient = [&](int64_t r0, int64_t r1) {
      Value sum;
      for (int64_t i = r0; i < size[0]; i += stride[0])
        for (int64_t j = r1; j < size[1]; j += stride[1]) {
          Pair start = {below[0] - i / stride[0], below[1] - j / stride[1]};
          Value g = spatialSlice(dyPadded, start, extent, {1, 1});
          Value at = spatialSlice(placePadded, start, extent, {1, 1});
          Value here = graph.constant(static_cast<double>(i * size[1] + j),
                                      graph.type(at));
          Value term = graph.select(graph.compare(Direction::EQ, at, here), g,
                                    graph.constant(0, graph.type(g)));
          sum = sum ? graph.add(sum, term) : term;
        }
      // Windows smaller than the stride leave rows out.
      Shape classShape = graph.shape(dy);
      classShape[dims[0]] = extent[0];
      classShape[dims[1]] = extent[1];
      return sum ? sum : graph.constant(0, {graph.type(dy).dtype, classShape});
    };
    // Interleave the columns, then the rows, each by way of a new dimension.
    auto interleave = [&](std::vector<Value> classes, int64_t dim) {
      Shape joined = graph.shape(classes.front());
      Shape split = joined;
      split.insert(split.begin() + dim + 1, 1);
      joined[dim] *= static_cast<int64_t>(classes.size());
      for (Value &part : classes)
        part = graph.reshape(part, split);
      return graph.reshape(graph.concatenate(classes, dim + 1), joined);
    };
    std::vector<Value> rows;
    for (int64_t r0 = 0; r0 < stride[0]; ++r0) {
      std::vector<Value> columns;
      for (int64_t r1 = 0; r1 < stride[1]; ++r1)
        columns.push_back(classGradient(r0, r1));
      rows.push_back(interleave(columns, dims[1]));
    }
    Value whole = interleave(rows, dims[0]);
    contribute(x, spatialSlice(whole, border.low,
                               {shape[dims[0]], shape[dims[1]]}, {1, 1}));
  });
}

// The sum of a window as a sum of slices, one per place in it, like maxPool:
// IREE fails to compile a reduce_window and the ops around it for GPUs.
Value Net::windowSum(Value x, Pair size, Pair stride) {
  Pair results;
  for (int i = 0; i < 2; ++i)
    results[i] = (graph.shape(x)[spatialDims()[i]] - size[i]) / stride[i] + 1;
  Value sum;
  for (int64_t i = 0; i < size[0]; ++i)
    for (int64_t j = 0; j < size[1]; ++j) {
      Value part = spatialSlice(x, {i, j}, results, stride);
      sum = sum ? graph.add(sum, part) : part;
    }
  return sum;
}

Value Net::averagePool(Value x, Window window) {
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  const Border border = borderOf(x, window);
  const Pair dims = spatialDims();
  Value padded = spatialPad(x, 0, border.low, border.high);
  Value sum = windowSum(padded, window.size, window.stride);
  const Shape results = graph.shape(sum);

  // 1 / the number of image elements in each window: a product of a factor
  // per row and one per column.
  auto share = [&](int i) {
    std::vector<double> factors;
    for (int64_t o = 0; o < results[dims[i]]; ++o) {
      int64_t begin = o * window.stride[i] - border.low[i];
      int64_t end = std::min<int64_t>(begin + window.size[i], shape[dims[i]]);
      factors.push_back(1.0 /
                        static_cast<double>(end - std::max<int64_t>(begin, 0)));
    }
    return graph.broadcast(graph.constantList(factors, dtype), results,
                           {dims[i]});
  };
  Value factor = graph.multiply(share(0), share(1));
  return record(graph.multiply(sum, factor), {x}, [=](Value dy) {
    // Each image element gathers from the windows that contain it.
    Pair low, high, interior;
    for (int i = 0; i < 2; ++i) {
      int64_t span = (results[dims[i]] - 1) * window.stride[i];
      interior[i] = window.stride[i] - 1;
      low[i] = window.size[i] - 1 - border.low[i];
      high[i] = shape[dims[i]] + border.low[i] - 1 - span;
    }
    Value spread =
        spatialPad(graph.multiply(dy, factor), 0, low, high, interior);
    contribute(x, windowSum(spread, window.size, {1, 1}));
  });
}

Value Net::globalMean(Value x) {
  const Shape shape = graph.shape(x);
  const DType dtype = graph.type(x).dtype;
  int64_t channel = channelDim(x);
  auto [height, width] = spatialDims();
  double factor = 1 / static_cast<double>(shape[height] * shape[width]);
  Value sum = graph.reduceAdd(graph.convert(x, DType::F32), {height, width});
  Value y = graph.convert(graph.scale(sum, factor), dtype);
  return record(y, {x}, [=](Value dy) {
    contribute(x,
               graph.broadcast(graph.scale(dy, factor), shape, {0, channel}));
  });
}

} // namespace remat::models
