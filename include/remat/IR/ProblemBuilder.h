//===- ProblemBuilder.h - From a block of IR to a Problem -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only bridge from IR to the solver. It reads two levels:
//
//   stream   The body of one stream.async.execute. Every op of it is a step, a
//            stream.async.concurrent a group of steps. What lives outside the
//            slab of the region (its operands, its results, constants) counts 0
//            bytes here; outsideBytes() says how much that is.
//   tensor   The body of a function on ranked tensors of static shape
//            (StableHLO, linalg, tosa, tensor, arith, math). Arguments,
//            constants and results count like all other tensors.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_PROBLEMBUILDER_H
#define REMAT_IR_PROBLEMBUILDER_H

#include "remat/IR/CostModel.h"
#include "remat/IR/Diagnostic.h"
#include "remat/Solver/Problem.h"

namespace remat::ir {

/// An operand or result of an op that holds a tensor of the problem. `owner` is
/// the op of the step, or, for operands, an op nested in it that reads a value
/// from outside.
struct TensorUse {
  Op owner;
  intptr_t index;
  solver::TensorId tensor;
};

/// The op behind a step.
struct StepSite {
  Op op;
  /// The stream.async.concurrent around `op`, as index into
  /// RegionProblem::groups, or -1.
  int32_t group = -1;
  std::vector<TensorUse> operands;
  std::vector<TensorUse> results;
};

/// A stream.async.concurrent: its own operands and results, and its steps.
struct GroupSite {
  Op op;
  std::vector<TensorUse> operands;
  std::vector<TensorUse> results;
  std::vector<solver::StepId> steps;
  /// Whether applyPlan dissolves it even if its steps stay together.
  bool mustDissolve = false;
};

/// A problem and the IR it was read from.
struct RegionProblem {
  solver::Problem problem;
  /// The stream.async.execute or the function.
  Op owner;
  MlirBlock block;
  std::vector<StepSite> steps;
  std::vector<GroupSite> groups;
  /// The tensors that the terminator of the block reads.
  std::vector<TensorUse> yielded;
  /// The value of each tensor in `block`.
  std::vector<Value> values;
};

/// Reads the body of a stream.async.execute. Nothing after an error was
/// reported: a size that is not a constant, an op of unknown layout.
std::optional<RegionProblem> readStreamRegion(Op execute,
                                              const CostModel &costs,
                                              const DiagnosticSink &sink);

/// Reads the body of a stream.async.execute as it stands: the problem need not
/// pass solver::check, and what has no constant size counts 0 bytes. Nothing
/// after an error was reported: an op whose use of memory is unknown.
std::optional<RegionProblem> readStreamSteps(Op execute, const CostModel &costs,
                                             const DiagnosticSink &sink);

/// Reads the body of a function. Nothing after an error was reported: several
/// blocks, a tensor of unknown size.
std::optional<RegionProblem> readTensorFunction(Op function,
                                                const CostModel &costs,
                                                const DiagnosticSink &sink);

/// Reads the body of `owner`, which is one or the other.
std::optional<RegionProblem> readRegion(Op owner, const CostModel &costs,
                                        const DiagnosticSink &sink);

/// Runs solver::check on a problem that was read and reports what it finds as
/// an error at the owner: the IR uses memory in a way the model does not cover.
bool checkRegion(const RegionProblem &region, const DiagnosticSink &sink);

} // namespace remat::ir

#endif // REMAT_IR_PROBLEMBUILDER_H
