//===- Validate.cpp - The validator of plans ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader: every function below is a sentence of Problem.h.
// Nothing is shared with the solvers or the time line, so that a mistake in one
// of them shows as a disagreement.
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Validate.h"

#include <algorithm>
#include <limits>

namespace remat::solver {
namespace {

/// What one execution made of one tensor, or an input.
struct Version {
  TensorId tensor;
  /// Identifies the storage it lives in; versions of views share it.
  size_t storage;
  /// The slots in which it is live, both included.
  size_t firstSlot;
  size_t lastSlot;
  /// The index in the sequence of the execution that overwrote it, or -1.
  int64_t overwrittenAt = -1;
};

constexpr size_t noVersion = static_cast<size_t>(-1);

class Validator {
public:
  Validator(const Problem &problem, const Plan &plan)
      : problem(problem), plan(plan),
        newest(problem.tensors.size(), noVersion) {}

  Validation run() {
    Validation validation;
    validation.error = countExecutions();
    if (validation.valid())
      validation.error = compareEffects();
    if (validation.valid())
      validation.error = execute();
    if (!validation.valid())
      return validation;
    Wide peakBytes = peak(), cost = 0;
    for (StepId id : plan.sequence)
      cost += problem.steps[id].cost;
    constexpr Wide limit = std::numeric_limits<int64_t>::max();
    if (peakBytes > limit)
      validation.error = "the peak of the plan exceeds 2^63 - 1 bytes";
    else if (cost > limit)
      validation.error = "the cost of the plan exceeds 2^63 - 1";
    if (!validation.valid())
      return validation;
    validation.peakBytes = static_cast<int64_t>(peakBytes);
    validation.cost = static_cast<int64_t>(cost);
    return validation;
  }

private:
  /// Wide enough for the sums over all executions and versions.
  using Wide = __int128;

  const Problem &problem;
  const Plan &plan;
  std::vector<Version> versions;
  /// The newest version of each tensor.
  std::vector<size_t> newest;
  /// The bytes of each storage.
  std::vector<int64_t> storageBytes;
  /// The slot of each execution.
  std::vector<size_t> slotOf;
  size_t numSlots = 0;

  std::string stepName(StepId id) const {
    return "step " + std::to_string(problem.steps[id].label);
  }
  std::string tensorName(TensorId id) const {
    return "tensor " + std::to_string(problem.tensors[id].label);
  }
  std::string executionName(size_t at) const {
    return "execution " + std::to_string(at) + " (" +
           stepName(plan.sequence[at]) + ")";
  }

  std::string countExecutions() const {
    std::vector<size_t> count(problem.steps.size(), 0);
    for (StepId id : plan.sequence) {
      if (id < 0 || static_cast<size_t>(id) >= problem.steps.size())
        return "the plan names step index " + std::to_string(id) +
               ", which does not exist";
      ++count[id];
    }
    for (size_t id = 0; id < count.size(); ++id) {
      if (count[id] == 0)
        return stepName(id) + " is never executed";
      if (count[id] > 1 && !problem.steps[id].mayRecompute())
        return stepName(id) + " is executed " + std::to_string(count[id]) +
               " times but may not be recomputed: " +
               problem.steps[id].noRecompute;
    }
    return "";
  }

  /// Steps with effects are in the order of the schedule.
  std::string compareEffects() const {
    StepId last = -1;
    for (StepId id : plan.sequence) {
      if (!problem.steps[id].hasEffects)
        continue;
      if (id < last)
        return stepName(id) + " has effects but runs after " + stepName(last) +
               ", which has effects too";
      last = id;
    }
    return "";
  }

  /// An execution joins the slot of the one before it if both are of one group
  /// and its step does not occur in the slot yet.
  void assignSlots() {
    std::vector<StepId> current;
    for (StepId id : plan.sequence) {
      bool joins =
          !current.empty() && problem.steps[id].group >= 0 &&
          problem.steps[id].group == problem.steps[current.front()].group &&
          std::find(current.begin(), current.end(), id) == current.end();
      if (!joins) {
        current.clear();
        ++numSlots;
      }
      current.push_back(id);
      slotOf.push_back(numSlots - 1);
    }
  }

