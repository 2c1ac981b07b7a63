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

namespace {
/// First fit over orders of the same items: which items meet in time is found
/// out once.
class FirstFit {
public:
  explicit FirstFit(const std::vector<PackItem> &items);

  /// Places the items one after the other, in the given order.
  Packing place(const std::vector<int32_t> &order);

private:
  const std::vector<PackItem> &items;
  /// The items that each one overlaps with in time.
  std::vector<std::vector<int32_t>> neighbors;
  std::vector<char> isPlaced;
  std::vector<std::pair<int64_t, int64_t>> taken;
};
} // namespace

FirstFit::FirstFit(const std::vector<PackItem> &items)
    : items(items), neighbors(items.size()), isPlaced(items.size()) {
  std::vector<int32_t> byBegin(items.size());
  std::iota(byBegin.begin(), byBegin.end(), 0);
  std::sort(byBegin.begin(), byBegin.end(), [&](int32_t left, int32_t right) {
    return items[left].begin < items[right].begin;
  });
  std::vector<int32_t> open;
  for (int32_t id : byBegin) {
    open.erase(std::remove_if(open.begin(), open.end(),
                              [&](int32_t other) {
                                return items[other].end <= items[id].begin;
                              }),
               open.end());
    for (int32_t other : open) {
      if (!overlapInTime(items[id], items[other]))
        continue;
      neighbors[id].push_back(other);
      neighbors[other].push_back(id);
    }
    open.push_back(id);
  }
}

Packing FirstFit::place(const std::vector<int32_t> &order) {
  Packing packing;
  packing.offsets.assign(items.size(), 0);
  std::fill(isPlaced.begin(), isPlaced.end(), false);
  for (int32_t id : order) {
    taken.clear();
    for (int32_t other : neighbors[id])
      if (isPlaced[other])
        taken.emplace_back(packing.offsets[other],
                           packing.offsets[other] + items[other].bytes);
    std::sort(taken.begin(), taken.end());
    int64_t offset = 0;
    for (const auto &[begin, end] : taken) {
      if (offset + items[id].bytes <= begin)
        break;
      offset = std::max(offset, end);
    }
    packing.offsets[id] = offset;
    packing.totalBytes = std::max(packing.totalBytes, offset + items[id].bytes);
    isPlaced[id] = true;
  }
  return packing;
}

Packing remat::solver::packFirstFit(const std::vector<PackItem> &items,
                                    const std::vector<int32_t> &order) {
  return FirstFit(items).place(order);
}

/// The items in the order of falling `key`, ties by number.
template <typename KeyFn>
static std::vector<int32_t> orderBy(const std::vector<PackItem> &items,
                                    KeyFn key) {
  std::vector<int32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
      order.begin(), order.end(),
      [&](int32_t left, int32_t right) { return key(left) > key(right); });
  return order;
}

Packing remat::solver::pack(const std::vector<PackItem> &items,
                            int64_t targetBytes, int rounds) {
  auto bytes = [&](int32_t id) { return items[id].bytes; };
  auto duration = [&](int32_t id) {
    return static_cast<int64_t>(items[id].end) - items[id].begin;
  };
  auto area = [&](int32_t id) {
    return static_cast<double>(bytes(id)) * duration(id);
  };
  auto start = [&](int32_t id) { return -items[id].begin; };
  FirstFit firstFit(items);
  int64_t goal = std::max(targetBytes, peakBytes(items));
  std::vector<std::vector<int32_t>> orders = {
      orderBy(items, bytes), orderBy(items, duration), orderBy(items, area),
      orderBy(items, start)};
  Packing best = firstFit.place(orders.front());
  std::mt19937 random(0);
  for (std::vector<int32_t> &order : orders) {
    Packing current = firstFit.place(order);
    if (current.totalBytes < best.totalBytes)
      best = current;
    // What lies near the top had to make way for what was placed before it.
    // Placed earlier, it comes to lie lower, and others go around it.
    int roundsHere = rounds / static_cast<int>(orders.size());
    for (int round = 0; round < roundsHere && best.totalBytes > goal; ++round) {
      int64_t level = goal + (current.totalBytes - goal) * 3 / 4;
      std::vector<size_t> high;
      for (size_t place = 0; place < order.size(); ++place)
        if (current.offsets[order[place]] + bytes(order[place]) > level)
          high.push_back(place);
      size_t from = high[random() % high.size()];
      size_t to = from == 0 ? 0 : random() % from;
      std::vector<int32_t> next = order;
      std::rotate(next.begin() + to, next.begin() + from,
                  next.begin() + from + 1);
      Packing packing = firstFit.place(next);
      if (packing.totalBytes > current.totalBytes)
        continue;
      order = std::move(next);
      current = std::move(packing);
      if (current.totalBytes < best.totalBytes)
        best = current;
    }
  }
  return best;
}
