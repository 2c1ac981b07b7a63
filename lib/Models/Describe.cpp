//===- Describe.cpp - What a model consists of ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Models.h"

#include <algorithm>
#include <cstdio>

namespace remat::models {

/// "12,345,678".
static std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

/// `text` with blanks on the left, or on the right, up to `width`.
static std::string padLeft(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}
static std::string padRight(const std::string &text, size_t width) {
  return text + std::string(width - std::min(width, text.size()), ' ');
}

static std::string fixed(double number, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  return buffer;
}

/// The layer that a scope path of the backward pass belongs to, or nothing.
static bool isForward(const std::string &path) {
  return path.find(".backward") == std::string::npos;
}

std::vector<LayerSummary> Model::layers() const {
  std::vector<LayerSummary> list;
  auto layer = [&](const std::string &path) -> LayerSummary & {
    auto found =
        std::find_if(list.begin(), list.end(), [&](const LayerSummary &entry) {
          return entry.path == path;
        });
    if (found != list.end())
      return *found;
    list.push_back({});
    list.back().path = path;
    return list.back();
  };
  for (const Net::Activation &activation : net.activations()) {
    LayerSummary &entry = layer(activation.path);
    entry.outputShape = graph.shape(activation.value);
    ++entry.activations;
    entry.activationBytes += graph.type(activation.value).bytes();
  }
  for (const Port &parameter : net.parameters()) {
    std::string path = parameter.name.substr(0, parameter.name.rfind('.'));
    layer(path).parameters += graph.type(parameter.value).elements();
  }
  for (size_t i = 0; i < graph.ops().size(); ++i) {
    const std::string &path = graph.scopes()[graph.ops()[i].scope];
    if (isForward(path) && graph.ops()[i].code != Opcode::Argument &&
        graph.ops()[i].code != Opcode::Constant)
      layer(path).forwardFlops += graph.flops({static_cast<int32_t>(i)});
  }
  return list;
}

double Model::flops() const {
  double sum = 0;
  for (size_t i = 0; i < graph.ops().size(); ++i)
    sum += graph.flops({static_cast<int32_t>(i)});
  return sum;
}

std::string Model::describe() const {
  std::vector<LayerSummary> list = layers();
  size_t pathWidth = 5, shapeWidth = 6;
  LayerSummary total;
  for (const LayerSummary &layer : list) {
    pathWidth = std::max(pathWidth, layer.path.size());
    shapeWidth = std::max(shapeWidth, toString(layer.outputShape).size());
    total.parameters += layer.parameters;
    total.forwardFlops += layer.forwardFlops;
    total.activations += layer.activations;
    total.activationBytes += layer.activationBytes;
  }
  auto row = [&](const std::string &path, const std::string &shape,
                 const std::string &parameters, const std::string &flops,
                 const std::string &bytes) {
    return padRight(path, pathWidth) + "  " + padRight(shape, shapeWidth) +
           padLeft(parameters, 13) + padLeft(flops, 15) + padLeft(bytes, 17) +
           "\n";
  };
  std::string text =
      row("layer", "output", "parameters", "forward MFLOP", "activation KiB");
  for (const LayerSummary &layer : list)
    text += row(layer.path, toString(layer.outputShape),
                grouped(layer.parameters), fixed(layer.forwardFlops / 1e6, 2),
                fixed(static_cast<double>(layer.activationBytes) / 1024, 1));
  text += "\n" + name + ":";
  for (const std::string &setting : settings)
    text += (&setting == &settings.front() ? " " : ", ") + setting;
  text += "\nparameters          " + grouped(total.parameters);
  text += "\nforward             " + fixed(total.forwardFlops / 1e9, 3) +
          " GFLOP\nwhole step          " + fixed(flops() / 1e9, 3) + " GFLOP";
  text += "\nactivations         " + grouped(total.activations) + ", " +
          fixed(static_cast<double>(total.activationBytes) / (1 << 20), 1) +
          " MiB before any fusion\n";
  return text;
}

std::string Model::text() const {
  std::string header = "Training step of " + name + " with " +
                       grouped(net.parameterCount()) + " parameters:\n";
  std::string line;
  for (const std::string &setting : settings) {
    std::string next = line + (line.empty() ? "" : ", ") + setting;
    if (next.size() > 70) {
      header += line + ",\n";
      next = setting;
    }
    line = next;
  }
  header += line + ".\nWritten by remat-gen.";
  return printModule(graph, name, header);
}

} // namespace remat::models
