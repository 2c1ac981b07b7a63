//===- ProblemIndex.cpp - Facts about a problem, by id --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/ProblemIndex.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

ProblemIndex::ProblemIndex(const Problem &problem) : TensorIndex(problem) {
  for (const Tensor &tensor : problem.tensors)
    if (tensor.alias < 0)
      totalBytes += tensor.bytes;
  for (const Step &step : problem.steps) {
    totalCost += step.cost;
    bool isOne = !step.results.empty() &&
                 std::all_of(step.results.begin(), step.results.end(),
                             [&](TensorId result) {
                               return storageOf[result] ==
                                      storageOf[step.results.front()];
                             });
    onlyStorageOf.push_back(isOne ? storageOf[step.results.front()] : -1);
  }
  findReads();
  findLost();
}

void ProblemIndex::findReads() {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  lastRead.assign(problem.tensors.size(), -1);
  firstOutsideRead.assign(problem.tensors.size(), numSteps);
  for (StepId id = 0; id < numSteps; ++id) {
    const Step &step = problem.steps[id];
    for (TensorId operand : step.operands) {
      lastRead[operand] = id;
      if (!step.results.empty() && onlyStorageOf[id] != storageOf[operand])
        firstOutsideRead[operand] = std::min(firstOutsideRead[operand], id);
    }
  }
  for (TensorId output : problem.outputs)
    lastRead[output] = numSteps;
}

/// The step that overwrites a tensor reads its newest version, so only another
/// execution of its maker, after the overwrite, can restore it. That may be
/// impossible for the same reason.
void ProblemIndex::findLost() {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  // Views of what is overwritten are left out, as the checker of proofs does.
  std::vector<StepId> overwritten(problem.tensors.size(), numSteps);
  for (StepId id = 0; id < numSteps; ++id)
    for (const InPlace &pair : problem.steps[id].inPlace)
      overwritten[pair.operand] = id;
  lostFrom.assign(problem.tensors.size(), numSteps);
  for (TensorId input : problem.inputs)
    lostFrom[input] = overwritten[input];
  for (StepId id = 0; id < numSteps; ++id)
    for (TensorId result : problem.steps[id].results)
      if (isOnceOnly(id, overwritten[result]))
        lostFrom[result] = overwritten[result];
}

bool ProblemIndex::isOnceOnly(StepId step, StepId cut) const {
  assert(step >= 0 && static_cast<size_t>(step) < problem.steps.size());
  const Step &which = problem.steps[step];
  return !which.mayRecompute() ||
         (cut < static_cast<StepId>(problem.steps.size()) &&
          std::any_of(
              which.operands.begin(), which.operands.end(),
              [&](TensorId operand) { return lostFrom[operand] <= cut; }));
}

std::vector<int64_t> ProblemIndex::demandBytes() const {
  return sumBytes(/*onlyUnavoidable=*/false);
}

std::vector<int64_t> ProblemIndex::unavoidableBytes() const {
  std::vector<int64_t> bytes = sumBytes(/*onlyUnavoidable=*/true);
  std::vector<char> isHeld = isPermanent;
  for (TensorId output : problem.outputs)
    isHeld[storageOf[output]] = true;
  int64_t atTheEnd = 0;
  for (TensorId storage = 0; storage < static_cast<TensorId>(members.size());
       ++storage)
    if (isHeld[storage])
      atTheEnd += problem.tensors[storage].bytes;
  bytes.push_back(atTheEnd);
  return bytes;
}

std::vector<int64_t> ProblemIndex::sumBytes(bool onlyUnavoidable) const {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  if (numSteps == 0)
    return {};
  // The steps that touch each storage, and the ranges [begin, end) of steps at
  // which it must be held for some tensor in it.
  std::vector<std::vector<StepId>> touches(members.size());
  for (StepId id = 0; id < numSteps; ++id)
    for (const std::vector<TensorId> *list :
         {&problem.steps[id].operands, &problem.steps[id].results})
      for (TensorId tensor : *list)
        touches[storageOf[tensor]].push_back(id);
  for (TensorId input : problem.inputs)
    touches[storageOf[input]].push_back(0);

  std::vector<int64_t> change(numSteps + 1, 0);
  for (TensorId storage = 0; storage < static_cast<TensorId>(members.size());
       ++storage) {
    std::vector<std::pair<StepId, StepId>> ranges;
    if (isPermanent[storage])
      ranges.push_back({0, numSteps});
    for (StepId id : touches[storage])
      ranges.push_back({id, id + 1});
    bool canRepeat = maker[storage] >= 0;
    for (TensorId tensor : members[storage]) {
      bool isAvoidable = onlyUnavoidable && canRepeat &&
                         problem.steps[maker[tensor]].mayRecompute();
      if (!isAvoidable && lastRead[tensor] >= 0)
        ranges.push_back({std::max(maker[tensor], 0),
                          std::min(lastRead[tensor] + 1, numSteps)});
    }
    std::sort(ranges.begin(), ranges.end());
    StepId counted = 0;
    for (auto [begin, end] : ranges) {
      if (end <= counted)
        continue;
      change[std::max(begin, counted)] += problem.tensors[storage].bytes;
      change[end] -= problem.tensors[storage].bytes;
      counted = end;
    }
  }
  std::vector<int64_t> sum(numSteps);
  int64_t live = 0;
  for (StepId id = 0; id < numSteps; ++id) {
    live += change[id];
    assert(live >= 0);
    sum[id] = live + problem.steps[id].workspaceBytes;
  }
  return sum;
}

} // namespace remat::solver
