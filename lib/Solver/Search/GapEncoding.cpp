//===- GapEncoding.cpp - Plans as one number per gap ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/GapEncoding.h"

#include <algorithm>
#include <utility>

namespace remat::solver {

GapEncoding::GapEncoding(const Problem &problem) : TensorIndex(problem) {
  makeCompact();
  findSlots();
  findTouches();
  findRegenerable();
  findGaps();
  sortByBegin();
  findSeparators();
}

void GapEncoding::makeCompact() {
  for (const Step &step : problem.steps) {
    CompactStep &entry = compact.emplace_back();
    entry.cost = step.cost;
    entry.workspaceBytes = step.workspaceBytes;
    entry.group = step.group;
    entry.hasInPlace = !step.inPlace.empty();
    auto append = [&](const std::vector<TensorId> &list) {
      lists.insert(lists.end(), list.begin(), list.end());
      return static_cast<int32_t>(lists.size());
    };
    entry.operandsBegin = append({});
    entry.operandsEnd = append(step.operands);
    entry.resultsBegin = entry.operandsEnd;
    entry.resultsEnd = append(step.results);
  }
  for (const Tensor &tensor : problem.tensors)
    compactTensors.push_back({tensor.bytes, tensor.alias});
}

void GapEncoding::findSlots() {
  StepId count = static_cast<StepId>(problem.steps.size());
  for (StepId step = 0; step < count; ++step) {
    int32_t group = problem.steps[step].group;
    if (step == 0 || group < 0 || group != problem.steps[step - 1].group)
      slots.push_back({step, step});
    slots.back().end = step + 1;
    slotOf.push_back(static_cast<int32_t>(slots.size()) - 1);
  }
}

void GapEncoding::findTouches() {
  touches.resize(problem.tensors.size());
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id)
    for (const std::vector<TensorId> *list :
         {&problem.steps[id].operands, &problem.steps[id].results})
      for (TensorId tensor : *list)
        if (touches[tensor].empty() || touches[tensor].back() != slotOf[id])
          touches[tensor].push_back(slotOf[id]);
  isOutput.assign(problem.tensors.size(), false);
  for (TensorId output : problem.outputs)
    isOutput[output] = true;
}

/// The results of `step` can be recomputed as long as it may run again and each
/// operand is there. One without gaps stays until it is overwritten; one with
/// gaps may have to be recomputed itself.
int32_t GapEncoding::regenerableUntilOf(const Step &step) const {
  if (!step.mayRecompute())
    return -1;
  auto last = static_cast<int32_t>(slots.size());
  for (TensorId operand : step.operands) {
    StepId writer = overwriter[operand];
    if (canRegenerate[operand]) {
      last = std::min(last, regenerableUntil[operand]);
    } else if (writer >= 0) {
      // Later steps of its slot may run after the writer, one at a time.
      int32_t slot = slotOf[writer];
      last = std::min(last, slots[slot].end == writer + 1 ? slot : slot - 1);
    }
  }
  return last;
}

/// Whether the tensor may go after the touch of the given number. After the
/// last one nobody needs what is no output but to recompute others, which ends
/// as early.
bool GapEncoding::hasGap(TensorId tensor, size_t touch) const {
  int32_t last = regenerableUntil[tensor];
  if (touch + 1 < touches[tensor].size())
    return touches[tensor][touch + 1] <= last;
  return isOutput[tensor] ? static_cast<int32_t>(slots.size()) <= last
                          : touches[tensor][touch] <= last;
}

void GapEncoding::findRegenerable() {
  regenerableUntil.assign(problem.tensors.size(), -1);
  canRegenerate.assign(problem.tensors.size(), false);
  for (const Step &step : problem.steps) {
    int32_t last = regenerableUntilOf(step);
    for (TensorId result : step.results) {
      regenerableUntil[result] = last;
      for (size_t i = 0; i < touches[result].size(); ++i)
        canRegenerate[result] |= hasGap(result, i);
    }
  }
}

void GapEncoding::findGaps() {
  auto numSlots = static_cast<int32_t>(slots.size());
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    firstGap.push_back(static_cast<int32_t>(gaps.size()));
    for (size_t i = 0; canRegenerate[tensor] && i < touches[tensor].size();
         ++i) {
      Gap gap = {tensor, touches[tensor][i],
                 i + 1 < touches[tensor].size() ? touches[tensor][i + 1]
                                                : numSlots};
      bool isChoice = hasGap(tensor, i);
      gapsByBegin.push_back({isChoice ? static_cast<int32_t>(gaps.size()) : -1,
                             tensor, gap.beginSlot, isOverwrittenAtBegin(gap)});
      if (isChoice)
        gaps.push_back(gap);
    }
  }
  firstGap.push_back(static_cast<int32_t>(gaps.size()));
}

void GapEncoding::sortByBegin() {
  std::stable_sort(
      gapsByBegin.begin(), gapsByBegin.end(),
      [&](const BegunGap &a, const BegunGap &b) { return a.slot < b.slot; });
  firstBegun.assign(slots.size() + 1, 0);
  for (const BegunGap &entry : gapsByBegin)
    ++firstBegun[entry.slot + 1];
  for (size_t slot = 0; slot < slots.size(); ++slot)
    firstBegun[slot + 1] += firstBegun[slot];
}

void GapEncoding::findSeparators() {
  constexpr size_t maxSeparators = 16;
  // A step that overwrites something cannot run again on its own.
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id)
    if (problem.steps[id].mayRecompute() && problem.steps[id].inPlace.empty())
      separators.push_back(id);
  auto bytes = [&](StepId id) {
    int64_t sum = problem.steps[id].workspaceBytes;
    for (TensorId result : problem.steps[id].results)
      if (problem.tensors[result].alias < 0)
        sum += problem.tensors[result].bytes;
    return sum;
  };
  std::stable_sort(separators.begin(), separators.end(),
                   [&](StepId a, StepId b) {
                     return std::make_pair(problem.steps[a].cost, bytes(a)) <
                            std::make_pair(problem.steps[b].cost, bytes(b));
                   });
  separators.resize(std::min(separators.size(), maxSeparators));
  isReadBySeparator.assign(problem.tensors.size(), false);
  for (StepId id : separators)
    for (TensorId operand : problem.steps[id].operands)
      isReadBySeparator[operand] = true;
}

int32_t GapEncoding::gapAfter(TensorId tensor, int32_t slot) const {
  for (int32_t gap = firstGap[tensor]; gap < firstGap[tensor + 1]; ++gap)
    if (gaps[gap].beginSlot <= slot && slot < gaps[gap].endSlot)
      return gap;
  return -1;
}

Decisions GapEncoding::splitAllGroups(Decisions decisions) const {
  for (int32_t slot = 0; slot < static_cast<int32_t>(slots.size()); ++slot)
    if (slots[slot].end - slots[slot].begin > 1)
      decisions[splitOf(slot)] = 0;
  return decisions;
}

} // namespace remat::solver
