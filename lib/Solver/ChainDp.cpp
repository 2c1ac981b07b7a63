//===- ChainDp.cpp - Checkpoints along a chain of blocks ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainDp.h"
#include "Checkpoints.h"

#include <algorithm>
#include <limits>

namespace remat::solver {
namespace {

constexpr int64_t impossible = std::numeric_limits<int64_t>::max() / 4;

/// More blocks than this are merged, so that the cubic part stays small.
constexpr size_t maxBlocks = 96;

/// Tensors below this share of a quantum and of the largest tensor are kept
/// without being asked: they decide nothing, and would hide narrow places of
/// the chain.
constexpr double smallShareOfQuantum = 1.0 / 4;
constexpr double smallShareOfLargest = 1.0 / 256;

/// Steps that the search for choices in one block may look at. Blocks of a
/// chain need far less; where there is no chain, the whole forward pass is one
/// block.
constexpr int64_t maxVisitsPerBlock = 3'000'000;

bool contains(const std::vector<TensorId> &list, TensorId tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

} // namespace

ChainDp::ChainDp(const GapEncoding &encoding, int32_t peakSlot,
                 int64_t quantumBytes, int numQuanta)
    : encoding(encoding), problem(encoding.problem), peakSlot(peakSlot),
      quantumBytes(std::max<int64_t>(1, quantumBytes)), numQuanta(numQuanta),
      closureOfStep(encoding.problem.steps.size(), 0) {
  findBlocks();
  sweepCostBefore.assign(1, 0);
  for (const Block &block : blocks)
    sweepCostBefore.push_back(sweepCostBefore.back() + block.sweepCost);
  solveAgain();
  solveFirst();
}

int ChainDp::quantaOf(const std::vector<TensorId> &tensors) const {
  int64_t bytes = 0;
  for (TensorId tensor : tensors)
    bytes += problem.tensors[tensor].bytes;
  int64_t quanta = (bytes + quantumBytes - 1) / quantumBytes;
  return static_cast<int>(std::min<int64_t>(quanta, numQuanta + 1));
}

/// Cuts the chain behind every slot over which a single large tensor leads on.
void ChainDp::findBlocks() {
  int64_t largest = 0;
  for (const Tensor &tensor : problem.tensors)
    largest = std::max(largest, tensor.bytes);
  std::vector<NarrowCut> cuts =
      findNarrowCuts(encoding, peakSlot,
                     std::min(smallShareOfQuantum * quantumBytes,
                              smallShareOfLargest * largest));
  // Thin out evenly what would be too many.
  if (cuts.size() >= maxBlocks) {
    for (size_t i = 0; i < maxBlocks; ++i)
      cuts[i] = cuts[i * cuts.size() / maxBlocks];
    cuts.resize(maxBlocks);
  }
  Block block;
  block.begin = 0;
  for (auto [slot, leading] : cuts) {
    block.end = slot + 1;
    fillBlock(block, {leading});
    blocks.push_back(std::move(block));
    block = Block();
    block.begin = slot + 1;
    block.boundary = {leading};
    block.boundaryQuanta = quantaOf(block.boundary);
  }
  block.end = peakSlot + 1;
  fillBlock(block, {});
  blocks.push_back(std::move(block));
}

void ChainDp::fillBlock(Block &block,
                        const std::vector<TensorId> &nextBoundary) {
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  for (int32_t slot = block.begin; slot < block.end; ++slot) {
    auto [begin, end] = encoding.slots[slot];
    for (StepId step = begin; step < end; ++step) {
      for (TensorId result : problem.steps[step].results) {
        int32_t gap = encoding.gapAfter(result, peakSlot);
        // What the peak slot touches is there at the peak in any case.
        if (gap < 0 || contains(nextBoundary, result) ||
            encoding.gaps[gap].beginSlot == peakSlot)
          continue;
        bool isRead = encoding.gaps[gap].endSlot < numSlots;
        (isRead ? block.kept : block.passing).push_back(result);
      }
    }
  }
  block.keptQuanta = quantaOf(block.kept);
  std::vector<char> isThere(problem.tensors.size(), false);
  block.sweepCost = closureCost(block, nextBoundary, isThere, &block.onPath);
  std::sort(block.onPath.begin(), block.onPath.end());
  for (TensorId tensor : block.onPath)
    isThere[tensor] = true;
  block.restCost = closureCost(block, block.kept, isThere, nullptr);
  makeChoices(block);
}

/// The cost to make `wanted` within `block` from its boundary, inputs, earlier
/// blocks and what `isThere`; adds what is made to `made`.
int64_t ChainDp::closureCost(const Block &block,
                             const std::vector<TensorId> &wanted,
                             const std::vector<char> &isThere,
                             std::vector<TensorId> *made) {
  ++currentClosure;
  std::vector<TensorId> work;
  for (TensorId tensor : wanted)
    if (!isThere[tensor])
      work.push_back(tensor);
  int64_t cost = 0;
  while (!work.empty()) {
    StepId id = encoding.maker[work.back()];
    work.pop_back();
    if (id < 0 || encoding.slotOf[id] < block.begin ||
        closureOfStep[id] == currentClosure)
      continue;
    closureOfStep[id] = currentClosure;
    ++numVisits;
    const Step &step = problem.steps[id];
    cost += step.cost;
    if (made)
      made->insert(made->end(), step.results.begin(), step.results.end());
    for (TensorId operand : step.operands)
      if (!isThere[operand] && encoding.canRegenerate[operand])
        work.push_back(operand);
  }
  return cost;
}

/// Gives up one tensor after the other, the one that frees the most bytes for
/// the cost it adds first.
void ChainDp::makeChoices(Block &block) {
  block.choices.push_back({{}, block.keptQuanta, 0});
  std::vector<char> isThere(problem.tensors.size(), false);
  for (TensorId tensor : block.kept)
    isThere[tensor] = true;
  // In a block of very many tensors the sum over all that are still kept would
  // take too long; there the choice is among the first few only.
  constexpr size_t maxTried = 48;
  std::vector<TensorId> kept = block.kept, dropped;
  std::stable_sort(kept.begin(), kept.end(), [&](TensorId a, TensorId b) {
    return problem.tensors[a].bytes > problem.tensors[b].bytes;
  });
  int64_t cost = 0;
  int64_t visitsAllowed = numVisits + maxVisitsPerBlock;
  while (!kept.empty() && dropped.size() < 4 * maxTried &&
         numVisits < visitsAllowed) {
    size_t best = 0;
    double bestRatio = -1;
    int64_t bestCost = 0;
    for (size_t i = 0; i < std::min(kept.size(), maxTried); ++i) {
      isThere[kept[i]] = false;
      dropped.push_back(kept[i]);
      int64_t newCost = closureCost(block, dropped, isThere, nullptr);
      dropped.pop_back();
      isThere[kept[i]] = true;
      double ratio = static_cast<double>(problem.tensors[kept[i]].bytes) /
                     static_cast<double>(newCost - cost + 1);
      if (ratio > bestRatio) {
        best = i;
        bestRatio = ratio;
        bestCost = newCost;
      }
    }
    isThere[kept[best]] = false;
    dropped.push_back(kept[best]);
    kept.erase(kept.begin() + best);
    cost = bestCost;
    block.choices.push_back({dropped, quantaOf(kept), cost});
  }
}

void ChainDp::solveAgain() {
  int n = numBlocks();
  again.assign(static_cast<size_t>(n) * n * (numQuanta + 1),
               Entry{impossible, {}});
  auto at = [&](int i, int j, int m) -> Entry & {
    return again[(static_cast<size_t>(i) * n + j) * (numQuanta + 1) + m];
  };
  for (int length = 0; length < n; ++length) {
    for (int i = 0; i + length < n; ++i) {
      int j = i + length;
      for (int m = 0; m <= numQuanta; ++m) {
        Entry &best = at(i, j, m);
        if (length == 0 && m >= blocks[i].keptQuanta)
          best = {blocks[i].restCost, {0, -1}};
        for (int k = i + 1; k <= j && blocks[k].boundaryQuanta <= m; ++k) {
          int64_t cost = at(k, j, m - blocks[k].boundaryQuanta).cost +
                         at(i, k - 1, m).cost + sweepCost(i, k);
          if (cost < best.cost)
            best = {cost, {-1, static_cast<int16_t>(k)}};
        }
      }
    }
  }
}

void ChainDp::setSlack(int quanta) {
  slack = quanta;
  solveFirst();
}

void ChainDp::solveFirst() {
  int n = numBlocks();
  first.assign(static_cast<size_t>(n) * (numQuanta + 1), Entry{impossible, {}});
  for (int i = n - 1; i >= 0; --i) {
    for (int m = 0; m <= numQuanta; ++m) {
      Entry &best = first[static_cast<size_t>(i) * (numQuanta + 1) + m];
      int later = std::min(m + slack, numQuanta);
      int nextQuanta = i + 1 < n ? blocks[i + 1].boundaryQuanta : 0;
      for (size_t c = 0; c < blocks[i].choices.size(); ++c) {
        const Choice &choice = blocks[i].choices[c];
        int left = m - choice.quanta - nextQuanta;
        if (left < 0)
          continue;
        int64_t cost =
            choice.cost + (i + 1 < n ? firstAt(i + 1, left).cost : 0);
        if (cost < best.cost)
          best = {cost, {static_cast<int16_t>(c), -1}};
      }
      for (int k = i + 1; k < n; ++k) {
        if (blocks[k].boundaryQuanta > m)
          continue;
        int64_t cost = firstAt(k, m - blocks[k].boundaryQuanta).cost +
                       againAt(i, k - 1, later).cost + sweepCost(i, k);
        if (cost < best.cost)
          best = {cost, {-1, static_cast<int16_t>(k)}};
      }
      // Or keep nothing at all: one sweep comes back for the boundary of the
      // last block, the next ones for the blocks before it.
      int last = n - 1;
      if (i < last) {
        int64_t cost = firstAt(last, m).cost + 2 * sweepCost(i, last) +
                       againAt(i, last - 1, later).cost;
        if (cost < best.cost)
          best = {cost, {-1, static_cast<int16_t>(last), true}};
      }
    }
  }
}

std::optional<Decisions> ChainDp::planFor(int quanta) const {
  if (firstAt(0, quanta).cost >= impossible)
    return std::nullopt;
  Decisions decisions = encoding.retainAll();
  for (const Block &block : blocks)
    decide(block.passing, 0, decisions);
  decideFirst(0, quanta, decisions);
  return decisions;
}

void ChainDp::decide(const std::vector<TensorId> &tensors, int16_t decision,
                     Decisions &decisions) const {
  for (TensorId tensor : tensors)
    if (int32_t gap = encoding.gapAfter(tensor, peakSlot); gap >= 0)
      decisions[gap] = decision;
}

void ChainDp::decideFirst(int i, int m, Decisions &decisions) const {
  while (i < numBlocks()) {
    Origin origin = firstAt(i, m).origin;
    if (origin.boundary >= 0) {
      const Block &next = blocks[origin.boundary];
      int sweep = origin.isBoundaryDropped ? 2 : 1;
      decideAgain(i, origin.boundary - 1, std::min(m + slack, numQuanta), sweep,
                  decisions);
      if (origin.isBoundaryDropped)
        decide(next.boundary, 0, decisions);
      else
        m -= next.boundaryQuanta;
      i = origin.boundary;
      continue;
    }
    const Choice &choice = blocks[i].choices[origin.choice];
    decide(choice.dropped, 0, decisions);
    m -= choice.quanta;
    if (++i < numBlocks())
      m -= blocks[i].boundaryQuanta;
  }
}

/// The first sweep drops everything; in the sweeps 1 to `sweep` - 1 things are
/// made for the moment, and `sweep` makes them to stay.
void ChainDp::decideAgain(int i, int j, int m, int sweep,
                          Decisions &decisions) const {
  Origin origin = againAt(i, j, m).origin;
  int16_t moments = static_cast<int16_t>(sweep - 1);
  if (origin.boundary >= 0) {
    int k = origin.boundary;
    decide(blocks[k].boundary, moments, decisions);
    decideAgain(k, j, m - blocks[k].boundaryQuanta, sweep, decisions);
    decideAgain(i, k - 1, m, sweep + 1, decisions);
    return;
  }
  // What a sweep does not pass is made once, when it is read.
  const Block &block = blocks[i];
  for (const std::vector<TensorId> *list : {&block.kept, &block.passing})
    for (TensorId tensor : *list)
      decide(
          {tensor},
          std::binary_search(block.onPath.begin(), block.onPath.end(), tensor)
              ? moments
              : 0,
          decisions);
}

} // namespace remat::solver
