//===- PricedCuts.cpp - Plans for given prices on memory ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/PricedCuts.h"

#include <algorithm>
#include <map>

namespace remat::solver {

PricedCuts::PricedCuts(const GapEncoding &encoding) : encoding(encoding) {
  build();
}

void PricedCuts::build() {
  const Problem &problem = encoding.problem;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  int32_t numGaps = static_cast<int32_t>(encoding.gaps.size());
  TensorId numTensors = static_cast<TensorId>(problem.tensors.size());

  std::vector<char> isOutput(numTensors, false), staysAnyway(numTensors, false);
  for (TensorId output : problem.outputs)
    isOutput[output] = true;
  for (TensorId input : problem.inputs)
    if (problem.tensors[input].kind != TensorKind::Donated)
      staysAnyway[input] = true;
  std::vector<int32_t> lastTouch(numTensors, 0);
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id)
    for (const std::vector<TensorId> *list :
         {&problem.steps[id].operands, &problem.steps[id].results})
      for (TensorId tensor : *list)
        lastTouch[tensor] = encoding.slotOf[id];

  // When a tensor is first wanted after its last touch, to recompute others.
  std::vector<int32_t> wantedAt(numTensors, numSlots);
  for (StepId id = static_cast<StepId>(problem.steps.size()); id-- > 0;) {
    for (TensorId result : problem.steps[id].results) {
      for (int32_t gap = encoding.firstGap[result];
           gap < encoding.firstGap[result + 1]; ++gap) {
        int32_t end = encoding.gaps[gap].endSlot;
        if (end == numSlots)
          end = wantedAt[result];
        for (TensorId operand : problem.steps[id].operands)
          if (end > lastTouch[operand])
            wantedAt[operand] = std::min(wantedAt[operand], end);
      }
    }
  }

  // Nodes. Siblings that are recomputed at the same time share a recipe.
  std::vector<MaxFlow::Node> kept(numGaps, -1), made(numGaps, -1);
  std::map<std::pair<StepId, int32_t>, MaxFlow::Node> recipes;
  for (int32_t gap = 0; gap < numGaps; ++gap) {
    const Gap &where = encoding.gaps[gap];
    const Tensor &tensor = problem.tensors[where.tensor];
    bool isLast = where.endSlot == numSlots;
    // Nothing lies in between: it stays.
    if (!isLast && where.endSlot <= where.beginSlot + 1)
      continue;
    kept[gap] = flow.addNode();
    StepId maker = encoding.maker[where.tensor];
    auto [entry, isNew] =
        recipes.emplace(std::make_pair(maker, where.endSlot), 0);
    if (isNew) {
      entry->second = flow.addNode();
      flow.addArc(entry->second, MaxFlow::sink, problem.steps[maker].cost);
    }
    made[gap] = entry->second;
    bool isWanted = !isLast || isOutput[where.tensor];
    if (isWanted)
      flow.addArc(MaxFlow::source, kept[gap], MaxFlow::infinite);
    // What is overwritten cannot stay.
    bool canStay = !isLast || encoding.overwriter[where.tensor] < 0;
    MaxFlow::Arc arc =
        flow.addArc(kept[gap], made[gap], canStay ? 0 : MaxFlow::infinite);
    int32_t end = isLast && !isOutput[where.tensor] ? wantedAt[where.tensor]
                                                    : where.endSlot;
    int64_t bytes =
        tensor.alias < 0
            ? tensor.bytes
            : problem.tensors[encoding.storageOf[where.tensor]].bytes;
    if (!canStay)
      continue;
    stays.push_back(
        {gap, arc, kept[gap], made[gap], where.beginSlot + 1, end, bytes});
  }

  // What each recipe takes at its time.
  std::map<std::pair<TensorId, int32_t>, MaxFlow::Node> extensions;
  for (auto [key, recipe] : recipes) {
    auto [step, end] = key;
    for (TensorId operand : problem.steps[step].operands) {
      int32_t when = end;
      if (end == numSlots)
        when =
            std::min(end, std::max(lastTouch[operand] + 1,
                                   wantedAt[problem.steps[step].results[0]]));
      int32_t gap = encoding.gapAfter(operand, when - 1);
      if (gap >= 0) {
        if (kept[gap] >= 0)
          flow.addArc(recipe, kept[gap], MaxFlow::infinite);
        continue;
      }
      if (staysAnyway[operand] || encoding.canRegenerate[operand] ||
          lastTouch[operand] + 1 >= when)
        continue;
      // It cannot be recomputed, so it would have to stay for this.
      auto [entry, isNew] =
          extensions.emplace(std::make_pair(operand, when), 0);
      if (isNew) {
        entry->second = flow.addNode();
        MaxFlow::Arc arc = flow.addArc(entry->second, MaxFlow::sink, 0);
        stays.push_back({-1, arc, entry->second, MaxFlow::sink,
                         lastTouch[operand] + 1, when,
                         problem.tensors[operand].bytes});
      }
      flow.addArc(recipe, entry->second, MaxFlow::infinite);
    }
  }
}

void PricedCuts::perturb(double amplitude, Random &random) {
  for (Stay &stay : stays)
    stay.weight = 1 + amplitude * (2 * random.uniform() - 1);
}

Decisions PricedCuts::solve(const std::vector<double> &prices) {
  std::vector<double> sum(prices.size() + 1, 0);
  for (size_t i = 0; i < prices.size(); ++i)
    sum[i + 1] = sum[i] + prices[i];
  // Far below the infinite capacity, far above any sum of costs that matters.
  constexpr double largest = 1e15;
  for (const Stay &stay : stays) {
    int32_t end = std::max(stay.begin, stay.end);
    double price = stay.weight * static_cast<double>(stay.bytes) *
                   (sum[end] - sum[stay.begin]);
    flow.setCapacity(stay.arc, static_cast<int64_t>(std::min(price, largest)));
  }
  flow.run();
  Decisions decisions = encoding.retainAll();
  for (const Stay &stay : stays) {
    if (stay.gap < 0)
      continue;
    // What nobody wants goes; of the rest, what is recomputed.
    bool isDropped =
        !flow.isOnSourceSide(stay.node) || flow.isOnSourceSide(stay.recipe);
    decisions[stay.gap] = isDropped ? 0 : retain;
  }
  return decisions;
}

} // namespace remat::solver
