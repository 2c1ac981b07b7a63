//===- StreamFunction.cpp - The memory of a function around its regions ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/StreamFunction.h"

#include "remat/IR/StreamOps.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

using namespace remat;
using namespace remat::ir;

namespace {
/// Bytes that are held over a range of positions of a function, both included.
struct Holding {
  int64_t begin;
  int64_t end;
  int64_t bytes;
  /// The allocation of a region's slab.
  bool isSlab = false;
  Op allocation;
};

/// Reads one function. Positions count the ops of the function in the order in
/// which they are written.
class FunctionReader {
public:
  FunctionReader(Op function, const DiagnosticSink &sink)
      : function(function), sink(sink) {
    walk(function, [&](Op op) {
      positions[op.key()] = static_cast<int64_t>(positions.size());
    });
  }

  std::optional<StreamFunction> read(int64_t constantBytes);

private:
  int64_t lastUse(const std::vector<Value> &values) const;
  int64_t copiesHeld(Op op) const;
  bool holdResults(Op execute);
  bool holdAllocation(Op allocation);
  bool unknownSize(Op op);
  int64_t position(Op op) const { return positions.at(op.key()); }

  Op function;
  const DiagnosticSink &sink;
  std::unordered_map<const void *, int64_t> positions;
  std::vector<Holding> holdings;
  StreamFunction result;
};
} // namespace

/// Whether a value of `type` can keep device memory alive.
static bool holdsMemory(MlirType type) {
  std::string text = toString(type);
  return text.rfind("!stream.resource<", 0) == 0 ||
         text.rfind("!hal.buffer", 0) == 0;
}

/// The results of `user` that live in the memory of its operand `value`.
static std::vector<Value> carriedResults(Op user, Value value) {
  std::vector<Value> carried;
  if (user.is("stream.async.execute")) {
    for (intptr_t i = 0, e = user.numResults(); i < e; ++i) {
      intptr_t operand = tiedOperand(user, i);
      if (operand >= 0 && user.operand(operand) == value)
        carried.push_back(user.result(i));
    }
    return carried;
  }
  if (user.is("stream.timepoint.await")) {
    // The n-th resource among the operands comes out as the n-th result.
    intptr_t result = 0;
    for (intptr_t i = 0, e = user.numOperands(); i < e; ++i) {
      if (!holdsMemory(user.operand(i).type()))
        continue;
      if (user.operand(i) == value)
        carried.push_back(user.result(result));
      ++result;
    }
    return carried;
  }
  for (intptr_t i = 0, e = user.numResults(); i < e; ++i)
    if (holdsMemory(user.result(i).type()))
      carried.push_back(user.result(i));
  return carried;
}

/// The position of the last op that needs the memory behind `values`; the end
/// of the function if it leaves the function or its control flow is not
/// straight.
int64_t FunctionReader::lastUse(const std::vector<Value> &values) const {
  int64_t endOfFunction = static_cast<int64_t>(positions.size());
  int64_t last = -1;
  std::vector<Value> worklist = values;
  std::unordered_set<const void *> seen;
  while (!worklist.empty()) {
    Value value = worklist.back();
    worklist.pop_back();
    if (!seen.insert(value.key()).second)
      continue;
    for (Op user : value.users()) {
      bool leaves = user.parent() != function || !user.next() ||
                    user.is("util.global.store");
      if (leaves)
        return endOfFunction;
      last = std::max(last, position(user));
      for (Value carried : carriedResults(user, value))
        worklist.push_back(carried);
    }
  }
  return last;
}

/// Whether a block of `function` branches to itself or to one before it.
static bool jumpsBack(Op function) {
  std::unordered_set<const void *> seen;
  for (MlirBlock block = function.body(); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    seen.insert(block.ptr);
    Op terminator = opsOf(block).back();
    for (intptr_t i = 0, e = mlirOperationGetNumSuccessors(terminator.raw());
         i < e; ++i)
      if (seen.count(mlirOperationGetSuccessor(terminator.raw(), i).ptr))
        return true;
  }
  return false;
}

/// How many allocations that `op` makes and does not free itself are held at
/// once: in a loop that of the iteration before lives on while the next one is
/// made.
int64_t FunctionReader::copiesHeld(Op op) const {
  for (Op parent = op.parent(); parent && parent != function;
       parent = parent.parent())
    if (parent.is("scf.for") || parent.is("scf.while"))
      return 2;
  return jumpsBack(function) ? 2 : 1;
}

bool FunctionReader::unknownSize(Op op) {
  sink({Severity::Error,
        op.location(),
        "the size of what '" + std::string(op.name()) +
            "' allocates is not a constant; programs with dynamic shapes "
            "cannot be planned, compile for fixed shapes",
        {}});
  return false;
}

/// Before allocation: the results of `execute`, one allocation per lifetime.
bool FunctionReader::holdResults(Op execute) {
  struct Allocation {
    int64_t bytes = 0;
    std::vector<Value> values;
  };
  std::map<std::string, Allocation> allocations;
  for (intptr_t i = 0, e = execute.numResults(); i < e; ++i) {
    Value value = execute.result(i);
    if (!isStreamResource(value.type()) || tiedOperand(execute, i) >= 0)
      continue;
    std::optional<int64_t> size = resultSize(execute, i);
    if (!size)
      return unknownSize(execute);
    Allocation &allocation = allocations[resourceLifetime(value.type())];
    allocation.bytes += alignSlice(*size);
    allocation.values.push_back(value);
  }
  for (const auto &[lifetime, allocation] : allocations) {
    int64_t bytes = copiesHeld(execute) * allocation.bytes;
    holdings.push_back({position(execute),
                        std::max(position(execute), lastUse(allocation.values)),
                        bytes, false, execute});
    if (lifetime == "external")
      result.outputBytes += bytes;
  }
  return true;
}

