//===- BlockModel.cpp - A block of the chain by itself --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/BlockModel.h"

#include <algorithm>

namespace remat::solver {

BlockModel::BlockModel(const GapEncoding &whole, const BlockScope &block,
                       const Decisions &baseOfWhole,
                       const std::vector<int64_t> &bytesOfBase)
    : whole(whole), isOpen(block.isOpen),
      numWindows(block.endWindow - block.beginWindow) {
  addSteps(block.beginSlot, block.endSlot, /*mayRecompute=*/true);
  StepId peakStep = addMoment({});
  std::vector<TensorId> next;
  if (block.nextGap >= 0)
    next.push_back(tensorOf.at(whole.gaps[block.nextGap].tensor));
  addMoment(next);
  StepId laterStep = addMoment({});
  addMoment(next);
  auto firstStep = static_cast<StepId>(problem.steps.size());
  addSteps(block.beginWindow, block.endWindow, /*mayRecompute=*/false);

  encoding = std::make_unique<GapEncoding>(problem);
  simulator = std::make_unique<Simulator>(*encoding);
  peak = encoding->slotOf[peakStep];
  later = encoding->slotOf[laterStep];
  firstWindow = numWindows > 0 ? encoding->slotOf[firstStep] : 0;
  base = encoding->retainAll();
  for (int32_t gap : block.gaps) {
    int32_t place =
        encoding->gapAfter(tensorOf.at(whole.gaps[gap].tensor), peak);
    placeOf.push_back(place);
    if (place >= 0)
      base[place] = baseOfWhole[gap];
  }
  for (int32_t i = 0; i < numWindows; ++i)
    placeOf.push_back(encoding->splitOf(firstWindow + i));
  const Outcome &outcome = simulator->run(base);
  costOfBase = outcome.cost;
  keptBeside = block.keptBytes - outcome.windowBytes[peak];
  for (int32_t i = 0; i < numWindows; ++i)
    elseBytes.push_back(bytesOfBase[block.beginWindow + i] -
                        block.earlierBytes -
                        outcome.windowBytes[firstWindow + i]);
  if (isOpen)
    keptBeside += problem.tensors[problem.storageRoot(next[0])].bytes;
}

/// The tensor of the model; what the block does not make is there, and not
/// counted.
TensorId BlockModel::import(TensorId tensor) {
  auto [found, isNew] =
      tensorOf.emplace(tensor, static_cast<TensorId>(problem.tensors.size()));
  if (isNew) {
    problem.tensors.emplace_back();
    isMade.push_back(false);
    problem.inputs.push_back(found->second);
  }
  return found->second;
}

void BlockModel::addSteps(int32_t beginSlot, int32_t endSlot,
                          bool mayRecompute) {
  if (beginSlot == endSlot)
    return;
  for (StepId id = whole.slots[beginSlot].begin;
       id < whole.slots[endSlot - 1].end; ++id) {
    Step step = whole.problem.steps[id];
    for (TensorId &operand : step.operands)
      operand = import(operand);
    std::vector<InPlace> inPlace;
    for (TensorId &result : step.results) {
      auto own = static_cast<TensorId>(problem.tensors.size());
      Tensor tensor = whole.problem.tensors[result];
      // What is not made here has no storage to share.
      auto alias = tensorOf.find(tensor.alias);
      tensor.alias =
          alias != tensorOf.end() && isMade[alias->second] ? alias->second : -1;
      for (const InPlace &pair : step.inPlace)
        if (pair.result == result && tensor.alias >= 0)
          inPlace.push_back({own, tensorOf.at(pair.operand)});
      tensorOf[result] = own;
      problem.tensors.push_back(tensor);
      isMade.push_back(true);
      result = own;
    }
    step.inPlace = std::move(inPlace);
    if (!mayRecompute)
      step.noRecompute = "after the peak";
    problem.steps.push_back(std::move(step));
  }
}

/// A step that takes no time.
StepId BlockModel::addMoment(const std::vector<TensorId> &read) {
  Step &step = problem.steps.emplace_back();
  step.operands = read;
  step.noRecompute = "a moment";
  return static_cast<StepId>(problem.steps.size()) - 1;
}

BlockMeasures BlockModel::measure(const Decisions &choice) {
  Decisions decisions = base;
  for (size_t i = 0; i < choice.size(); ++i)
    if (placeOf[i] >= 0)
      decisions[placeOf[i]] = choice[i];
  const Outcome &outcome = simulator->run(decisions);
  BlockMeasures measures;
  measures.cost = outcome.cost - costOfBase;
  measures.keptBytes = keptBeside + outcome.windowBytes[peak];
  if (isOpen)
    measures.heldBytes = outcome.windowBytes[later] - outcome.windowBytes[peak];
  for (int32_t i = 0; i < numWindows; ++i) {
    int64_t bytes = elseBytes[i] + outcome.windowBytes[firstWindow + i];
    if (bytes > measures.innerBytes) {
      measures.innerBytes = bytes;
      measures.innerWindow = i;
    }
  }
  return measures;
}

} // namespace remat::solver
