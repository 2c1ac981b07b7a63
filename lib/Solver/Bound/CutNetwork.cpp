//===- CutNetwork.cpp - What to hold at one step, by minimum cuts ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/CutNetwork.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {

CutNetwork::CutNetwork(const ProblemIndex &index, StepId step)
    : step(step), index(index) {
  assert(step >= 0 && static_cast<size_t>(step) < index.problem.steps.size());
  const Problem &problem = index.problem;
  TensorId numTensors = static_cast<TensorId>(problem.tensors.size());
  std::vector<char> isFixed = index.isPermanent;
  for (const std::vector<TensorId> *list :
       {&problem.steps[step].operands, &problem.steps[step].results})
    for (TensorId tensor : *list)
      isFixed[index.storageOf[tensor]] = true;
  // The first slot holds all inputs.
  if (step == 0)
    for (TensorId input : problem.inputs)
      isFixed[index.storageOf[input]] = true;
  fixedBytes = problem.steps[step].workspaceBytes;
  for (TensorId tensor = 0; tensor < numTensors; ++tensor)
    if (isFixed[tensor])
      fixedBytes += problem.tensors[tensor].bytes;

  // From what is read later to everything that recomputing it may need.
  constexpr MaxFlow::Node none = -1;
  std::vector<MaxFlow::Node> needed(numTensors, none);
  for (TensorId tensor = 0; tensor < numTensors; ++tensor) {
    TensorId storage = index.storageOf[tensor];
    if (isReadLater(tensor) && !isFixed[storage] && needed[storage] == none)
      addHeld(storage, /*isReadLater=*/true, needed);
  }
  std::vector<MaxFlow::Node> nodeOf(problem.steps.size(), none);
  for (size_t at = 0; at < held.size(); ++at) {
    for (StepId maker : makersToRepeat(held[at].storage)) {
      // No step makes an input: its storage is held at any price.
      MaxFlow::Node to = maker < 0 ? MaxFlow::sink : nodeOf[maker];
      bool isNew = to == none;
      if (isNew)
        to = nodeOf[maker] = network.addNode();
      fromStorage.push_back(
          {held[at].storage, maker,
           network.addArc(held[at].remade, to, MaxFlow::infinite)});
      if (!isNew)
        continue;
      bool isOnceOnly = index.isOnceOnly(maker, step);
      repeated.push_back({maker, to,
                          network.addArc(to, MaxFlow::sink,
                                         isOnceOnly ? MaxFlow::infinite : 0),
                          isOnceOnly});
      if (isOnceOnly)
        continue;
      for (TensorId operand : problem.steps[maker].operands) {
        TensorId storage = index.storageOf[operand];
        if (isFixed[storage] || index.onlyStorageOf[maker] == storage)
          continue;
        if (needed[storage] == none)
          addHeld(storage, /*isReadLater=*/false, needed);
        // What is read later is needed anyway.
        if (needed[storage] != MaxFlow::source)
          toStorage.push_back(
              {storage, maker,
               network.addArc(to, needed[storage], MaxFlow::infinite)});
      }
    }
  }
}

/// Adds a storage; needed[storage] becomes the tail of the arc of its price.
void CutNetwork::addHeld(TensorId storage, bool isReadLater,
                         std::vector<MaxFlow::Node> &needed) {
  needed[storage] = isReadLater ? MaxFlow::source : network.addNode();
  MaxFlow::Node remade = network.addNode();
  int64_t bytes = index.problem.tensors[storage].bytes;
  held.push_back({storage, remade, network.addArc(needed[storage], remade, 0),
                  isReadLater, bytes});
  if (isReadLater)
    readLaterBytes += bytes;
}

/// The makers, from the owner of the storage on, that are certain to run again
/// if any tensor in it is read and the storage is not held; -1 stands for an
/// input.
std::vector<StepId> CutNetwork::makersToRepeat(TensorId storage) const {
  auto makersOf = [&](TensorId tensor) {
    std::vector<StepId> makers;
    for (; tensor >= 0; tensor = index.problem.tensors[tensor].alias)
      makers.push_back(index.maker[tensor]);
    std::reverse(makers.begin(), makers.end());
    return makers;
  };
  std::vector<StepId> common, certain;
  bool isFirst = true;
  for (TensorId tensor : index.members[storage]) {
    bool later = isReadLater(tensor);
    if (!later && (!isEarly(tensor) || index.firstOutsideRead[tensor] > step))
      continue;
    std::vector<StepId> makers = makersOf(tensor);
    if (later)
      certain.insert(certain.end(), makers.begin(), makers.end());
    size_t length = isFirst ? makers.size() : 0;
    while (!isFirst && length < std::min(common.size(), makers.size()) &&
           common[length] == makers[length])
      ++length;
    common.assign(makers.begin(), makers.begin() + length);
    isFirst = false;
  }
  certain.insert(certain.end(), common.begin(), common.end());
  std::sort(certain.begin(), certain.end());
  certain.erase(std::unique(certain.begin(), certain.end()), certain.end());
  return certain;
}

