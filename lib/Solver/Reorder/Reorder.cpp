//===- Reorder.cpp - The steps in an order of less memory -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder/Reorder.h"
#include "Reorder/ReorderMoves.h"
#include "Support/Deadline.h"

#include "remat/Solver/Timeline.h"

#include <algorithm>
#include <numeric>

namespace remat::solver {
namespace {

class OrderSearch {
public:
  OrderSearch(const Problem &problem, const ReorderOptions &options)
      : problem(problem), options(options), tuning(options.tuning->reorder),
        schedule(measure(originalPlan(problem).sequence)) {
    for (size_t i = 1; i < problem.steps.size(); ++i)
      hasGroups |= problem.steps[i].group >= 0 &&
                   problem.steps[i].group == problem.steps[i - 1].group;
  }

  std::vector<Order> run() {
    std::vector<Order> found;
    auto last = [&]() -> const Order & {
      return found.empty() ? schedule : found.back();
    };
    auto isDone = [&] {
      return last().peakBytes <= options.capBytes || deadline.isPast();
    };
    auto offer = [&](const Order &order, double gain, double overlapGain) {
      bool isWorth = order.peakBytes < last().peakBytes * (1 - gain) ||
                     (order.peakBytes < last().peakBytes &&
                      order.peakBytes <= options.capBytes) ||
                     (order.peakBytes <= last().peakBytes &&
                      order.overlap < last().overlap * (1 - overlapGain));
      if (isWorth)
        found.push_back(order);
    };
    // What changes the least comes first.
    Order order = settle(schedule, false);
    offer(order, 0, 0);
    if (hasGroups && tuning.splitGroups && !isDone()) {
      Order split = settle(order, true);
      offer(split, tuning.upheavalGain, tuning.splittingGain);
      order = last();
    }
    for (bool startsAnew : {false, true}) {
      if (isDone() || (startsAnew && !tuning.listScheduling))
        break;
      if (startsAnew)
        order = settle(startCheapest(), false);
      if (tuning.windows)
        order = improvePeak(order, false);
      offer(order, tuning.upheavalGain, 1);
      if (tuning.windows && tuning.splitGroups && hasGroups && !isDone())
        offer(improvePeak(order, true), tuning.upheavalGain, 1);
    }
    if (tuning.lateUnitsEarly && !isDone() &&
        last().latePeakBytes > tuning.lateShare * options.capBytes) {
      Order eager = runLateUnitsEarly(last());
      if (eager.latePeakBytes <
          last().latePeakBytes * (1 - tuning.latePeakGain))
        found.push_back(std::move(eager));
    }
    return found;
  }

private:
  const Problem &problem;
  const ReorderOptions &options;
  const decltype(Tuning::reorder) &tuning;
  bool hasGroups = false;
  Order schedule;
  int64_t setsLeft = tuning.allSets;
  Deadline deadline{options.deadlineSeconds};

  Order measure(std::vector<StepId> steps) const {
    Order order;
    Plan plan = {std::move(steps)};
    Timeline timeline = computeTimeline(problem, plan);
    order.steps = std::move(plan.sequence);
    order.peakBytes = timeline.peakBytes;
    auto numSlots = static_cast<int32_t>(timeline.slots.size());
    std::vector<int64_t> taken(numSlots, 0);
    int64_t constantBytes = 0;
    for (const LiveRange &range : timeline.ranges) {
      int64_t bytes = problem.tensors[range.tensor].bytes;
      if (range.execution < 0 && range.end == numSlots)
        constantBytes += bytes;
      else
        taken[range.begin] += bytes;
    }
    for (int32_t i = 0; i < numSlots; ++i) {
      const Slot &slot = timeline.slots[i];
      for (int32_t at = slot.begin; at < slot.end; ++at)
        taken[i] += problem.steps[order.steps[at]].workspaceBytes;
      order.overlap += overlapOf(slot.bytes - constantBytes, taken[i]);
    }
    order.latePeakBytes = latePeakOf(timeline);
    return order;
  }

