//===- Generated.cpp - Training steps of made-up models -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generated.h"

#include "RandomProblem.h"

#include <algorithm>

namespace remat::solver {
namespace {

constexpr int64_t mebibyte = 1 << 20;

/// Adds tensors and steps to a problem.
class Builder {
public:
  Problem problem;

  TensorId tensor(int64_t bytes, TensorKind kind) {
    auto id = static_cast<TensorId>(problem.tensors.size());
    Tensor &entry = problem.tensors.emplace_back();
    entry.bytes = bytes;
    entry.kind = kind;
    entry.label = id;
    return id;
  }
  void step(std::vector<TensorId> operands, std::vector<TensorId> results,
            int64_t cost) {
    // Steps read a tensor once, however often an operation uses it.
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()),
                   operands.end());
    Step &entry = problem.steps.emplace_back();
    entry.label = static_cast<int64_t>(problem.steps.size()) - 1;
    entry.operands = std::move(operands);
    entry.results = std::move(results);
    entry.cost = cost;
  }
};

} // namespace

Problem trainingStep(const std::vector<ForwardOp> &ops) {
  Builder builder;
  TensorId input = builder.tensor(mebibyte, TensorKind::Input);
  builder.problem.inputs = {input};
  std::vector<TensorId> results;
  auto operandsOf = [&](const ForwardOp &op) {
    std::vector<TensorId> operands;
    for (int32_t other : op.inputs)
      operands.push_back(results[other]);
    if (operands.empty())
      operands.push_back(input);
    return operands;
  };
  for (const ForwardOp &op : ops) {
    TensorId result = builder.tensor(op.bytes, TensorKind::Activation);
    builder.step(operandsOf(op), {result}, op.cost);
    results.push_back(result);
  }
  // The contributions of the consumers of each result to its gradient. The last
  // result stands for the loss.
  std::vector<std::vector<TensorId>> parts(ops.size());
  TensorId last = -1;
  for (size_t i = ops.size(); i-- > 0;) {
    if (parts[i].empty() && i + 1 < ops.size())
      continue;
    std::vector<TensorId> operands = operandsOf(ops[i]);
    if (parts[i].size() > 1) {
      TensorId sum = builder.tensor(ops[i].bytes, TensorKind::Gradient);
      builder.step(parts[i], {sum}, ops[i].cost / 8 + 1);
      operands.push_back(sum);
    } else {
      operands.push_back(parts[i].empty() ? results[i] : parts[i].front());
    }
    std::vector<TensorId> made;
    for (int32_t other : ops[i].inputs) {
      made.push_back(builder.tensor(ops[other].bytes, TensorKind::Gradient));
      parts[other].push_back(made.back());
    }
    if (made.empty())
      made.push_back(builder.tensor(mebibyte, TensorKind::Gradient));
    last = made.front();
    builder.step(std::move(operands), std::move(made), 2 * ops[i].cost);
  }
  builder.problem.outputs = {last};
  return std::move(builder.problem);
}

Problem generateChain(int32_t numSteps) {
  std::vector<ForwardOp> ops;
  for (int32_t i = 0; i < numSteps / 2; ++i) {
    ForwardOp op = {{}, mebibyte, i % 2 == 0 ? 1000 : 100};
    if (i > 0)
      op.inputs = {i - 1};
    ops.push_back(std::move(op));
  }
  return trainingStep(ops);
}

Problem generateLayered(int32_t numSteps, uint64_t seed) {
  auto below = [&seed](int32_t bound) {
    return static_cast<int32_t>(nextRandom(seed, bound));
  };
  std::vector<ForwardOp> ops;
  int32_t begin = 0, end = 0;
  while (static_cast<int32_t>(ops.size()) < 2 * numSteps / 5) {
    int32_t width = 1 + below(8);
    for (int32_t i = 0; i < width; ++i) {
      ForwardOp op = {{}, (1 + below(16)) * mebibyte / 4, 100 + below(2000)};
      if (end > begin) {
        for (int32_t number = 1 + below(3); number > 0; --number)
          op.inputs.push_back(begin + below(end - begin));
        if (below(10) == 0)
          op.inputs.push_back(below(end));
      }
      std::sort(op.inputs.begin(), op.inputs.end());
      op.inputs.erase(std::unique(op.inputs.begin(), op.inputs.end()),
                      op.inputs.end());
      ops.push_back(std::move(op));
    }
    begin = end;
    end = static_cast<int32_t>(ops.size());
  }
  // The loss reads the last layer.
  ForwardOp loss = {{}, 4, 10};
  for (int32_t i = begin; i < end; ++i)
    loss.inputs.push_back(i);
  ops.push_back(std::move(loss));
  return trainingStep(ops);
}

Problem generateUNet(int32_t numSteps) {
  constexpr int numStages = 5;
  int32_t perStage = std::max(2, numSteps / (4 * numStages + 2));
  std::vector<ForwardOp> ops;
  std::vector<int32_t> skips;
  auto add = [&](std::vector<int32_t> inputs, int stage) {
    ops.push_back({std::move(inputs), 64 * mebibyte >> stage,
                   ops.size() % 2 == 0 ? 4000 : 400});
  };
  auto last = [&] { return static_cast<int32_t>(ops.size()) - 1; };
  add({}, 0);
  for (int stage = 0; stage < numStages; ++stage) {
    for (int32_t i = 0; i < perStage; ++i)
      add({last()}, stage);
    skips.push_back(last());
  }
  for (int stage = numStages - 1; stage-- > 0;) {
    add({last(), skips[stage]}, stage);
    for (int32_t i = 1; i < perStage; ++i)
      add({last()}, stage);
  }
  return trainingStep(ops);
}

Problem generateDenseNet(int32_t numSteps) {
  constexpr int32_t blockLength = 8;
  std::vector<ForwardOp> ops = {{{}, 8 * mebibyte, 2000}};
  // An operation has a step forward, one backward, and mostly one that adds.
  while (static_cast<int32_t>(ops.size()) < numSteps / 3) {
    int32_t begin = static_cast<int32_t>(ops.size()) - 1;
    for (int32_t i = 0; i < blockLength; ++i) {
      ForwardOp op = {{}, 2 * mebibyte, 1000};
      for (int32_t other = begin; other < begin + 1 + i; ++other)
        op.inputs.push_back(other);
      ops.push_back(std::move(op));
    }
    ForwardOp transition = {{}, 4 * mebibyte, 500};
    for (int32_t other = begin; other <= begin + blockLength; ++other)
      transition.inputs.push_back(other);
    ops.push_back(std::move(transition));
  }
  return trainingStep(ops);
}

} // namespace remat::solver
