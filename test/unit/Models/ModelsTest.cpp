//===- ModelsTest.cpp - The models as a whole -----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Models.h"

#include <gtest/gtest.h>

#include <set>

using namespace remat::models;

namespace {

/// The smallest sensible variant of each model.
ModelOptions smallOptions(const std::string &name) {
  ModelOptions options;
  options.batch = 2;
  if (name == "mlp") {
    options.layers = 2;
    options.features = 4;
  } else if (name == "transformer") {
    options.layers = 1;
    options.features = 8;
    options.heads = 2;
    options.feedForward = 8;
    options.vocabulary = 10;
    options.sequence = 4;
  } else {
    options.image = name == "inceptionv4" ? 75 : 32;
    options.width = 0.0625;
  }
  return options;
}

std::string errorOf(const std::string &name, const ModelOptions &options) {
  try {
    buildModel(name, options);
  } catch (const ModelError &error) {
    return error.what();
  }
  return "no error";
}

// Published figures, with 1,000 classes.
TEST(Models, ParameterCounts) {
  const std::pair<const char *, int64_t> published[] = {
      {"resnet18", 11689512},   {"resnet34", 21797672},  {"resnet50", 25557032},
      {"resnet101", 44549160},  {"resnet152", 60192808}, {"vgg16", 138357544},
      {"inceptionv4", 42679816}};
  for (auto [name, count] : published)
    EXPECT_EQ(buildModel(name, {})->net.parameterCount(), count) << name;
  // Per layer 128 x 128 weights and 128 biases.
  EXPECT_EQ(buildModel("mlp", {})->net.parameterCount(), 16 * (128 * 129));
  // Embeddings; per block 4 dense layers of 512, two of the feed-forward part,
  // and two norms; a norm; the head.
  EXPECT_EQ(buildModel("transformer", {})->net.parameterCount(),
            30000 * 512 + 128 * 512 +
                6 * (4 * 512 * 513 + 2048 * 513 + 512 * 2049 + 4 * 512) +
                2 * 512 + 513 * 30000);
}

TEST(Models, SameBytesEachTime) {
  for (const ModelInfo &info : knownModels()) {
    ModelOptions options = smallOptions(info.name);
    EXPECT_EQ(buildModel(info.name, options)->text(),
              buildModel(info.name, options)->text())
        << info.name;
  }
}

TEST(Models, LargestTextIsBelowThreeMegabytes) {
  EXPECT_LT(buildModel("resnet152", {})->text().size(), 3'000'000u);
}

TEST(Models, EveryFormOfEveryModel) {
  for (const ModelInfo &info : knownModels())
    for (Layout layout : {Layout::NHWC, Layout::NCHW})
      for (DType dtype : {DType::F32, DType::F16, DType::BF16})
        for (Optimizer optimizer : {Optimizer::None, Optimizer::Adam}) {
          ModelOptions options = smallOptions(info.name);
          options.net.layout = layout;
          options.net.dtype = dtype;
          options.net.optimizer = optimizer;
          SCOPED_TRACE(info.name);
          auto model = buildModel(info.name, options);
          size_t parameters = model->net.parameters().size();
          // Gradients and the loss; or new values, two states each, the step
          // and the loss.
          size_t expected = optimizer == Optimizer::None ? parameters + 1
                                                         : 3 * parameters + 2;
          EXPECT_EQ(model->graph.results().size(), expected);
          EXPECT_EQ(model->graph.results().back().name, "loss");
          EXPECT_EQ(model->graph.type(model->graph.results().back().value),
                    (Type{DType::F32, {}}));
          // New values have the type of the old ones.
          for (size_t i = 0; i < parameters; ++i) {
            const Port &parameter = model->net.parameters()[i];
            const Port &result = model->graph.results()[i];
            EXPECT_EQ(result.name, parameter.name);
            EXPECT_EQ(model->graph.type(result.value),
                      model->graph.type(parameter.value));
          }
        }
}

// Sums over many elements need more digits than the short types have: products
// and reductions are computed in f32, whatever the type of the weights. Only
// the small windows of average pooling are not.
TEST(Models, ShortTypesAccumulateInF32) {
  for (const ModelInfo &info : knownModels()) {
    ModelOptions options = smallOptions(info.name);
    options.net.dtype = DType::BF16;
    auto model = buildModel(info.name, options);
    for (const Op &op : model->graph.ops()) {
      if (op.code != Opcode::Dot && op.code != Opcode::Convolution &&
          op.code != Opcode::ReduceAdd)
        continue;
      EXPECT_EQ(op.type.dtype, DType::F32)
          << info.name << " " << model->graph.scopes()[op.scope];
    }
  }
}

TEST(Models, ArgumentNamesAreUnique) {
  for (const ModelInfo &info : knownModels()) {
    auto model = buildModel(info.name, smallOptions(info.name));
    std::set<std::string> names;
    for (const Port &argument : model->graph.arguments())
      EXPECT_TRUE(names.insert(argument.name).second)
          << info.name << " " << argument.name;
  }
}

TEST(Models, LayersAddUp) {
  for (const ModelInfo &info : knownModels()) {
    auto model = buildModel(info.name, smallOptions(info.name));
    int64_t parameters = 0, activations = 0;
    for (const LayerSummary &layer : model->layers()) {
      parameters += layer.parameters;
      activations += layer.activations;
    }
    EXPECT_EQ(parameters, model->net.parameterCount()) << info.name;
    EXPECT_EQ(activations,
              static_cast<int64_t>(model->net.activations().size()))
        << info.name;
  }
}

// Forward operations of ResNet-50 are known as 4.1 billion multiplications and
// additions per image of 224x224; ours count both, and the norms as well.
TEST(Models, ForwardOperationsOfResNet50) {
  ModelOptions options;
  options.batch = 1;
  double forward = 0;
  for (const LayerSummary &layer : buildModel("resnet50", options)->layers())
    forward += layer.forwardFlops;
  EXPECT_GT(forward, 2 * 4.08e9);
  EXPECT_LT(forward, 2 * 4.08e9 * 1.05);
}

TEST(Models, OptionsThatDoNotFit) {
  EXPECT_EQ(errorOf("resnet51", {}),
            "unknown model 'resnet51'; expected one of mlp, transformer, "
            "resnet18, resnet34, resnet50, resnet101, resnet152, resnet200, "
            "vgg16, inceptionv4, unet, cnn");
  ModelOptions options;
  options.heads = 4;
  EXPECT_EQ(errorOf("mlp", options),
            "--heads is unsupported by model 'mlp'; leave it out");
  options = {};
  options.batch = 0;
  EXPECT_EQ(errorOf("mlp", options), "invalid --batch '0'; expected 1 or more");
  options = {};
  options.heads = 7;
  EXPECT_EQ(errorOf("transformer", options),
            "layer0.attention: a width of 512 is not a multiple of 7 heads");
  options = {};
  options.image = 20;
  EXPECT_EQ(errorOf("vgg16", options),
            "pool5: an image extent of 1 is smaller than the window of 2; use "
            "a larger image");
  EXPECT_EQ(
      errorOf("unet", options),
      "invalid --image '20'; expected a multiple of 2 to the power of the 4 "
      "levels that halve it");
  options = {};
  options.dropout = 1;
  EXPECT_EQ(errorOf("transformer", options),
            "invalid --dropout '1.000000'; expected 0 or more and less than 1");
  options = {};
  options.batch = 2;
  options.slices = 3;
  EXPECT_EQ(errorOf("vgg16", options),
            "a batch of 2 cannot be split into 3 slices");
  EXPECT_EQ(errorOf("resnet18", options),
            "--slices is unsupported by model 'resnet18'; leave it out");
}

} // namespace
