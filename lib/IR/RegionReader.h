//===- RegionReader.h - What both levels of the bridge share --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_IR_REGIONREADER_H
#define REMAT_LIB_IR_REGIONREADER_H

#include "remat/IR/OpTable.h"
#include "remat/IR/ProblemBuilder.h"

#include <unordered_map>

namespace remat::ir {

/// Builds up a RegionProblem: numbers tensors and steps as they are met.
class RegionReader {
public:
  RegionReader(Op owner, MlirBlock block) {
    region.owner = owner;
    region.block = block;
  }

  /// A new tensor, known as `value` from now on.
  solver::TensorId addTensor(Value value, int64_t bytes,
                             solver::TensorKind kind) {
    auto id = static_cast<solver::TensorId>(region.values.size());
    solver::Tensor tensor;
    tensor.bytes = bytes;
    tensor.kind = kind;
    tensor.label = id;
    region.problem.tensors.push_back(tensor);
    region.values.push_back(value);
    bind(value, id);
    return id;
  }

  /// A new tensor that is there from the start.
  solver::TensorId addInput(Value value, int64_t bytes,
                            solver::TensorKind kind) {
    solver::TensorId id = addTensor(value, bytes, kind);
    region.problem.inputs.push_back(id);
    return id;
  }

  /// Lets `value` stand for tensor `id` too.
  void bind(Value value, solver::TensorId id) { ids[value.key()] = id; }

  /// The tensor that `value` holds, or -1.
  solver::TensorId tensorOf(Value value) const {
    auto found = ids.find(value.key());
    return found == ids.end() ? -1 : found->second;
  }

  /// A new step for `op`, which is of `family`, or null if no table lists it.
  solver::StepId addStep(Op op, std::string name, int64_t cost,
                         const OpFamily *family) {
    auto id = static_cast<solver::StepId>(region.steps.size());
    solver::Step step;
    step.name = std::move(name);
    step.cost = cost;
    step.noRecompute = !family         ? "unknown op"
                       : family->never ? family->never
                                       : "";
    step.hasEffects = !family || family->hasEffects;
    step.label = id;
    region.problem.steps.push_back(std::move(step));
    StepSite site;
    site.op = op;
    region.steps.push_back(std::move(site));
    return id;
  }

  /// Step `id` reads `tensor` through operand `index` of `owner`.
  void addOperand(solver::StepId id, Op owner, intptr_t index,
                  solver::TensorId tensor) {
    region.steps[id].operands.push_back({owner, index, tensor});
    std::vector<solver::TensorId> &operands = region.problem.steps[id].operands;
    for (solver::TensorId known : operands)
      if (known == tensor)
        return;
    operands.push_back(tensor);
  }

  /// Step `id` makes `tensor` as result `index` of its op.
  void addResult(solver::StepId id, intptr_t index, solver::TensorId tensor) {
    StepSite &site = region.steps[id];
    site.results.push_back({site.op, index, tensor});
    region.problem.steps[id].results.push_back(tensor);
  }

  /// `result` lives in the storage of `operand`; with `overwrites`, step `id`
  /// destroys what was there.
  void addAlias(solver::StepId id, solver::TensorId result,
                solver::TensorId operand, bool overwrites) {
    region.problem.tensors[result].alias = operand;
    if (overwrites)
      region.problem.steps[id].inPlace.push_back({result, operand});
  }

  /// The terminator reads `tensor` through operand `index`.
  void addYield(Op terminator, intptr_t index, solver::TensorId tensor) {
    region.yielded.push_back({terminator, index, tensor});
    std::vector<solver::TensorId> &outputs = region.problem.outputs;
    for (solver::TensorId known : outputs)
      if (known == tensor)
        return;
    outputs.push_back(tensor);
  }

  RegionProblem region;

private:
  std::unordered_map<const void *, solver::TensorId> ids;
};

} // namespace remat::ir

#endif // REMAT_LIB_IR_REGIONREADER_H
