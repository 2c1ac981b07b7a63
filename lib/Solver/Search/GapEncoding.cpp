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
  findRegenerable();
  findGaps();
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

/// A tensor can be made again if its step may run again and each operand is
/// either never overwritten (so that it can stay for this purpose) or can be
/// made again itself.
void GapEncoding::findRegenerable() {
  canRegenerate.assign(problem.tensors.size(), false);
  for (const Step &step : problem.steps) {
    bool can =
        step.mayRecompute() &&
        std::all_of(step.operands.begin(), step.operands.end(),
                    [&](TensorId operand) {
                      return overwriter[operand] < 0 || canRegenerate[operand];
                    });
    for (TensorId result : step.results)
      canRegenerate[result] = can;
  }
}

void GapEncoding::findGaps() {
  TensorId count = static_cast<TensorId>(problem.tensors.size());
  int32_t numSlots = static_cast<int32_t>(slots.size());
  std::vector<std::vector<int32_t>> touches(count);
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id)
    for (const std::vector<TensorId> *list :
         {&problem.steps[id].operands, &problem.steps[id].results})
      for (TensorId tensor : *list)
        if (touches[tensor].empty() || touches[tensor].back() != slotOf[id])
          touches[tensor].push_back(slotOf[id]);
  for (TensorId tensor = 0; tensor < count; ++tensor) {
    firstGap.push_back(static_cast<int32_t>(gaps.size()));
    if (!canRegenerate[tensor])
      continue;
    for (size_t i = 0; i < touches[tensor].size(); ++i) {
      int32_t begin = touches[tensor][i];
      int32_t end =
          i + 1 < touches[tensor].size() ? touches[tensor][i + 1] : numSlots;
      gaps.push_back({tensor, begin, end});
    }
  }
  firstGap.push_back(static_cast<int32_t>(gaps.size()));

  for (int32_t gap = 0; gap < static_cast<int32_t>(gaps.size()); ++gap) {
    gapsByBegin.push_back(
        {gap, gaps[gap].tensor, isOverwrittenAtBegin(gaps[gap])});
  }
  auto beginOf = [&](const BegunGap &entry) {
    return gaps[entry.gap].beginSlot;
  };
  std::stable_sort(gapsByBegin.begin(), gapsByBegin.end(),
                   [&](const BegunGap &a, const BegunGap &b) {
                     return beginOf(a) < beginOf(b);
                   });
  firstBegun.assign(numSlots + 1, 0);
  for (const BegunGap &entry : gapsByBegin)
    ++firstBegun[beginOf(entry) + 1];
  for (int32_t slot = 0; slot < numSlots; ++slot)
    firstBegun[slot + 1] += firstBegun[slot];
}

void GapEncoding::findSeparators() {
  constexpr size_t maxSeparators = 16;
  // A step that overwrites something can not run again on its own.
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
