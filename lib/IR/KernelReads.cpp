//===- KernelReads.cpp - Where in its operands a kernel reads -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel loads from a binding is followed to where it is stored. On the
// way may be ops that compute each element from the same element (structured
// ops whose loops are all parallel, with one indexing map for the operand and
// all results) or only change the shape. Everything else (a reduction, a
// transpose, a slice) may read an element that another workgroup has
// overwritten by then.
//
//===----------------------------------------------------------------------===//

#include "KernelReads.h"

#include "remat/IR/StreamOps.h"

#include <algorithm>
#include <unordered_set>

using namespace remat::ir;

KernelReads::KernelReads(Op root) {
  Op module = root;
  while (Op parent = module.parent())
    module = parent;
  for (Op executable : opsOf(module.body())) {
    if (!executable.is("stream.executable"))
      continue;
    walk(executable, [&](Op function) {
      if (function.is("func.func"))
        kernels["@" + std::string(executable.symbolName()) + "::@" +
                std::string(function.symbolName())] = function;
    });
  }
}

static bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

/// Whether `view`, a type such as !iree_tensor_ext.dispatch.tensor<readonly:
/// tensor<4xf32>>, is accessed as a whole if the tensor has type `tensor`.
static bool isWhole(MlirType view, MlirType tensor) {
  return endsWith(toString(view), ":" + toString(tensor) + ">");
}

/// Whether structured op `op` computes each element of its results from the
/// same element of the operand `value`, wherever that is used.
static bool isElementwiseIn(Op op, Value value) {
  MlirAttribute maps = op.attribute("indexing_maps");
  MlirAttribute iterators = op.attribute("iterator_types");
  if (!op.is("linalg.generic") || mlirAttributeIsNull(maps) ||
      mlirAttributeIsNull(iterators) ||
      mlirArrayAttrGetNumElements(maps) != op.numOperands())
    return false;
  for (intptr_t i = 0, e = mlirArrayAttrGetNumElements(iterators); i < e; ++i)
    if (toString(mlirArrayAttrGetElement(iterators, i)).find("parallel") ==
        std::string::npos)
      return false;
  intptr_t firstResult = op.numOperands() - op.numResults();
  for (intptr_t i = 0, e = op.numOperands(); i < e; ++i)
    for (intptr_t r = firstResult; op.operand(i) == value && r < e; ++r)
      if (!mlirAttributeEqual(mlirArrayAttrGetElement(maps, i),
                              mlirArrayAttrGetElement(maps, r)))
        return false;
  return true;
}

/// Whether nothing that depends on `argument`, a binding of a kernel, comes
/// from another element of it.
static bool isReadElementwise(Value argument) {
  std::vector<Value> worklist = {argument};
  std::unordered_set<const void *> seen;
  auto follow = [&](Op op) {
    for (intptr_t i = 0, e = op.numResults(); i < e; ++i)
      if (seen.insert(op.result(i).key()).second)
        worklist.push_back(op.result(i));
  };
  while (!worklist.empty()) {
    Value value = worklist.back();
    worklist.pop_back();
    for (Op user : value.users()) {
      std::string_view name = user.name();
      bool isFollowed =
          name == "stream.binding.subspan" || name == "tensor.expand_shape" ||
          name == "tensor.collapse_shape" || isElementwiseIn(user, value);
      if (endsWith(name, "dispatch.tensor.load"))
        isFollowed = user.numOperands() == 1 &&
                     isWhole(value.type(), user.result(0).type());
      bool isStored = endsWith(name, "dispatch.tensor.store") &&
                      user.operand(0) == value && user.numOperands() == 2 &&
                      isWhole(user.operand(1).type(), value.type());
      bool isTarget =
          endsWith(name, "dispatch.tensor.store") && user.operand(0) != value;
      if (isFollowed)
        follow(user);
      else if (!isStored && !isTarget)
        return false;
    }
  }
  return true;
}

std::vector<Value> KernelReads::argumentsFor(Op dispatch,
                                             intptr_t binding) const {
  std::vector<Value> arguments;
  for (const std::string &name : dispatchEntryPoints(dispatch)) {
    auto kernel = kernels.find(name);
    if (kernel == kernels.end())
      return {};
    intptr_t left = binding;
    Value argument;
    for (Value candidate : argumentsOf(kernel->second.body()))
      if (toString(candidate.type()) == "!stream.binding" && left-- == 0)
        argument = candidate;
    if (!argument)
      return {};
    arguments.push_back(argument);
  }
  return arguments;
}

/// Whether a kernel only reads `argument`, one of its bindings.
static bool isReadOnly(Value argument) {
  std::vector<Op> users = argument.users();
  return std::all_of(users.begin(), users.end(), [](Op user) {
    return user.is("stream.binding.subspan") &&
           toString(user.result(0).type()).find("<readonly:") !=
               std::string::npos;
  });
}

intptr_t KernelReads::writtenOperand(Op dispatch, intptr_t tied) const {
  auto isWritten = [&](intptr_t operand) {
    std::optional<DispatchSlice> slice = dispatchSlice(dispatch, operand);
    std::vector<Value> arguments =
        slice ? argumentsFor(dispatch, slice->binding) : std::vector<Value>();
    return arguments.empty() ||
           !std::all_of(arguments.begin(), arguments.end(), isReadOnly);
  };
  if (isWritten(tied))
    return tied;
  for (intptr_t i = 0, e = dispatch.numOperands(); i < e; ++i)
    if (dispatch.operand(i) == dispatch.operand(tied) && isWritten(i))
      return i;
  return tied;
}

bool KernelReads::mayOverwrite(Op dispatch, intptr_t operand,
                               intptr_t written) const {
  std::optional<DispatchSlice> read = dispatchSlice(dispatch, operand);
  std::optional<DispatchSlice> write = dispatchSlice(dispatch, written);
  if (!read || !write)
    return false;
  if (read->end <= write->begin || write->end <= read->begin)
    return true;
  if (read->begin != write->begin || read->end != write->end)
    return false;
  std::vector<Value> arguments = argumentsFor(dispatch, read->binding);
  return !arguments.empty() &&
         std::all_of(arguments.begin(), arguments.end(), isReadElementwise);
}
