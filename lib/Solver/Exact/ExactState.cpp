//===- ExactState.cpp - States of the exact search ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/ExactState.h"
#include "Exact/Exact.h"

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
    : problem(problem), capBytes(capBytes), index(problem) {
  std::unordered_map<int32_t, int32_t> groupOf;
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
    const Step &step = problem.steps[id];
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
    makerAt.push_back(index.maker[tensor]);
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
      if (problem.tensors[input].alias < 0 &&
          index.isPermanent[input] == permanent)
        state.storageOf[input] = count++;
  for (TensorId input : problem.inputs)
    state.storageOf[input] = state.storageOf[index.storageOf[input]];
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

} // namespace remat::solver
