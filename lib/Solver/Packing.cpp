//===- Packing.cpp - Places in one slab for live ranges -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Packing.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace remat::solver;

int64_t remat::solver::peakBytes(const std::vector<PackItem> &items) {
  // Ends before begins: ranges are half open.
  std::vector<std::pair<int32_t, int64_t>> changes;
  for (const PackItem &item : items) {
    if (item.begin >= item.end)
      continue;
    changes.emplace_back(item.begin, item.bytes);
    changes.emplace_back(item.end, -item.bytes);
  }
  std::sort(changes.begin(), changes.end());
  int64_t bytes = 0, peak = 0;
  for (const auto &[slot, change] : changes) {
    bytes += change;
    peak = std::max(peak, bytes);
  }
  return peak;
}

static bool overlapInTime(const PackItem &left, const PackItem &right) {
  return left.begin < right.end && right.begin < left.end;
}

bool remat::solver::isValidPacking(const std::vector<PackItem> &items,
                                   const Packing &packing) {
  if (packing.offsets.size() != items.size())
    return false;
  for (size_t i = 0; i < items.size(); ++i) {
    int64_t begin = packing.offsets[i], end = begin + items[i].bytes;
    if (begin < 0 || end > packing.totalBytes)
      return false;
    for (size_t k = 0; k < i; ++k)
      if (overlapInTime(items[i], items[k]) && packing.offsets[k] < end &&
          begin < packing.offsets[k] + items[k].bytes)
        return false;
  }
  return true;
}

Packing remat::solver::packFirstFit(const std::vector<PackItem> &items,
                                    const std::vector<int32_t> &order) {
  Packing packing;
  packing.offsets.assign(items.size(), 0);
  std::vector<int32_t> placed;
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (int32_t id : order) {
    const PackItem &item = items[id];
    taken.clear();
    for (int32_t other : placed)
      if (overlapInTime(item, items[other]))
        taken.emplace_back(packing.offsets[other],
                           packing.offsets[other] + items[other].bytes);
    std::sort(taken.begin(), taken.end());
    int64_t offset = 0;
    for (const auto &[begin, end] : taken) {
      if (offset + item.bytes <= begin)
        break;
      offset = std::max(offset, end);
    }
    packing.offsets[id] = offset;
    packing.totalBytes = std::max(packing.totalBytes, offset + item.bytes);
    placed.push_back(id);
  }
  return packing;
}

/// The items in the order of falling `key`, ties by number.
template <typename KeyFn>
static std::vector<int32_t> orderBy(const std::vector<PackItem> &items,
                                    KeyFn key) {
  std::vector<int32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t left, int32_t right) {
                     return key(items[left]) > key(items[right]);
                   });
  return order;
}

Packing remat::solver::pack(const std::vector<PackItem> &items,
                            int64_t targetBytes, int rounds) {
  auto duration = [](const PackItem &item) {
    return static_cast<int64_t>(item.end) - item.begin;
  };
  std::vector<std::vector<int32_t>> orders = {
      orderBy(items, [](const PackItem &item) { return item.bytes; }),
      orderBy(items, duration),
      orderBy(items,
              [&](const PackItem &item) {
                return static_cast<double>(item.bytes) * duration(item);
              }),
      orderBy(items, [](const PackItem &item) { return -item.begin; }),
  };
  int64_t goal = std::max(targetBytes, peakBytes(items));
  Packing best;
  std::vector<int32_t> bestOrder;
  for (std::vector<int32_t> &order : orders) {
    Packing packing = packFirstFit(items, order);
    if (!bestOrder.empty() && packing.totalBytes >= best.totalBytes)
      continue;
    best = std::move(packing);
    bestOrder = std::move(order);
  }

  // An item at the top had to make way for those placed before it. Placed
  // earlier, it comes to lie lower, and others go around it.
  std::mt19937 random(0);
  Packing current = best;
  std::vector<int32_t> order = bestOrder;
  for (int round = 0; round < rounds && best.totalBytes > goal; ++round) {
    std::vector<size_t> tops;
    for (size_t place = 0; place < order.size(); ++place)
      if (current.offsets[order[place]] + items[order[place]].bytes ==
          current.totalBytes)
        tops.push_back(place);
    size_t from = tops[random() % tops.size()];
    size_t to = from == 0 ? 0 : random() % from;
    std::vector<int32_t> next = order;
    std::rotate(next.begin() + to, next.begin() + from,
                next.begin() + from + 1);
    Packing packing = packFirstFit(items, next);
    if (packing.totalBytes > current.totalBytes && round % 50 != 0)
      continue;
    current = std::move(packing);
    order = std::move(next);
    if (current.totalBytes < best.totalBytes)
      best = current;
  }
  return best;
}
