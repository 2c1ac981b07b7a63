//===- LayersImage.cpp - Convolutions -------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>

namespace remat::models {

ConvDims Net::imageDims() const {
  if (options.layout == Layout::NHWC)
    return {0, 3, {1, 2}};
  return {0, 1, {2, 3}};
}

// Height, width, input, output; or output, input, height, width.
ConvDims Net::kernelDims() const {
  if (options.layout == Layout::NHWC)
    return {2, 3, {0, 1}};
  return {1, 0, {2, 3}};
}

Pair Net::spatialDims() const { return imageDims().spatial; }

int64_t Net::channelDim(Value x) const {
  if (graph.type(x).rank() != 4)
    throw ModelError(graph.scope() + ": " + graph.type(x).str() +
                     " is not an image");
  return imageDims().second;
}

Type Net::imageType(int64_t batch, int64_t height, int64_t width,
                    int64_t channels) const {
  if (options.layout == Layout::NHWC)
    return {options.dtype, {batch, height, width, channels}};
  return {options.dtype, {batch, channels, height, width}};
}

Net::Border Net::borderOf(Value x, const Window &window) const {
  Border border;
  for (int i = 0; i < 2; ++i) {
    if (window.padding == Padding::Symmetric) {
      border.low[i] = border.high[i] = (window.size[i] - 1) / 2;
    } else if (window.padding == Padding::Same) {
      int64_t extent = graph.shape(x)[spatialDims()[i]];
      int64_t results = (extent + window.stride[i] - 1) / window.stride[i];
      int64_t room = (results - 1) * window.stride[i] + window.size[i];
      int64_t total = std::max<int64_t>(room - extent, 0);
      border.low[i] = total / 2;
      border.high[i] = total - border.low[i];
    }
  }
  return border;
}

Value Net::spatialSlice(Value x, Pair start, Pair extent, Pair stride) {
  SliceAttr attr;
  attr.starts.assign(4, 0);
  attr.limits = graph.shape(x);
  attr.strides.assign(4, 1);
  for (int i = 0; i < 2; ++i) {
    int64_t dim = spatialDims()[i];
    attr.starts[dim] = start[i];
    attr.limits[dim] = start[i] + (extent[i] - 1) * stride[i] + 1;
    attr.strides[dim] = stride[i];
  }
  return graph.slice(x, attr);
}

Value Net::spatialPad(Value x, double element, Pair low, Pair high,
                      Pair interior) {
  PadAttr attr{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
  for (int i = 0; i < 2; ++i) {
    int64_t dim = spatialDims()[i];
    attr.low[dim] = low[i];
    attr.high[dim] = high[i];
    attr.interior[dim] = interior[i];
  }
  return graph.pad(x, element, attr);
}

// Reversing both spatial dimensions is reversing them joined into one. Slices
// and a concatenation, because code generators have trouble with
// stablehlo.reverse of small filters. They also keep the transposition from
// being fused into the convolution, which would then have a form for which IREE
// has no fast code.
Value Net::adjointKernel(Value kernel) {
  const ConvDims dims = kernelDims();
  std::vector<int64_t> order = {0, 1, 2, 3};
  std::swap(order[dims.first], order[dims.second]);
  Value exchanged = graph.transpose(kernel, order);
  const Shape shape = graph.shape(exchanged);
  auto [height, width] = dims.spatial;
  int64_t count = shape[height] * shape[width];
  Shape joined = shape;
  joined[height] = count;
  joined.erase(joined.begin() + width);
  Value line = graph.reshape(exchanged, joined);
  std::vector<Value> parts;
  for (int64_t i = count; i-- > 0;) {
    SliceAttr attr{{0, 0, 0}, joined, {1, 1, 1}};
    attr.starts[height] = i;
    attr.limits[height] = i + 1;
    parts.push_back(graph.slice(line, attr));
  }
  return graph.reshape(graph.concatenate(parts, height), shape);
}

Value Net::convolution(Value image, Value kernel, const ConvAttr &attr) {
  Value sum = graph.convolution(image, kernel, attr, DType::F32);
  return graph.convert(sum, graph.type(image).dtype);
}

Value Net::conv(Value x, int64_t features, Window window, bool withBias) {
  const ConvDims image = imageDims(), kernel = kernelDims();
  int64_t channel = channelDim(x);
  Value y;
  if (options.layout == Layout::NHWC && window.size == Pair{1, 1}) {
    y = pointwiseConv(x, features, window.stride);
    return withBias ? bias(y, channel) : y;
  }

  Shape kernelShape(4);
  kernelShape[kernel.first] = graph.shape(x)[channel];
  kernelShape[kernel.second] = features;
  kernelShape[kernel.spatial[0]] = window.size[0];
  kernelShape[kernel.spatial[1]] = window.size[1];
  Value weight = parameter("weight", kernelShape, graph.type(x).dtype);

  ConvAttr attr{image, kernel, image};
  attr.stride = window.stride;
  Border border = borderOf(x, window);
  attr.low = border.low;
  attr.high = border.high;
  y = convolution(x, weight, attr);
  const Shape xShape = graph.shape(x), yShape = graph.shape(y);
  record(y, {x, weight}, [=](Value dy) {
    // dx[p] = sum over i of dy[(p + low - i) / s] W[i]: dy spread out by the
    // stride, convolved with the adjoint kernel.
    ConvAttr toImage{image, kernel, image};
    toImage.imageDilation = window.stride;
    bool isSame = window.stride == Pair{1, 1};
    for (int i = 0; i < 2; ++i) {
      int64_t extent = xShape[image.spatial[i]];
      int64_t results = yShape[image.spatial[i]];
      int64_t span = (results - 1) * window.stride[i];
      toImage.low[i] = window.size[i] - 1 - attr.low[i];
      toImage.high[i] = extent + attr.low[i] - 1 - span;
      isSame &= extent == results;
    }
    // Where image and result have one size, both gradients read the same
    // padded dy.
    Value padded = dy;
    Border border{{0, 0}, {0, 0}};
    if (isSame) {
      padded = spatialPad(dy, 0, toImage.low, toImage.high);
      border = {toImage.low, toImage.high};
      toImage.low = toImage.high = {0, 0};
    }
    if (wants(weight))
      contribute(weight, options.layout == Layout::NHWC
                             ? weightGradient(x, padded, border, attr, window)
                             : weightGradientByConv(x, dy, attr, window));
    if (wants(x))
      contribute(x, convolution(padded, adjointKernel(weight), toImage));
  });
  return withBias ? bias(y, channel) : y;
}

Value Net::pointwiseConv(Value x, int64_t features, Pair stride) {
  const Shape shape = graph.shape(x);
  Value weight =
      parameter("weight", {1, 1, shape[3], features}, graph.type(x).dtype);
  Pair extent;
  for (int i = 0; i < 2; ++i)
    extent[i] = (shape[1 + i] + stride[i] - 1) / stride[i];
  Value sampled = spatialSlice(x, {0, 0}, extent, stride);
  Value matrix = graph.reshape(weight, {shape[3], features});
  Value y = dot(sampled, matrix, {{}, {}, {3}, {0}});
  return record(y, {x, weight}, [=](Value dy) {
    if (wants(weight)) {
      Value dMatrix = dot(sampled, dy, {{}, {}, {0, 1, 2}, {0, 1, 2}});
      contribute(weight, graph.reshape(dMatrix, graph.shape(weight)));
    }
    if (!wants(x))
      return;
    Value dx = dot(dy, matrix, {{}, {}, {3}, {1}});
    Pair high, interior;
    for (int i = 0; i < 2; ++i) {
      interior[i] = stride[i] - 1;
      high[i] = shape[1 + i] - 1 - (extent[i] - 1) * stride[i];
    }
    contribute(x, spatialPad(dx, 0, {0, 0}, high, interior));
  });
}

// Windows of 2 at a stride of 2 do not overlap: one matrix product computes
// all four results of each position, and a transposition puts them in order.
Value Net::upConv(Value x, int64_t features) {
  bool channelsLast = options.layout == Layout::NHWC;
  int64_t channel = channelDim(x);
  const Shape shape = graph.shape(x);
  const int64_t height = spatialDims()[0], width = spatialDims()[1];
  Value weight = parameter("weight", {shape[channel], 2, 2, features},
                           graph.type(x).dtype);
  // [batch, height, width, 2, 2, features] in both layouts.
  Value places = dot(x, weight, {{}, {}, {channel}, {0}});
  std::vector<int64_t> order = channelsLast
                                   ? std::vector<int64_t>{0, 1, 3, 2, 4, 5}
                                   : std::vector<int64_t>{0, 5, 1, 3, 2, 4};
  Value ordered = graph.transpose(places, order);
  const Shape orderedShape = graph.shape(ordered);
  Value y = graph.reshape(
      ordered,
      imageType(shape[0], 2 * shape[height], 2 * shape[width], features).shape);
  record(y, {x, weight}, [=](Value dy) {
    std::vector<int64_t> inverse(order.size());
    for (size_t i = 0; i < order.size(); ++i)
      inverse[order[i]] = static_cast<int64_t>(i);
    Value dPlaces = graph.transpose(graph.reshape(dy, orderedShape), inverse);
    if (wants(weight))
      contribute(weight,
                 dot(x, dPlaces, {{}, {}, {0, height, width}, {0, 1, 2}}));
    if (!wants(x))
      return;
    Value dx = dot(dPlaces, weight, {{}, {}, {3, 4, 5}, {1, 2, 3}});
    contribute(x, channelsLast ? dx : graph.transpose(dx, {0, 3, 1, 2}));
  });
  return bias(y, channel);
}

Value Net::channelsLast(Value x) {
  if (options.layout == Layout::NHWC)
    return x;
  return record(graph.transpose(x, {0, 2, 3, 1}), {x}, [=](Value dy) {
    contribute(x, graph.transpose(dy, {0, 3, 1, 2}));
  });
}

Value Net::join(const std::vector<Value> &parts, int64_t dim) {
  Value y = graph.concatenate(parts, dim);
  return record(y, parts, [=](Value dy) {
    int64_t start = 0;
    for (Value x : parts) {
      SliceAttr attr{Shape(graph.type(x).rank(), 0), graph.shape(x),
                     Shape(graph.type(x).rank(), 1)};
      attr.starts[dim] = start;
      attr.limits[dim] = start += graph.shape(x)[dim];
      if (wants(x))
        contribute(x, graph.slice(dy, attr));
    }
  });
}

Value Net::concat(const std::vector<Value> &images) {
  return join(images, channelDim(images.front()));
}

Value Net::batchSlice(
    Value x, int64_t index, int64_t count,
    const std::shared_ptr<std::vector<Value>> &partGradients) {
  SliceAttr attr{Shape(graph.type(x).rank(), 0), graph.shape(x),
                 Shape(graph.type(x).rank(), 1)};
  int64_t batch = graph.shape(x)[0];
  attr.starts[0] = index * batch / count;
  attr.limits[0] = (index + 1) * batch / count;
  return record(graph.slice(x, attr), {x}, [=](Value dy) {
    (*partGradients)[index] = dy;
    if (index == 0)
      contribute(x, graph.concatenate(*partGradients, 0));
  });
}

Value Net::inSlices(Value x, int64_t count,
                    const std::function<Value(Value part)> &layers) {
  if (count < 1 || count > graph.shape(x)[0])
    throw ModelError("a batch of " + std::to_string(graph.shape(x)[0]) +
                     " cannot be split into " + std::to_string(count) +
                     " slices");
  if (count == 1)
    return layers(x);
  auto partGradients = std::make_shared<std::vector<Value>>(count);
  std::vector<Value> results;
  for (int64_t i = 0; i < count; ++i) {
    sharesParameters = i > 0;
    Value part;
    {
      ScopeGuard scope(graph, "slice" + std::to_string(i));
      part = batchSlice(x, i, count, partGradients);
    }
    results.push_back(layers(part));
  }
  sharesParameters = false;
  ScopeGuard scope(graph, "slices");
  return join(results, 0);
}

} // namespace remat::models
