//===- Transitions.cpp - From state to state of the exact search ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/ExactState.h"

#include <algorithm>

namespace remat::solver {

using Storage = ExactState::Storage;
static constexpr Storage unavailable = ExactState::unavailable;

bool ExactModel::joinsOpenSlot(const ExactState &state, StepId step) const {
  return groups[step] == state.openGroup &&
         !(state.openSteps >> placeInGroup[step] & 1);
}

/// A recomputation makes sense if a result is missing or would get a storage of
/// its own; or if there is a slot to end that the next step would join, or to
/// be in, so as to end it by running once more.
bool ExactModel::isOption(const ExactState &state, StepId step) const {
  for (TensorId operand : problem.steps[step].operands)
    if (state.storageOf[operand] == unavailable)
      return false;
  if (step == state.next)
    return true;
  if (!problem.steps[step].mayRecompute())
    return false;
  for (TensorId result : problem.steps[step].results) {
    Storage storage = state.storageOf[result];
    if (isUseful[state.next][result] &&
        (storage == unavailable ||
         std::count(state.storageOf.begin(), state.storageOf.end(), storage) >
             1))
      return true;
  }
  return state.openGroup >= 0;
}

/// Numbers the storages in the order in which tensors refer to them.
void ExactModel::normalize(ExactState &state) const {
  Storage newNumber[256];
  std::fill(std::begin(newNumber), std::end(newNumber), unavailable);
  Storage count = 0;
  for (size_t tensor = 0; tensor < problem.tensors.size(); ++tensor) {
    Storage &storage = state.storageOf[tensor];
    if (storage == unavailable)
      continue;
    if (newNumber[storage] == unavailable)
      newNumber[storage] = count++;
    storage = newNumber[storage];
  }
}

/// Changes what is available as `step` does; `touched` gets the storages that
/// its slot must hold.
void ExactModel::apply(ExactState &state, StepId id,
                       std::vector<Storage> &touched) const {
  const Step &step = problem.steps[id];
  for (TensorId operand : step.operands)
    touched.push_back(state.storageOf[operand]);
  std::vector<TensorId> overwriting;
  for (const InPlace &pair : step.inPlace) {
    Storage storage = state.storageOf[pair.operand];
    for (Storage &other : state.storageOf)
      if (other == storage)
        other = unavailable;
    state.storageOf[pair.result] = storage;
    overwriting.push_back(pair.result);
  }
  // Numbers that are free: at most as many storages as tensors are in use.
  bool isUsed[256] = {};
  for (Storage storage : state.storageOf)
    isUsed[storage] = true;
  for (Storage storage : touched)
    isUsed[storage] = true;
  Storage fresh = 0;
  for (TensorId result : step.results) {
    TensorId alias = problem.tensors[result].alias;
    if (alias < 0) {
      while (isUsed[fresh])
        ++fresh;
      isUsed[fresh] = true;
      state.storageOf[result] = fresh;
      touched.push_back(fresh);
    } else if (std::find(overwriting.begin(), overwriting.end(), result) ==
               overwriting.end()) {
      state.storageOf[result] = state.storageOf[alias];
    }
  }
  state.next = static_cast<int16_t>(state.next + (id == state.next));
}

/// The bytes that `step` adds to a slot it joins.
int64_t ExactModel::joiningBytes(StepId step) const {
  int64_t bytes = problem.steps[step].workspaceBytes;
  for (TensorId result : problem.steps[step].results)
    if (problem.tensors[result].alias < 0)
      bytes += problem.tensors[result].bytes;
  return bytes;
}

/// What the steps that may still join the open slot may need, in all
/// combinations.
std::vector<int64_t> ExactModel::roomsToLeave(const ExactState &state) const {
  std::vector<int64_t> rooms = {0};
  for (StepId member : membersOf[state.openGroup]) {
    if (state.openSteps >> placeInGroup[member] & 1 ||
        (member < state.next && !problem.steps[member].mayRecompute()))
      continue;
    for (size_t i = rooms.size(); i-- > 0;)
      rooms.push_back(rooms[i] + joiningBytes(member));
  }
  std::sort(rooms.begin(), rooms.end());
  return rooms;
}

void ExactModel::execute(const ExactState &before, StepId step,
                         const DropFilter &mayDrop,
                         const StateVisitor &reach) const {
  ExactState state = before;
  state.last = -1;
  bool joins = before.openGroup >= 0 && joinsOpenSlot(before, step);
  std::vector<Storage> touched;
  apply(state, step, touched);
  for (size_t tensor = 0; tensor < problem.tensors.size(); ++tensor)
    if (!isUseful[state.next][tensor] &&
        !index.isPermanent[index.storageOf[tensor]])
      state.storageOf[tensor] = unavailable;
  if (joins) {
    state.openBytes += joiningBytes(step);
    state.openSteps |= uint64_t(1) << placeInGroup[step];
    if (state.openBytes > capBytes)
      return;
    std::vector<int64_t> rooms = roomsToLeave(state);
    if (rooms.size() == 1) {
      state.openGroup = -1;
      state.openSteps = 0;
      state.openBytes = 0;
    }
    normalize(state);
    reach(state);
    return;
  }
  state.openGroup = isAlone(step) ? -1 : groups[step];
  state.openSteps = isAlone(step) ? 0 : uint64_t(1) << placeInGroup[step];
  state.openBytes = 0;
  if (step < before.next && isAlone(step) && isPlain[step])
    state.last = static_cast<int16_t>(step);
  openSlot(before, state, touched, step, mayDrop,
           [&](const ExactState &reached) {
             if (!couldHaveWaited(before, reached, step))
               reach(reached);
           });
}

/// Whether the recomputation that led to `before` could as well follow `step`,
/// in no more memory; of two recomputations the higher one goes first.
bool ExactModel::couldHaveWaited(const ExactState &before,
                                 const ExactState &after, StepId step) const {
  StepId last = before.last;
  if (last < 0 || !isAlone(step) || !isPlain[step] ||
      (step < before.next && step < last) ||
      problem.steps[last].workspaceBytes > problem.steps[step].workspaceBytes)
    return false;
  auto shares = [](const std::vector<TensorId> &a,
                   const std::vector<TensorId> &b) {
    return std::any_of(a.begin(), a.end(), [&](TensorId tensor) {
      return std::find(b.begin(), b.end(), tensor) != b.end();
    });
  };
  const Step &waiting = problem.steps[last], &other = problem.steps[step];
  if (step == last || shares(waiting.results, other.operands) ||
      shares(other.results, waiting.operands))
    return false;
  // What it reads and makes is there in the slot of the other.
  for (const std::vector<TensorId> *list :
       {&waiting.operands, &waiting.results})
    for (TensorId tensor : *list)
      if (after.storageOf[tensor] == unavailable)
        return false;
  return true;
}

namespace {

/// Enumerates the sets of storages to keep within a limit that no further one
/// fits into.
class LargestSets {
public:
  struct Choice {
    Storage storage;
    int64_t bytes;
  };
  LargestSets(const std::vector<Choice> &choices, int64_t limitBytes,
              ExactState &state, const ExactModel::DropFilter &mayDrop,
              const std::function<void(int64_t)> &visit)
      : choices(choices), limitBytes(limitBytes), state(state),
        mayDrop(mayDrop), visit(visit) {
    for (const Choice &choice : choices)
      restBytes += choice.bytes;
  }

