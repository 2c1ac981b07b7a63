//===- InceptionV4.cpp - Inception, the fourth version --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Szegedy et al., "Inception-v4, Inception-ResNet and the impact of residual
// connections on learning". Each convolution is followed by batch
// normalization and ReLU.
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

namespace remat::models {

namespace {

/// One convolution of a branch.
struct Step {
  int64_t features;
  Pair size;
  Pair stride = {1, 1};
  Padding padding = Padding::Same;
};

class Inception {
public:
  Inception(Model &model, OptionReader &options)
      : model(model), options(options) {}

  Value conv(const std::string &name, Value x, const Step &step) {
    ScopeGuard scope(model.graph, name);
    Net &net = model.net;
    x = net.conv(x, options.scaled(step.features),
                 {step.size, step.stride, step.padding});
    return net.relu(net.batchNorm(x));
  }

  /// Convolutions one after the other, named after the branch and a number.
  Value branch(const std::string &name, Value x,
               const std::vector<Step> &steps) {
    ScopeGuard scope(model.graph, name);
    int number = 0;
    for (const Step &step : steps)
      x = conv("conv" + std::to_string(++number), x, step);
    return x;
  }

  Value maxPool(Value x) {
    ScopeGuard scope(model.graph, "pool");
    return model.net.maxPool(x, {{3, 3}, {2, 2}, Padding::Valid});
  }

  Value poolBranch(Value x, int64_t features) {
    {
      ScopeGuard scope(model.graph, "pool");
      x = model.net.averagePool(x, {{3, 3}});
    }
    return branch("branch_pool", x, {{features, {1, 1}}});
  }

  Value concat(const std::vector<Value> &branches) {
    ScopeGuard scope(model.graph, "concat");
    return model.net.concat(branches);
  }

  Value stem(Value x);
  Value blockA(Value x);
  Value reductionA(Value x);
  Value blockB(Value x);
  Value reductionB(Value x);
  Value blockC(Value x);

private:
  /// A 3x3 convolution that halves the image.
  static Step halving(int64_t features) {
    return {features, {3, 3}, {2, 2}, Padding::Valid};
  }

  Model &model;
  OptionReader &options;
};

} // namespace

Value Inception::stem(Value x) {
  ScopeGuard scope(model.graph, "stem");
  const Step narrow{96, {3, 3}, {1, 1}, Padding::Valid};
  x = conv("conv1", x, halving(32));
  x = conv("conv2", x, {32, {3, 3}, {1, 1}, Padding::Valid});
  x = conv("conv3", x, {64, {3, 3}});
  x = concat({maxPool(x), conv("conv4", x, halving(96))});
  Value straight = branch("branch1", x, {{64, {1, 1}}, narrow});
  Value factored =
      branch("branch2", x, {{64, {1, 1}}, {64, {1, 7}}, {64, {7, 1}}, narrow});
  x = concat({straight, factored});
  return concat({conv("conv5", x, halving(192)), maxPool(x)});
}

Value Inception::blockA(Value x) {
  return concat(
      {branch("branch1", x, {{96, {1, 1}}}),
       branch("branch2", x, {{64, {1, 1}}, {96, {3, 3}}}),
       branch("branch3", x, {{64, {1, 1}}, {96, {3, 3}}, {96, {3, 3}}}),
       poolBranch(x, 96)});
}

Value Inception::reductionA(Value x) {
  return concat(
      {branch("branch1", x, {halving(384)}),
       branch("branch2", x, {{192, {1, 1}}, {224, {3, 3}}, halving(256)}),
       maxPool(x)});
}

Value Inception::blockB(Value x) {
  return concat(
      {branch("branch1", x, {{384, {1, 1}}}),
       branch("branch2", x, {{192, {1, 1}}, {224, {1, 7}}, {256, {7, 1}}}),
       branch("branch3", x,
              {{192, {1, 1}},
               {192, {7, 1}},
               {224, {1, 7}},
               {224, {7, 1}},
               {256, {1, 7}}}),
       poolBranch(x, 128)});
}

Value Inception::reductionB(Value x) {
  return concat(
      {branch("branch1", x, {{192, {1, 1}}, halving(192)}),
       branch("branch2", x,
              {{256, {1, 1}}, {256, {1, 7}}, {320, {7, 1}}, halving(320)}),
       maxPool(x)});
}

Value Inception::blockC(Value x) {
  Value second = branch("branch2", x, {{384, {1, 1}}});
  Value third =
      branch("branch3", x, {{384, {1, 1}}, {448, {3, 1}}, {512, {1, 3}}});
  return concat({branch("branch1", x, {{256, {1, 1}}}),
                 conv("branch2a", second, {256, {1, 3}}),
                 conv("branch2b", second, {256, {3, 1}}),
                 conv("branch3a", third, {256, {1, 3}}),
                 conv("branch3b", third, {256, {3, 1}}), poolBranch(x, 256)});
}

void buildInceptionV4(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(32), image = options.image(299);
  int64_t classes = options.classes(1000);
  double dropout = options.dropout(0.2);
  Value x = net.input("input", net.imageType(batch, image, image, 3));
  Value labels = net.input("labels", {DType::I32, {batch}});
  if (dropout > 0)
    net.seedInput();

  Inception builder(model, options);
  auto repeat = [&](const std::string &name, int count,
                    Value (Inception::*block)(Value)) {
    for (int i = 0; i < count; ++i) {
      ScopeGuard scope(model.graph, name + std::to_string(i + 1));
      x = (builder.*block)(x);
    }
  };
  x = builder.stem(x);
  repeat("a", 4, &Inception::blockA);
  repeat("reduction_a", 1, &Inception::reductionA);
  repeat("b", 7, &Inception::blockB);
  repeat("reduction_b", 1, &Inception::reductionB);
  repeat("c", 3, &Inception::blockC);
  {
    ScopeGuard scope(model.graph, "pool");
    x = net.dropout(net.globalMean(x), dropout);
  }
  {
    ScopeGuard scope(model.graph, "dense");
    x = net.dense(x, classes);
  }
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(x, labels));
}

} // namespace remat::models
