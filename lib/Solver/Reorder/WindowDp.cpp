//===- WindowDp.cpp - The best order of a few units -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is live depends on which units have run, not on their order. So the best
// way to each set of units follows from the best ways to the sets with one unit
// less. Sets are bit masks; one that lacks what a member depends on is never
// reached, and in a training step, which is nearly a chain, few are.
//
//===----------------------------------------------------------------------===//

#include "Reorder/ReorderMoves.h"

#include <algorithm>
#include <unordered_map>

namespace remat::solver {
namespace {

using Set = uint64_t;

class Window {
public:
  Window(const UnitGraph &graph, const std::vector<int32_t> &units,
         int32_t begin, int32_t end)
      : graph(graph), members(units.begin() + begin, units.begin() + end),
        needs(members.size(), 0), touched(members.size()) {
    std::unordered_map<int32_t, int32_t> bitOf;
    for (size_t i = 0; i < members.size(); ++i)
      bitOf[members[i]] = static_cast<int32_t>(i);
    std::unordered_map<int32_t, int32_t> indexOf;
    for (size_t i = 0; i < members.size(); ++i) {
      for (int32_t predecessor : graph.predecessors[members[i]])
        if (auto bit = bitOf.find(predecessor); bit != bitOf.end())
          needs[i] |= Set(1) << bit->second;
      for (int32_t id : graph.touched[members[i]]) {
        auto [entry, isNew] =
            indexOf.emplace(id, static_cast<int32_t>(storages.size()));
        if (isNew)
          storages.push_back({graph.storages[id].bytes, 0, id});
        storages[entry->second].touchers |= Set(1) << i;
        touched[i].push_back(entry->second);
      }
    }
    findWhatIsOutside(units, begin, end);
  }

  /// What is in use while the first member runs first.
  int64_t bytesOfFirst() const;

  /// The best order as indices into the members, or nothing. `outsideBytes` are
  /// in use all the time for others.
  std::vector<int32_t> solve(int64_t outsideBytes, int64_t maxSets,
                             int64_t &setsLeft);

private:
  const UnitGraph &graph;
  std::vector<int32_t> members;
  std::vector<Set> needs;
  struct Storage {
    int64_t bytes;
    Set touchers;
    int32_t id;
    /// Whether units outside need it there before, or after the window.
    bool isLiveBefore = false, isLiveAfter = false;
  };
  std::vector<Storage> storages;
  /// Indices into the storages, per member.
  std::vector<std::vector<int32_t>> touched;

  /// The best way to a set.
  struct Way {
    int64_t highest;
    double overlap;
    /// What is live in the window's storages.
    int64_t live;
    /// What the slot of the last unit takes.
    int64_t slot;
    Set from;
    int32_t last;
  };

  int64_t liveBefore() const {
    int64_t live = 0;
    for (const Storage &storage : storages)
      live += storage.isLiveBefore ? storage.bytes : 0;
    return live;
  }
  void findWhatIsOutside(const std::vector<int32_t> &units, int32_t begin,
                         int32_t end);
};

/// A unit before the window has run, all others come after it. The places in
/// the sequence tell.
void Window::findWhatIsOutside(const std::vector<int32_t> &units, int32_t begin,
                               int32_t end) {
  std::vector<char> isBefore(graph.numUnits(), false),
      isAfter(graph.numUnits(), false);
  for (int32_t i = 0; i < begin; ++i)
    isBefore[units[i]] = true;
  for (size_t i = end; i < units.size(); ++i)
    isAfter[units[i]] = true;
  for (Storage &storage : storages) {
    storage.isLiveBefore = graph.storages[storage.id].isLiveAtBegin;
    storage.isLiveAfter = graph.storages[storage.id].isLiveAtEnd;
    for (int32_t unit : graph.touchers[storage.id]) {
      storage.isLiveBefore |= isBefore[unit] != 0;
      storage.isLiveAfter |= isAfter[unit] != 0;
    }
  }
}

int64_t Window::bytesOfFirst() const {
  int64_t bytes = liveBefore() + graph.workspaceBytes[members.front()];
  for (int32_t index : touched.front())
    bytes += storages[index].isLiveBefore ? 0 : storages[index].bytes;
  return bytes;
}

std::vector<int32_t> Window::solve(int64_t outsideBytes, int64_t maxSets,
                                   int64_t &setsLeft) {
  auto n = static_cast<int32_t>(members.size());
  Set all = n == 64 ? ~Set(0) : (Set(1) << n) - 1;
  // Sets by size: all ways to one are known before it is left.
  std::unordered_map<Set, Way> ways;
  ways.emplace(0, Way{0, 0, outsideBytes + liveBefore(), 0, 0, -1});
  std::vector<Set> current = {0}, next;
  for (int32_t size = 0; size < n; ++size) {
    next.clear();
    for (Set set : current) {
      Way from = ways.at(set);
      for (int32_t i = 0; i < n; ++i) {
        Set bit = Set(1) << i;
        if (set & bit || needs[i] & ~set)
          continue;
        int64_t taken = graph.workspaceBytes[members[i]], freed = taken;
        for (int32_t index : touched[i]) {
          const Storage &storage = storages[index];
          if (!storage.isLiveBefore && !(storage.touchers & set))
            taken += storage.bytes;
          if (!storage.isLiveAfter && !(storage.touchers & ~(set | bit)))
            freed += storage.bytes;
        }
        int32_t group = graph.groupOf[members[i]];
        bool joins = group >= 0 && from.last >= 0 &&
                     graph.groupOf[members[from.last]] == group;
        int64_t bytes = (joins ? from.slot : from.live) + taken;
        Way way = {std::max(from.highest, bytes),
                   from.overlap + overlapOf(bytes, taken),
                   from.live + taken - freed,
                   bytes,
                   set,
                   i};
        auto [entry, isNew] = ways.emplace(set | bit, way);
        if (isNew) {
          --setsLeft;
          if (--maxSets < 0)
            return {};
          next.push_back(set | bit);
        } else if (way.highest < entry->second.highest ||
                   (way.highest == entry->second.highest &&
                    way.overlap < entry->second.overlap)) {
          entry->second = way;
        }
      }
    }
    std::swap(current, next);
  }
  std::vector<int32_t> order;
  for (Set set = all; set != 0; set = ways.at(set).from)
    order.push_back(ways.at(set).last);
  std::reverse(order.begin(), order.end());
  return order;
}

} // namespace

bool improveWindow(const UnitGraph &graph, std::vector<int32_t> &units,
                   std::vector<int64_t> &bytes, int32_t begin, int32_t end,
                   int64_t maxSets, int64_t &setsLeft) {
  Window window(graph, units, begin, end);
  std::vector<int32_t> order =
      window.solve(bytes[begin] - window.bytesOfFirst(), maxSets, setsLeft);
  if (order.empty())
    return false;
  std::vector<int32_t> changed = units;
  for (size_t i = 0; i < order.size(); ++i)
    changed[begin + i] = units[begin + order[i]];
  std::vector<int64_t> bytesAfter = bytesOf(graph, changed);
  auto highestOf = [&](const std::vector<int64_t> &all) {
    return *std::max_element(all.begin() + begin, all.begin() + end);
  };
  if (highestOf(bytesAfter) >= highestOf(bytes))
    return false;
  units = std::move(changed);
  bytes = std::move(bytesAfter);
  return true;
}

} // namespace remat::solver
