//===- Zoo.h - Builders of the models -------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_MODELS_ZOO_H
#define REMAT_LIB_MODELS_ZOO_H

#include "remat/Models/Models.h"

#include <set>

namespace remat::models {

/// Reads options with their defaults, records them as the settings of a model,
/// and knows which options nothing read.
class OptionReader {
public:
  OptionReader(Model &model, const ModelOptions &options)
      : model(model), options(options) {}

  int64_t batch(int64_t byDefault);
  int64_t image(int64_t byDefault);
  int64_t classes(int64_t byDefault);
  int64_t layers(int64_t byDefault);
  int64_t features(int64_t byDefault);
  int64_t heads(int64_t byDefault);
  int64_t feedForward(int64_t byDefault);
  int64_t vocabulary(int64_t byDefault);
  int64_t sequence(int64_t byDefault);
  int64_t slices(int64_t byDefault);
  double dropout(double byDefault);
  Head head(Head byDefault);
  bool causal(bool byDefault);

  /// `channels` times the width factor, at least 1.
  int64_t scaled(int64_t channels);

  /// Throws if an option is set that no method above read.
  void checkAllRead() const;

private:
  int64_t positive(const char *name, const std::optional<int64_t> &option,
                   int64_t byDefault);
  /// Keeps a setting, the first time it is read.
  void note(const char *name, const std::string &value);

  Model &model;
  const ModelOptions &options;
  std::set<std::string> read;
};

// Each writes a whole training step into `model`.
void buildMLP(Model &model, OptionReader &options);
void buildTransformer(Model &model, OptionReader &options);
void buildCNN(Model &model, OptionReader &options);
void buildVGG16(Model &model, OptionReader &options);
void buildUNet(Model &model, OptionReader &options);
void buildInceptionV4(Model &model, OptionReader &options);
/// `depth` is one of 18, 34, 50, 101, 152 and 200.
void buildResNet(Model &model, OptionReader &options, int depth);

} // namespace remat::models

#endif // REMAT_LIB_MODELS_ZOO_H
