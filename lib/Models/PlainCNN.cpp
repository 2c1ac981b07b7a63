//===- PlainCNN.cpp - Convolutional nets without branches -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

#include <algorithm>

namespace remat::models {

/// A 3x3 convolution with bias and ReLU, called `name`.
static Value convRelu(Model &model, const std::string &name, Value x,
                      int64_t features) {
  ScopeGuard scope(model.graph, name);
  Value y = model.net.conv(x, features, {{3, 3}}, /*withBias=*/true);
  return model.net.relu(y);
}

/// A dense layer with bias, called `name`.
static Value dense(Model &model, const std::string &name, Value x,
                   int64_t features) {
  ScopeGuard scope(model.graph, name);
  return model.net.dense(x, features);
}

// 20 layers of 32 channels at full resolution, so that the activations of a
// batch of 16 take 20 x 16 x 256 x 256 x 32 x 4 bytes = 2.5 GiB, and the
// operands and results of a step besides them make it about 3 GB.
void buildCNN(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(16), image = options.image(256);
  int64_t classes = options.classes(10), layers = options.layers(20);
  int64_t channels = options.scaled(32);
  Value x = net.input("input", net.imageType(batch, image, image, 1));
  Value labels = net.input("labels", {DType::I32, {batch}});
  for (int64_t i = 0; i < layers; ++i)
    x = convRelu(model, "conv" + std::to_string(i + 1), x, channels);
  {
    ScopeGuard scope(model.graph, "pool");
    x = net.globalMean(x);
  }
  x = dense(model, "dense", x, classes);
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(x, labels));
}

// Simonyan and Zisserman, "Very deep convolutional networks for large-scale
// image recognition", configuration D.
void buildVGG16(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(64), image = options.image(224);
  int64_t classes = options.classes(1000);
  int64_t slices = options.slices(std::min<int64_t>(batch, 4));
  double dropout = options.dropout(0.5);
  Value x = net.input("input", net.imageType(batch, image, image, 3));
  Value labels = net.input("labels", {DType::I32, {batch}});
  if (dropout > 0)
    net.seedInput();

  const int convolutions[] = {2, 2, 3, 3, 3};
  const int64_t channels[] = {64, 128, 256, 512, 512};
  auto stages = [&](Value x, int begin, int end) {
    for (int stage = begin; stage < end; ++stage) {
      std::string prefix = std::to_string(stage + 1);
      for (int i = 0; i < convolutions[stage]; ++i)
        x = convRelu(model, "conv" + prefix + "_" + std::to_string(i + 1), x,
                     options.scaled(channels[stage]));
      ScopeGuard scope(model.graph, "pool" + prefix);
      x = net.maxPool(x, {{2, 2}, {2, 2}, Padding::Valid});
    }
    return x;
  };
  // The first two stages work on by far the largest tensors: at a batch of 64,
  // 822 MB each. In slices they need no more memory than the others.
  x = net.inSlices(x, slices, [&](Value part) { return stages(part, 0, 2); });
  x = stages(x, 2, 5);
  {
    ScopeGuard scope(model.graph, "flatten");
    x = net.flatten(x);
  }
  for (const char *name : {"dense1", "dense2"}) {
    x = dense(model, name, x, options.scaled(4096));
    ScopeGuard scope(model.graph, name);
    x = net.dropout(net.relu(x), dropout);
  }
  x = dense(model, "dense3", x, classes);
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(x, labels));
}

} // namespace remat::models
