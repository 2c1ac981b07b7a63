//===- Problem.cpp - The contract between programs and planners -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Problem.h"

#include <cassert>
#include <limits>
#include <unordered_set>

namespace remat::solver {

const char *toString(TensorKind kind) {
  switch (kind) {
  case TensorKind::Parameter:
    return "parameter";
  case TensorKind::Input:
    return "input";
  case TensorKind::Constant:
    return "constant";
  case TensorKind::Activation:
    return "activation";
  case TensorKind::Gradient:
    return "gradient";
  case TensorKind::OptimizerState:
    return "optimizer-state";
  case TensorKind::Output:
    return "output";
  case TensorKind::Donated:
    return "donated";
  }
  return "activation";
}

Plan originalPlan(const Problem &problem) {
  Plan plan;
  for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
       ++step)
    plan.sequence.push_back(step);
  return plan;
}

namespace {

using Error = std::optional<std::string>;

/// Sums of sizes, in bytes, and of costs are at most this, so that 64 bits hold
/// the sums over plans with many recomputations.
constexpr int64_t maxTotal = int64_t(1) << 56;

/// The number of tensors, and of steps, that ids can tell apart.
constexpr size_t maxIds = std::numeric_limits<int32_t>::max();

/// Checks all rules of a well-formed problem. The functions run in the order of
/// `run` and may rely on what earlier ones established.
class Checker {
public:
  explicit Checker(const Problem &problem) : problem(problem) {}

  Error run() {
    for (auto rule :
         {&Checker::checkNumbers, &Checker::checkTensors,
          &Checker::checkAliases, &Checker::checkSteps, &Checker::checkInputs,
          &Checker::checkOutputs, &Checker::checkMakers, &Checker::checkGroups,
          &Checker::checkSchedule})
      if (Error error = (this->*rule)())
        return error;
    return std::nullopt;
  }

private:
  const Problem &problem;
  /// The step that makes each tensor, -1 for inputs, -2 if nothing does.
  std::vector<StepId> maker;

  static constexpr StepId madeByInput = -1;
  static constexpr StepId madeByNothing = -2;

  bool exists(TensorId id) const {
    return id >= 0 && id < static_cast<TensorId>(problem.tensors.size());
  }
  std::string tensorName(TensorId id) const {
    return "tensor " + std::to_string(problem.tensors[id].label);
  }
  std::string stepName(StepId id) const {
    return "step " + std::to_string(problem.steps[id].label);
  }
  static std::string missing(const std::string &who, TensorId id) {
    return who + " names tensor index " + std::to_string(id) +
           ", which does not exist";
  }
  static bool contains(const std::vector<TensorId> &list, TensorId id) {
    for (TensorId element : list)
      if (element == id)
        return true;
    return false;
  }

  Error checkNumbers() {
    if (problem.tensors.size() > maxIds || problem.steps.size() > maxIds)
      return "there are more than 2^31 - 1 tensors or steps";
    return std::nullopt;
  }

  Error checkTensors() {
    std::unordered_set<int64_t> labels;
    int64_t total = 0;
    for (TensorId id = 0; exists(id); ++id) {
      const Tensor &tensor = problem.tensors[id];
      if (tensor.label < 0)
        return "tensor label " + std::to_string(tensor.label) + " is negative";
      if (!labels.insert(tensor.label).second)
        return "two tensors have the label " + std::to_string(tensor.label);
      if (tensor.bytes < 0)
        return tensorName(id) + " has a negative size of " +
               std::to_string(tensor.bytes) + " bytes";
      if (tensor.bytes > maxTotal - total)
        return "the sizes of the tensors add up to more than 2^56 bytes";
      total += tensor.bytes;
    }
    return std::nullopt;
  }

  Error checkAliases() {
    for (TensorId id = 0; exists(id); ++id) {
      TensorId root = id;
      for (size_t length = 0; problem.tensors[root].alias != -1; ++length) {
        TensorId next = problem.tensors[root].alias;
        if (!exists(next))
          return missing("the alias of " + tensorName(root), next);
        if (length == problem.tensors.size())
          return "the alias of " + tensorName(id) + " leads back to itself";
        root = next;
      }
      if (problem.tensors[id].bytes > problem.tensors[root].bytes)
        return tensorName(id) + " has " +
               std::to_string(problem.tensors[id].bytes) +
               " bytes but shares the storage of " + tensorName(root) +
               ", which has " + std::to_string(problem.tensors[root].bytes);
    }
    return std::nullopt;
  }

