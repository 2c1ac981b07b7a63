//===- Models.cpp - The list of models and their options ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Models.h"
#include "Zoo.h"

#include <algorithm>
#include <cmath>

namespace remat::models {

namespace {

/// A model and how to build it.
struct Entry {
  ModelInfo info;
  std::function<void(Model &, OptionReader &)> build;
};

} // namespace

static std::function<void(Model &, OptionReader &)> resNet(int depth) {
  return [depth](Model &model, OptionReader &options) {
    buildResNet(model, options, depth);
  };
}

static const std::vector<Entry> &entries() {
  static const std::vector<Entry> list = {
      {{"mlp", "dense layers of one width with ReLU, squared error"}, buildMLP},
      {{"transformer", "encoder on tokens, classes per sequence or token"},
       buildTransformer},
      {{"resnet18", "residual net of basic blocks, 224x224"}, resNet(18)},
      {{"resnet34", "residual net of basic blocks, 224x224"}, resNet(34)},
      {{"resnet50", "residual net of bottlenecks, 224x224"}, resNet(50)},
      {{"resnet101", "residual net of bottlenecks, 224x224"}, resNet(101)},
      {{"resnet152", "residual net of bottlenecks, 224x224"}, resNet(152)},
      {{"resnet200", "residual net of bottlenecks, 224x224"}, resNet(200)},
      {{"vgg16", "13 convolutions and 3 dense layers, 224x224"}, buildVGG16},
      {{"inceptionv4", "factorized convolutions in branches, 299x299"},
       buildInceptionV4},
      {{"unet", "image to image with skip connections, 256x256"}, buildUNet},
      {{"cnn", "a plain stack of convolutions, 256x256, one channel"},
       buildCNN},
  };
  return list;
}

const std::vector<ModelInfo> &knownModels() {
  static const std::vector<ModelInfo> list = [] {
    std::vector<ModelInfo> infos;
    for (const Entry &entry : entries())
      infos.push_back(entry.info);
    return infos;
  }();
  return list;
}

/// The names of all models, separated by commas.
static std::string allNames() {
  std::string names;
  for (const Entry &entry : entries())
    names += (names.empty() ? "" : ", ") + std::string(entry.info.name);
  return names;
}

static const char *toString(Optimizer optimizer) {
  static const char *const words[] = {"none", "sgd", "momentum", "adam"};
  return words[static_cast<int>(optimizer)];
}

std::unique_ptr<Model> buildModel(const std::string &name,
                                  const ModelOptions &options) {
  auto entry =
      std::find_if(entries().begin(), entries().end(),
                   [&](const Entry &entry) { return name == entry.info.name; });
  if (entry == entries().end())
    throw ModelError("unknown model '" + name + "'; expected one of " +
                     allNames());
  auto model = std::make_unique<Model>(name, options.net);
  OptionReader reader(*model, options);
  entry->build(*model, reader);
  reader.checkAllRead();
  model->settings.push_back(toString(options.net.dtype));
  model->settings.push_back(options.net.layout == Layout::NHWC ? "nhwc"
                                                               : "nchw");
  model->settings.push_back(options.net.forwardOnly
                                ? "forward only"
                                : std::string("optimizer ") +
                                      toString(options.net.optimizer));
  if (options.net.updatesLast)
    model->settings.push_back("updates last");
  return model;
}

//===----------------------------------------------------------------------===//
// OptionReader
//===----------------------------------------------------------------------===//

void OptionReader::note(const char *name, const std::string &value) {
  if (read.insert(name).second)
    model.settings.push_back(std::string(name) + " " + value);
}

int64_t OptionReader::positive(const char *name,
                               const std::optional<int64_t> &option,
                               int64_t byDefault) {
  int64_t value = option.value_or(byDefault);
  if (value < 1)
    throw ModelError("invalid --" + std::string(name) + " '" +
                     std::to_string(value) + "'; expected 1 or more");
  note(name, std::to_string(value));
  return value;
}

int64_t OptionReader::batch(int64_t byDefault) {
  return positive("batch", options.batch, byDefault);
}

int64_t OptionReader::image(int64_t byDefault) {
  return positive("image", options.image, byDefault);
}

int64_t OptionReader::classes(int64_t byDefault) {
  return positive("classes", options.classes, byDefault);
}

int64_t OptionReader::layers(int64_t byDefault) {
  return positive("layers", options.layers, byDefault);
}

int64_t OptionReader::features(int64_t byDefault) {
  return positive("features", options.features, byDefault);
}

int64_t OptionReader::heads(int64_t byDefault) {
  return positive("heads", options.heads, byDefault);
}

int64_t OptionReader::feedForward(int64_t byDefault) {
  return positive("feed-forward", options.feedForward, byDefault);
}

int64_t OptionReader::vocabulary(int64_t byDefault) {
  return positive("vocabulary", options.vocabulary, byDefault);
}

int64_t OptionReader::sequence(int64_t byDefault) {
  return positive("sequence", options.sequence, byDefault);
}

int64_t OptionReader::slices(int64_t byDefault) {
  return positive("slices", options.slices, byDefault);
}

double OptionReader::dropout(double byDefault) {
  double rate = options.dropout.value_or(byDefault);
  if (!(rate >= 0 && rate < 1))
    throw ModelError("invalid --dropout '" + std::to_string(rate) +
                     "'; expected 0 or more and less than 1");
  note("dropout", std::to_string(rate).substr(0, 4));
  return rate;
}

Head OptionReader::head(Head byDefault) {
  Head head = options.head.value_or(byDefault);
  note("head", head == Head::LM ? "lm" : "pooled");
  return head;
}

bool OptionReader::causal(bool byDefault) {
  bool causal = options.causal.value_or(byDefault);
  note("causal", causal ? "yes" : "no");
  return causal;
}

int64_t OptionReader::scaled(int64_t channels) {
  double factor = options.width.value_or(1);
  if (!(factor > 0))
    throw ModelError("invalid --width '" + std::to_string(factor) +
                     "'; expected more than 0");
  note("width", std::to_string(factor).substr(0, 6));
  return std::max<int64_t>(
      1, std::llround(static_cast<double>(channels) * factor));
}

void OptionReader::checkAllRead() const {
  auto check = [&](const char *name, bool isSet) {
    if (isSet && read.count(name) == 0)
      throw ModelError("--" + std::string(name) + " is unsupported by model '" +
                       model.name + "'; leave it out");
  };
  check("image", options.image.has_value());
  check("width", options.width.has_value());
  check("classes", options.classes.has_value());
  check("layers", options.layers.has_value());
  check("features", options.features.has_value());
  check("heads", options.heads.has_value());
  check("feed-forward", options.feedForward.has_value());
  check("vocabulary", options.vocabulary.has_value());
  check("sequence", options.sequence.has_value());
  check("slices", options.slices.has_value());
  check("dropout", options.dropout.has_value());
  check("head", options.head.has_value());
  check("causal", options.causal.has_value());
}

} // namespace remat::models
