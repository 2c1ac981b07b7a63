//===- ProofFacts.cpp - What the proof checkers know of a problem ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proof/ProofFacts.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

ProofFacts::ProofFacts(const Problem &problem)
    : problem(problem), maker(problem.tensors.size(), -1),
      overwriter(problem.tensors.size(), numSteps()) {
  assert(!check(problem) && "proofs are about well-formed problems");
  for (StepId step = 0; step < numSteps(); ++step) {
    for (TensorId result : problem.steps[step].results)
      maker[result] = step;
    for (const InPlace &pair : problem.steps[step].inPlace)
      overwriter[pair.operand] = step;
  }
}

std::string ProofFacts::nameOf(TensorId tensor) const {
  return "tensor " + std::to_string(problem.tensors[tensor].label);
}

std::string ProofFacts::nameOfStep(StepId step) const {
  return step < 0 ? "nothing"
                  : "step " + std::to_string(problem.steps[step].label);
}

bool ProofFacts::contains(const std::vector<TensorId> &list, TensorId tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

bool ProofFacts::isStorage(TensorId storage) const {
  return storage >= 0 && storage < numTensors() &&
         problem.tensors[storage].alias < 0;
}

bool ProofFacts::isFixed(TensorId storage, StepId step,
                         bool isInFirstSlot) const {
  assert(isStorage(storage) && step >= 0 && step <= numSteps());
  for (TensorId input : problem.inputs)
    if (problem.storageRoot(input) == storage &&
        (isInFirstSlot || problem.tensors[input].kind != TensorKind::Donated))
      return true;
  if (step == numSteps()) {
    for (TensorId output : problem.outputs)
      if (problem.storageRoot(output) == storage)
        return true;
    return false;
  }
  for (const std::vector<TensorId> *list :
       {&problem.steps[step].operands, &problem.steps[step].results})
    for (TensorId tensor : *list)
      if (problem.storageRoot(tensor) == storage)
        return true;
  return false;
}

bool ProofFacts::isLost(TensorId tensor, StepId when) const {
  StepId step = overwriter[tensor];
  return step <= when && step < numSteps() &&
         (maker[tensor] < 0 || !canRunAgain(maker[tensor], step));
}

bool ProofFacts::canRunAgain(StepId step, StepId when) const {
  assert(step >= 0 && step < numSteps());
  if (!problem.steps[step].mayRecompute())
    return false;
  for (TensorId operand : problem.steps[step].operands)
    if (isLost(operand, when))
      return false;
  return true;
}

bool ProofFacts::isInChainOf(TensorId made, TensorId tensor) const {
  for (; tensor >= 0; tensor = problem.tensors[tensor].alias)
    if (tensor == made)
      return true;
  return false;
}

ProofFacts::Wide ProofFacts::weightOf(Wide bytes, Wide divisor, Wide excess) {
  assert(divisor >= 0 && "checked before weights are used");
  if (divisor == 0)
    return bytes;
  assert(excess > 0 && "nothing is rounded where nothing must be dropped");
  Wide r = excess % divisor;
  Wide rest = (bytes % divisor + divisor) % divisor;
  return r * ((bytes - rest) / divisor) + std::min(r, rest);
}

ProofFacts::Wide ProofFacts::totalCost() const {
  Wide cost = 0;
  for (const Step &step : problem.steps)
    cost += step.cost;
  return cost;
}

} // namespace remat::solver