  Error checkSteps() {
    std::unordered_set<int64_t> labels;
    int64_t totalCost = 0, totalWorkspace = 0;
    for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
      const Step &step = problem.steps[id];
      if (step.label < 0)
        return "step label " + std::to_string(step.label) + " is negative";
      if (!labels.insert(step.label).second)
        return "two steps have the label " + std::to_string(step.label);
      if (step.cost < 0)
        return stepName(id) + " has a negative cost of " +
               std::to_string(step.cost);
      if (step.workspaceBytes < 0)
        return stepName(id) + " has a negative workspace of " +
               std::to_string(step.workspaceBytes) + " bytes";
      if (step.group < -1)
        return stepName(id) + " has a negative group " +
               std::to_string(step.group);
      if (step.hasEffects && step.mayRecompute())
        return stepName(id) + " has effects but may be executed twice";
      if (step.cost > maxTotal - totalCost)
        return "the costs of the steps add up to more than 2^56";
      if (step.workspaceBytes > maxTotal - totalWorkspace)
        return "the workspaces of the steps add up to more than 2^56 bytes";
      totalCost += step.cost;
      totalWorkspace += step.workspaceBytes;
      for (const std::vector<TensorId> *list : {&step.operands, &step.results})
        for (TensorId tensor : *list)
          if (!exists(tensor))
            return missing(stepName(id), tensor);
      if (Error error = checkInPlace(id))
        return error;
    }
    return std::nullopt;
  }

  Error checkInPlace(StepId id) {
    const Step &step = problem.steps[id];
    std::vector<TensorId> overwritten;
    for (const InPlace &pair : step.inPlace) {
      for (TensorId tensor : {pair.result, pair.operand})
        if (!exists(tensor))
          return missing("an in-place pair of " + stepName(id), tensor);
      if (!contains(step.results, pair.result))
        return stepName(id) + " has the in-place result " +
               tensorName(pair.result) + ", which is not among its results";
      if (!contains(step.operands, pair.operand))
        return stepName(id) + " overwrites " + tensorName(pair.operand) +
               ", which is not among its operands";
      if (problem.tensors[pair.result].alias != pair.operand)
        return stepName(id) + " writes " + tensorName(pair.result) +
               " in place of " + tensorName(pair.operand) +
               ", but the alias of " + tensorName(pair.result) +
               " is not that tensor";
      TensorId root = problem.storageRoot(pair.operand);
      if (contains(overwritten, root))
        return stepName(id) + " overwrites the storage of " + tensorName(root) +
               " twice";
      overwritten.push_back(root);
      for (TensorId result : step.results)
        if (result != pair.result && problem.storageRoot(result) == root)
          return stepName(id) + " overwrites the storage of " +
                 tensorName(root) + " and also makes the view " +
                 tensorName(result) + " of it";
    }
    return std::nullopt;
  }

  Error checkInputs() {
    maker.assign(problem.tensors.size(), madeByNothing);
    for (TensorId input : problem.inputs) {
      if (!exists(input))
        return missing("the list of inputs", input);
      if (maker[input] == madeByInput)
        return tensorName(input) + " is an input twice";
      maker[input] = madeByInput;
    }
    for (TensorId input : problem.inputs) {
      TensorId alias = problem.tensors[input].alias;
      if (alias >= 0 && maker[alias] != madeByInput)
        return "input " + tensorName(input) + " aliases " + tensorName(alias) +
               ", which is not an input";
    }
    for (TensorId id = 0; exists(id); ++id)
      if (problem.tensors[id].kind == TensorKind::Donated &&
          maker[id] != madeByInput)
        return tensorName(id) + " is donated but not an input";
    return std::nullopt;
  }

  Error checkOutputs() {
    std::unordered_set<TensorId> seen;
    for (TensorId output : problem.outputs) {
      if (!exists(output))
        return missing("the list of outputs", output);
      if (!seen.insert(output).second)
        return tensorName(output) + " is an output twice";
    }
    return std::nullopt;
  }

