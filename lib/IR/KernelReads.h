//===- KernelReads.h - Where in its operands a kernel reads ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_IR_KERNELREADS_H
#define REMAT_LIB_IR_KERNELREADS_H

#include "remat/IR/Wrappers.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace remat::ir {

/// Knows the kernels that a module's stream.executable ops hold.
class KernelReads {
public:
  /// Finds the kernels of the module around `root`.
  explicit KernelReads(Op root);

  /// The operand whose binding the kernel of `dispatch` writes where a result
  /// is tied to operand `tied`. That is another one of the same value if the
  /// kernel only reads the binding of `tied`: IREE's text names the value, not
  /// the operand, and its parser takes the first.
  intptr_t writtenOperand(Op dispatch, intptr_t tied) const;

  /// Whether each launch of `dispatch` may write over the memory of operand
  /// `written` while it reads the same memory through `operand`: every element
  /// comes from no other element, so that whoever computes it has read what it
  /// overwrites. False if that cannot be told.
  bool mayOverwrite(Op dispatch, intptr_t operand, intptr_t written) const;

private:
  /// The arguments of all kernels of `dispatch` for resource operand `binding`;
  /// none if one of them is unknown.
  std::vector<Value> argumentsFor(Op dispatch, intptr_t binding) const;

  /// By "@executable::@function".
  std::unordered_map<std::string, Op> kernels;
};

} // namespace remat::ir

#endif // REMAT_LIB_IR_KERNELREADS_H
