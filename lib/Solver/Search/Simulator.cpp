//===- Simulator.cpp - Memory and cost of decisions -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/Simulator.h"

namespace remat::solver {

int64_t Outcome::excess(int64_t capBytes) const {
  int64_t sum = 0;
  for (int64_t bytes : windowBytes)
    sum += std::max<int64_t>(0, bytes - capBytes);
  return sum;
}

Simulator::Simulator(const GapEncoding &encoding)
    : encoding(encoding), problem(encoding.problem) {}

void Simulator::reset() {
  outcome.sequence.clear();
  state.cost = 0;
  state.numExecutions = 0;
  state.storages.clear();
  state.tensors.assign(problem.tensors.size(), TensorState());
  state.slotWorkspace.clear();
  state.openGroup = -1;
  state.lastSlotOf.assign(problem.steps.size(), -1);
  state.windowBegin.clear();
  storageAtGap.assign(encoding.gaps.size(), -1);
  for (TensorId input : problem.inputs) {
    state.tensors[input].isAvailable = true;
    if (problem.tensors[input].alias < 0) {
      state.tensors[input].storage =
          static_cast<int32_t>(state.storages.size());
      state.storages.emplace_back(problem.tensors[input].bytes, 0, 0);
    }
  }
  for (TensorId input : problem.inputs)
    state.tensors[input].storage =
        state.tensors[encoding.storageOf[input]].storage;
}

const Outcome &Simulator::run(const Decisions &decisions) {
  reset();
  isRecording = true;
  runFrom(0, decisions);
  return outcome;
}

const Outcome &Simulator::setBase(const Decisions &decisions) {
  constexpr int32_t maxNotes = 24;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  stride = numSlots / maxNotes + 1;
  notes.resize(numSlots / stride + 1);
  currentGap.assign(problem.tensors.size(), -1);
  // What is never touched may still be wanted after the last slot.
  firstTouch.assign(encoding.gaps.size(), numSlots);
  firstTouchOfTensor.assign(problem.tensors.size(), numSlots + 1);
  lastTouchOfTensor.assign(problem.tensors.size(), -1);
  joinsBack.assign(numSlots + 1, false);
  base = decisions;
  isBase = true;
  run(base);
  isBase = false;
  baseEnd = state;
  findWhatMatters();
  return outcome;
}

void Simulator::findWhatMatters() {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  for (TensorId output : problem.outputs)
    lastTouchOfTensor[output] = numSlots;
  for (TensorId input : problem.inputs)
    firstTouchOfTensor[input] = -1;
  mattersAt.resize(notes.size());
  for (std::vector<TensorId> &list : mattersAt)
    list.clear();
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    int32_t first = std::max(0, firstTouchOfTensor[tensor] + 1);
    int32_t last = encoding.isReadBySeparator[tensor]
                       ? numSlots
                       : lastTouchOfTensor[tensor];
    for (TensorId sharer : encoding.members[encoding.storageOf[tensor]])
      last = std::max(last, lastTouchOfTensor[sharer]);
    for (int32_t note = (first + stride - 1) / stride; note * stride <= last;
         ++note)
      mattersAt[note].push_back(tensor);
  }
}

bool Simulator::isAsInBase(int32_t slot) {
  const State &note = notes[slot / stride];
  if (state.openGroup != note.openGroup || joinsBack[slot])
    return false;
  // What runs next may join the open slot unless it is in it.
  int32_t noteSlot = static_cast<int32_t>(note.slotWorkspace.size()) - 1;
  auto [begin, end] = encoding.slots[slot - 1];
  for (StepId step = begin; step < end && state.openGroup >= 0; ++step)
    if ((state.lastSlotOf[step] == currentSlot()) !=
        (note.lastSlotOf[step] == noteSlot))
      return false;
  const std::vector<TensorId> &tensors = mattersAt[slot / stride];
  for (TensorId tensor : tensors)
    if (state.tensors[tensor].isAvailable != note.tensors[tensor].isAvailable ||
        state.tensors[tensor].momentsLeft != note.tensors[tensor].momentsLeft)
      return false;
  // Tensors share storage here if and only if they do there. Only families can
  // differ in that.
  counterpart.resize(baseEnd.storages.size(), -1);
  bool isSame = true;
  for (TensorId tensor : tensors) {
    if (!encoding.sharesStorage(tensor) || !state.tensors[tensor].isAvailable)
      continue;
    int32_t &other = counterpart[note.tensors[tensor].storage];
    isSame &= other < 0 || other == state.tensors[tensor].storage;
    other = state.tensors[tensor].storage;
  }
  for (TensorId a : tensors) {
    if (!encoding.sharesStorage(a) || !state.tensors[a].isAvailable)
      continue;
    for (TensorId b : encoding.members[encoding.storageOf[a]])
      isSame &= !state.tensors[b].isAvailable ||
                state.tensors[a].storage != state.tensors[b].storage ||
                note.tensors[a].storage == note.tensors[b].storage;
  }
  for (TensorId tensor : tensors)
    counterpart[std::max(0, note.tensors[tensor].storage)] = -1;
  return isSame;
}

