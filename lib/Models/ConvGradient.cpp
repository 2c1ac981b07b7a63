//===- ConvGradient.cpp - Gradients of convolution kernels ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>

namespace remat::models {

// dW[i] = sum over o of x[o s + i - low] dy[o]: x convolved with dy, spread out
// by the stride, with batch and features exchanged. Rows of x that no
// window reached are cut off.
Value Net::weightGradientByConv(Value x, Value dy, const ConvAttr &attr,
                                const Window &window) {
  const ConvDims image = attr.image;
  ConvAttr toWeight;
  toWeight.image = {image.second, image.first, image.spatial};
  toWeight.kernel = {image.first, image.second, image.spatial};
  toWeight.result = attr.kernel;
  toWeight.kernelDilation = window.stride;
  toWeight.low = attr.low;
  Pair kept;
  for (int i = 0; i < 2; ++i) {
    int64_t extent = graph.shape(x)[image.spatial[i]];
    int64_t span = (graph.shape(dy)[image.spatial[i]] - 1) * window.stride[i];
    int64_t high = span + window.size[i] - extent - attr.low[i];
    kept[i] = extent + std::min<int64_t>(high, 0);
    toWeight.high[i] = std::max<int64_t>(high, 0);
  }
  return convolution(spatialSlice(x, {0, 0}, kept, {1, 1}), dy, toWeight);
}

Value Net::phase(Value x, Pair remainder, Pair stride, Pair low, Pair extent) {
  Pair start, count, below, above;
  for (int i = 0; i < 2; ++i) {
    // The first place of the grid whose element g s + r - low is in the image.
    below[i] = std::max<int64_t>(
        (low[i] - remainder[i] + stride[i] - 1) / stride[i], 0);
    start[i] = below[i] * stride[i] + remainder[i] - low[i];
    int64_t inImage =
        (graph.shape(x)[1 + i] - start[i] + stride[i] - 1) / stride[i];
    count[i] = std::min(inImage, extent[i] - below[i]);
    above[i] = extent[i] - below[i] - count[i];
  }
  Value part = spatialSlice(x, start, count, stride);
  // Columns and channels padded as one dimension: written like the forward
  // convolution's, the compiler would take this padding for the same one, and
  // retain a padded copy of x from there to here.
  int64_t batch = graph.shape(x)[0], channels = graph.shape(x)[3];
  Value rows = graph.reshape(part, {batch, count[0], count[1] * channels});
  Value padded = graph.pad(rows, 0,
                           {{0, below[0], below[1] * channels},
                            {0, above[0], above[1] * channels},
                            {0, 0, 0}});
  return graph.reshape(padded, {batch * extent[0] * extent[1], channels});
}

// dW[i] = sum over o of x[o s + i - low] dy[o]. With i = a s + r that is
// x_r[o + a], where x_r[g] = x[g s + r - low] is the image at the places that
// are r modulo the stride. Put both into grids of equal extents, with zeros
// around, and lay out a grid line by line. Then o + a is a fixed distance
// after o, and each tap of the kernel is one matrix product of two slices:
//
//   stride 1, window 1x3, low 1, four results in a grid of six
//   x   . x0 x1 x2 x3  .      tap 0   [. x0 x1 x2] x3 .
//   dy  d0 d1 d2 d3 .  .      tap 1   . [x0 x1 x2 x3] .
//                             tap 2   . x0 [x1 x2 x3 .]
//
// IREE reads the slices in place and has its fastest code for such products;
// its code for the gradient as a convolution is its slowest.
Value Net::weightGradient(Value x, Value dy, const Border &dyBorder,
                          const ConvAttr &attr, const Window &window) {
  const Pair stride = window.stride;
  Pair last, extent; // The largest a, the extents of the grids.
  for (int i = 0; i < 2; ++i) {
    int64_t results =
        graph.shape(dy)[1 + i] - dyBorder.low[i] - dyBorder.high[i];
    last[i] = (window.size[i] - 1) / stride[i];
    extent[i] = results + last[i];
  }
  Pair above;
  for (int i = 0; i < 2; ++i)
    above[i] = extent[i] - graph.shape(dy)[1 + i];
  int64_t batch = graph.shape(x)[0], features = graph.shape(dy)[3];
  int64_t size = batch * extent[0] * extent[1];
  int64_t length = size - last[0] * extent[1] - last[1];
  auto rowsFrom = [&](Value grid, int64_t start) {
    int64_t width = graph.shape(grid)[1];
    return graph.slice(grid, {{start, 0}, {start + length, width}, {1, 1}});
  };
  Value dyGrid =
      graph.reshape(spatialPad(dy, 0, {0, 0}, above), {size, features});
  Value results =
      rowsFrom(dyGrid, dyBorder.low[0] * extent[1] + dyBorder.low[1]);

  std::map<Pair, Value> phases;
  std::vector<Value> taps;
  int64_t channels = graph.shape(x)[3];
  for (int64_t i = 0; i < window.size[0]; ++i)
    for (int64_t j = 0; j < window.size[1]; ++j) {
      Value &grid = phases[{i % stride[0], j % stride[1]}];
      if (!grid)
        grid =
            phase(x, {i % stride[0], j % stride[1]}, stride, attr.low, extent);
      Value reached = rowsFrom(grid, i / stride[0] * extent[1] + j / stride[1]);
      Value tap = dot(reached, results, {{}, {}, {0}, {0}});
      taps.push_back(graph.reshape(tap, {1, channels, features}));
    }
  return graph.reshape(graph.concatenate(taps, 0),
                       {window.size[0], window.size[1], channels, features});
}

} // namespace remat::models
