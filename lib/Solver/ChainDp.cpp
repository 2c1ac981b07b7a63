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
constexpr size_t maxBlocks = 64;

/// The cap is divided into so many quanta; plans are made for up to `maxShare`
/// of the room for what is kept, as the model is not exact.
constexpr int numQuanta = 384;
constexpr double maxShare = 1.25;

/// The most blocks of a segment.
constexpr int maxLength = 6;

/// Tensors below this share of the cap and of the largest tensor are kept
/// without being asked: they decide nothing, and would hide narrow places of
/// the chain.
constexpr double smallShareOfCap = 1.0 / 1024;
constexpr double smallShareOfLargest = 1.0 / 256;

bool contains(const std::vector<TensorId> &list, TensorId tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

} // namespace

ChainDp::ChainDp(const GapEncoding &encoding, Simulator &simulator,
                 Budget &budget, int32_t peakSlot, int64_t capBytes)
    : encoding(encoding), problem(encoding.problem), simulator(simulator),
      budget(budget), peakSlot(peakSlot), capBytes(capBytes),
      keepAll(encoding.retainAll()),
      closureOfStep(encoding.problem.steps.size(), 0) {
  findBlocks();
  sweepCostBefore.assign(1, 0);
  for (const Block &block : blocks) {
    sweepCostBefore.push_back(sweepCostBefore.back() + block.sweepCost);
  }
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  for (int32_t gap = 0; gap < static_cast<int32_t>(encoding.gaps.size()); ++gap)
    if (encoding.gaps[gap].beginSlot < peakSlot &&
        encoding.gaps[gap].endSlot == numSlots)
      keepAll[gap] = 0;
  for (const Block &block : blocks)
    if (block.boundaryGap >= 0)
      keepAll[block.boundaryGap] = retain;
}

void ChainDp::prepare() {
  if (explorer)
    return;
  // What the peak holds beside what is kept is there in any case.
  int64_t peakBytes = simulator.run(keepAll).windowBytes[peakSlot];
  for (const Block &block : blocks)
    peakBytes -= block.keptBytes + block.boundaryReadBytes;
  roomBytes = std::max<int64_t>(0, capBytes - peakBytes);
  quantumBytes = capBytes / numQuanta + 1;
  roomQuanta = static_cast<int>(roomBytes / quantumBytes);
  maxRoomQuanta = static_cast<int>(roomQuanta * maxShare);
  maxQuanta = numQuanta + maxRoomQuanta - roomQuanta;
  for (Block &block : blocks)
    block.boundaryQuanta = quantaOf(block.boundaryBytes);
  for (int i = 0; i < numBlocks(); ++i)
    for (int length = 1; length <= maxLength && i + length <= numBlocks();
         ++length)
      blocks[i].segments.push_back(segmentOf(i, i + length));
  explorer = std::make_unique<BlockExplorer>(encoding, simulator, budget,
                                             peakSlot, keepAll, quantumBytes,
                                             capBytes - roomBytes);
}

int64_t ChainDp::bytesOf(const std::vector<TensorId> &tensors) const {
  std::set<TensorId> roots;
  for (TensorId tensor : tensors)
    roots.insert(problem.storageRoot(tensor));
  int64_t bytes = 0;
  for (TensorId root : roots)
    bytes += problem.tensors[root].bytes;
  return bytes;
}

int ChainDp::quantaOf(int64_t bytes) const {
  int64_t quanta =
      (std::max<int64_t>(0, bytes) + quantumBytes / 2) / quantumBytes;
  return static_cast<int>(std::min<int64_t>(quanta, maxQuanta + 1));
}