/// The most that one finite capacity may be, so that all together stay below
/// 2^60. A capacity below the true one weakens a bound but keeps it valid.
static int64_t capacityLimit(const ProblemIndex &index) {
  return (int64_t(1) << 59) /
         static_cast<int64_t>(index.problem.tensors.size() + 1);
}

int64_t CutNetwork::maxCostScale(const ProblemIndex &index) {
  constexpr int64_t fineEnough = int64_t(1) << 30;
  int64_t scale = capacityLimit(index) / std::max<int64_t>(1, index.totalCost);
  return std::clamp<int64_t>(scale, 1, fineEnough);
}

int64_t roundedWeight(int64_t bytes, int64_t divisor, int64_t remainder) {
  assert(divisor > 0 && remainder >= 0 && remainder < divisor);
  int64_t quotient = bytes / divisor;
  int64_t rest = bytes % divisor;
  if (rest < 0) {
    rest += divisor;
    --quotient;
  }
  return remainder * quotient + std::min(remainder, rest);
}

void CutNetwork::setRounding(int64_t excessBytes, int64_t divisor) {
  assert(divisor >= 0 && (divisor == 0 || excessBytes > 0));
  lastDivisor = divisor;
  weightRoom = readLaterBytes - excessBytes;
  int64_t remainder = divisor == 0 ? 0 : excessBytes % divisor;
  if (divisor > 0)
    weightRoom = -roundedWeight(excessBytes, divisor, remainder);
  for (Held &each : held) {
    int64_t bytes = index.problem.tensors[each.storage].bytes;
    if (divisor == 0)
      each.weight = bytes;
    else if (each.isReadLater)
      weightRoom += each.weight = roundedWeight(bytes, divisor, remainder);
    else
      each.weight = -roundedWeight(-bytes, divisor, remainder);
  }
}

std::vector<int64_t> CutNetwork::divisors(size_t maxNumber) const {
  std::vector<int64_t> sizes;
  for (const Held &each : held)
    if (int64_t bytes = index.problem.tensors[each.storage].bytes;
        each.isReadLater && bytes > 0)
      sizes.push_back(bytes);
  std::sort(sizes.begin(), sizes.end());
  // The sum of the bytes of all storages of one size, and the size.
  std::vector<std::pair<int64_t, int64_t>> sums;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i == 0 || sizes[i] != sizes[i - 1])
      sums.push_back({0, sizes[i]});
    sums.back().first += sizes[i];
  }
  std::sort(sums.rbegin(), sums.rend());
  sums.resize(std::min(sums.size(), maxNumber));
  std::vector<int64_t> chosen;
  if (!sizes.empty())
    chosen.push_back(readLaterBytes + 1);
  for (auto [sum, size] : sums)
    chosen.push_back(size);
  return chosen;
}

int64_t CutNetwork::minCut(int64_t price, int64_t costScale) {
  assert(price >= 0 && costScale >= 0 && costScale <= maxCostScale(index) &&
         "flows would exceed 64 bits");
  int64_t limit = capacityLimit(index);
  for (const Held &each : held) {
    assert(each.weight >= 0);
    bool isOverLimit = each.weight > 0 && price > limit / each.weight;
    network.setCapacity(each.price, isOverLimit ? limit : price * each.weight);
  }
  if (costScale != lastScale)
    for (const Repeated &each : repeated)
      if (!each.isOnceOnly)
        network.setCapacity(each.cost,
                            costScale * index.problem.steps[each.step].cost);
  lastPrice = price;
  lastScale = costScale;
  int64_t value = network.run();

  weightHeld = 0;
  costRepeated = 0;
  std::vector<char> isNeeded(index.problem.tensors.size(), false);
  for (const Link &link : toStorage)
    isNeeded[link.storage] |= network.isOnSourceSide(network.tailOf(link.arc));
  for (const Held &each : held)
    if ((each.isReadLater || isNeeded[each.storage]) &&
        !network.isOnSourceSide(each.remade))
      weightHeld += each.weight;
  for (const Repeated &each : repeated)
    if (network.isOnSourceSide(each.node))
      costRepeated += index.problem.steps[each.step].cost;
  return value;
}

std::vector<TensorId> CutNetwork::dropped() const {
  std::vector<TensorId> storages;
  for (const Held &each : held)
    if (network.isOnSourceSide(each.remade))
      storages.push_back(each.storage);
  std::sort(storages.begin(), storages.end());
  return storages;
}

MinCutProof CutNetwork::proof() const {
  assert(lastScale >= 0 && "there is no cut yet");
  MinCutProof proof;
  proof.step = step;
  proof.price = lastPrice;
  proof.costScale = lastScale;
  proof.divisor = lastDivisor;
  auto copy = [&](const std::vector<Link> &links,
                  std::vector<MinCutProof::Flow> &flows) {
    for (const Link &link : links)
      if (int64_t amount = network.flow(link.arc))
        flows.push_back({link.storage, link.step, amount});
  };
  copy(fromStorage, proof.fromStorage);
  copy(toStorage, proof.toStorage);
  return proof;
}

} // namespace remat::solver