void Simulator::finishAsBase(const State &note) {
  int32_t numNoteStorages = static_cast<int32_t>(note.storages.size());
  int32_t numNoteSlots = static_cast<int32_t>(note.slotWorkspace.size());
  int32_t shift =
      static_cast<int32_t>(state.slotWorkspace.size()) - numNoteSlots;
  int32_t storageShift =
      static_cast<int32_t>(state.storages.size()) - numNoteStorages;
  size_t slot = note.windowBegin.size();
  for (TensorId tensor : mattersAt[slot / stride]) {
    if (!state.tensors[tensor].isAvailable)
      continue;
    int32_t end = baseEnd.storages[note.tensors[tensor].storage].end;
    if (end >= numNoteSlots)
      state.storages[state.tensors[tensor].storage].end = end + shift;
  }
  for (TensorId output : problem.outputs) {
    int32_t storage = baseEnd.tensors[output].storage;
    if (storage >= numNoteStorages)
      state.tensors[output].storage = storage + storageShift;
    else if (!state.tensors[output].isAvailable ||
             note.tensors[output].storage != storage)
      // A view, made later, of something that is there now.
      for (TensorId tensor : mattersAt[slot / stride])
        if (state.tensors[tensor].isAvailable &&
            note.tensors[tensor].storage == storage)
          state.tensors[output].storage = state.tensors[tensor].storage;
  }
  for (size_t i = numNoteStorages; i < baseEnd.storages.size(); ++i) {
    Storage storage = baseEnd.storages[i];
    state.storages.emplace_back(storage.bytes, storage.begin + shift,
                                storage.end + shift);
  }
  state.slotWorkspace.insert(state.slotWorkspace.end(),
                             baseEnd.slotWorkspace.begin() + numNoteSlots,
                             baseEnd.slotWorkspace.end());
  for (size_t i = slot; i < baseEnd.windowBegin.size(); ++i)
    state.windowBegin.push_back(baseEnd.windowBegin[i] + shift);
  state.cost += baseEnd.cost - note.cost;
}

const Outcome &Simulator::tryChanges(const Changes &changes) {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  int32_t first = numSlots;
  lastChange = 0;
  for (auto [at, decision] : changes) {
    if (at >= numGaps)
      first = std::min(first, at - numGaps);
    else
      first = std::min(first, firstEffect(at));
    lastChange = std::max(
        lastChange, at >= numGaps ? at - numGaps : encoding.gaps[at].beginSlot);
  }
  int32_t note = first / stride;
  int32_t window = note * stride;
  state = notes[note];
  Changes undo;
  for (auto [at, decision] : changes) {
    undo.emplace_back(at, base[at]);
    base[at] = decision;
    if (at >= numGaps || encoding.gaps[at].beginSlot >= window)
      continue;
    // The gap has begun, but nothing has asked for the tensor yet.
    TensorId tensor = encoding.gaps[at].tensor;
    state.tensors[tensor].isAvailable =
        decision == retain && !encoding.isOverwrittenAtBegin(encoding.gaps[at]);
    state.tensors[tensor].momentsLeft = decision;
  }
  isRecording = false;
  runFrom(window, base);
  // To copy the note and to measure takes about as long as this.
  numExecutions += static_cast<int64_t>(problem.steps.size()) / 5;
  for (auto change = undo.rbegin(); change != undo.rend(); ++change)
    base[change->first] = change->second;
  return outcome;
}

