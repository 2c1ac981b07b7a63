//===- TensorFunction.cpp - Reading a function on tensors -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionReader.h"

#include <algorithm>

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {
/// Reads the body of one function, op by op.
class TensorFunctionReader : RegionReader {
public:
  TensorFunctionReader(Op function, const CostModel &costs,
                       const DiagnosticSink &sink)
      : RegionReader(function, function.body()), costs(costs), sink(sink) {}

  std::optional<RegionProblem> read();

private:
  std::optional<int64_t> sizeOf(Value value, Op at, const std::string &what);
  bool readConstant(Op op);
  bool readStep(Op op);
  bool readOperands(Op op, StepId step);

  const CostModel &costs;
  const DiagnosticSink &sink;
};
} // namespace

/// The bytes of `value`, which `what` describes; an error at `at` if unknown.
std::optional<int64_t> TensorFunctionReader::sizeOf(Value value, Op at,
                                                    const std::string &what) {
  std::optional<int64_t> bytes = bytesOfType(value.type());
  if (!bytes)
    sink({Severity::Error,
          at.location(),
          "the size of " + what + " of '" + std::string(at.name()) +
              "' is unknown: " + toString(value.type()) +
              "; programs with dynamic shapes cannot be planned, compile for "
              "fixed shapes",
          {}});
  return bytes;
}

/// The kind that an argument's `remat.kind` attribute names.
static TensorKind argumentKind(Op function, size_t argument) {
  MlirAttribute attributes = function.attribute("arg_attrs");
  if (mlirAttributeIsNull(attributes) || !mlirAttributeIsAArray(attributes) ||
      static_cast<intptr_t>(argument) >=
          mlirArrayAttrGetNumElements(attributes))
    return TensorKind::Input;
  MlirAttribute kind = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(attributes, argument), toRef("remat.kind"));
  if (mlirAttributeIsNull(kind) || !mlirAttributeIsAString(kind))
    return TensorKind::Input;
  std::string_view text = toView(mlirStringAttrGetValue(kind));
  for (TensorKind candidate :
       {TensorKind::Parameter, TensorKind::OptimizerState, TensorKind::Donated})
    if (text == solver::toString(candidate))
      return candidate;
  return TensorKind::Input;
}

/// A constant of one repeated element needs no memory: compilers fold it into
/// its users.
bool TensorFunctionReader::readConstant(Op op) {
  for (intptr_t i = 0, e = op.numResults(); i < e; ++i) {
    std::optional<int64_t> bytes = sizeOf(op.result(i), op, "the value");
    if (!bytes)
      return false;
    MlirAttribute value = op.attribute("value");
    if (mlirAttributeIsNull(value))
      value = op.attribute("values"); // tosa
    bool splat = !mlirAttributeIsNull(value) &&
                 mlirAttributeIsADenseElements(value) &&
                 mlirDenseElementsAttrIsSplat(value);
    addInput(op.result(i), splat ? 0 : *bytes, TensorKind::Constant);
  }
  return true;
}

/// The operands of `op` and of the ops nested in it. An op whose regions read
/// tensors from outside is not cloned: its clone would have to be rewired from
/// within.
bool TensorFunctionReader::readOperands(Op op, StepId step) {
  walk(op, [&](Op owner) {
    for (intptr_t i = 0, e = owner.numOperands(); i < e; ++i) {
      TensorId tensor = tensorOf(owner.operand(i));
      if (tensor < 0)
        continue;
      addOperand(step, owner, i, tensor);
      if (owner != op && region.problem.steps[step].mayRecompute() &&
          mlirTypeIsAShaped(owner.operand(i).type()))
        region.problem.steps[step].noRecompute =
            "reads tensors from inside a region";
    }
  });
  return true;
}

/// The operand that result `result` of a destination style op is built in, or
/// -1 if that one is read by anything else.
static intptr_t reusedDestination(Op op, intptr_t result) {
  intptr_t operand = op.numOperands() - op.numResults() + result;
  if (operand < 0 || op.operand(operand).users().size() != 1)
    return -1;
  return operand;
}

bool TensorFunctionReader::readStep(Op op) {
  const OpFamily *family = lookupOp(op.name());
  int64_t cost = family ? costs.nanos(costs.workOf(op, *family)) : 0;
  StepId step = addStep(op, std::string(op.name()), cost, family);
  if (!readOperands(op, step))
    return false;
  for (intptr_t i = 0, e = op.numResults(); i < e; ++i) {
    std::optional<int64_t> bytes =
        sizeOf(op.result(i), op, "result #" + std::to_string(i));
    if (!bytes)
      return false;
    StorageRule storage = family ? family->storage : StorageRule::Fresh;
    TensorId tensor =
        addTensor(op.result(i), storage == StorageRule::Nothing ? 0 : *bytes,
                  TensorKind::Activation);
    addResult(step, i, tensor);
    intptr_t source = -1;
    if (storage == StorageRule::View)
      source = 0;
    else if (storage == StorageRule::PassThrough)
      source = i;
    else if (storage == StorageRule::Destination)
      source = reusedDestination(op, i);
    TensorId target = source < 0 ? -1 : tensorOf(op.operand(source));
    // A destination without memory of its own (tensor.empty), or one that lives
    // on (an argument, a constant), is not overwritten.
    const std::vector<TensorId> &inputs = region.problem.inputs;
    bool overwrites = storage == StorageRule::Destination;
    bool livesOn =
        std::find(inputs.begin(), inputs.end(), target) != inputs.end();
    if (target < 0 ||
        (overwrites && (livesOn || region.problem.tensors[target].bytes == 0)))
      continue;
    addAlias(step, tensor, target, overwrites);
  }
  return true;
}

std::optional<RegionProblem> TensorFunctionReader::read() {
  Op function = region.owner;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(region.block))) {
    sink({Severity::Error,
          function.location(),
          "function '" + std::string(function.symbolName()) +
              "' has several blocks; only straight-line functions can be "
              "planned",
          {}});
    return std::nullopt;
  }
  std::vector<Value> arguments = argumentsOf(region.block);
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::optional<int64_t> bytes =
        sizeOf(arguments[i], function, "argument #" + std::to_string(i));
    if (!bytes)
      return std::nullopt;
    addInput(arguments[i], *bytes, argumentKind(function, i));
  }
  std::vector<Op> ops = opsOf(region.block);
  Op terminator = ops.back();
  ops.pop_back();
  for (Op op : ops) {
    const OpFamily *family = lookupOp(op.name());
    bool constant = family && family->storage == StorageRule::Constant;
    if (constant ? !readConstant(op) : !readStep(op))
      return std::nullopt;
  }
  for (intptr_t i = 0, e = terminator.numOperands(); i < e; ++i) {
    TensorId tensor = tensorOf(terminator.operand(i));
    if (tensor < 0)
      continue;
    addYield(terminator, i, tensor);
    if (region.problem.tensors[tensor].kind == TensorKind::Activation)
      region.problem.tensors[tensor].kind = TensorKind::Output;
  }
  if (!checkRegion(region, sink))
    return std::nullopt;
  return std::move(region);
}

std::optional<RegionProblem>
ir::readTensorFunction(Op function, const CostModel &costs,
                       const DiagnosticSink &sink) {
  return TensorFunctionReader(function, costs, sink).read();
}
