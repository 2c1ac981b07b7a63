//===- ChainDp.cpp - Checkpoints along a chain of blocks ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain/ChainDp.h"
#include "Search/NarrowCuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::solver {
namespace {

/// Plans are made for up to this share of the room for what is kept.
constexpr double maxRoomShare = 1.25;

constexpr int64_t impossible = std::numeric_limits<int64_t>::max() / 4;

/// Sizes are rounded to quanta at another threshold in each block, spread
/// evenly by this, so that the errors of many equal blocks make up for each
/// other.
constexpr double goldenRatio = 0.6180339887498949;

bool contains(const std::vector<TensorId> &list, TensorId tensor) {
  return std::find(list.begin(), list.end(), tensor) != list.end();
}

} // namespace

ChainDp::ChainDp(const GapEncoding &encoding, Simulator &simulator,
                 Budget &budget, int32_t peakSlot, int64_t capBytes,
                 const Tuning &tuning)
    : encoding(encoding), problem(encoding.problem), simulator(simulator),
      budget(budget), peakSlot(peakSlot), capBytes(capBytes),
      tuning(tuning.chain), keepAll(encoding.retainAll()),
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
  // What the peak holds besides what is kept is there in any case.
  std::vector<int64_t> bytesOfBase = simulator.run(keepAll).windowBytes;
  int64_t peakBytes = bytesOfBase[peakSlot];
  for (const Block &block : blocks)
    peakBytes -= block.keptBytes + block.boundaryReadBytes;
  // The room under the cap for what blocks keep.
  int64_t roomBytes = std::max<int64_t>(0, capBytes - peakBytes);
  quantumBytes = capBytes / tuning.numQuanta + 1;
  roomQuanta = static_cast<int>(roomBytes / quantumBytes);
  maxRoomQuanta = static_cast<int>(roomQuanta * maxRoomShare);
  maxQuanta = tuning.numQuanta + maxRoomQuanta - roomQuanta;
  for (int i = 0; i < numBlocks(); ++i) {
    blocks[i].boundaryQuanta = quantaOf(blocks[i].boundaryBytes, i);
    blocks[i].closed = blocks[i].open = scopeOf(i);
    if (int32_t nextGap = blocks[i].open.nextGap; nextGap >= 0) {
      blocks[i].open.isOpen = true;
      blocks[i].open.gaps.push_back(nextGap);
    }
  }
  maxHeld = static_cast<int>(tuning.maxHeldShare * tuning.numQuanta) /
            tuning.heldStep;
  explorer = std::make_unique<BlockExplorer>(encoding, simulator, budget,
                                             keepAll, std::move(bytesOfBase),
                                             quantumBytes, tuning.maxMoments);
}

int64_t ChainDp::bytesOf(const std::vector<TensorId> &tensors) const {
  std::set<TensorId> roots;
  for (TensorId tensor : tensors)
    roots.insert(encoding.storageOf[tensor]);
  int64_t bytes = 0;
  for (TensorId root : roots)
    bytes += problem.tensors[root].bytes;
  return bytes;
}

int ChainDp::quantaOf(int64_t bytes, int block) const {
  double shift = block * goldenRatio - std::floor(block * goldenRatio);
  auto quanta = static_cast<int64_t>(
      static_cast<double>(std::max<int64_t>(0, bytes)) / quantumBytes + shift);
  return static_cast<int>(std::min<int64_t>(quanta, maxQuanta + 1));
}