  /// Gives `tensor` a new version in the storage of the newest version of its
  /// alias, or in a new storage if it has none.
  void makeVersion(TensorId tensor, size_t slot) {
    TensorId alias = problem.tensors[tensor].alias;
    size_t storage;
    if (alias >= 0) {
      storage = versions[newest[alias]].storage;
    } else {
      storage = storageBytes.size();
      storageBytes.push_back(problem.tensors[tensor].bytes);
    }
    newest[tensor] = versions.size();
    versions.push_back({tensor, storage, slot, slot});
  }

  /// Inputs that are views come after the inputs they are views of.
  void makeInputs() {
    std::vector<TensorId> waiting = problem.inputs;
    while (!waiting.empty()) {
      std::vector<TensorId> stillWaiting;
      for (TensorId input : waiting) {
        TensorId alias = problem.tensors[input].alias;
        if (alias >= 0 && newest[alias] == noVersion)
          stillWaiting.push_back(input);
        else
          makeVersion(input, 0);
      }
      waiting = stillWaiting;
    }
    for (TensorId input : problem.inputs)
      if (problem.tensors[input].kind != TensorKind::Donated && numSlots > 0)
        versions[newest[input]].lastSlot = numSlots - 1;
  }

  std::string execute() {
    assignSlots();
    makeInputs();
    for (size_t at = 0; at < plan.sequence.size(); ++at) {
      const Step &step = problem.steps[plan.sequence[at]];
      for (TensorId operand : step.operands) {
        if (newest[operand] == noVersion)
          return executionName(at) + " reads " + tensorName(operand) +
                 ", which has not been made";
        Version &read = versions[newest[operand]];
        if (read.overwrittenAt >= 0)
          return executionName(at) + " reads " + tensorName(operand) +
                 ", which " + executionName(read.overwrittenAt) +
                 " has overwritten";
        read.lastSlot = std::max(read.lastSlot, slotOf[at]);
      }
      for (const InPlace &pair : step.inPlace) {
        size_t storage = versions[newest[pair.operand]].storage;
        for (Version &version : versions)
          if (version.storage == storage && version.overwrittenAt < 0)
            version.overwrittenAt = static_cast<int64_t>(at);
      }
      for (TensorId result : step.results)
        makeVersion(result, slotOf[at]);
    }
    for (TensorId output : problem.outputs) {
      Version &version = versions[newest[output]];
      if (version.overwrittenAt >= 0)
        return "output " + tensorName(output) + " is overwritten by " +
               executionName(version.overwrittenAt);
      if (numSlots > 0)
        version.lastSlot = numSlots - 1;
    }
    return "";
  }

  /// Counts every storage once in each slot in which any of its versions lives.
  Wide peak() const {
    std::vector<Wide> bytes(numSlots, 0);
    for (size_t at = 0; at < plan.sequence.size(); ++at)
      bytes[slotOf[at]] += problem.steps[plan.sequence[at]].workspaceBytes;
    std::vector<std::vector<size_t>> livingIn(storageBytes.size());
    for (size_t version = 0; version < versions.size(); ++version)
      livingIn[versions[version].storage].push_back(version);
    constexpr size_t nothing = static_cast<size_t>(-1);
    std::vector<size_t> countedLast(numSlots, nothing);
    for (size_t storage = 0; storage < storageBytes.size(); ++storage) {
      for (size_t version : livingIn[storage]) {
        for (size_t slot = versions[version].firstSlot;
             slot < numSlots && slot <= versions[version].lastSlot; ++slot) {
          if (countedLast[slot] == storage)
            continue;
          countedLast[slot] = storage;
          bytes[slot] += storageBytes[storage];
        }
      }
    }
    return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
  }
};

} // namespace

Validation validate(const Problem &problem, const Plan &plan) {
  return Validator(problem, plan).run();
}

} // namespace remat::solver
