//===- OverwriteOrder.cpp - Readers before the step that overwrites -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverwriteOrder.h"

#include <queue>

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {
/// A topological sort of units: single steps and groups.
class StepSorter {
public:
  StepSorter(const RegionProblem &region,
             const std::vector<OverwrittenRead> &reads)
      : region(region), problem(region.problem), reads(reads) {}

  OverwriteOrder run();

private:
  void findUnits();
  void findDependences();
  void addDependence(StepId before, StepId after);
  bool reaches(int32_t from, int32_t to) const;

  const RegionProblem &region;
  const Problem &problem;
  const std::vector<OverwrittenRead> &reads;
  std::vector<int32_t> unitOf;
  std::vector<std::vector<StepId>> stepsOf;
  std::vector<std::vector<int32_t>> successors;
  std::vector<int32_t> predecessorsLeft;
  std::vector<bool> hasRun;
};
} // namespace

/// Units are numbered in the order of their first steps.
void StepSorter::findUnits() {
  std::vector<int32_t> unitOfGroup(region.groups.size(), -1);
  for (size_t i = 0; i < problem.steps.size(); ++i) {
    int32_t group = region.steps[i].group;
    bool isWhole = group >= 0 && !region.groups[group].mustDissolve;
    int32_t unit = isWhole ? unitOfGroup[group] : -1;
    if (unit < 0) {
      unit = static_cast<int32_t>(stepsOf.size());
      stepsOf.emplace_back();
      if (isWhole)
        unitOfGroup[group] = unit;
    }
    unitOf.push_back(unit);
    stepsOf[unit].push_back(static_cast<StepId>(i));
  }
}

void StepSorter::addDependence(StepId before, StepId after) {
  if (before < 0 || unitOf[before] == unitOf[after])
    return;
  successors[unitOf[before]].push_back(unitOf[after]);
  ++predecessorsLeft[unitOf[after]];
}

void StepSorter::findDependences() {
  successors.resize(stepsOf.size());
  predecessorsLeft.resize(stepsOf.size(), 0);
  std::vector<StepId> maker(problem.tensors.size(), -1);
  for (size_t i = 0; i < problem.steps.size(); ++i)
    for (TensorId result : problem.steps[i].results)
      maker[result] = static_cast<StepId>(i);
  StepId lastWithEffects = -1;
  for (size_t i = 0; i < problem.steps.size(); ++i) {
    auto step = static_cast<StepId>(i);
    for (TensorId operand : problem.steps[i].operands)
      addDependence(maker[operand], step);
    if (!problem.steps[i].hasEffects)
      continue;
    addDependence(lastWithEffects, step);
    lastWithEffects = step;
  }
  for (const OverwrittenRead &read : reads)
    if (read.reader != read.writer && !read.needsCopy(problem))
      addDependence(read.reader, read.writer);
}

/// Whether `to` has to wait for `from`, by units that have not run.
bool StepSorter::reaches(int32_t from, int32_t to) const {
  std::vector<bool> seen(stepsOf.size(), false);
  std::vector<int32_t> worklist = {from};
  while (!worklist.empty()) {
    int32_t unit = worklist.back();
    worklist.pop_back();
    for (int32_t successor : successors[unit]) {
      if (successor == to)
        return true;
      if (hasRun[successor] || seen[successor])
        continue;
      seen[successor] = true;
      worklist.push_back(successor);
    }
  }
  return false;
}

OverwriteOrder StepSorter::run() {
  findUnits();
  findDependences();
  OverwriteOrder order;
  hasRun.assign(stepsOf.size(), false);
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> ready;
  for (size_t unit = 0; unit < stepsOf.size(); ++unit)
    if (predecessorsLeft[unit] == 0)
      ready.push(static_cast<int32_t>(unit));
  while (!ready.empty()) {
    int32_t unit = ready.top();
    ready.pop();
    hasRun[unit] = true;
    order.steps.insert(order.steps.end(), stepsOf[unit].begin(),
                       stepsOf[unit].end());
    for (int32_t successor : successors[unit])
      if (--predecessorsLeft[successor] == 0)
        ready.push(successor);
  }
  if (order.steps.size() == problem.steps.size())
    return order;

  order.steps.clear();
  for (size_t i = 0; i < stepsOf.size(); ++i) {
    auto unit = static_cast<int32_t>(i);
    int32_t group = region.steps[stepsOf[unit].front()].group;
    if (!hasRun[unit] && group >= 0 && !region.groups[group].mustDissolve &&
        reaches(unit, unit))
      order.groups.push_back(group);
  }
  // Of the steps in a circle, the one whose value is the cheapest to copy. All
  // its readers that have to wait for it read the copy.
  const OverwrittenRead *cheapest = nullptr;
  auto bytesOf = [&](const OverwrittenRead &read) {
    return problem.tensors[read.use.tensor].bytes;
  };
  auto isInCircle = [&](const OverwrittenRead &read) {
    return read.reader != read.writer && !read.needsCopy(problem) &&
           !hasRun[unitOf[read.reader]] &&
           reaches(unitOf[read.writer], unitOf[read.reader]);
  };
  for (const OverwrittenRead &read : reads)
    if (order.groups.empty() && isInCircle(read) &&
        (!cheapest || bytesOf(read) < bytesOf(*cheapest)))
      cheapest = &read;
  for (size_t i = 0; cheapest && i < reads.size(); ++i)
    if (reads[i].use.tensor == cheapest->use.tensor && isInCircle(reads[i]))
      order.reads.push_back(i);
  return order;
}

OverwriteOrder
ir::findOverwriteOrder(const RegionProblem &region,
                       const std::vector<OverwrittenRead> &reads) {
  return StepSorter(region, reads).run();
}