/// Cuts the chain after every slot over which a single large tensor leads on.
void ChainDp::findBlocks() {
  int64_t largest = 0;
  for (const Tensor &tensor : problem.tensors)
    largest = std::max(largest, tensor.bytes);
  std::vector<NarrowCut> cuts = findNarrowCuts(
      encoding, peakSlot,
      std::min(tuning.smallShareOfCap * static_cast<double>(capBytes),
               tuning.smallShareOfLargest * static_cast<double>(largest)));
  // There is one more block than cuts, and Origin::end is one past the last.
  assert(tuning.maxCuts + 1 <= Origin::maxEnd);
  // Thin out evenly what would be too many.
  if (cuts.size() > static_cast<size_t>(tuning.maxCuts)) {
    auto number =
        static_cast<size_t>(std::min(tuning.numEvenCuts, tuning.maxCuts));
    for (size_t i = 0; i < number; ++i)
      cuts[i] = cuts[i * cuts.size() / number];
    cuts.resize(number);
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

BlockScope ChainDp::scopeOf(int index) const {
  const Block &block = blocks[index];
  BlockScope scope;
  scope.beginSlot = block.begin;
  scope.endSlot = block.end;
  scope.boundaryGap = block.boundaryGap;
  if (index + 1 < numBlocks()) {
    TensorId next = blocks[index + 1].boundary.front();
    if (encoding.slotOf[encoding.maker[next]] >= block.begin)
      scope.nextGap = blocks[index + 1].boundaryGap;
  }
  scope.keptBytes = block.keptBytes;
  scope.earlierBytes = block.boundaryReadBytes;
  for (int i = 0; i < index; ++i)
    scope.earlierBytes += blocks[i].boundaryReadBytes + blocks[i].keptBytes;
  for (const std::vector<TensorId> *list : {&block.kept, &block.passing})
    for (TensorId tensor : *list)
      if (problem.tensors[tensor].bytes > 0)
        scope.gaps.push_back(encoding.gapAfter(tensor, peakSlot));
  int32_t numSlots = static_cast<int32_t>(encoding.slots.size());
  scope.beginWindow = numSlots;
  auto addWindow = [&](int32_t gap) {
    if (int32_t window = encoding.gaps[gap].endSlot; window < numSlots) {
      scope.beginWindow = std::min(scope.beginWindow, window);
      scope.endWindow = std::max(scope.endWindow, window + 1);
    }
  };
  for (int32_t gap : scope.gaps)
    addWindow(gap);
  if (scope.boundaryGap >= 0)
    addWindow(scope.boundaryGap);
  scope.beginWindow = std::min(scope.beginWindow, scope.endWindow);
  return scope;
}

void ChainDp::addPlans(const std::vector<Decisions> &plans) {
  prepare();
  for (const Decisions &plan : plans) {
    for (const Block &block : blocks) {
      explorer->addSeed(block.closed, plan);
      if (block.open.isOpen)
        explorer->addSeed(block.open, plan);
    }
  }
}

void ChainDp::explore(int64_t executions) {
  prepare();
  explorer->explore(executions);
}

void ChainDp::solve() {
  prepare();
  for (int i = 0; i < numBlocks(); ++i) {
    Block &block = blocks[i];
    block.closedChoices = choicesOf(block.closed, i);
    if (block.open.isOpen)
      block.openChoices = choicesOf(block.open, i);
  }
  solveAgain();
  solveFirst();
}

std::vector<ChainDp::Choice> ChainDp::choicesOf(const BlockScope &scope,
                                                int block) const {
  std::vector<Choice> choices;
  for (BlockChoice &choice : explorer->choicesOf(scope)) {
    if (choices.size() > Origin::maxChoice)
      break;
    const BlockMeasures &measures = choice.measures;
    choices.push_back(
        {std::move(choice.changes), quantaOf(measures.keptBytes, block),
         quantaOf(measures.innerBytes, block),
         quantaOf(measures.heldBytes / tuning.heldStep, block), measures.cost});
  }
  return choices;
}

void ChainDp::solveAgain() {
  int n = numBlocks();
  again.assign(againIndex(0, n, 0), Entry{impossible, {}});
  auto at = [&](int i, int j, int m) -> Entry & {
    return again[againIndex(i, j, m)];
  };
  for (int length = 0; length < n; ++length) {
    for (int i = 0; i + length < n; ++i) {
      int j = i + length;
      for (int m = 0; m <= maxQuanta; ++m) {
        Entry &best = at(i, j, m);
        const std::vector<Choice> &choices = blocks[i].closedChoices;
        for (size_t c = 0; length == 0 && c < choices.size(); ++c) {
          int64_t cost = blocks[i].restCost + choices[c].cost;
          if (choices[c].innerQuanta <= m && cost < best.cost)
            best = {cost, {How::Closed, i + 1, c}};
        }
        for (int k = i + 1; k <= j && blocks[k].boundaryQuanta <= m; ++k) {
          int64_t cost = at(k, j, m - blocks[k].boundaryQuanta).cost +
                         at(i, k - 1, m).cost + sweepCost(i, k);
          if (cost < best.cost)
            best = {cost, {How::Sweep, k}};
        }
      }
    }
  }
}

void ChainDp::solveFirst() {
  int n = numBlocks();
  size_t numRooms = maxRoomQuanta + 1, numHeld = maxHeld + 1;
  origins.assign(n * numRooms * numHeld, Origin());
  withNothingHeld.assign((n + 1) * numRooms, impossible);
  std::fill(withNothingHeld.end() - numRooms, withNothingHeld.end(), 0);
  auto costAt = [&](int i, int m) { return withNothingHeld[i * numRooms + m]; };
  // The costs from the block at hand and from the next one.
  std::vector<int64_t> here(numRooms * numHeld), next = here;
  for (int i = n - 1; i >= 0; --i) {
    std::fill(here.begin(), here.end(), impossible);
    for (int m = 0; m <= maxRoomQuanta; ++m) {
      int64_t *costs = &here[m * numHeld];
      Origin *origin = &origins[(i * numRooms + m) * numHeld];
      auto take = [&](int held, int64_t cost, Origin how) {
        if (cost < costs[held]) {
          costs[held] = cost;
          origin[held] = how;
        }
      };
      // How much may be held while there is room for the choice.
      auto maxHeldBeside = [&](const Choice &choice) {
        int left = laterQuanta(m) - choice.innerQuanta;
        return left < 0 ? -1 : std::min(left / tuning.heldStep, maxHeld);
      };
      int nextQuanta = i + 1 < n ? blocks[i + 1].boundaryQuanta : 0;
      for (size_t c = 0; c < blocks[i].closedChoices.size(); ++c) {
        const Choice &choice = blocks[i].closedChoices[c];
        int left = m - choice.keptQuanta - nextQuanta;
        int most = maxHeldBeside(choice);
        if (left >= 0 && most >= 0)
          take(most, choice.cost + costAt(i + 1, left),
               {How::Closed, i + 1, c});
      }
      // What goes with more in store goes with less.
      for (int held = maxHeld; held > 0; --held)
        take(held - 1, costs[held], origin[held]);
      for (size_t c = 0; c < blocks[i].openChoices.size(); ++c) {
        const Choice &choice = blocks[i].openChoices[c];
        int left = m - choice.keptQuanta;
        if (left < 0)
          continue;
        const int64_t *after = &next[left * numHeld] + choice.heldQuanta;
        int most = std::min(maxHeldBeside(choice), maxHeld - choice.heldQuanta);
        for (int held = 0; held <= most; ++held)
          take(held, choice.cost + after[held], {How::Open, i + 1, c});
      }
      for (int k = i + 1; k < n; ++k) {
        if (int left = m - blocks[k].boundaryQuanta; left >= 0)
          take(0,
               costAt(k, left) + againAt(i, k - 1, laterQuanta(m)).cost +
                   sweepCost(i, k),
               {How::Sweep, k});
      }
      // Or keep nothing at all: one sweep recomputes the boundary of the
      // last block, the next ones for the blocks before it.
      if (int last = n - 1; i < last)
        take(0,
             costAt(last, m) + 2 * sweepCost(i, last) +
                 againAt(i, last - 1, laterQuanta(m)).cost,
             {How::TwoSweeps, last});
      withNothingHeld[i * numRooms + m] = costs[0];
    }
    std::swap(here, next);
  }
}

std::optional<Decisions> ChainDp::planFor(double share) const {
  int quanta = static_cast<int>(roomQuanta * share);
  if (origins.empty() || quanta < 0 || quanta > maxRoomQuanta ||
      withNothingHeld[quanta] >= impossible)
    return std::nullopt;
  Decisions decisions = keepAll;
  decideFirst(quanta, decisions);
  return decisions;
}

void ChainDp::decide(const std::vector<TensorId> &tensors, int16_t decision,
                     Decisions &decisions) const {
  for (TensorId tensor : tensors)
    if (int32_t gap = encoding.gapAfter(tensor, peakSlot); gap >= 0)
      decisions[gap] = decision;
}

void ChainDp::decideFirst(int room, Decisions &decisions) const {
  auto apply = [&](const Choice &choice) {
    for (auto [at, decision] : choice.changes)
      decisions[at] = decision;
  };
  int m = room, held = 0;
  for (int i = 0; i < numBlocks();) {
    Origin origin = originAt(i, m, held);
    int end = origin.end;
    int endQuanta = end < numBlocks() ? blocks[end].boundaryQuanta : 0;
    switch (origin.how) {
    case How::Closed: {
      const Choice &choice = blocks[i].closedChoices[origin.choice];
      apply(choice);
      m -= choice.keptQuanta + endQuanta;
      held = 0;
      break;
    }
    case How::Open: {
      const Choice &choice = blocks[i].openChoices[origin.choice];
      apply(choice);
      m -= choice.keptQuanta;
      held += choice.heldQuanta;
      break;
    }
    case How::Sweep:
      decideAgain(i, end - 1, laterQuanta(m), 1, decisions);
      m -= endQuanta;
      break;
    case How::TwoSweeps:
      decideAgain(i, end - 1, laterQuanta(m), 2, decisions);
      decide(blocks[end].boundary, 0, decisions);
      break;
    }
    i = end;
  }
}

/// The first sweep drops everything; in the sweeps 1 to `sweep` - 1 things are
/// made for the moment, and `sweep` makes them to stay.
void ChainDp::decideAgain(int i, int j, int m, int sweep,
                          Decisions &decisions) const {
  Origin origin = againAt(i, j, m).origin;
  int16_t moments = static_cast<int16_t>(sweep - 1);
  if (origin.how == How::Sweep) {
    int k = origin.end;
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
  for (auto [at, decision] : block.closedChoices[origin.choice].changes) {
    chosen[at] = decision;
    decisions[at] = decision;
  }
  for (const std::vector<TensorId> *list : {&block.kept, &block.passing}) {
    for (TensorId tensor : *list) {
      int32_t gap = encoding.gapAfter(tensor, peakSlot);
      bool isOnPath =
          std::binary_search(block.onPath.begin(), block.onPath.end(), tensor);
      int16_t before = isOnPath ? moments : int16_t(0);
      decisions[gap] = chosen[gap] == retain
                           ? before
                           : moreMoments(chosen[gap], before + isOnPath);
    }
  }
}

} // namespace remat::solver
