//===- Problem.h - The contract between programs and planners -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Problem is what a planner knows of a program: a schedule of steps over
// tensors, as plain integers. A Plan is a new sequence of step executions in
// which steps may occur more than once. Everything else (live ranges, memory
// over time, cost) follows from those two and is defined here once:
//
//   version   Every execution of a step makes a new version of each of its
//             results. A step reads the newest version of each operand.
//   storage   A version of a tensor that owns its storage (no alias) occupies
//             `bytes`. A version of a tensor with an alias lives in the storage
//             of the version of the aliased tensor that its step read: a view,
//             or, where the step lists it as in-place, an overwrite. What is
//             overwritten (the operand and every other version in its storage)
//             cannot be read any more. Inputs may be views of other inputs.
//   slot      A run of consecutive executions of different steps of one group
//             is one slot (its steps run in parallel); every other execution
//             is a slot of its own. Runs are formed from the front: an
//             execution joins the slot before it if it may.
//   live      A version is live from the slot that makes it to the last slot
//             that reads it, both included; so results appear before dead
//             operands are freed, and a result that is never read is live in
//             the slot that makes it. Inputs are live from the first slot to
//             the last (donated ones to their last read, at least in the first
//             slot), the last version of an output to the last slot.
//   memory    at a slot: the bytes of the distinct storages of all versions
//             live in it, plus the workspace of all its steps. The peak is the
//             maximum over the slots; a cap is met if peak <= cap.
//   cost      of a plan: the sum of the costs of all executions.
//
//   slot       0      1      2      3      4
//   step       A -a-> B -b-> C -c-> A'-a'> D(c,a')
//   a          ####### <- dies in slot 1, its last read before A runs again
//   a'                              #######
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_PROBLEM_H
#define REMAT_SOLVER_PROBLEM_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat::solver {

/// Index of a tensor in Problem::tensors.
using TensorId = int32_t;
/// Index of a step in Problem::steps, which is its place in the schedule.
using StepId = int32_t;

/// The role of a tensor in the training step. Only `Donated` (an input that may
/// be freed after its last read) changes the meaning of a problem; the others
/// are for reports.
enum class TensorKind {
  Parameter,
  Input,
  Constant,
  Activation,
  Gradient,
  OptimizerState,
  Output,
  Donated,
};

/// The word for `kind` in texts, e.g. "optimizer-state".
const char *toString(TensorKind kind);

/// A value of the program.
struct Tensor {
  /// Its size, 0 or more.
  int64_t bytes = 0;
  TensorKind kind = TensorKind::Activation;
  /// The tensor whose storage this one shares, or -1 if it owns its storage.
  TensorId alias = -1;
  /// The name of the tensor in texts: an arbitrary number, unique in a problem.
  int64_t label = 0;
};

/// A result that overwrites an operand of the same step.
struct InPlace {
  TensorId result;
  TensorId operand;
};

/// An operation of the program.
struct Step {
  std::vector<TensorId> operands;
  std::vector<TensorId> results;
  std::vector<InPlace> inPlace;
  /// Time of one execution, in nanoseconds or any other additive unit.
  int64_t cost = 0;
  /// Memory needed while the step runs, besides operands and results.
  int64_t workspaceBytes = 0;
  /// Why the step may not be executed more than once; empty if it may.
  std::string noRecompute;
  /// Steps of one group (>= 0) are adjacent in the schedule and run as one
  /// slot; -1 means no group. They may still depend on earlier steps of the
  /// group.
  int32_t group = -1;
  /// The step does more than make its results. Such steps keep their order
  /// relative to each other, and none may be executed more than once.
  bool hasEffects = false;
  std::string name;
  /// The name of the step in texts: an arbitrary number, unique in a problem.
  int64_t label = 0;

  bool mayRecompute() const { return noRecompute.empty(); }
};

/// What a planner knows of a program.
struct Problem {
  std::vector<Tensor> tensors;
  /// In the order of the original schedule.
  std::vector<Step> steps;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;

  /// The cost of executing every step once.
  int64_t scheduleCost() const {
    int64_t cost = 0;
    for (const Step &step : steps)
      cost += step.cost;
    return cost;
  }

  /// The tensor that owns the storage `tensor` lives in.
  TensorId storageRoot(TensorId tensor) const {
    while (tensors[tensor].alias >= 0)
      tensor = tensors[tensor].alias;
    return tensor;
  }
};

/// A sequence of step executions that replaces the schedule of a problem.
struct Plan {
  std::vector<StepId> sequence;
};

/// The plan that executes every step once, in the order of the schedule.
Plan originalPlan(const Problem &problem);

/// `problem` with its steps in another order, a permutation of them. A group
/// that the order splits becomes one group per part.
Problem withOrder(const Problem &problem, const std::vector<StepId> &order);

/// The steps of `plan` in the order of their first executions.
std::vector<StepId> firstExecutions(const Problem &problem, const Plan &plan);

/// What is wrong with `problem`, or nothing: ids out of range, a tensor made
/// twice or never, operands read before they are made or after they were
/// overwritten, aliases that no step establishes, negative sizes, sums beyond
/// 2^56, groups whose steps are not adjacent. All other functions of this
/// library require problems that pass.
std::optional<std::string> check(const Problem &problem);

} // namespace remat::solver

#endif // REMAT_SOLVER_PROBLEM_H
