//===- UNet.cpp - U-Net ---------------------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ronneberger et al., "U-Net: convolutional networks for biomedical image
// segmentation", with padded convolutions, so that the result has the size of
// the image. A class for each pixel.
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

namespace remat::models {

/// Two 3x3 convolutions with bias and ReLU.
static Value doubleConv(Model &model, const std::string &name, Value x,
                        int64_t features) {
  ScopeGuard scope(model.graph, name);
  for (const char *part : {"conv1", "conv2"}) {
    ScopeGuard partScope(model.graph, part);
    x = model.net.conv(x, features, {{3, 3}}, /*withBias=*/true);
    x = model.net.relu(x);
  }
  return x;
}

void buildUNet(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(4), image = options.image(256);
  int64_t classes = options.classes(2), levels = options.layers(4);
  int64_t base = options.scaled(64);
  if (levels > 16 || image % (int64_t(1) << levels) != 0)
    throw ModelError("invalid --image '" + std::to_string(image) +
                     "'; expected a multiple of 2 to the power of the " +
                     std::to_string(levels) + " levels that halve it");
  Value x = net.input("input", net.imageType(batch, image, image, 1));
  Value labels = net.input("labels", {DType::I32, {batch, image, image}});

  std::vector<Value> skips;
  for (int64_t level = 0; level < levels; ++level) {
    std::string suffix = std::to_string(level + 1);
    x = doubleConv(model, "down" + suffix, x, base << level);
    skips.push_back(x);
    ScopeGuard scope(model.graph, "pool" + suffix);
    x = net.maxPool(x, {{2, 2}, {2, 2}, Padding::Valid});
  }
  x = doubleConv(model, "bottom", x, base << levels);
  for (int64_t level = levels; level-- > 0;) {
    std::string suffix = std::to_string(level + 1);
    {
      ScopeGuard scope(model.graph, "expand" + suffix);
      x = net.concat({skips[level], net.upConv(x, base << level)});
    }
    x = doubleConv(model, "up" + suffix, x, base << level);
  }
  {
    ScopeGuard scope(model.graph, "classes");
    x = net.conv(x, classes, {{1, 1}}, /*withBias=*/true);
    x = net.channelsLast(x);
  }
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(x, labels));
}

} // namespace remat::models
