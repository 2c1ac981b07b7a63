//===- MomentInequalities.cpp - Sums of inequalities over moments ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proof/MomentInequalities.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

using Error = ProofError;
using Wide = ProofFacts::Wide;

static long double sizeOf(Wide number) {
  return static_cast<long double>(number < 0 ? -number : number);
}

MomentInequalities::MomentInequalities(const Problem &problem,
                                       const MomentProof &proof,
                                       int64_t capBytes)
    : ProofFacts(problem), proof(proof), capBytes(capBytes),
      end(static_cast<int32_t>(proof.moments.size())) {}

Error MomentInequalities::checkNumbers() {
  if (proof.moments.empty())
    return "there are no moments";
  if (proof.moments.size() > problem.steps.size())
    return "there are more moments than steps";
  for (size_t i = 0; i < proof.moments.size(); ++i)
    if (proof.moments[i] < 0 || proof.moments[i] >= numSteps() ||
        (inOrder() && i > 0 && proof.moments[i] <= proof.moments[i - 1]))
      return "the moments are not steps in the order of the schedule";
  if (proof.scale < 1 || proof.weightScale < 1)
    return "scales are not below 1";
  // Costs are counted at most once for each stretch between two moments.
  if (sizeOf(proof.scale) * sizeOf(proof.weightScale) *
          (sizeOf(totalCost()) + 1) * sizeOf(end) >
      limit)
    return "the scales are too large";
  for (StepId step : proof.moments)
    findSides(step);
  for (const MomentWeights &which : proof.weights)
    if (Error error = checkWeights(which))
      return error;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The variables
//===----------------------------------------------------------------------===//

void MomentInequalities::findSides(StepId moment) {
  std::vector<char> early(numSteps(), false), later(numSteps(), false);
  // Operands are made by earlier steps of the schedule.
  for (StepId step = moment + 1; step < numSteps(); ++step) {
    later[step] = inOrder();
    for (TensorId operand : problem.steps[step].operands)
      if (maker[operand] == moment ||
          (maker[operand] >= 0 && later[maker[operand]]))
        later[step] = true;
  }
  early[moment] = true;
  for (StepId step = moment; step >= 0; --step) {
    if (inOrder())
      early[step] = true;
    if (early[step])
      for (TensorId operand : problem.steps[step].operands)
        if (maker[operand] >= 0)
          early[maker[operand]] = true;
  }
  isEarly.push_back(std::move(early));
  isLater.push_back(std::move(later));
}

/// Whether every plan holds a storage at the moment. The first slot is that of
/// the first step only in the order of the schedule.
bool MomentInequalities::isHeldAlways(TensorId storage, int32_t moment) const {
  StepId step = proof.moments[moment];
  return isFixed(storage, step, /*isInFirstSlot=*/inOrder() && step == 0);
}

/// Whether a step may run again after the moment. Which tensors are overwritten
/// for good is certain only in the order of the schedule.
bool MomentInequalities::mayRunAfter(StepId step, int32_t moment) const {
  return inOrder() ? canRunAgain(step, proof.moments[moment])
                   : problem.steps[step].mayRecompute();
}

/// Adds factor * held(moment, storage) to the left side.
void MomentInequalities::addHeld(int32_t moment, TensorId storage,
                                 Wide factor) {
  assert(moment >= 0 && moment < end && isStorage(storage));
  magnitude += sizeOf(factor);
  if (isHeldAlways(storage, moment))
    atLeast -= factor;
  else if (isMadeEarly(storage, moment))
    sums[{0, moment, 0, storage}] += factor;
}

/// Adds factor * runs(from, to, step) to the left side; -1 is no step.
void MomentInequalities::addRuns(int32_t from, int32_t to, StepId step,
                                 Wide factor) {
  assert(isStretch(from, to) && step < numSteps());
  magnitude += sizeOf(factor);
  if (step >= 0 && mayRunAfter(step, from))
    sums[{1, from, to, step}] += factor;
}

Error MomentInequalities::keyOf(const MomentVariable &variable,
                                Key &key) const {
  int32_t from = variable.from, to = variable.to, id = variable.id;
  bool isVariable = false;
  switch (variable.kind) {
  case MomentVariable::Kind::Held:
    key = {0, from, 0, id};
    isVariable = isStretch(from, end) && isStorage(id) &&
                 !isHeldAlways(id, from) && isMadeEarly(id, from);
    break;
  case MomentVariable::Kind::Runs:
    key = {1, from, to, id};
    isVariable = isStretch(from, to) && isEarlyStep(id, from);
    break;
  case MomentVariable::Kind::Again:
    key = {2, 0, 0, id};
    isVariable = id >= 0 && id < numSteps() && !inOrder();
    break;
  }
  return isVariable ? std::nullopt
                    : Error("a split names something that is not a variable");
}

std::optional<Wide> MomentInequalities::inUnits(Wide cost) const {
  if (sizeOf(cost) * sizeOf(unit()) > limit)
    return std::nullopt;
  return cost * unit();
}

Wide MomentInequalities::costOf(const Key &key) const {
  bool hasCost = inOrder() ? key[0] == 1 && key[2] == key[1] + 1 : key[0] == 2;
  return hasCost ? Wide(problem.steps[key[3]].cost) * unit() : 0;
}

//===----------------------------------------------------------------------===//
// The inequalities
//===----------------------------------------------------------------------===//

Error MomentInequalities::addUp(int32_t sum) {
  if (sum < 0 || static_cast<size_t>(sum) >= proof.sums.size())
    return "a case names a sum that does not exist";
  sums.clear();
  atLeast = 0;
  magnitude = 0;
  for (const MomentAmount &each : proof.sums[sum])
    if (Error error = addInequality(each))
      return error;
  return std::nullopt;
}

Error MomentInequalities::addInequality(const MomentAmount &each) {
  if (each.amount < 0)
    return "amounts are not negative";
  Wide factor = Wide(each.amount) * proof.weightScale;
  if (magnitude + 4 * sizeOf(factor) > limit)
    return "the amounts are too large";
  switch (each.kind) {
  case MomentAmount::Kind::Read:
    return addRead(each, factor);
  case MomentAmount::Kind::Stay:
    return addStay(each, factor);
  case MomentAmount::Kind::Part:
    return addPart(each, factor);
  case MomentAmount::Kind::Again:
    return addAgain(each, factor);
  case MomentAmount::Kind::Weight:
    return addWeight(each);
  }
  return "there is no such inequality";
}

/// Whether a first execution in the stretch, or the end, needs `made`.
bool MomentInequalities::isReadInStretch(TensorId made, int32_t from,
                                         int32_t to) const {
  auto needs = [&](const std::vector<TensorId> &list) {
    return std::any_of(list.begin(), list.end(), [&](TensorId tensor) {
      return isMadeEarly(tensor, from) && isInChainOf(made, tensor);
    });
  };
  StepId last = to == end ? numSteps() - 1 : proof.moments[to];
  for (StepId step = 0; step <= last; ++step)
    if (isLater[from][step] && needs(problem.steps[step].operands))
      return true;
  return to == end && needs(problem.outputs);
}

Error MomentInequalities::addRead(const MomentAmount &each, Wide factor) {
  if (!isStretch(each.from, each.to) || each.id < 0 ||
      each.id >= numTensors() || each.reader >= numSteps())
    return "a read names something that does not exist";
  if (each.reader >= 0) {
    if (!isEarlyStep(each.reader, each.from))
      return nameOfStep(each.reader) + " is not yet executed at the moment";
    const std::vector<TensorId> &operands = problem.steps[each.reader].operands;
    if (std::none_of(operands.begin(), operands.end(), [&](TensorId tensor) {
          return isInChainOf(each.id, tensor);
        }))
      return nameOfStep(each.reader) + " does not read " + nameOf(each.id);
    addRuns(each.from, each.to, each.reader, -factor);
  } else {
    if (!isReadInStretch(each.id, each.from, each.to))
      return nameOf(each.id) + " is not read in the stretch";
    atLeast += factor;
    magnitude += sizeOf(factor);
  }
  addHeld(each.from, problem.storageRoot(each.id), factor);
  addRuns(each.from, each.to, maker[each.id], factor);
  return std::nullopt;
}

Error MomentInequalities::addStay(const MomentAmount &each, Wide factor) {
  if (!isStretch(each.from, each.to) || each.to == end || !isStorage(each.id) ||
      !isMadeEarly(each.id, each.from))
    return "a stay names a storage that cannot stay";
  addHeld(each.from, each.id, factor);
  addRuns(each.from, each.to, maker[each.id], factor);
  addHeld(each.to, each.id, -factor);
  return std::nullopt;
}

Error MomentInequalities::addPart(const MomentAmount &each, Wide factor) {
  if (!isStretch(each.from, each.middle) || !isStretch(each.middle, each.to) ||
      !isEarlyStep(each.id, each.from))
    return "a part names a stretch that cannot be divided";
  addRuns(each.from, each.middle, each.id, factor);
  addRuns(each.middle, each.to, each.id, factor);
  addRuns(each.from, each.to, each.id, -factor);
  return std::nullopt;
}

Error MomentInequalities::addAgain(const MomentAmount &each, Wide factor) {
  if (inOrder() || !isStretch(each.from, each.to) ||
      !isEarlyStep(each.id, each.from))
    return "an again names a step that need not run again";
  magnitude += sizeOf(factor);
  sums[{2, 0, 0, each.id}] += factor;
  addRuns(each.from, each.to, each.id, -factor);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Whether the storage takes bytes at the moment if, and only if, it is held.
bool MomentInequalities::hasWeight(TensorId storage, int32_t moment) const {
  return problem.tensors[storage].alias < 0 && !isHeldAlways(storage, moment) &&
         isMadeEarly(storage, moment);
}

Error MomentInequalities::checkWeights(const MomentWeights &which) const {
  if (which.moment < 0 || which.moment >= end || which.divisor < 0 ||
      (which.divisor == 0 && !which.storages.empty()))
    return "weights name something that does not exist";
  for (size_t i = 0; i < which.storages.size(); ++i)
    if (!isStorage(which.storages[i]) ||
        !hasWeight(which.storages[i], which.moment) ||
        (i > 0 && which.storages[i] <= which.storages[i - 1]))
      return "weights name a storage without weight, or one twice";
  if (which.divisor > 0 && excessOf(which) <= 0)
    return "nothing must be dropped, so there is nothing to round";
  return std::nullopt;
}

/// E, or the fixed bytes minus the cap without a divisor.
Wide MomentInequalities::excessOf(const MomentWeights &which) const {
  StepId step = proof.moments[which.moment];
  Wide excess = Wide(problem.steps[step].workspaceBytes) - capBytes;
  for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
    if (problem.tensors[tensor].alias < 0 && isHeldAlways(tensor, which.moment))
      excess += problem.tensors[tensor].bytes;
  for (TensorId storage : which.storages)
    excess += problem.tensors[storage].bytes;
  return excess;
}

Error MomentInequalities::addWeight(const MomentAmount &each) {
  if (each.id < 0 || static_cast<size_t>(each.id) >= proof.weights.size())
    return "a weight names weights that do not exist";
  const MomentWeights &which = proof.weights[each.id];
  Wide factor = each.amount, g = which.divisor, excess = excessOf(which);
  // No weight exceeds its bytes and the divisor together.
  long double most = sizeOf(excess) + sizeOf(g);
  for (const Tensor &tensor : problem.tensors)
    most += 2 * (sizeOf(tensor.bytes) + sizeOf(g));
  if (magnitude + most * sizeOf(factor) > limit)
    return "the amounts are too large";
  magnitude += most * sizeOf(factor);
  atLeast += factor * weightOf(excess, g, excess);
  for (TensorId storage = 0; storage < numTensors(); ++storage) {
    if (!hasWeight(storage, which.moment))
      continue;
    Wide bytes = problem.tensors[storage].bytes;
    if (contains(which.storages, storage)) {
      atLeast -= factor * weightOf(bytes, g, excess);
      addHeld(which.moment, storage, -factor * weightOf(bytes, g, excess));
    } else {
      addHeld(which.moment, storage, factor * weightOf(-bytes, g, excess));
    }
  }
  return std::nullopt;
}

} // namespace remat::solver
