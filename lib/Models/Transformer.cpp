//===- Transformer.cpp - Transformer encoder ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Token and position embeddings, blocks that normalize before attention and
// before the feed-forward part, a last normalization and a projection to the
// vocabulary. See Vaswani et al., "Attention is all you need", and for the
// position of the normalization Xiong et al., "On layer normalization in the
// Transformer architecture".
//
//===----------------------------------------------------------------------===//

#include "Zoo.h"

#include <cmath>

namespace remat::models {

namespace {

struct Block {
  Model &model;
  int64_t heads, feedForward;
  double dropout;
  bool causal;

  Value dense(const char *name, Value x, int64_t features) {
    ScopeGuard scope(model.graph, name);
    return model.net.dense(x, features);
  }

  Value norm(const char *name, Value x) {
    ScopeGuard scope(model.graph, name);
    return model.net.layerNorm(x);
  }

  Value attention(Value x) {
    ScopeGuard scope(model.graph, "attention");
    Net &net = model.net;
    int64_t width = model.graph.shape(x).back();
    Value query = net.splitHeads(dense("query", x, width), heads);
    Value key = net.splitHeads(dense("key", x, width), heads);
    Value value = net.splitHeads(dense("value", x, width), heads);
    // Dividing by the root of the head width keeps the scores near 1.
    double factor =
        std::sqrt(static_cast<double>(heads) / static_cast<double>(width));
    Value scores = net.scale(net.batchMatmul(query, key, true), factor);
    Value weights = net.dropout(net.softmax(scores, causal), dropout);
    Value context = net.mergeHeads(net.batchMatmul(weights, value, false));
    return net.dropout(dense("output", context, width), dropout);
  }

  Value mlp(Value x) {
    ScopeGuard scope(model.graph, "mlp");
    Net &net = model.net;
    int64_t width = model.graph.shape(x).back();
    Value hidden = net.gelu(dense("expand", x, feedForward));
    hidden = net.dropout(hidden, dropout);
    return net.dropout(dense("contract", hidden, width), dropout);
  }

  Value build(Value x) {
    x = model.net.add(x, attention(norm("norm1", x)));
    return model.net.add(x, mlp(norm("norm2", x)));
  }
};

} // namespace

void buildTransformer(Model &model, OptionReader &options) {
  Net &net = model.net;
  int64_t batch = options.batch(8);
  int64_t sequence = options.sequence(128);
  int64_t width = options.features(512);
  int64_t layers = options.layers(6);
  int64_t vocabulary = options.vocabulary(30000);
  Block block{model, options.heads(8), options.feedForward(2048),
              options.dropout(0.1), options.causal(false)};
  bool isPooled = options.head(Head::Pooled) == Head::Pooled;

  Value tokens = net.input("tokens", {DType::I32, {batch, sequence}});
  Shape labelShape = isPooled ? Shape{batch} : Shape{batch, sequence};
  Value labels = net.input("labels", {DType::I32, labelShape});
  if (block.dropout > 0)
    net.seedInput();

  Value x;
  {
    ScopeGuard scope(model.graph, "embedding");
    x = net.embedding(tokens, vocabulary, width);
    x = net.dropout(net.shift(x, "positions", {1, 2}), block.dropout);
  }
  for (int64_t i = 0; i < layers; ++i) {
    ScopeGuard scope(model.graph, "layer" + std::to_string(i));
    x = block.build(x);
  }
  x = block.norm("norm", x);
  if (isPooled) {
    ScopeGuard scope(model.graph, "pool");
    x = net.mean(x, 1);
  }
  Value logits = block.dense("head", x, vocabulary);
  ScopeGuard scope(model.graph, "loss");
  net.minimize(net.crossEntropy(logits, labels));
}

} // namespace remat::models
