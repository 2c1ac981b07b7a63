//===- Models.h - Training steps of known models --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ModelOptions options;
//   options.batch = 8;
//   std::unique_ptr<Model> model = buildModel("resnet50", options);
//   std::string text = model->text();
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_MODELS_MODELS_H
#define REMAT_MODELS_MODELS_H

#include "remat/Models/Graph.h"
#include "remat/Models/Net.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace remat::models {

/// What the Transformer predicts: one class per sequence from the mean over its
/// tokens, or one per token.
enum class Head { Pooled, LM };

/// The options of models. Unset options have the value of the published model;
/// options that a model does not support are an error.
struct ModelOptions {
  NetOptions net;
  std::optional<int64_t> batch;
  /// Height and width of square images.
  std::optional<int64_t> image;
  /// Factor on all channel counts, for small variants.
  std::optional<double> width;
  std::optional<int64_t> classes;
  std::optional<int64_t> layers;
  /// Width of the dense layers of the MLP and of the Transformer's tokens.
  std::optional<int64_t> features;
  std::optional<int64_t> heads;
  /// Width of the Transformer's feed-forward layers.
  std::optional<int64_t> feedForward;
  std::optional<int64_t> vocabulary;
  std::optional<int64_t> sequence;
  /// Number of slices of the batch that VGG16's first stages compute in turn.
  std::optional<int64_t> slices;
  std::optional<double> dropout;
  std::optional<Head> head;
  std::optional<bool> causal;
};

/// A model that buildModel knows.
struct ModelInfo {
  const char *name;
  const char *summary;
};

/// All models, in the order of --list.
const std::vector<ModelInfo> &knownModels();

/// One line of the table that describes a model: a layer.
struct LayerSummary {
  std::string path;
  Shape outputShape;
  int64_t parameters = 0;
  double forwardFlops = 0;
  int64_t activations = 0; ///< Values its forward part defines.
  int64_t activationBytes = 0;
};

/// A training step, complete.
class Model {
public:
  Model(std::string name, const NetOptions &options)
      : name(std::move(name)), net(graph, options) {}

  /// The module as StableHLO text.
  std::string text() const;

  /// Per layer that has parameters or defines values, in order of first use.
  std::vector<LayerSummary> layers() const;

  /// Floating-point operations of the whole step.
  double flops() const;

  /// A table of the layers, and totals, for people.
  std::string describe() const;

  std::string name;
  /// Settings in words, for the header of the text, e.g. "batch 8".
  std::vector<std::string> settings;
  Graph graph;
  Net net;
};

/// Builds the model called `name`. Throws ModelError if there is none, or if
/// it does not support the options.
std::unique_ptr<Model> buildModel(const std::string &name,
                                  const ModelOptions &options);

} // namespace remat::models

#endif // REMAT_MODELS_MODELS_H
