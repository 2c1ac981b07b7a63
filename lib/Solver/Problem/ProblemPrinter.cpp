//===- ProblemPrinter.cpp - Writes problems as text -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/ProblemText.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cstdio>

namespace remat::solver {
namespace {

std::string printQuoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      char buffer[8];
      std::snprintf(buffer, sizeof(buffer), "\\x%02x", byte);
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Whether `text` can stand after "no:" without quotes.
bool isPlainWord(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

class Printer {
public:
  explicit Printer(const Problem &problem) : problem(problem) {}

  std::string run() {
    out = "remat-problem 1\n";
    for (const Tensor &tensor : problem.tensors)
      printTensor(tensor);
    for (const Step &step : problem.steps)
      printStep(step);
    if (!problem.inputs.empty())
      out += "input " + labels(problem.inputs) + "\n";
    if (!problem.outputs.empty())
      out += "output " + labels(problem.outputs) + "\n";
    return std::move(out);
  }

private:
  const Problem &problem;
  std::string out;

  std::string label(TensorId id) const {
    assert(id >= 0 && static_cast<size_t>(id) < problem.tensors.size());
    return std::to_string(problem.tensors[id].label);
  }
  std::string labels(const std::vector<TensorId> &ids) const {
    std::string list;
    for (TensorId id : ids)
      list += (list.empty() ? "" : ",") + label(id);
    return list;
  }

  void printTensor(const Tensor &tensor) {
    out += "tensor " + std::to_string(tensor.label) +
           " bytes=" + std::to_string(tensor.bytes);
    if (tensor.kind != TensorKind::Activation)
      out += std::string(" kind=") + toString(tensor.kind);
    if (tensor.alias >= 0)
      out += " alias=" + label(tensor.alias);
    out += "\n";
  }

  void printStep(const Step &step) {
    out += "step " + std::to_string(step.label);
    if (step.cost != 0)
      out += " cost=" + std::to_string(step.cost);
    if (step.workspaceBytes != 0)
      out += " workspace=" + std::to_string(step.workspaceBytes);
    if (!step.mayRecompute())
      out += " recompute=no:" + (isPlainWord(step.noRecompute)
                                     ? step.noRecompute
                                     : printQuoted(step.noRecompute));
    if (step.hasEffects)
      out += " effects=yes";
    if (!step.name.empty())
      out += " name=" + printQuoted(step.name);
    if (!step.operands.empty())
      out += " in=" + labels(step.operands);
    if (!step.results.empty())
      out += " out=" + labels(step.results);
    std::string pairs;
    for (const InPlace &pair : step.inPlace)
      pairs += (pairs.empty() ? "" : ",") + label(pair.result) + ":" +
               label(pair.operand);
    if (!pairs.empty())
      out += " inplace=" + pairs;
    if (step.group >= 0)
      out += " group=" + std::to_string(step.group);
    out += "\n";
  }
};

} // namespace

std::string printProblem(const Problem &problem) {
  return Printer(problem).run();
}

} // namespace remat::solver
