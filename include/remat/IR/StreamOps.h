//===- StreamOps.h - Reading ops of IREE's stream dialect -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of the stream ops that stand around and inside an execute region
// after IREE's async pipeline, read through the C API: which operands are
// resources, how large results are, which results overwrite which operands.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_STREAMOPS_H
#define REMAT_IR_STREAMOPS_H

#include "remat/IR/Wrappers.h"

namespace remat::ir {

/// IREE places every slice of an allocation at a multiple of this many bytes
/// (the default of its resource configuration, for CPU and CUDA alike).
constexpr int64_t streamAlignment = 64;

/// `bytes` rounded up to the alignment of slices.
inline int64_t alignSlice(int64_t bytes) {
  return (bytes + streamAlignment - 1) / streamAlignment * streamAlignment;
}

/// Whether `type` is a !stream.resource of any lifetime.
bool isStreamResource(MlirType type);

/// The lifetime of a !stream.resource type, e.g. "transient".
std::string resourceLifetime(MlirType type);

/// The operand that holds the size of result `result` of a stream op, or a null
/// value if the op is not one whose layout is known.
Value resultSizeOperand(Op op, intptr_t result);

/// Its value, if it is a constant.
std::optional<int64_t> resultSize(Op op, intptr_t result);

/// The operand that result `result` overwrites by the op's `tied_operands`, or
/// -1 if it has a place of its own.
intptr_t tiedOperand(Op op, intptr_t result);

/// Lets result `result` of a stream.async.dispatch, which overwrites an
/// operand, overwrite `operand` instead.
void tieResult(Op dispatch, intptr_t result, intptr_t operand);

/// "@executable::@function" of a stream.async.dispatch: the first of those that
/// it may launch, and all.
std::string dispatchEntryPoint(Op dispatch);
std::vector<std::string> dispatchEntryPoints(Op dispatch);

/// The part of a resource operand that a stream.async.dispatch accesses.
struct DispatchSlice {
  intptr_t binding = 0; ///< Counts the resource operands.
  int64_t begin = 0;    ///< In bytes.
  int64_t end = 0;      ///< Not included.
};

/// That of operand `operand`; nothing if it is no resource, or the slice is not
/// constant.
std::optional<DispatchSlice> dispatchSlice(Op dispatch, intptr_t operand);

/// The operand that holds the size of resource operand `operand` of a
/// stream.async.execute.
Value operandSizeOperand(Op execute, intptr_t operand);

/// Bytes of the slices that a stream.async.dispatch reads and writes.
int64_t dispatchBytes(Op dispatch);

} // namespace remat::ir

#endif // REMAT_IR_STREAMOPS_H