/// After allocation: a stream.resource.alloc or stream.resource.alloca. What is
/// freed by a stream.resource.dealloca is the slab of a region.
bool FunctionReader::holdAllocation(Op allocation) {
  std::optional<int64_t> bytes = allocation.operand(0).constantInt();
  if (!bytes)
    return unknownSize(allocation);
  Value value = allocation.result(0);
  bool isSlab = false;
  for (Op user : value.users())
    isSlab |= user.is("stream.resource.dealloca");
  if (!isSlab)
    *bytes *= copiesHeld(allocation);
  holdings.push_back({position(allocation),
                      std::max(position(allocation), lastUse({value})), *bytes,
                      isSlab, allocation});
  if (!isSlab && resourceLifetime(value.type()) == "external")
    result.outputBytes += *bytes;
  return true;
}

std::optional<StreamFunction> FunctionReader::read(int64_t constantBytes) {
  result.function = function;
  result.name = function.symbolName();
  result.constantBytes = constantBytes;
  bool known = true;
  // A donated buffer is imported twice if its result has another shape.
  std::unordered_set<const void *> imported;
  walk(function, [&](Op op) {
    if (!known)
      return;
    std::string_view name = op.name();
    if (name == "stream.tensor.import") {
      std::optional<int64_t> bytes = resultSize(op, 0);
      if (!bytes)
        known = unknownSize(op);
      else if (imported.insert(op.operand(0).key()).second) {
        result.inputBytes += *bytes;
        if (!mlirAttributeIsNull(op.attribute("consume")))
          result.donatedBytes += *bytes;
      }
    } else if (name == "stream.async.execute") {
      known = holdResults(op);
      result.regions.push_back({op, 0, 0});
    } else if (name == "stream.cmd.execute") {
      result.regions.push_back({op, 0, 0});
    } else if (name == "stream.resource.alloc" ||
               name == "stream.resource.alloca") {
      known = holdAllocation(op);
    }
  });
  if (!known)
    return std::nullopt;
  for (ExecuteRegion &region : result.regions) {
    int64_t at = position(region.op);
    region.outsideBytes = result.inputBytes + constantBytes;
    for (const Holding &holding : holdings) {
      if (holding.begin > at || holding.end < at)
        continue;
      bool own = false;
      for (intptr_t i = 0, e = region.op.numOperands(); i < e; ++i)
        own |= holding.isSlab &&
               region.op.operand(i).definingOp() == holding.allocation;
      (own ? region.slabBytes : region.outsideBytes) += holding.bytes;
    }
  }
  return std::move(result);
}

/// The constants of the module around `root`: what its initializers make.
static int64_t moduleConstantBytes(Op root) {
  Op module = root;
  while (Op parent = module.parent())
    module = parent;
  int64_t bytes = 0;
  if (module.numRegions() != 1)
    return bytes;
  for (Op initializer : opsOf(module.body())) {
    if (!initializer.is("util.initializer"))
      continue;
    walk(initializer, [&](Op op) {
      if (op.is("stream.async.execute")) {
        for (intptr_t i = 0, e = op.numResults(); i < e; ++i)
          if (isStreamResource(op.result(i).type()))
            bytes += alignSlice(resultSize(op, i).value_or(0));
      } else if (op.is("stream.resource.alloc") ||
                 op.is("stream.resource.alloca")) {
        bytes += op.operand(0).constantInt().value_or(0);
      }
    });
  }
  return bytes;
}

std::optional<std::vector<StreamFunction>>
ir::readStreamFunctions(Op root, const DiagnosticSink &sink) {
  std::vector<Op> functions;
  walk(root, [&](Op op) {
    if (!op.is("util.func") && !op.is("func.func"))
      return;
    bool holdsRegions = false;
    walk(op, [&](Op inner) {
      holdsRegions |=
          inner.is("stream.async.execute") || inner.is("stream.cmd.execute");
    });
    if (holdsRegions)
      functions.push_back(op);
  });
  std::vector<StreamFunction> result;
  int64_t constantBytes = functions.empty() ? 0 : moduleConstantBytes(root);
  for (Op function : functions) {
    std::optional<StreamFunction> read =
        FunctionReader(function, sink).read(constantBytes);
    if (!read)
      return std::nullopt;
    result.push_back(std::move(*read));
  }
  return result;
}

int64_t StreamFunction::peakBytes() const {
  int64_t peak = inputBytes + constantBytes;
  for (const ExecuteRegion &region : regions)
    peak = std::max(peak, region.outsideBytes + region.slabBytes);
  return peak;
}

int64_t StreamFunction::largestSlabBytes() const {
  int64_t largest = 0;
  for (const ExecuteRegion &region : regions)
    largest = std::max(largest, region.slabBytes);
  return largest;
}
