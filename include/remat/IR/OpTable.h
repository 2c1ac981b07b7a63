//===- OpTable.h - What each op is to the planner -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per dialect, as data: whether an op may be executed a second time (and why
// not), how its results use memory, and how its work is counted. Ops that no
// table lists are never recomputed.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_OPTABLE_H
#define REMAT_IR_OPTABLE_H

#include <string_view>
#include <vector>

namespace remat::ir {

/// How the results of an op use memory.
enum class StorageRule {
  /// Each result has storage of its own.
  Fresh,
  /// The result is operand 0 under another type: same storage, nothing moves.
  View,
  /// Each result is the operand of the same number, as it is.
  PassThrough,
  /// The result overwrites operand 0.
  UpdatesFirst,
  /// Results that the op's `tied_operands` name overwrite those operands.
  UpdatesTied,
  /// Destination style: each result overwrites its `outs` operand if nothing
  /// else reads that one.
  Destination,
  /// A value that is there from the start: no step of the schedule.
  Constant,
  /// A name for a shape; no memory at all.
  Nothing,
};

/// How the arithmetic of an op is counted. Bytes moved are always those of all
/// operands and results.
enum class WorkRule {
  /// Moves bytes only.
  Move,
  /// A few operations per element of the result.
  Elementwise,
  /// Transcendental functions: many operations per element of the result.
  Transcendental,
  /// One operation per element of the operands.
  Reduction,
  /// 2 * result elements * contracted elements.
  Contraction,
  /// 2 * result elements * filter elements / output channels.
  Convolution,
  /// Iteration space times operations in the body.
  Structured,
  /// That of the kernel it launches.
  Kernel,
};

/// Ops that the planner treats alike.
struct OpFamily {
  /// Op names without the dialect's prefix, separated by blanks.
  const char *names;
  /// Why they may not be executed a second time; null if they may.
  const char *never;
  StorageRule storage;
  WorkRule work;
  /// Whether they do something beside making their results: then they keep
  /// their order among each other.
  bool hasEffects = false;
};

struct DialectTable {
  const char *dialect;
  std::vector<OpFamily> families;
};

/// All tables.
const std::vector<DialectTable> &opTables();

/// The family of the op called `name`, or null if no table lists it.
const OpFamily *lookupOp(std::string_view name);

} // namespace remat::ir

#endif // REMAT_IR_OPTABLE_H