/// Cuts the chain behind every slot over which a single large tensor leads on.
void ChainDp::findBlocks() {
  int64_t largest = 0;
  for (const Tensor &tensor : problem.tensors)
    largest = std::max(largest, tensor.bytes);
  std::vector<NarrowCut> cuts = findNarrowCuts(
      encoding, peakSlot,
      std::min(smallShareOfCap * static_cast<double>(capBytes),
               smallShareOfLargest * static_cast<double>(largest)));
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
    block.boundaryBytes = bytesOf(block.boundary);
    block.boundaryGap = encoding.gapAfter(leading, peakSlot);
    if (block.boundaryGap >= 0 &&
        encoding.gaps[block.boundaryGap].endSlot <
            static_cast<int32_t>(encoding.slots.size()))
      block.boundaryReadBytes = block.boundaryBytes;
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
  block.keptBytes = bytesOf(block.kept);
  std::vector<char> isThere(problem.tensors.size(), false);
  block.sweepCost = closureCost(block, nextBoundary, isThere, &block.onPath);
  std::sort(block.onPath.begin(), block.onPath.end());
  for (TensorId tensor : block.onPath)
    isThere[tensor] = true;
  block.restCost = closureCost(block, block.kept, isThere, nullptr);
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

/// The blocks from `begin` to before `end`.
Segment ChainDp::segmentOf(int begin, int end) const {
  Segment segment;
  segment.boundaryGap = blocks[begin].boundaryGap;
  for (int i = 0; i <= begin; ++i)
    segment.earlierBytes +=
        blocks[i].boundaryReadBytes + (i < begin ? blocks[i].keptBytes : 0);
  for (int i = begin; i < end; ++i) {
    segment.keptBytes +=
        blocks[i].keptBytes + (i > begin ? blocks[i].boundaryReadBytes : 0);
    if (i > begin && blocks[i].boundaryGap >= 0)
      segment.gaps.push_back(blocks[i].boundaryGap);
    for (const std::vector<TensorId> *list :
         {&blocks[i].kept, &blocks[i].passing})
      for (TensorId tensor : *list)
        if (problem.tensors[tensor].bytes > 0)
          segment.gaps.push_back(encoding.gapAfter(tensor, peakSlot));
  }
  return segment;
}

void ChainDp::addPlans(const std::vector<Decisions> &plans) {
  prepare();
  int n = numBlocks();
  explorer->takeSimulator();
  for (const Decisions &plan : plans) {
    // It falls into segments where it keeps boundaries.
    for (int begin = 0, end = 1; end <= n; ++end) {
      bool isKept = end == n || blocks[end].boundaryGap < 0 ||
                    plan[blocks[end].boundaryGap] == retain;
      if (!isKept)
        continue;
      if (end - begin <= maxLength)
        explorer->addSeed(blocks[begin].segments[end - begin - 1], plan);
      begin = end;
    }
    for (const Block &block : blocks)
      explorer->addSeed(block.segments[0], plan);
  }
}

void ChainDp::lowerInnerPeaks() {
  prepare();
  explorer->takeSimulator();
  explorer->lowerInnerPeaks();
}

void ChainDp::solve() {
  prepare();
  explorer->takeSimulator();
  for (Block &block : blocks) {
    block.choices.clear();
    for (const Segment &segment : block.segments) {
      std::vector<Choice> &choices = block.choices.emplace_back();
      for (BlockChoice &choice : explorer->choicesOf(segment))
        choices.push_back({std::move(choice.changes),
                           quantaOf(choice.keptBytes),
                           quantaOf(choice.innerBytes), choice.cost});
    }
  }
  solveAgain();
  solveFirst();
}

void ChainDp::solveAgain() {
  int n = numBlocks();
  again.assign(static_cast<size_t>(n) * n * (maxQuanta + 1),
               Entry{impossible, {}});
  auto at = [&](int i, int j, int m) -> Entry & {
    return again[(static_cast<size_t>(i) * n + j) * (maxQuanta + 1) + m];
  };
  for (int length = 0; length < n; ++length) {
    for (int i = 0; i + length < n; ++i) {
      int j = i + length;
      for (int m = 0; m <= maxQuanta; ++m) {
        Entry &best = at(i, j, m);
        const std::vector<Choice> &choices = blocks[i].choices[0];
        for (size_t c = 0; length == 0 && c < choices.size(); ++c) {
          int64_t cost = blocks[i].restCost + choices[c].cost;
          if (choices[c].innerQuanta <= m && cost < best.cost)
            best = {cost, {static_cast<int16_t>(c), 1}};
        }
        for (int k = i + 1; k <= j && blocks[k].boundaryQuanta <= m; ++k) {
          int64_t cost = at(k, j, m - blocks[k].boundaryQuanta).cost +
                         at(i, k - 1, m).cost + sweepCost(i, k);
          if (cost < best.cost)
            best = {cost, {-1, 0, static_cast<int16_t>(k)}};
        }
      }
    }
  }
}

void ChainDp::solveFirst() {
  int n = numBlocks();
  first.assign(static_cast<size_t>(n) * (maxRoomQuanta + 1),
               Entry{impossible, {}});
  for (int i = n - 1; i >= 0; --i) {
    for (int m = 0; m <= maxRoomQuanta; ++m) {
      Entry &best = first[static_cast<size_t>(i) * (maxRoomQuanta + 1) + m];
      for (size_t l = 0; l < blocks[i].choices.size(); ++l) {
        int next = i + static_cast<int>(l) + 1;
        int nextQuanta = next < n ? blocks[next].boundaryQuanta : 0;
        for (size_t c = 0; c < blocks[i].choices[l].size(); ++c) {
          const Choice &choice = blocks[i].choices[l][c];
          int left = m - choice.keptQuanta - nextQuanta;
          if (left < 0 || choice.innerQuanta > laterQuanta(m))
            continue;
          int64_t cost =
              choice.cost + (next < n ? firstAt(next, left).cost : 0);
          if (cost < best.cost)
            best = {cost,
                    {static_cast<int16_t>(c), static_cast<int16_t>(l + 1)}};
        }
      }
      for (int k = i + 1; k < n; ++k) {
        if (blocks[k].boundaryQuanta > m)
          continue;
        int64_t cost = firstAt(k, m - blocks[k].boundaryQuanta).cost +
                       againAt(i, k - 1, laterQuanta(m)).cost + sweepCost(i, k);
        if (cost < best.cost)
          best = {cost, {-1, 0, static_cast<int16_t>(k)}};
      }
      // Or keep nothing at all: one sweep comes back for the boundary of the
      // last block, the next ones for the blocks before it.
      int last = n - 1;
      if (i < last) {
        int64_t cost = firstAt(last, m).cost + 2 * sweepCost(i, last) +
                       againAt(i, last - 1, laterQuanta(m)).cost;
        if (cost < best.cost)
          best = {cost, {-1, 0, static_cast<int16_t>(last), true}};
      }
    }
  }
}

std::optional<Decisions> ChainDp::planFor(double share) const {
  int quanta = static_cast<int>(roomQuanta * share);
  if (first.empty() || quanta < 0 || quanta > maxRoomQuanta ||
      firstAt(0, quanta).cost >= impossible)
    return std::nullopt;
  Decisions decisions = keepAll;
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
      decideAgain(i, origin.boundary - 1, laterQuanta(m), sweep, decisions);
      if (origin.isBoundaryDropped)
        decide(next.boundary, 0, decisions);
      else
        m -= next.boundaryQuanta;
      i = origin.boundary;
      continue;
    }
    const Choice &choice = blocks[i].choices[origin.length - 1][origin.choice];
    for (auto [at, decision] : choice.changes)
      decisions[at] = decision;
    m -= choice.keptQuanta;
    i += origin.length;
    if (i < numBlocks())
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
  // What a sweep does not pass is made once, when it is read; and what the
  // choice drops, once more than the sweeps make it.
  const Block &block = blocks[i];
  for (const std::vector<TensorId> *list : {&block.kept, &block.passing})
    decide(*list, 0, decisions);
  Decisions chosen = keepAll;
  for (auto [at, decision] : block.choices[0][origin.choice].changes) {
    chosen[at] = decision;
    decisions[at] = decision;
  }
  for (const std::vector<TensorId> *list : {&block.kept, &block.passing}) {
    for (TensorId tensor : *list) {
      int32_t gap = encoding.gapAfter(tensor, peakSlot);
      bool isOnPath =
          std::binary_search(block.onPath.begin(), block.onPath.end(), tensor);
      int16_t before = isOnPath ? moments : int16_t(0);
      decisions[gap] = static_cast<int16_t>(
          chosen[gap] == retain ? before : before + isOnPath + chosen[gap]);
    }
  }
}

} // namespace remat::solver
