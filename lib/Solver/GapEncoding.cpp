//===- GapEncoding.cpp - Plans as one number per gap ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GapEncoding.h"

#include <algorithm>
#include <utility>

namespace remat::solver {

//===----------------------------------------------------------------------===//
// GapEncoding
//===----------------------------------------------------------------------===//

GapEncoding::GapEncoding(const Problem &problem) : problem(problem) {
  findSlots();
  findMakers();
  findRegenerable();
  findGaps();
  findSeparators();
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

void GapEncoding::findMakers() {
  TensorId count = static_cast<TensorId>(problem.tensors.size());
  maker.assign(count, -1);
  overwriter.assign(count, -1);
  sharers.resize(count);
  for (TensorId tensor = 0; tensor < count; ++tensor)
    sharers[problem.storageRoot(tensor)].push_back(tensor);
  std::vector<char> isMade(count, false);
  for (TensorId input : problem.inputs)
    isMade[input] = true;
  for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
       ++step) {
    for (const InPlace &pair : problem.steps[step].inPlace)
      for (TensorId sharer : sharers[problem.storageRoot(pair.operand)])
        if (isMade[sharer] && overwriter[sharer] < 0)
          overwriter[sharer] = step;
    for (TensorId result : problem.steps[step].results) {
      maker[result] = step;
      isMade[result] = true;
    }
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
  gapsBegunIn.resize(numSlots);
  for (TensorId tensor = 0; tensor < count; ++tensor) {
    firstGap.push_back(static_cast<int32_t>(gaps.size()));
    if (!canRegenerate[tensor])
      continue;
    for (size_t i = 0; i < touches[tensor].size(); ++i) {
      int32_t begin = touches[tensor][i];
      int32_t end =
          i + 1 < touches[tensor].size() ? touches[tensor][i + 1] : numSlots;
      gapsBegunIn[begin].push_back(static_cast<int32_t>(gaps.size()));
      gaps.push_back({tensor, begin, end});
    }
  }
  firstGap.push_back(static_cast<int32_t>(gaps.size()));
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
}

int32_t GapEncoding::gapAfter(TensorId tensor, int32_t slot) const {
  for (int32_t gap = firstGap[tensor]; gap < firstGap[tensor + 1]; ++gap)
    if (gaps[gap].beginSlot <= slot && slot < gaps[gap].endSlot)
      return gap;
  return -1;
}

//===----------------------------------------------------------------------===//
// Simulator
//===----------------------------------------------------------------------===//

int64_t Outcome::excess(int64_t capBytes) const {
  int64_t sum = 0;
  for (int64_t bytes : windowBytes)
    sum += std::max<int64_t>(0, bytes - capBytes);
  return sum;
}

Simulator::Simulator(const GapEncoding &encoding)
    : encoding(encoding), problem(encoding.problem) {}

void Simulator::reset() {
  outcome.cost = 0;
  outcome.peakBytes = 0;
  outcome.windowBytes.assign(encoding.slots.size() + 1, 0);
  outcome.sequence.clear();
  storages.clear();
  storageOf.assign(problem.tensors.size(), -1);
  isAvailable.assign(problem.tensors.size(), false);
  momentsLeft.assign(problem.tensors.size(), -1);
  momentary.clear();
  storageAtGap.assign(encoding.gaps.size(), -1);
  slotWorkspace.clear();
  openGroup = -1;
  lastSlotOf.assign(problem.steps.size(), -1);
  windowBegin.clear();
  for (TensorId input : problem.inputs) {
    isAvailable[input] = true;
    if (problem.tensors[input].alias < 0) {
      storageOf[input] = static_cast<int32_t>(storages.size());
      storages.push_back({problem.tensors[input].bytes, 0, 0});
    }
  }
  for (TensorId input : problem.inputs)
    storageOf[input] = storageOf[problem.storageRoot(input)];
}

const Outcome &Simulator::run(const Decisions &decisions) {
  reset();
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  for (int32_t slot = 0; slot < numSlots; ++slot) {
    windowBegin.push_back(static_cast<int32_t>(slotWorkspace.size()));
    isTearing = decisions[encoding.tearOf(slot)] != retain;
    runSlot(slot);
    endWindow();
    beginGaps(slot, decisions);
  }
  windowBegin.push_back(static_cast<int32_t>(slotWorkspace.size()));
  isTearing = decisions[encoding.tearOf(numSlots)] != retain;
  for (TensorId output : problem.outputs)
    demand(output);
  windowBegin.push_back(static_cast<int32_t>(slotWorkspace.size()));
  measure();
  numExecutions += static_cast<int64_t>(outcome.sequence.size());
  return outcome;
}

void Simulator::runSlot(int32_t slot) {
  auto [begin, end] = encoding.slots[slot];
  if (!isTearing)
    for (StepId step = begin; step < end; ++step)
      for (TensorId operand : problem.steps[step].operands)
        // What the slot itself makes is not there yet.
        if (encoding.maker[operand] < begin)
          demand(operand);
  for (StepId step = begin; step < end; ++step) {
    if (isTearing)
      for (TensorId operand : problem.steps[step].operands)
        demand(operand);
    execute(step, /*isFirst=*/true);
  }
}

/// Recomputes `tensor`, and before it whatever that takes, unless it is there.
/// A stack of its own stands for recursion, as chains may be long.
void Simulator::demand(TensorId tensor) {
  if (isAvailable[tensor])
    return;
  pending.push_back({encoding.maker[tensor], 0});
  while (!pending.empty()) {
    Pending &top = pending.back();
    const Step &step = problem.steps[top.step];
    if (top.nextOperand < step.operands.size()) {
      TensorId operand = step.operands[top.nextOperand++];
      if (!isAvailable[operand])
        pending.push_back({encoding.maker[operand], 0});
      continue;
    }
    StepId id = top.step;
    pending.pop_back();
    execute(id, /*isFirst=*/false);
  }
}

/// Ends the current slot, if there is a way: runs a step again that is not of
/// its group and whose operands are there. What it makes serves no other
/// purpose.
void Simulator::separate() {
  for (StepId id : encoding.separators) {
    const Step &step = problem.steps[id];
    if (lastSlotOf[id] < 0 || step.group == openGroup ||
        !std::all_of(step.operands.begin(), step.operands.end(),
                     [&](TensorId t) { return isAvailable[t]; }))
      continue;
    wasAvailable.clear();
    for (TensorId result : step.results)
      wasAvailable.push_back(isAvailable[result]);
    execute(id, /*isFirst=*/true);
    for (size_t i = 0; i < step.results.size(); ++i)
      isAvailable[step.results[i]] = wasAvailable[i];
    return;
  }
}

void Simulator::execute(StepId id, bool isFirst) {
  if (isTearing && wouldJoin(id))
    separate();
  const Step &step = problem.steps[id];
  outcome.sequence.push_back(id);
  outcome.cost += step.cost;
  if (!wouldJoin(id))
    slotWorkspace.push_back(0);
  openGroup = step.group;
  int32_t slot = currentSlot();
  lastSlotOf[id] = slot;
  slotWorkspace.back() += step.workspaceBytes;

  for (TensorId operand : step.operands)
    storages[storageOf[operand]].end = slot;
  for (const InPlace &pair : step.inPlace) {
    int32_t storage = storageOf[pair.operand];
    for (TensorId sharer : encoding.sharers[problem.storageRoot(pair.operand)])
      if (storageOf[sharer] == storage)
        isAvailable[sharer] = false;
  }
  for (TensorId result : step.results) {
    TensorId alias = problem.tensors[result].alias;
    if (alias >= 0) {
      storageOf[result] = storageOf[alias];
    } else {
      storageOf[result] = static_cast<int32_t>(storages.size());
      storages.push_back({problem.tensors[result].bytes, slot, slot});
    }
    isAvailable[result] = true;
    if (!isFirst && momentsLeft[result] > 0) {
      --momentsLeft[result];
      momentary.push_back(result);
    }
  }
}

/// What was made for the moment goes.
void Simulator::endWindow() {
  for (TensorId tensor : momentary)
    isAvailable[tensor] = false;
  momentary.clear();
}

void Simulator::beginGaps(int32_t slot, const Decisions &decisions) {
  for (int32_t gap : encoding.gapsBegunIn[slot]) {
    TensorId tensor = encoding.gaps[gap].tensor;
    storageAtGap[gap] = storageOf[tensor];
    momentsLeft[tensor] = decisions[gap];
    bool isOverwritten = encoding.overwriter[tensor] >= 0 &&
                         encoding.slotOf[encoding.overwriter[tensor]] == slot;
    isAvailable[tensor] = decisions[gap] == retain && !isOverwritten;
  }
}

void Simulator::measure() {
  int32_t numSlots = static_cast<int32_t>(slotWorkspace.size());
  for (TensorId input : problem.inputs)
    if (problem.tensors[input].kind != TensorKind::Donated)
      storages[storageOf[problem.storageRoot(input)]].end = numSlots - 1;
  for (TensorId output : problem.outputs)
    storages[storageOf[output]].end = numSlots - 1;
  slotChange.assign(numSlots + 1, 0);
  for (const Storage &storage : storages) {
    slotChange[storage.begin] += storage.bytes;
    slotChange[std::min(storage.end + 1, numSlots)] -= storage.bytes;
  }
  windowOfSlot.resize(numSlots);
  int64_t live = 0;
  int32_t slot = 0;
  for (size_t window = 0; window < outcome.windowBytes.size(); ++window) {
    for (; slot < windowBegin[window + 1]; ++slot) {
      windowOfSlot[slot] = static_cast<int32_t>(window);
      live += slotChange[slot];
      int64_t bytes = live + slotWorkspace[slot];
      outcome.windowBytes[window] =
          std::max(outcome.windowBytes[window], bytes);
      outcome.peakBytes = std::max(outcome.peakBytes, bytes);
    }
  }
}

int32_t Simulator::lastWindowOf(int32_t gap) const {
  return windowOfSlot[storages[storageAtGap[gap]].end];
}

} // namespace remat::solver