  Error checkMakers() {
    for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
      const Step &step = problem.steps[id];
      for (TensorId result : step.results) {
        if (maker[result] == madeByInput)
          return tensorName(result) + " is an input and also made by " +
                 stepName(id);
        if (maker[result] != madeByNothing)
          return tensorName(result) + " is made by " + stepName(maker[result]) +
                 " and again by " + stepName(id);
        maker[result] = id;
        TensorId alias = problem.tensors[result].alias;
        if (alias >= 0 && !contains(step.operands, alias))
          return tensorName(result) + " aliases " + tensorName(alias) +
                 ", which " + stepName(id) + " that makes it does not read";
      }
    }
    for (TensorId id = 0; exists(id); ++id)
      if (maker[id] == madeByNothing)
        return tensorName(id) + " is neither an input nor made by a step";
    return std::nullopt;
  }

  /// The steps of a group are adjacent. They may depend on each other:
  /// compilers group chains of writes to disjoint parts of one buffer.
  Error checkGroups() {
    std::unordered_set<int32_t> closed;
    StepId count = static_cast<StepId>(problem.steps.size());
    for (StepId begin = 0, end; begin < count; begin = end) {
      int32_t group = problem.steps[begin].group;
      for (end = begin + 1;
           end < count && group >= 0 && problem.steps[end].group == group;
           ++end)
        ;
      if (group < 0)
        continue;
      if (!closed.insert(group).second)
        return "the steps of group " + std::to_string(group) +
               " are not adjacent: " + stepName(begin) + " is apart";
    }
    return std::nullopt;
  }

  /// Every tensor is made and not overwritten when it is read.
  Error checkSchedule() {
    std::vector<char> made(problem.tensors.size(), false);
    std::vector<StepId> overwriter(problem.tensors.size(), -1);
    std::vector<std::vector<TensorId>> sharers(problem.tensors.size());
    for (TensorId id = 0; exists(id); ++id)
      sharers[problem.storageRoot(id)].push_back(id);
    for (TensorId input : problem.inputs)
      made[input] = true;
    for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
      const Step &step = problem.steps[id];
      for (TensorId operand : step.operands) {
        if (!made[operand])
          return stepName(id) + " reads " + tensorName(operand) +
                 " before it is made";
        if (overwriter[operand] >= 0)
          return stepName(id) + " reads " + tensorName(operand) + ", which " +
                 stepName(overwriter[operand]) + " has overwritten";
      }
      for (const InPlace &pair : step.inPlace)
        for (TensorId sharer : sharers[problem.storageRoot(pair.operand)])
          if (made[sharer] && overwriter[sharer] < 0)
            overwriter[sharer] = id;
      for (TensorId result : step.results)
        made[result] = true;
    }
    for (TensorId output : problem.outputs)
      if (overwriter[output] >= 0)
        return "output " + tensorName(output) + " is overwritten by " +
               stepName(overwriter[output]);
    return std::nullopt;
  }
};

} // namespace

std::optional<std::string> check(const Problem &problem) {
  return Checker(problem).run();
}

Problem withOrder(const Problem &problem, const std::vector<StepId> &order) {
  assert(order.size() == problem.steps.size() && "not a permutation");
  Problem result = problem;
  // The first part of a group keeps its number; the others get numbers that no
  // group has.
  std::unordered_set<int32_t> taken, seen;
  for (const Step &step : problem.steps)
    taken.insert(step.group);
  int32_t next = 0;
  auto freeGroup = [&] {
    while (!taken.insert(next).second)
      ++next;
    return next;
  };
  int32_t last = -1, current = -1;
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = problem.steps[order[i]];
    if (step.group < 0)
      current = -1;
    else if (step.group != last)
      current = seen.insert(step.group).second ? step.group : freeGroup();
    last = step.group;
    result.steps[i] = step;
    result.steps[i].group = current;
  }
  return result;
}

std::vector<StepId> firstExecutions(const Problem &problem, const Plan &plan) {
  std::vector<char> hasRun(problem.steps.size(), false);
  std::vector<StepId> order;
  for (StepId step : plan.sequence) {
    assert(step >= 0 && static_cast<size_t>(step) < hasRun.size());
    if (hasRun[step])
      continue;
    hasRun[step] = true;
    order.push_back(step);
  }
  return order;
}

} // namespace remat::solver
