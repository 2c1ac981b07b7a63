//===- UnitGraph.cpp - What an order of the steps has to respect ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder/UnitGraph.h"

#include <algorithm>

namespace remat::solver {

Lists::Lists(int32_t numLists,
             const std::vector<std::pair<int32_t, int32_t>> &pairs)
    : begins(numLists + 1, 0), elements(pairs.size()) {
  for (const auto &pair : pairs)
    ++begins[pair.first + 1];
  for (int32_t list = 0; list < numLists; ++list)
    begins[list + 1] += begins[list];
  std::vector<int32_t> next(begins.begin(), begins.end() - 1);
  for (const auto &pair : pairs)
    elements[next[pair.first]++] = pair.second;
}

namespace {

using Pairs = std::vector<std::pair<int32_t, int32_t>>;

/// `pairs` in order, each once.
void sortAndUnite(Pairs &pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

Pairs exchanged(Pairs pairs) {
  for (auto &pair : pairs)
    std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// `lists` with list i as list n - 1 - i; elements below `numMirrored` are
/// mirrored likewise, if it is not 0.
Lists mirrored(const Lists &lists, int32_t numLists, bool mirrorsLists,
               int32_t numMirrored) {
  Pairs pairs;
  for (int32_t list = 0; list < numLists; ++list) {
    Lists::Range range = lists[mirrorsLists ? numLists - 1 - list : list];
    for (int32_t i = 0; i < range.size(); ++i)
      pairs.push_back({list, numMirrored > 0
                                 ? numMirrored - 1 - range[range.size() - 1 - i]
                                 : range[i]});
  }
  return Lists(numLists, pairs);
}

} // namespace

UnitGraph::UnitGraph(const Problem &problem, const std::vector<StepId> &order,
                     bool splitsGroups) {
  findUnits(problem, order, splitsGroups);
  std::vector<int32_t> unitOf(problem.steps.size());
  for (int32_t unit = 0; unit < numUnits(); ++unit)
    for (int32_t i = begins[unit]; i < begins[unit + 1]; ++i)
      unitOf[steps[i]] = unit;
  TensorIndex index(problem);
  findStorages(index, unitOf);
  findDependences(index, unitOf);
}

void UnitGraph::findUnits(const Problem &problem,
                          const std::vector<StepId> &order, bool splitsGroups) {
  steps = order;
  int32_t slot = -1, openGroup = -1;
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = problem.steps[order[i]];
    bool joins = step.group >= 0 && step.group == openGroup;
    openGroup = step.group;
    slot += !joins;
    if (!joins || splitsGroups) {
      begins.push_back(static_cast<int32_t>(i));
      slotOf.push_back(slot);
      groupOf.push_back(step.group);
      workspaceBytes.push_back(0);
    }
    workspaceBytes.back() += step.workspaceBytes;
  }
  begins.push_back(static_cast<int32_t>(order.size()));
}

void UnitGraph::findStorages(const TensorIndex &index,
                             const std::vector<int32_t> &unitOf) {
  const Problem &problem = index.problem;
  std::vector<int32_t> storageOf(problem.tensors.size(), -1);
  for (size_t id = 0; id < problem.tensors.size(); ++id)
    if (problem.tensors[id].alias < 0) {
      storageOf[id] = static_cast<int32_t>(storages.size());
      storages.push_back({problem.tensors[id].bytes, false, false});
    }
  for (size_t id = 0; id < problem.tensors.size(); ++id)
    storageOf[id] = storageOf[index.storageOf[id]];
  for (TensorId input : problem.inputs) {
    Storage &storage = storages[storageOf[input]];
    storage.isLiveAtBegin = true;
    storage.isLiveAtEnd |= problem.tensors[input].kind != TensorKind::Donated;
  }
  for (TensorId output : problem.outputs)
    storages[storageOf[output]].isLiveAtEnd = true;
  Pairs pairs;
  for (size_t step = 0; step < problem.steps.size(); ++step)
    for (const std::vector<TensorId> *list :
         {&problem.steps[step].operands, &problem.steps[step].results})
      for (TensorId tensor : *list)
        pairs.push_back({unitOf[step], storageOf[tensor]});
  sortAndUnite(pairs);
  touched = Lists(numUnits(), pairs);
  touchers = Lists(static_cast<int32_t>(storages.size()), exchanged(pairs));
  // A donated input that nothing touches is there in the first slot, whatever
  // runs in it.
  for (size_t i = 0; i < storages.size(); ++i)
    if (touchers[static_cast<int32_t>(i)].size() == 0 &&
        !storages[i].isLiveAtEnd)
      storages[i].bytes = 0;
}

void UnitGraph::findDependences(const TensorIndex &index,
                                const std::vector<int32_t> &unitOf) {
  const Problem &problem = index.problem;
  Pairs pairs;
  auto add = [&](StepId before, StepId after) {
    if (before >= 0 && after >= 0 && unitOf[before] != unitOf[after])
      pairs.push_back({unitOf[before], unitOf[after]});
  };
  StepId lastWithEffects = -1;
  for (size_t i = 0; i < problem.steps.size(); ++i) {
    auto step = static_cast<StepId>(i);
    for (TensorId operand : problem.steps[i].operands) {
      add(index.maker[operand], step);
      add(step, index.overwriter[operand]);
    }
    if (!problem.steps[i].hasEffects)
      continue;
    add(lastWithEffects, step);
    lastWithEffects = step;
  }
  sortAndUnite(pairs);
  successors = Lists(numUnits(), pairs);
  predecessors = Lists(numUnits(), exchanged(pairs));
}

UnitGraph UnitGraph::reversed() const {
  UnitGraph graph;
  int32_t n = numUnits(), numStorages = static_cast<int32_t>(storages.size());
  graph.storages = storages;
  for (Storage &storage : graph.storages)
    std::swap(storage.isLiveAtBegin, storage.isLiveAtEnd);
  graph.workspaceBytes.assign(workspaceBytes.rbegin(), workspaceBytes.rend());
  graph.slotOf.assign(slotOf.rbegin(), slotOf.rend());
  graph.groupOf.assign(groupOf.rbegin(), groupOf.rend());
  graph.predecessors = mirrored(successors, n, true, n);
  graph.successors = mirrored(predecessors, n, true, n);
  graph.touched = mirrored(touched, n, true, 0);
  graph.touchers = mirrored(touchers, numStorages, false, n);
  graph.begins = begins;
  graph.steps = steps;
  graph.isReversed = !isReversed;
  return graph;
}

std::vector<StepId>
UnitGraph::stepsOf(const std::vector<int32_t> &units) const {
  std::vector<StepId> sequence;
  auto add = [&](int32_t unit) {
    sequence.insert(sequence.end(), steps.begin() + begins[unit],
                    steps.begin() + begins[unit + 1]);
  };
  if (isReversed)
    for (size_t i = units.size(); i-- > 0;)
      add(numUnits() - 1 - units[i]);
  else
    for (int32_t unit : units)
      add(unit);
  return sequence;
}

} // namespace remat::solver