  void run() { choose(0, 0, limitBytes + 1); }

private:
  const std::vector<Choice> &choices;
  const int64_t limitBytes;
  ExactState &state;
  const ExactModel::DropFilter &mayDrop;
  const std::function<void(int64_t)> &visit;
  /// Of the choices that are still open.
  int64_t restBytes = 0;

  void choose(size_t at, int64_t keptBytes, int64_t leastDropped) {
    // If something that was dropped will fit in the end, stop.
    if (leastDropped <= limitBytes - keptBytes - restBytes)
      return;
    if (at == choices.size()) {
      visit(keptBytes);
      return;
    }
    auto [storage, bytes] = choices[at];
    restBytes -= bytes;
    if (keptBytes + bytes <= limitBytes)
      choose(at + 1, keptBytes + bytes, leastDropped);
    std::vector<size_t> tensors;
    for (size_t tensor = 0; tensor < state.storageOf.size(); ++tensor)
      if (state.storageOf[tensor] == storage) {
        state.storageOf[tensor] = unavailable;
        tensors.push_back(tensor);
      }
    if (mayDrop(state))
      choose(at + 1, keptBytes, std::min(leastDropped, bytes));
    for (size_t tensor : tensors)
      state.storageOf[tensor] = storage;
    restBytes += bytes;
  }
};

} // namespace

/// Opens a slot for `step`, whose effect is already in `state`, with every
/// largest set of other storages besides those it touches.
void ExactModel::openSlot(const ExactState &before, ExactState &state,
                          const std::vector<Storage> &touched, StepId step,
                          const DropFilter &mayDrop,
                          const StateVisitor &reach) const {
  int64_t bytesOf[256];
  bool isFree[256], isInSlot[256] = {};
  for (const ExactState *which :
       {&before, &static_cast<const ExactState &>(state)})
    for (size_t tensor = 0; tensor < problem.tensors.size(); ++tensor)
      if (Storage storage = which->storageOf[tensor]; storage != unavailable) {
        TensorId root = index.storageOf[tensor];
        bytesOf[storage] = problem.tensors[root].bytes;
        isFree[storage] = index.isPermanent[root];
      }
  // What `step` makes may be let go of at once, but not in its slot.
  size_t at = problem.steps[step].operands.size();
  for (TensorId result : problem.steps[step].results)
    if (problem.tensors[result].alias < 0) {
      bytesOf[touched[at]] = problem.tensors[result].bytes;
      isFree[touched[at++]] = false;
    }
  int64_t fixedBytes = problem.steps[step].workspaceBytes;
  for (size_t storage = 0; storage < problem.tensors.size(); ++storage)
    if (index.isPermanent[storage])
      fixedBytes += problem.tensors[storage].bytes;
  auto fix = [&](Storage storage) {
    if (storage == unavailable || isInSlot[storage])
      return;
    isInSlot[storage] = true;
    if (!isFree[storage])
      fixedBytes += bytesOf[storage];
  };
  for (Storage storage : touched)
    fix(storage);
  // Donated inputs are there in the first slot, needed or not.
  if (before.next == 0)
    for (Storage storage : before.storageOf)
      fix(storage);
  std::vector<LargestSets::Choice> choices;
  for (Storage storage : state.storageOf) {
    if (storage == unavailable || isInSlot[storage] || isFree[storage])
      continue;
    isInSlot[storage] = true;
    ExactState without = state;
    std::replace(without.storageOf.begin(), without.storageOf.end(), storage,
                 unavailable);
    if (bytesOf[storage] > 0 && mayDrop(without))
      choices.push_back({storage, bytesOf[storage]});
    else
      fixedBytes += bytesOf[storage];
  }
  std::sort(choices.begin(), choices.end(), [](const auto &a, const auto &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.storage < b.storage;
  });
  std::vector<int64_t> rooms = {0};
  if (state.openGroup >= 0) {
    rooms = roomsToLeave(state);
    if (rooms.size() == 1) {
      state.openGroup = -1;
      state.openSteps = 0;
    }
    rooms.erase(std::unique(rooms.begin(), rooms.end()), rooms.end());
  }
  for (int64_t room : rooms) {
    int64_t limitBytes = capBytes - fixedBytes - room;
    if (limitBytes < 0)
      break;
    LargestSets(choices, limitBytes, state, mayDrop, [&](int64_t keptBytes) {
      ExactState reached = state;
      if (reached.openGroup >= 0)
        reached.openBytes = fixedBytes + keptBytes;
      normalize(reached);
      reach(reached);
    }).run();
  }
}

} // namespace remat::solver
