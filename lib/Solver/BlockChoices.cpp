//===- BlockChoices.cpp - Ways to hold less of a stretch of blocks --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockChoices.h"

#include <algorithm>

namespace remat::solver {
namespace {

/// The most steps by which an inner peak is lowered.
constexpr int maxSteps = 12;
/// The most times that a tensor is made for the moment.
constexpr int16_t maxMoments = 3;

} // namespace

BlockExplorer::BlockExplorer(const GapEncoding &encoding, Simulator &simulator,
                             Budget &budget, int32_t peakSlot,
                             const Decisions &base, int64_t quantumBytes,
                             int64_t freeInnerBytes)
    : encoding(encoding), simulator(simulator), budget(budget),
      peakSlot(peakSlot), base(base), quantumBytes(quantumBytes),
      freeInnerBytes(freeInnerBytes) {
  takeSimulator();
  bytesOfBase = simulator.lastOutcome().windowBytes;
  costOfBase = simulator.lastOutcome().cost;
}

void BlockExplorer::takeSimulator() { simulator.setBase(base); }

/// Whether anything reads the segment behind the peak.
bool BlockExplorer::enter(const Segment &which) {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  segment = &which;
  beginWindow = numSlots;
  endWindow = peakSlot;
  auto include = [&](int32_t gap) {
    int32_t end = encoding.gaps[gap].endSlot;
    if (end == numSlots)
      return;
    beginWindow = std::min(beginWindow, end);
    endWindow = std::max(endWindow, end);
  };
  for (int32_t gap : segment->gaps)
    include(gap);
  if (segment->boundaryGap >= 0)
    include(segment->boundaryGap);
  return beginWindow < numSlots;
}

/// All that the measures depend on: the steps that may run again, relative to
/// the first of them, when the gaps end, and the memory at the time.
BlockExplorer::Shape BlockExplorer::shape() const {
  const Problem &problem = encoding.problem;
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  Shape shape;
  int32_t firstGap =
      segment->gaps.empty() ? segment->boundaryGap : segment->gaps.front();
  TensorId firstTensor = encoding.gaps[firstGap].tensor;
  for (int32_t gap : segment->gaps) {
    const Gap &where = encoding.gaps[gap];
    const Step &step = problem.steps[encoding.maker[where.tensor]];
    shape.insert(shape.end(),
                 {where.tensor - firstTensor,
                  problem.tensors[where.tensor].bytes, step.cost,
                  where.endSlot == numSlots ? -1 : where.endSlot - beginWindow,
                  static_cast<int64_t>(step.operands.size())});
    for (TensorId operand : step.operands)
      shape.push_back(encoding.canRegenerate[operand] ? operand - firstTensor
                                                      : 0);
  }
  for (int32_t window = beginWindow; window <= endWindow; ++window)
    shape.push_back(bytesOfBase[window] - segment->earlierBytes);
  return shape;
}

BlockExplorer::Kind &BlockExplorer::kind() {
  Kind &kind = kinds[shape()];
  if (kind.front.empty()) {
    kind.example = *segment;
    Node keepAll;
    for (int32_t gap : segment->gaps)
      keepAll.decisions.push_back(base[gap]);
    keepAll.decisions.resize(
        segment->gaps.size() + (endWindow - beginWindow + 1), retain);
    evaluate(keepAll);
    kind.seen.insert(keepAll.decisions);
    kind.front.push_back(std::move(keepAll));
  }
  return kind;
}

Changes BlockExplorer::changesOf(const Decisions &decisions) const {
  Changes changes;
  size_t numGaps = segment->gaps.size();
  for (size_t i = 0; i < decisions.size(); ++i) {
    int32_t at =
        i < numGaps
            ? segment->gaps[i]
            : encoding.tearOf(beginWindow + static_cast<int32_t>(i - numGaps));
    if (decisions[i] != base[at])
      changes.emplace_back(at, decisions[i]);
  }
  return changes;
}

void BlockExplorer::evaluate(Node &node) {
  const Outcome &outcome = simulator.tryChanges(changesOf(node.decisions));
  node.keptBytes = segment->keptBytes + outcome.windowBytes[peakSlot] -
                   bytesOfBase[peakSlot];
  node.cost = outcome.cost - costOfBase;
  auto begin = outcome.windowBytes.begin() + beginWindow;
  auto highest =
      std::max_element(begin, outcome.windowBytes.begin() + endWindow + 1);
  node.innerWindow = static_cast<int32_t>(highest - begin);
  node.innerBytes = *highest - segment->earlierBytes;
}

bool BlockExplorer::dominates(const Node &a, const Node &b) const {
  return a.cost <= b.cost &&
         a.keptBytes / quantumBytes <= b.keptBytes / quantumBytes &&
         a.innerBytes / quantumBytes <= b.innerBytes / quantumBytes;
}

bool BlockExplorer::add(Kind &kind, Node node) {
  for (const Node &other : kind.front)
    if (dominates(other, node))
      return false;
  auto isWorse = [&](const Node &other) { return dominates(node, other); };
  kind.front.erase(
      std::remove_if(kind.front.begin(), kind.front.end(), isWorse),
      kind.front.end());
  kind.front.push_back(std::move(node));
  return true;
}

void BlockExplorer::addSeed(const Segment &which, const Decisions &plan) {
  if (!enter(which) || budget.isSpent())
    return;
  Kind &same = kind();
  Node node;
  for (int32_t gap : segment->gaps)
    node.decisions.push_back(plan[gap]);
  node.decisions.resize(segment->gaps.size() + (endWindow - beginWindow + 1),
                        retain);
  if (!same.seen.insert(node.decisions).second)
    return;
  evaluate(node);
  add(same, std::move(node));
}

std::vector<Decisions> BlockExplorer::movesOf(const Node &node) const {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  size_t numGaps = segment->gaps.size();
  std::vector<Decisions> moves;
  auto add = [&](size_t i, int16_t decision) {
    moves.push_back(node.decisions);
    moves.back()[i] = decision;
  };
  int32_t highest = beginWindow + node.innerWindow;
  for (size_t i = 0; i < numGaps; ++i) {
    int32_t end = encoding.gaps[segment->gaps[i]].endSlot;
    int16_t decision = node.decisions[i];
    if (end < highest)
      continue;
    add(i, decision == retain ? int16_t(0) : retain);
    if (decision != retain && decision < maxMoments && end < numSlots)
      add(i, static_cast<int16_t>(decision + 1));
  }
  size_t tear = numGaps + node.innerWindow;
  if (encoding.hasGroups() && node.decisions[tear] == retain)
    add(tear, 0);
  return moves;
}

/// Goes from `node` to ever lower inner peaks.
void BlockExplorer::lower(Kind &same, Node node) {
  for (int step = 0; step < maxSteps && node.innerBytes > freeInnerBytes;
       ++step) {
    Node best;
    double bestRatio = 0;
    for (Decisions &move : movesOf(node)) {
      if (budget.isSpent())
        return;
      Node after;
      after.decisions = std::move(move);
      evaluate(after);
      double removed = static_cast<double>(node.innerBytes - after.innerBytes);
      // What stays over the peak has its price as well: as much as what the
      // choice itself pays for a byte would do.
      double kept = static_cast<double>(
          std::max<int64_t>(0, after.keptBytes - node.keptBytes));
      if (removed <= 0)
        continue;
      double ratio =
          (removed - kept) /
          std::max<double>(1.0, static_cast<double>(after.cost - node.cost));
      if (same.seen.insert(after.decisions).second)
        add(same, after);
      if (ratio > bestRatio) {
        bestRatio = ratio;
        best = std::move(after);
      }
    }
    if (bestRatio <= 0)
      return;
    node = std::move(best);
  }
}

void BlockExplorer::lowerInnerPeaks() {
  for (auto &[shape, same] : kinds) {
    enter(same.example);
    std::vector<Node> starts = same.front;
    for (Node &start : starts)
      lower(same, std::move(start));
  }
}

std::vector<BlockChoice> BlockExplorer::choicesOf(const Segment &which) {
  std::vector<BlockChoice> choices;
  if (!enter(which)) {
    choices.emplace_back();
    return choices;
  }
  for (const Node &node : kind().front)
    choices.push_back({changesOf(node.decisions), node.keptBytes,
                       node.innerBytes, node.cost});
  std::stable_sort(choices.begin(), choices.end(),
                   [](const BlockChoice &a, const BlockChoice &b) {
                     return a.keptBytes > b.keptBytes;
                   });
  return choices;
}

} // namespace remat::solver
