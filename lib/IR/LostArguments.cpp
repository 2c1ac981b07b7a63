//===- LostArguments.cpp - Donated values that are read too late outside --===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/LateReads.h"
#include "remat/IR/StreamOps.h"

#include <algorithm>
#include <unordered_map>

using namespace remat;
using namespace remat::ir;

namespace {
/// One function, whose arguments are buffers of the caller.
class ArgumentFinder {
public:
  explicit ArgumentFinder(Op function) : function(function) {
    walk(function, [&](Op op) {
      positions[op.key()] = static_cast<int64_t>(positions.size());
    });
  }

  std::vector<LostArgument> run();

private:
  int64_t overwrittenAt(Value import, int64_t &numResults) const;
  int64_t lastRead(Value value) const;
  int64_t position(Op op) const { return positions.at(op.key()); }

  Op function;
  /// The ops in the order in which they are written.
  std::unordered_map<const void *, int64_t> positions;
};
} // namespace

/// Whether result `result` of a region is the operand it is tied to, unchanged.
static bool isPassedThrough(Op execute, intptr_t result, intptr_t operand) {
  Op yield = opsOf(execute.body()).back();
  return yield.operand(result) == argumentsOf(execute.body())[operand];
}

/// The first region that overwrites the memory of `import`, as its position, or
/// -1; `numResults` counts its results that lie there.
int64_t ArgumentFinder::overwrittenAt(Value import, int64_t &numResults) const {
  int64_t first = -1;
  for (Op user : import.users()) {
    if (!user.is("stream.async.execute") ||
        (first >= 0 && position(user) >= first))
      continue;
    int64_t count = 0;
    for (intptr_t i = 0, e = user.numResults(); i < e; ++i) {
      intptr_t operand = tiedOperand(user, i);
      count += operand >= 0 && user.operand(operand) == import &&
               !isPassedThrough(user, i, operand);
    }
    if (count == 0)
      continue;
    first = position(user);
    numResults = count;
  }
  return first;
}

/// The last op that reads `value`, a buffer or what was imported from it.
int64_t ArgumentFinder::lastRead(Value value) const {
  int64_t last = -1;
  for (Op user : value.users())
    if (!user.is("hal.buffer_view.assert") && !user.is("stream.tensor.import"))
      last = std::max(last, position(user));
  return last;
}

std::vector<LostArgument> ArgumentFinder::run() {
  std::vector<LostArgument> lost;
  std::vector<Value> arguments = argumentsOf(function.body());
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t overwritten = -1, read = lastRead(arguments[i]), numResults = 0;
    MlirLocation location = function.location();
    for (Op user : arguments[i].users()) {
      if (!user.is("stream.tensor.import"))
        continue;
      int64_t count = 0;
      int64_t at = overwrittenAt(user.result(0), count);
      read = std::max(read, lastRead(user.result(0)));
      if (at >= 0 && (overwritten < 0 || at < overwritten)) {
        overwritten = at;
        location = user.location();
      }
      numResults += count;
    }
    if (overwritten >= 0 && (read > overwritten || numResults > 1))
      lost.push_back({std::string(function.symbolName()),
                      static_cast<int64_t>(i), location});
  }
  return lost;
}

std::vector<LostArgument> ir::findLostArguments(Op root) {
  std::vector<LostArgument> lost;
  walk(root, [&](Op op) {
    if (!op.is("util.func") || mlirBlockIsNull(op.body()))
      return;
    for (LostArgument &argument : ArgumentFinder(op).run())
      lost.push_back(std::move(argument));
  });
  return lost;
}