  /// The most that is live of what is made in the peak slot and later.
  int64_t latePeakOf(const Timeline &timeline) const {
    std::vector<int64_t> change(timeline.slots.size() + 1, 0);
    for (const LiveRange &range : timeline.ranges) {
      if (range.execution < 0 || range.begin < timeline.peakSlot)
        continue;
      change[range.begin] += problem.tensors[range.tensor].bytes;
      change[range.end] -= problem.tensors[range.tensor].bytes;
    }
    int64_t live = 0, highest = 0;
    for (int64_t bytes : change)
      highest = std::max(highest, live += bytes);
    return highest;
  }

  /// Moves units forward, with what they need, for the sake of the late peak.
  Order runLateUnitsEarly(Order start) const {
    for (int round = 0; round < tuning.maxRounds; ++round) {
      UnitGraph graph(problem, start.steps, true);
      Order moved = measure(graph.stepsOf(
          runEarly(graph, start.peakBytes,
                   {/*takesNeeds=*/true, /*lastFirst=*/true}, tuning)));
      if (moved.peakBytes > start.peakBytes ||
          moved.latePeakBytes >= start.latePeakBytes)
        break;
      start = std::move(moved);
    }
    return start;
  }

  /// A peak that is lower by next to nothing is no reason for more overlap,
  /// unless it meets the cap.
  bool isLess(const Order &a, const Order &b) const {
    return a.peakBytes < b.peakBytes * (1 - tuning.peakGain) ||
           (a.peakBytes < b.peakBytes && a.peakBytes <= options.capBytes) ||
           (a.peakBytes <= b.peakBytes && a.overlap < b.overlap);
  }

  /// Moves units of `start` forward and back as long as that helps.
  Order settle(Order start, bool splitsGroups) const {
    if (!tuning.hoist)
      return start;
    for (int round = 0; round < tuning.maxRounds; ++round) {
      bool isForward = round % 2 == 0;
      UnitGraph graph(problem, start.steps, splitsGroups);
      if (!isForward)
        graph = graph.reversed();
      // Either way may be better: what one moves stands in the other's way.
      Order moved =
          measure(graph.stepsOf(runEarly(graph, start.peakBytes, {}, tuning)));
      Order other = measure(graph.stepsOf(
          runEarly(graph, start.peakBytes, {/*takesNeeds=*/true}, tuning)));
      if (isLess(other, moved))
        moved = std::move(other);
      if (isLess(moved, start))
        start = std::move(moved);
      else if (!isForward)
        break;
    }
    return start;
  }

  Order startCheapest() const {
    UnitGraph graph(problem, schedule.steps, false);
    return measure(graph.stepsOf(runCheapestFirst(graph)));
  }

  /// Takes one window after the other around the peak.
  Order improvePeak(const Order &start, bool splitsGroups) {
    UnitGraph graph(problem, start.steps, splitsGroups);
    std::vector<int32_t> units(graph.numUnits());
    std::iota(units.begin(), units.end(), 0);
    std::vector<int64_t> bytes = bytesOf(graph, units);
    int64_t windows =
        std::clamp(tuning.windowWork / std::max<int64_t>(1, graph.numUnits()),
                   tuning.minWindows, tuning.maxWindows);
    for (int64_t i = 0; i < windows && !bytes.empty(); ++i) {
      auto peak = static_cast<int32_t>(
          std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
      if (!improveAround(graph, units, bytes, peak))
        break;
    }
    Order improved = measure(graph.stepsOf(units));
    return isLess(improved, start) ? improved : start;
  }

  /// Tries smaller windows where there are too many ways through a large one.
  bool improveAround(const UnitGraph &graph, std::vector<int32_t> &units,
                     std::vector<int64_t> &bytes, int32_t peak) {
    for (int32_t size = tuning.windowUnits; size >= 4 && setsLeft > 0;
         size /= 2) {
      int32_t begin = std::max(0, peak - size / 2);
      int32_t end = std::min(graph.numUnits(), begin + size);
      int64_t peakBytes = bytes[peak];
      improveWindow(graph, units, bytes, begin, end, tuning.windowSets,
                    setsLeft);
      if (*std::max_element(bytes.begin() + begin, bytes.begin() + end) <
          peakBytes)
        return true;
    }
    return false;
  }
};

} // namespace

std::vector<Order> findOrders(const Problem &problem,
                              const ReorderOptions &options) {
  if (problem.steps.empty())
    return {};
  return OrderSearch(problem, options).run();
}

} // namespace remat::solver
