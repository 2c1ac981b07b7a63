//===- ResNet.cpp - Residual nets -----------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// He et al., "Deep residual learning for image recognition". The stride of a
// bottleneck is in its 3x3 convolution, as is common now.
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

#include <map>

namespace remat::models {

namespace {

struct ResNet {
  Model &model;
  bool hasBottlenecks;

  /// Convolution without bias and batch normalization, named conv`suffix` and
  /// norm`suffix`.
  Value convNorm(const std::string &suffix, Value x, int64_t features,
                 int64_t size, int64_t stride) {
    {
      ScopeGuard scope(model.graph, "conv" + suffix);
      x = model.net.conv(x, features,
                         {{size, size}, {stride, stride}, Padding::Symmetric});
    }
    ScopeGuard scope(model.graph, "norm" + suffix);
    return model.net.batchNorm(x);
  }

  Value relu(const std::string &name, Value x) {
    ScopeGuard scope(model.graph, name);
    return model.net.relu(x);
  }

  Value block(Value x, int64_t features, int64_t stride, bool changesShape) {
    int64_t results = hasBottlenecks ? 4 * features : features;
    Value y = x;
    if (hasBottlenecks) {
      y = relu("relu1", convNorm("1", y, features, 1, 1));
      y = relu("relu2", convNorm("2", y, features, 3, stride));
      y = convNorm("3", y, results, 1, 1);
    } else {
      y = relu("relu1", convNorm("1", y, features, 3, stride));
      y = convNorm("2", y, results, 3, 1);
    }
    if (changesShape) {
      ScopeGuard scope(model.graph, "downsample");
      x = convNorm("", x, results, 1, stride);
    }
    return relu("relu", model.net.add(y, x));
  }
};

} // namespace

void buildResNet(Model &model, OptionReader &options, int depth) {
  static const std::map<int, std::array<int, 4>> blockCounts = {
      {18, {2, 2, 2, 2}},   {34, {3, 4, 6, 3}},   {50, {3, 4, 6, 3}},
      {101, {3, 4, 23, 3}}, {152, {3, 8, 36, 3}}, {200, {3, 24, 36, 3}}};
  Net &net = model.net;
  ResNet builder{model, depth >= 50};
  int64_t batch = options.batch(32), image = options.image(224);
  int64_t classes = options.classes(1000);
  int64_t base = options.scaled(64);

  Value x = net.input("input", net.imageType(batch, image, image, 3));
  Value labels = net.input("labels", {DType::I32, {batch}});
  x = builder.relu("relu1", builder.convNorm("1", x, base, 7, 2));
  {
    ScopeGuard scope(model.graph, "pool1");
    x = net.maxPool(x, {{3, 3}, {2, 2}, Padding::Symmetric});
  }
  for (int stage = 0; stage < 4; ++stage) {
    ScopeGuard stageScope(model.graph, "layer" + std::to_string(stage + 1));
    for (int i = 0; i < blockCounts.at(depth)[stage]; ++i) {
      ScopeGuard scope(model.graph, std::to_string(i));
      bool isFirst = i == 0;
      // The first stage of basic blocks keeps the shape it is given.
      bool changesShape = isFirst && (stage > 0 || builder.hasBottlenecks);
      int64_t stride = isFirst && stage > 0 ? 2 : 1;
      x = builder.block(x, base << stage, stride, changesShape);
    }
  }
  {
    ScopeGuard scope(model.graph, "pool");
    x = net.globalMean(x);
  }
  {
    ScopeGuard scope(model.graph, "dense");
    x = net.dense(x, classes);
  }
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(x, labels));
}

} // namespace remat::models
