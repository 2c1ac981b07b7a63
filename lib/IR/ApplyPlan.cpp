//===- ApplyPlan.cpp - From a Plan back to IR -----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/ApplyPlan.h"

#include <algorithm>
#include <unordered_set>

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {
/// Rebuilds a block, execution by execution, in front of its terminator. What
/// is no step (constants) stays where it is, at the front.
class BlockRewriter {
public:
  BlockRewriter(RegionProblem &region)
      : region(region), current(region.values.size()),
        madeAt(region.values.size(), 0), executed(region.steps.size(), false),
        terminator(opsOf(region.block).back()) {
    for (TensorId input : region.problem.inputs)
      current[input] = region.values[input];
  }

  AppliedPlan run(const Plan &plan);

private:
  size_t executeGroup(const std::vector<StepId> &sequence, size_t position);
  void executeFirst(StepId step);
  void executeAgain(StepId step);
  void fence(const std::vector<StepId> &sequence, size_t begin, size_t end);
  void rewire(const std::vector<TensorUse> &uses, Op clone = {});
  void setCurrent(TensorId tensor, Value value) {
    current[tensor] = value;
    madeAt[tensor] = ++now;
  }

  RegionProblem &region;
  /// The newest version of each tensor at the point reached.
  std::vector<Value> current;
  /// When that was made: the more, the later.
  std::vector<int64_t> madeAt;
  int64_t now = 0;
  std::vector<bool> executed;
  Op terminator;
  AppliedPlan result;
};
} // namespace

/// Lets `uses` read the newest versions; in `clone` instead of their owner if
/// there is one.
void BlockRewriter::rewire(const std::vector<TensorUse> &uses, Op clone) {
  for (const TensorUse &use : uses)
    (clone ? clone : use.owner).setOperand(use.index, current[use.tensor]);
}

/// Moves a concurrent op whole if all its steps come first at `position`, and
/// returns how many those are; 0 if the plan tears it apart.
size_t BlockRewriter::executeGroup(const std::vector<StepId> &sequence,
                                   size_t position) {
  const GroupSite &group =
      region.groups[region.steps[sequence[position]].group];
  size_t size = group.steps.size();
  if (group.mustDissolve || position + size > sequence.size())
    return 0;
  std::vector<StepId> steps(sequence.begin() + position,
                            sequence.begin() + position + size);
  std::sort(steps.begin(), steps.end());
  if (steps != group.steps)
    return 0;
  rewire(group.operands);
  mlirOperationMoveBefore(group.op.raw(), terminator.raw());
  for (const TensorUse &use : group.results)
    setCurrent(use.tensor, group.op.result(use.index));
  for (StepId step : steps)
    executed[step] = true;
  return size;
}

/// Puts the op of `step` in its place; out of its group if it has one.
void BlockRewriter::executeFirst(StepId step) {
  const StepSite &site = region.steps[step];
  rewire(site.operands);
  mlirOperationMoveBefore(site.op.raw(), terminator.raw());
  for (const TensorUse &use : site.results)
    setCurrent(use.tensor, site.op.result(use.index));
  executed[step] = true;
}

void BlockRewriter::executeAgain(StepId step) {
  const StepSite &site = region.steps[step];
  Op clone = mlirOperationClone(site.op.raw());
  mlirOperationSetLocation(
      clone.raw(), mlirLocationNameGet(site.op.context(), toRef("remat"),
                                       site.op.location()));
  rewire(site.operands, clone);
  mlirBlockInsertOwnedOperationBefore(region.block, terminator.raw(),
                                      clone.raw());
  for (const TensorUse &use : site.results)
    setCurrent(use.tensor, clone.result(use.index));
  ++result.clonedOps;
}

/// Ties the clones [begin, end) of `sequence` to the original op behind them,
/// so that no compiler merges them with what they repeat or runs them early: a
/// stablehlo.optimization_barrier takes what the clones read from before them
/// together with an operand of that op, and both read its results. Other
/// dialects have no such op. Nothing is fenced if either side reads nothing.
void BlockRewriter::fence(const std::vector<StepId> &sequence, size_t begin,
                          size_t end) {
  if (end == sequence.size() ||
      region.steps[sequence[begin]].op.dialect() != "stablehlo")
    return;
  std::vector<TensorId> leaves;
  std::unordered_set<TensorId> madeHere;
  auto isConstant = [&](TensorId tensor) {
    return region.problem.tensors[tensor].kind == TensorKind::Constant;
  };
  for (size_t i = begin; i < end; ++i) {
    const Step &step = region.problem.steps[sequence[i]];
    for (TensorId operand : step.operands)
      if (!madeHere.count(operand) && !isConstant(operand) &&
          std::find(leaves.begin(), leaves.end(), operand) == leaves.end())
        leaves.push_back(operand);
    madeHere.insert(step.results.begin(), step.results.end());
  }
  TensorId trigger = -1;
  for (TensorId operand : region.problem.steps[sequence[end]].operands)
    if (!madeHere.count(operand) && !isConstant(operand) &&
        std::find(leaves.begin(), leaves.end(), operand) == leaves.end() &&
        (trigger < 0 || madeAt[operand] > madeAt[trigger]))
      trigger = operand; // the one that is made last
  if (leaves.empty() || trigger < 0)
    return;
  leaves.push_back(trigger);
  std::vector<MlirValue> operands;
  std::vector<MlirType> types;
  for (TensorId tensor : leaves) {
    operands.push_back(current[tensor].raw());
    types.push_back(current[tensor].type());
  }
  Op next = region.steps[sequence[end]].op;
  MlirOperationState state = mlirOperationStateGet(
      toRef("stablehlo.optimization_barrier"),
      mlirLocationNameGet(next.context(), toRef("remat"), next.location()));
  mlirOperationStateAddOperands(&state, operands.size(), operands.data());
  mlirOperationStateAddResults(&state, types.size(), types.data());
  Op barrier = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(region.block, terminator.raw(),
                                      barrier.raw());
  for (size_t i = 0; i < leaves.size(); ++i)
    setCurrent(leaves[i], barrier.result(i));
  ++result.fences;
}

AppliedPlan BlockRewriter::run(const Plan &plan) {
  std::vector<bool> dissolved(region.groups.size(), false);
  for (size_t i = 0; i < plan.sequence.size();) {
    StepId step = plan.sequence[i];
    int32_t group = region.steps[step].group;
    if (executed[step]) {
      size_t end = i;
      while (end < plan.sequence.size() && executed[plan.sequence[end]])
        ++end;
      fence(plan.sequence, i, end);
      for (; i < end; ++i)
        executeAgain(plan.sequence[i]);
      continue;
    }
    if (group >= 0 && !dissolved[group]) {
      if (size_t size = executeGroup(plan.sequence, i)) {
        i += size;
        continue;
      }
      dissolved[group] = true;
    }
    executeFirst(step);
    ++i;
  }
  rewire(region.yielded);
  // From the last to the first: an empty group still reads results of earlier
  // ones.
  for (size_t i = dissolved.size(); i-- > 0;) {
    if (!dissolved[i])
      continue;
    mlirOperationDestroy(region.groups[i].op.raw());
    ++result.dissolvedGroups;
  }
  return result;
}

AppliedPlan ir::applyPlan(RegionProblem &region, const Plan &plan) {
  return BlockRewriter(region).run(plan);
}
