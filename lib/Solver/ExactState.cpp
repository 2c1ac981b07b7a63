//===- ExactState.cpp - States of the exact search ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactState.h"

#include "remat/Solver/Solvers.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace remat::solver {

using Storage = ExactState::Storage;
static constexpr Storage unavailable = ExactState::unavailable;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {

/// All of a state but its storages, as it stands in a key.
struct KeyHead {
  int64_t openBytes;
  uint64_t openSteps;
  int32_t openGroup;
  int16_t next;
  int16_t last;
};

} // namespace

std::string ExactState::key() const {
  KeyHead head = {openBytes, openSteps, openGroup, next, last};
  std::string text(reinterpret_cast<const char *>(&head), sizeof(head));
  text.append(storageOf.begin(), storageOf.end());
  return text;
}

ExactState ExactState::fromKey(const std::string &key) {
  KeyHead head;
  std::memcpy(&head, key.data(), sizeof(head));
  ExactState state;
  state.openBytes = head.openBytes;
  state.openSteps = head.openSteps;
  state.openGroup = head.openGroup;
  state.next = head.next;
  state.last = head.last;
  state.storageOf.assign(key.begin() + sizeof(head), key.end());
  return state;
}

//===----------------------------------------------------------------------===//
// What is known of a problem
//===----------------------------------------------------------------------===//

bool ExactModel::isSmallEnough(const Problem &problem) {
  std::unordered_map<int32_t, size_t> sizes;
  for (const Step &step : problem.steps)
    if (step.group >= 0 && ++sizes[step.group] > maxGroup)
      return false;
  return problem.tensors.size() <= maxTensors &&
         problem.steps.size() <= exactMaxSteps;
}

ExactModel::ExactModel(const Problem &problem, int64_t capBytes,
                       int64_t maxSlack)
    : problem(problem), capBytes(capBytes), maker(problem.tensors.size(), -1),
      isPermanent(problem.tensors.size(), false) {
  for (TensorId input : problem.inputs)
    if (problem.tensors[input].kind != TensorKind::Donated)
      isPermanent[problem.storageRoot(input)] = true;
  std::unordered_map<int32_t, int32_t> groupOf;
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
    const Step &step = problem.steps[id];
    for (TensorId result : step.results)
      maker[result] = id;
    int32_t group = static_cast<int32_t>(membersOf.size());
    if (step.group >= 0)
      group = groupOf.emplace(step.group, group).first->second;
    if (group == static_cast<int32_t>(membersOf.size()))
      membersOf.emplace_back();
    groups.push_back(group);
    placeInGroup.push_back(static_cast<int>(membersOf[group].size()));
    membersOf[group].push_back(id);
    isPlain.push_back(step.inPlace.empty() &&
                      std::all_of(step.results.begin(), step.results.end(),
                                  [&](TensorId result) {
                                    return problem.tensors[result].alias < 0;
                                  }));
  }
  findSets();
  findUseful(maxSlack);
}

void ExactModel::findSets() {
  placeOf.resize(problem.tensors.size());
  auto add = [&](TensorId tensor) {
    placeOf[tensor] = static_cast<int>(makerAt.size());
    makerAt.push_back(maker[tensor]);
  };
  for (TensorId input : problem.inputs)
    add(input);
  TensorSet made;
  for (TensorId input : problem.inputs)
    made.insert(placeOf[input]);
  for (const Step &step : problem.steps) {
    madeBefore.push_back(made);
    operandsOf.emplace_back();
    for (TensorId operand : step.operands)
      operandsOf.back().insert(placeOf[operand]);
    resultsOf.emplace_back();
    for (TensorId result : step.results) {
      add(result);
      resultsOf.back().insert(placeOf[result]);
    }
    made |= resultsOf.back();
  }
  madeBefore.push_back(made);
}

/// A tensor is of use if a step that is still to come reads it, or a step that
/// may run again: to make something of use, or, if there are slots to tear
/// apart and it is cheap enough to do it for that alone, any.
void ExactModel::findUseful(int64_t maxSlack) {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  bool hasGroups =
      std::any_of(membersOf.begin(), membersOf.end(),
                  [](const auto &members) { return members.size() > 1; });
  isUseful.assign(numSteps + 1,
                  std::vector<char>(problem.tensors.size(), false));
  for (StepId next = 0; next <= numSteps; ++next) {
    std::vector<char> &useful = isUseful[next];
    for (TensorId output : problem.outputs)
      useful[output] = true;
    for (StepId id = numSteps - 1; id >= 0; --id) {
      const Step &step = problem.steps[id];
      bool mayTear = hasGroups && step.cost <= maxSlack;
      bool makesUseful =
          std::any_of(step.results.begin(), step.results.end(),
                      [&](TensorId result) { return useful[result]; });
      if (id >= next || (step.mayRecompute() && (mayTear || makesUseful)))
        for (TensorId operand : step.operands)
          useful[operand] = true;
    }
  }
}

ExactState ExactModel::initial() const {
  ExactState state;
  state.storageOf.assign(problem.tensors.size(), unavailable);
  Storage count = 0;
  // Storages that never go come first, as in brute force.
  for (bool permanent : {true, false})
    for (TensorId input : problem.inputs)
      if (problem.tensors[input].alias < 0 && isPermanent[input] == permanent)
        state.storageOf[input] = count++;
  for (TensorId input : problem.inputs)
    state.storageOf[input] = state.storageOf[problem.storageRoot(input)];
  return state;
}

bool ExactModel::isGoal(const ExactState &state) const {
  return state.next == static_cast<StepId>(problem.steps.size()) &&
         std::all_of(problem.outputs.begin(), problem.outputs.end(),
                     [&](TensorId output) {
                       return state.storageOf[output] != unavailable;
                     });
}

std::vector<TensorSet> ExactModel::readsUntil(StepId until) const {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  TensorSet read;
  if (until == numSteps)
    for (TensorId output : problem.outputs)
      read.insert(placeOf[output]);
  std::vector<TensorSet> reads(numSteps + 1, read);
  for (StepId id = std::min(until, numSteps - 1); id >= 0; --id) {
    read |= operandsOf[id];
    reads[id] = read;
  }
  return reads;
}

TensorSet ExactModel::missing(const ExactState &state) const {
  TensorSet set;
  for (size_t tensor = 0; tensor < problem.tensors.size(); ++tensor)
    if (state.storageOf[tensor] == unavailable)
      set.insert(placeOf[tensor]);
  return set;
}

int64_t ExactModel::closureCost(TensorSet read, const TensorSet &missing,
                                StepId next) const {
  TensorSet needed = read & missing & madeBefore[next];
  int64_t cost = 0;
  // Of what is needed the last first: that needs only what is made before.
  for (int last; (last = needed.last()) >= 0;) {
    StepId id = makerAt[last];
    if (id < 0 || !problem.steps[id].mayRecompute())
      return impossible;
    cost += problem.steps[id].cost;
    needed = needed.without(resultsOf[id]);
    needed |= operandsOf[id] & missing;
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

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

/// Lets go of what is of no use, and numbers the storages in the order in which
/// tensors refer to them.
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
        !isPermanent[problem.storageRoot(static_cast<TensorId>(tensor))])
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
/// largest set of other storages beside those it touches.
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
        TensorId root = problem.storageRoot(static_cast<TensorId>(tensor));
        bytesOf[storage] = problem.tensors[root].bytes;
        isFree[storage] = isPermanent[root];
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
    if (isPermanent[storage])
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
