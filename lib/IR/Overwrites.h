//===- Overwrites.h - Who overwrites what in a region, and who reads it ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms: tensors in one storage have the same content if they are views of each
// other; an in-place result has a content of its own, which takes the place of
// that of its operand. In SSA a content may have several readers and, in
// theory, several writers; in memory one writer ends it.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_IR_OVERWRITES_H
#define REMAT_LIB_IR_OVERWRITES_H

#include "KernelReads.h"
#include "remat/IR/ProblemBuilder.h"

namespace remat::ir {

/// One read of a content that a step overwrites.
struct OverwrittenRead {
  /// A tensor of that content, and the operand through which it is read.
  TensorUse use;
  /// The number of steps stands for the terminator of the region.
  solver::StepId reader;
  solver::StepId writer;
  /// The operand through which `writer` writes.
  intptr_t written;
  /// Whether `reader` writes into the tensor too, but must not: `writer` does.
  bool isSecondWriter = false;
  /// See LateReads.h.
  bool isLate = false;

  /// Whether no order of the steps makes up for it.
  bool needsCopy(const solver::Problem &problem) const {
    return isLate &&
           (reader == writer || isSecondWriter ||
            reader == static_cast<solver::StepId>(problem.steps.size()));
  }
};

/// All such reads of `region`, in the order of its schedule.
std::vector<OverwrittenRead> findOverwrittenReads(const RegionProblem &region,
                                                  const KernelReads &kernels);

} // namespace remat::ir

#endif // REMAT_LIB_IR_OVERWRITES_H