/// The first window in which the decision about `gap` may show in the base.
int32_t Simulator::firstEffect(int32_t gap) const {
  auto [tensor, beginSlot, endSlot] = encoding.gaps[gap];
  if (encoding.isReadBySeparator[tensor])
    return beginSlot;
  int32_t first = firstTouch[gap];
  for (TensorId sharer : encoding.members[encoding.storageOf[tensor]]) {
    int32_t other = encoding.gapAfter(sharer, beginSlot);
    if (sharer != tensor)
      first = std::min(first, other < 0 ? beginSlot : firstTouch[other]);
  }
  return first;
}

void Simulator::runFrom(int32_t window, const Decisions &decisions) {
  int64_t executionsBefore = state.numExecutions;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  // Runs begin at a note.
  for (int32_t slot = window, nextNote = window; slot < numSlots; ++slot) {
    if (slot == nextNote) {
      nextNote += stride;
      if (isBase)
        notes[slot / stride] = state;
      if (!isRecording && slot > window && slot > lastChange &&
          isAsInBase(slot)) {
        numExecutions += state.numExecutions - executionsBefore;
        finishAsBase(notes[slot / stride]);
        measure();
        outcome.cost = state.cost;
        return;
      }
    }
    state.windowBegin.push_back(
        static_cast<int32_t>(state.slotWorkspace.size()));
    isSplitting = decisions[encoding.splitOf(slot)] != retain;
    runSlot(slot);
    endWindow();
    beginGaps(slot, decisions);
  }
  if (isBase && numSlots % stride == 0)
    notes[numSlots / stride] = state;
  state.windowBegin.push_back(static_cast<int32_t>(state.slotWorkspace.size()));
  isSplitting = decisions[encoding.splitOf(numSlots)] != retain;
  for (TensorId output : problem.outputs)
    demand(output);
  endWindow();
  state.windowBegin.push_back(static_cast<int32_t>(state.slotWorkspace.size()));
  measure();
  outcome.cost = state.cost;
  numExecutions += state.numExecutions - executionsBefore;
}

void Simulator::runSlot(int32_t slot) {
  auto [begin, end] = encoding.slots[slot];
  if (!isSplitting) {
    for (StepId id = begin; id < end; ++id) {
      const GapEncoding::CompactStep &step = encoding.compact[id];
      for (int32_t i = step.operandsBegin; i < step.operandsEnd; ++i)
        // What the slot itself makes is not there yet.
        if (TensorId operand = encoding.lists[i];
            !state.tensors[operand].isAvailable &&
            encoding.maker[operand] < begin)
          demand(operand);
    }
  }
  for (StepId id = begin; id < end; ++id) {
    if (isSplitting)
      for (TensorId operand : problem.steps[id].operands)
        demand(operand);
    execute(id, /*isFirst=*/true);
  }
}

