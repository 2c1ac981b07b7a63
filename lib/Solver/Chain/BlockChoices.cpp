//===- BlockChoices.cpp - Ways to hold less of a block --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/BlockChoices.h"

#include <algorithm>

namespace remat::solver {
BlockExplorer::BlockExplorer(const GapEncoding &encoding, Simulator &simulator,
                             Budget &budget, const Decisions &base,
                             std::vector<int64_t> bytesOfBase,
                             int64_t quantumBytes, int maxMoments)
    : encoding(encoding), simulator(simulator), budget(budget), base(base),
      bytesOfBase(std::move(bytesOfBase)), quantumBytes(quantumBytes),
      maxMoments(maxMoments) {}

/// All that the measures depend on: the steps that may run again, relative to
/// the first of them, when the gaps end, and the memory at the time.
BlockExplorer::Shape BlockExplorer::shapeOf(const BlockScope &block) const {
  const Problem &problem = encoding.problem;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  Shape shape;
  TensorId firstTensor = 0;
  for (StepId step = encoding.slots[block.endSlot - 1].end - 1;
       step >= encoding.slots[block.beginSlot].begin; --step)
    if (!problem.steps[step].results.empty())
      firstTensor = problem.steps[step].results.front();
  for (int32_t gap : block.gaps) {
    const Gap &where = encoding.gaps[gap];
    const Step &step = problem.steps[encoding.maker[where.tensor]];
    shape.insert(
        shape.end(),
        {where.tensor - firstTensor, problem.tensors[where.tensor].bytes,
         step.cost,
         where.endSlot == numSlots ? -1 : where.endSlot - block.beginWindow,
         static_cast<int64_t>(step.operands.size())});
    for (TensorId operand : step.operands)
      shape.push_back(encoding.canRegenerate[operand] ? operand - firstTensor
                                                      : 0);
  }
  for (int32_t window = block.beginWindow; window < block.endWindow; ++window)
    shape.push_back(bytesOfBase[window] - block.earlierBytes);
  if (block.nextGap >= 0)
    shape.insert(
        shape.end(),
        {encoding.gaps[block.nextGap].tensor - firstTensor, block.isOpen});
  return shape;
}

BlockExplorer::Kind &BlockExplorer::kindOf(const BlockScope &block) {
  Kind &kind = kinds[shapeOf(block)];
  if (!kind.model) {
    kind.example = block;
    kind.model =
        std::make_unique<BlockModel>(encoding, block, base, bytesOfBase);
    kind.waysTo = findWaysTo(block);
    Decisions keepAll;
    for (int32_t gap : block.gaps)
      keepAll.push_back(base[gap]);
    consider(kind, std::move(keepAll));
  }
  return kind;
}

std::vector<std::vector<size_t>>
BlockExplorer::findWaysTo(const BlockScope &block) const {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  std::map<TensorId, size_t> passing;
  for (size_t i = 0; i < block.gaps.size(); ++i)
    if (const Gap &gap = encoding.gaps[block.gaps[i]]; gap.endSlot == numSlots)
      passing[gap.tensor] = i;
  std::vector<std::vector<size_t>> waysTo;
  for (int32_t gap : block.gaps) {
    std::vector<size_t> &way = waysTo.emplace_back();
    std::vector<TensorId> work = {encoding.gaps[gap].tensor};
    while (!work.empty()) {
      const Step &step = encoding.problem.steps[encoding.maker[work.back()]];
      work.pop_back();
      for (TensorId operand : step.operands) {
        auto found = passing.find(operand);
        if (found == passing.end() ||
            std::find(way.begin(), way.end(), found->second) != way.end())
          continue;
        way.push_back(found->second);
        work.push_back(operand);
      }
    }
  }
  return waysTo;
}

Changes BlockExplorer::changesOf(const BlockScope &block,
                                 const Decisions &decisions) const {
  Changes changes;
  size_t numGaps = block.gaps.size();
  for (size_t i = 0; i < decisions.size(); ++i) {
    int32_t at = i < numGaps
                     ? block.gaps[i]
                     : encoding.splitOf(block.beginWindow +
                                        static_cast<int32_t>(i - numGaps));
    if (decisions[i] != base[at])
      changes.emplace_back(at, decisions[i]);
  }
  return changes;
}

bool BlockExplorer::dominates(const BlockMeasures &a,
                              const BlockMeasures &b) const {
  return a.cost <= b.cost &&
         a.heldBytes / quantumBytes <= b.heldBytes / quantumBytes &&
         a.keptBytes / quantumBytes <= b.keptBytes / quantumBytes &&
         a.innerBytes / quantumBytes <= b.innerBytes / quantumBytes;
}

void BlockExplorer::consider(Kind &kind, Decisions decisions) {
  const BlockScope &block = kind.example;
  size_t numGaps = block.gaps.size();
  decisions.resize(numGaps + (block.endWindow - block.beginWindow), retain);
  if (block.isOpen)
    decisions[numGaps - 1] = 0;
  if (!kind.seen.insert(decisions).second)
    return;
  int64_t before = kind.model->numExecutions();
  Node node;
  node.measures = kind.model->measure(decisions);
  node.decisions = std::move(decisions);
  simulator.numExecutions += kind.model->numExecutions() - before;
  for (const Node &other : kind.front)
    if (dominates(other.measures, node.measures))
      return;
  auto isWorse = [&](const Node &other) {
    return dominates(node.measures, other.measures);
  };
  kind.front.erase(
      std::remove_if(kind.front.begin(), kind.front.end(), isWorse),
      kind.front.end());
  kind.front.push_back(std::move(node));
}

void BlockExplorer::addSeed(const BlockScope &block, const Decisions &plan) {
  if (!hasChoice(block) || budget.isSpent())
    return;
  Decisions decisions;
  for (int32_t gap : block.gaps)
    decisions.push_back(plan[gap]);
  consider(kindOf(block), std::move(decisions));
}

std::vector<Decisions> BlockExplorer::movesOf(const Kind &kind,
                                              const Node &node) const {
  const BlockScope &block = kind.example;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  size_t numGaps = block.gaps.size();
  std::vector<Decisions> moves;
  auto add = [&](size_t i, int16_t decision) {
    moves.push_back(node.decisions);
    moves.back()[i] = decision;
  };
  for (size_t i = 0; i < numGaps; ++i) {
    int16_t decision = node.decisions[i];
    add(i, decision == retain ? int16_t(0) : retain);
    // A plan that choices come from may repeat more often.
    if (decision == retain || decision >= maxMoments ||
        encoding.gaps[block.gaps[i]].endSlot == numSlots)
      continue;
    add(i, static_cast<int16_t>(decision + 1));
    // What it is made from would stay in its place.
    if (kind.waysTo[i].empty())
      continue;
    moves.push_back(moves.back());
    for (size_t other : kind.waysTo[i])
      if (int16_t &its = moves.back()[other]; its != retain)
        its = std::max(its, static_cast<int16_t>(decision + 1));
  }
  size_t split = numGaps + node.measures.innerWindow;
  if (encoding.hasGroups() && split < node.decisions.size() &&
      node.decisions[split] == retain)
    add(split, 0);
  return moves;
}

void BlockExplorer::explore(Kind &same, int64_t executions) {
  int64_t end = simulator.numExecutions + executions;
  while (true) {
    auto node = std::find_if(same.front.begin(), same.front.end(),
                             [](const Node &node) { return !node.isExplored; });
    if (node == same.front.end())
      return;
    node->isExplored = true;
    for (Decisions &move : movesOf(same, *node)) {
      if (simulator.numExecutions >= end || budget.isSpent())
        return;
      consider(same, std::move(move));
    }
  }
}

void BlockExplorer::explore(int64_t executions) {
  std::vector<Kind *> order;
  for (auto &[shape, same] : kinds)
    order.push_back(&same);
  std::stable_sort(order.begin(), order.end(), [](Kind *a, Kind *b) {
    return a->example.gaps.size() < b->example.gaps.size();
  });
  int64_t end = simulator.numExecutions + executions;
  for (size_t i = 0; i < order.size(); ++i) {
    int64_t left = end - simulator.numExecutions;
    explore(*order[i], left / static_cast<int64_t>(order.size() - i));
  }
}

std::vector<BlockChoice> BlockExplorer::choicesOf(const BlockScope &block) {
  std::vector<BlockChoice> choices;
  if (!hasChoice(block)) {
    choices.emplace_back();
    return choices;
  }
  for (const Node &node : kindOf(block).front)
    choices.push_back({changesOf(block, node.decisions), node.measures});
  std::stable_sort(choices.begin(), choices.end(),
                   [](const BlockChoice &a, const BlockChoice &b) {
                     return a.measures.keptBytes > b.measures.keptBytes;
                   });
  return choices;
}

} // namespace remat::solver
