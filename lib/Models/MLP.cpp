//===- MLP.cpp - Multilayer perceptron ------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

namespace remat::models {

void buildMLP(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(8192);
  int64_t features = options.features(128);
  int64_t layers = options.layers(16);
  Type type = net.tensorType({batch, features});
  Value x = net.input("input", type);
  Value target = net.input("target", type);
  for (int64_t i = 0; i < layers; ++i) {
    ScopeGuard scope(model.graph, "layer" + std::to_string(i));
    x = net.relu(net.dense(x, features));
  }
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.meanSquaredError(x, target));
}

} // namespace remat::models