/// Recomputes `tensor`, and before it whatever that takes, unless it is there.
/// A stack of its own stands for recursion, as chains may be long.
void Simulator::demand(TensorId tensor) {
  if (state.tensors[tensor].isAvailable)
    return;
  pending.push_back({encoding.maker[tensor], 0});
  while (!pending.empty()) {
    Pending &top = pending.back();
    const GapEncoding::CompactStep &step = encoding.compact[top.step];
    if (int32_t at = step.operandsBegin + top.nextOperand;
        at < step.operandsEnd) {
      TensorId operand = encoding.lists[at];
      ++top.nextOperand;
      if (!state.tensors[operand].isAvailable)
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
    if (state.lastSlotOf[id] < 0 || step.group == state.openGroup ||
        !std::all_of(step.operands.begin(), step.operands.end(),
                     [&](TensorId t) { return state.tensors[t].isAvailable; }))
      continue;
    wasAvailable.clear();
    for (TensorId result : step.results)
      wasAvailable.push_back(state.tensors[result].isAvailable);
    execute(id, /*isFirst=*/true);
    for (size_t i = 0; i < step.results.size(); ++i)
      state.tensors[step.results[i]].isAvailable = wasAvailable[i];
    return;
  }
}

void Simulator::execute(StepId id, bool isFirst) {
  if (isSplitting && wouldJoin(id))
    separate();
  const GapEncoding::CompactStep &step = encoding.compact[id];
  if (isRecording)
    outcome.sequence.push_back(id);
  ++state.numExecutions;
  state.cost += step.cost;
  if (!wouldJoin(id))
    state.slotWorkspace.push_back(0);
  else if (isBase && currentSlot() < state.windowBegin.back())
    joinsBack[currentWindow()] = true;
  state.openGroup = step.group;
  int32_t slot = currentSlot();
  state.lastSlotOf[id] = slot;
  state.slotWorkspace.back() += step.workspaceBytes;

  if (isBase)
    for (int32_t i = step.operandsBegin; i < step.resultsEnd; ++i)
      touch(encoding.lists[i]);
  for (int32_t i = step.operandsBegin; i < step.operandsEnd; ++i)
    state.storages[state.tensors[encoding.lists[i]].storage].end = slot;
  if (step.hasInPlace) {
    for (const InPlace &pair : problem.steps[id].inPlace) {
      int32_t storage = state.tensors[pair.operand].storage;
      for (TensorId sharer : encoding.members[encoding.storageOf[pair.operand]])
        if (state.tensors[sharer].storage == storage)
          state.tensors[sharer].isAvailable = false;
    }
  }
  for (int32_t i = step.resultsBegin; i < step.resultsEnd; ++i) {
    TensorId result = encoding.lists[i];
    auto [bytes, alias] = encoding.compactTensors[result];
    if (alias >= 0) {
      state.tensors[result].storage = state.tensors[alias].storage;
    } else {
      state.tensors[result].storage =
          static_cast<int32_t>(state.storages.size());
      state.storages.emplace_back(bytes, slot, slot);
    }
    state.tensors[result].isAvailable = true;
    if (!isFirst && state.tensors[result].momentsLeft > 0) {
      --state.tensors[result].momentsLeft;
      momentary.push_back(result);
    }
  }
}

/// What was made for the moment goes.
void Simulator::endWindow() {
  for (TensorId tensor : momentary)
    state.tensors[tensor].isAvailable = false;
  momentary.clear();
}

void Simulator::beginGaps(int32_t slot, const Decisions &decisions) {
  for (int32_t i = encoding.firstBegun[slot]; i < encoding.firstBegun[slot + 1];
       ++i) {
    const GapEncoding::BegunGap &begun = encoding.gapsByBegin[i];
    TensorState &tensor = state.tensors[begun.tensor];
    int16_t decision = begun.gap < 0 ? retain : decisions[begun.gap];
    if (isRecording && begun.gap >= 0)
      storageAtGap[begun.gap] = tensor.storage;
    if (isBase)
      currentGap[begun.tensor] = begun.gap;
    tensor.momentsLeft = decision;
    tensor.isAvailable = decision == retain && !begun.isOverwritten;
  }
}

void Simulator::measure() {
  outcome.peakBytes = 0;
  outcome.windowBytes.assign(encoding.slots.size() + 1, 0);
  int32_t numSlots = static_cast<int32_t>(state.slotWorkspace.size());
  for (TensorId input : problem.inputs)
    if (problem.tensors[input].kind != TensorKind::Donated)
      state.storages[state.tensors[encoding.storageOf[input]].storage].end =
          numSlots - 1;
  for (TensorId output : problem.outputs)
    state.storages[state.tensors[output].storage].end = numSlots - 1;
  slotChange.assign(numSlots + 1, 0);
  for (const Storage &storage : state.storages) {
    slotChange[storage.begin] += storage.bytes;
    slotChange[std::min(storage.end + 1, numSlots)] -= storage.bytes;
  }
  int64_t live = 0;
  int32_t slot = 0;
  for (size_t window = 0; window < outcome.windowBytes.size(); ++window) {
    int64_t highest = 0;
    for (; slot < state.windowBegin[window + 1]; ++slot) {
      live += slotChange[slot];
      highest = std::max(highest, live + state.slotWorkspace[slot]);
    }
    outcome.windowBytes[window] = highest;
    outcome.peakBytes = std::max(outcome.peakBytes, highest);
  }
  if (!isRecording)
    return;
  // Only recorded runs are asked for live ranges.
  std::vector<int32_t> &windowOf = lastWindowOfStorage;
  std::vector<int32_t> windowOfSlot(numSlots);
  for (size_t window = 0; window < outcome.windowBytes.size(); ++window)
    for (int32_t at = state.windowBegin[window];
         at < state.windowBegin[window + 1]; ++at)
      windowOfSlot[at] = static_cast<int32_t>(window);
  windowOf.clear();
  for (const Storage &storage : state.storages)
    windowOf.push_back(windowOfSlot[storage.end]);
}

int32_t Simulator::lastWindowOf(int32_t gap) const {
  return lastWindowOfStorage[storageAtGap[gap]];
}

} // namespace remat::solver
