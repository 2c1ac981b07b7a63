//===- MomentSelection.cpp - Where a further moment would help most -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MomentProgram.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

double MomentProgram::share(int32_t column, const std::vector<double> &values) {
  return column < 0 ? 0.0 : values[column];
}

StepId MomentProgram::fullestStep(const std::vector<double> &values,
                                  double share) const {
  assert(order == MomentOrder::Schedule && values.size() == columns.size());
  StepId fullest = -1;
  double mostBytes = share * static_cast<double>(capBytes);
  for (int32_t from = 0; from < numMoments; ++from)
    fullestIn(from, values, fullest, mostBytes);
  return fullest;
}

/// The same for the steps between one moment and the next.
void MomentProgram::fullestIn(int32_t from, const std::vector<double> &values,
                              StepId &fullest, double &mostBytes) const {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  StepId begin = moments[from] + 1, end = lastOf(from + 1) + 1;
  const std::vector<int32_t> &runsHere = runsColumn[stretch(from, from + 1)];
  // For each storage, the first and the last step that need it, and the last
  // step that reads it in its first execution.
  std::vector<StepId> firstNeed(problem.tensors.size(), numSteps);
  std::vector<StepId> lastNeed(problem.tensors.size(), -1);
  for (StepId step = begin; step < end; ++step)
    for (TensorId operand : problem.steps[step].operands) {
      TensorId storage = index.storageOf[operand];
      firstNeed[storage] = std::min(firstNeed[storage], step);
      lastNeed[storage] = step;
    }
  if (from + 1 == numMoments)
    for (TensorId output : problem.outputs)
      lastNeed[index.storageOf[output]] = numSteps;
  std::vector<StepId> lastRead = lastNeed;
  constexpr double isMadeAgain = 0.2, isPartlyMadeAgain = 0.05;
  for (StepId step = begin - 1; step >= 0; --step) {
    if (share(runsHere[step], values) < isMadeAgain)
      continue;
    StepId when = numSteps;
    for (TensorId result : problem.steps[step].results)
      when = std::min(when, firstNeed[index.storageOf[result]]);
    for (TensorId operand : problem.steps[step].operands) {
      TensorId storage = index.storageOf[operand];
      firstNeed[storage] = std::min(firstNeed[storage], when);
      lastNeed[storage] = std::max(lastNeed[storage], when);
    }
  }

  // The bytes of each step, as changes from one step to the next.
  std::vector<double> change(end - begin + 1, 0);
  auto count = [&](StepId first, StepId last, double bytes) {
    first = std::max(first, begin);
    last = std::min(last, end - 1);
    if (first > last)
      return;
    change[first - begin] += bytes;
    change[last + 1 - begin] -= bytes;
  };
  std::vector<double> heldUntilEnd(problem.tensors.size(), 0);
  for (TensorId storage = 0;
       storage < static_cast<TensorId>(problem.tensors.size()); ++storage) {
    double bytes = static_cast<double>(problem.tensors[storage].bytes);
    if (index.storageOf[storage] != storage || bytes == 0)
      continue;
    if (index.isPermanent[storage]) {
      count(begin, end - 1, bytes);
      continue;
    }
    StepId maker = index.maker[storage];
    bool isEarly = maker < begin;
    double again = isEarly && maker >= 0 ? share(runsHere[maker], values) : 0;
    double stays = 0;
    if (from + 1 < numMoments)
      stays = isFixed[from + 1][storage]
                  ? 1
                  : share(heldColumn[from + 1][storage], values);
    stays = std::max(0.0, stays - again);
    StepId made = std::max(maker, begin);
    // Up to the step before its last read: each step counts what it reads
    // itself.
    StepId readUntil = lastRead[storage] - 1;
    double waits = 1 - again;
    StepId presentUntil = made - 1;
    if (isEarly && again > isPartlyMadeAgain) {
      StepId first = std::max(made, firstNeed[storage]);
      presentUntil = std::max(first - 1, lastNeed[storage] - 1);
      count(first, presentUntil, bytes);
      count(made, std::min(first - 1, readUntil), waits * bytes);
    } else {
      presentUntil = std::max(made - 1, readUntil);
      count(made, presentUntil, bytes);
    }
    count(presentUntil + 1, end - 1, stays * bytes);
    heldUntilEnd[storage] = stays;
  }
  double bytes = 0;
  for (StepId step = begin; step < end; ++step) {
    bytes += change[step - begin];
    // What the step touches is held, counted so far or not.
    double touched = static_cast<double>(problem.steps[step].workspaceBytes);
    std::vector<TensorId> storages;
    for (const std::vector<TensorId> *list :
         {&problem.steps[step].operands, &problem.steps[step].results})
      for (TensorId tensor : *list)
        storages.push_back(index.storageOf[tensor]);
    std::sort(storages.begin(), storages.end());
    storages.erase(std::unique(storages.begin(), storages.end()),
                   storages.end());
    for (TensorId storage : storages) {
      if (index.isPermanent[storage] || step < lastNeed[storage])
        continue;
      touched += (1 - heldUntilEnd[storage]) *
                 static_cast<double>(problem.tensors[storage].bytes);
    }
    bool isMoment = step == end - 1 && from + 1 < numMoments;
    if (!isMoment && bytes + touched > mostBytes) {
      mostBytes = bytes + touched;
      fullest = step;
    }
  }
}

} // namespace remat::solver
