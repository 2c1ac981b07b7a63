//===- Timeline.cpp - Live ranges and memory over time --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the sequence gives every storage its first and last slot; the
// memory over time is then a sum of differences. A storage is live without
// interruption: every version in it is made by a step that reads an older one.
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Timeline.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

namespace remat::solver {
namespace {

/// The slots of `sequence`: an execution joins the slot before it if it is of
/// the same group and its step is not in the slot yet.
std::vector<Slot> splitIntoSlots(const Problem &problem,
                                 const std::vector<StepId> &sequence) {
  std::vector<Slot> slots;
  // The slot in which each step was last seen.
  std::vector<int32_t> lastSlot(problem.steps.size(), -1);
  int32_t openGroup = -1;
  for (int32_t at = 0; at < static_cast<int32_t>(sequence.size()); ++at) {
    StepId step = sequence[at];
    int32_t group = problem.steps[step].group;
    int32_t current = static_cast<int32_t>(slots.size()) - 1;
    if (group < 0 || group != openGroup || lastSlot[step] == current)
      slots.push_back({at, at, 0});
    openGroup = group;
    slots.back().end = at + 1;
    lastSlot[step] = static_cast<int32_t>(slots.size()) - 1;
  }
  return slots;
}

} // namespace

Timeline computeTimeline(const Problem &problem, const Plan &plan) {
  assert(plan.sequence.size() <=
             static_cast<size_t>(std::numeric_limits<int32_t>::max()) &&
         "more executions than slots can be numbered");
  Timeline timeline;
  timeline.slots = splitIntoSlots(problem, plan.sequence);
  int32_t numSlots = static_cast<int32_t>(timeline.slots.size());

  // Ranges are numbered as their storages appear; a tensor's newest version is
  // known by the range it lives in.
  std::vector<LiveRange> &ranges = timeline.ranges;
  std::vector<int32_t> rangeOf(problem.tensors.size(), -1);
  auto begin = [&](TensorId tensor, int32_t execution, int32_t slot) {
    rangeOf[tensor] = static_cast<int32_t>(ranges.size());
    ranges.push_back({tensor, execution, slot, std::min(slot + 1, numSlots)});
  };
  auto extend = [&](TensorId tensor, int32_t end) {
    assert(rangeOf[tensor] >= 0 && "read before it is made");
    int32_t &current = ranges[rangeOf[tensor]].end;
    current = std::max(current, end);
  };

  for (TensorId input : problem.inputs)
    if (problem.tensors[input].alias < 0)
      begin(input, -1, 0);
  for (TensorId input : problem.inputs) {
    rangeOf[input] = rangeOf[problem.storageRoot(input)];
    if (problem.tensors[input].kind != TensorKind::Donated)
      extend(input, numSlots);
  }
  for (int32_t slot = 0; slot < numSlots; ++slot) {
    const Slot &current = timeline.slots[slot];
    for (int32_t at = current.begin; at < current.end; ++at) {
      const Step &step = problem.steps[plan.sequence[at]];
      timeline.cost += step.cost;
      for (TensorId operand : step.operands)
        extend(operand, slot + 1);
      for (TensorId result : step.results) {
        TensorId alias = problem.tensors[result].alias;
        assert(alias < 0 || rangeOf[alias] >= 0);
        if (alias >= 0)
          rangeOf[result] = rangeOf[alias];
        else
          begin(result, at, slot);
      }
    }
  }
  for (TensorId output : problem.outputs)
    extend(output, numSlots);

  std::vector<int64_t> change(numSlots + 1, 0);
  for (const LiveRange &range : ranges) {
    change[range.begin] += problem.tensors[range.tensor].bytes;
    change[range.end] -= problem.tensors[range.tensor].bytes;
  }
  int64_t live = 0;
  for (int32_t slot = 0; slot < numSlots; ++slot) {
    Slot &current = timeline.slots[slot];
    live += change[slot];
    assert(live >= 0 && "the plan is not valid");
    current.bytes = live;
    for (int32_t at = current.begin; at < current.end; ++at)
      current.bytes += problem.steps[plan.sequence[at]].workspaceBytes;
    if (timeline.peakSlot < 0 || current.bytes > timeline.peakBytes) {
      timeline.peakSlot = slot;
      timeline.peakBytes = current.bytes;
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const LiveRange &a, const LiveRange &b) {
              return std::tie(a.begin, a.execution, a.tensor) <
                     std::tie(b.begin, b.execution, b.tensor);
            });
  return timeline;
}

} // namespace remat::solver
