//===- ExactSearch.cpp - The cheapest plan, by search with a lower bound --===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exact/ExactSearch.h"

#include <algorithm>

namespace remat::solver {

ExactSearch::ExactSearch(const Problem &problem, int64_t capBytes,
                         int64_t costLimit, int64_t lowerBoundCost,
                         const SuffixBounds &suffixBounds,
                         const decltype(Tuning::exact) &tuning)
    : problem(problem), tuning(tuning),
      model(problem, capBytes, costLimit - 1 - lowerBoundCost),
      costLimit(costLimit), leastCost(lowerBoundCost),
      firstCosts(problem.steps.size() + 1, 0),
      readsToEnd(model.readsUntil(static_cast<StepId>(problem.steps.size()))) {
  StepId numSteps = static_cast<StepId>(problem.steps.size());
  for (StepId id = numSteps - 1; id >= 0; --id)
    firstCosts[id] = firstCosts[id + 1] + problem.steps[id].cost;
  // The highest bound in each part of the schedule.
  StepId part = numSteps / static_cast<StepId>(tuning.maxSuffixes) + 1;
  for (StepId begin = 0; begin < numSteps; begin += part) {
    auto first = suffixBounds.begin() + begin;
    auto highest = std::max_element(
        first, suffixBounds.begin() + std::min(begin + part, numSteps));
    if (*highest > 0) {
      StepId until = static_cast<StepId>(highest - suffixBounds.begin());
      suffixes.push_back({until, *highest, model.readsUntil(until)});
    }
  }
}

/// The least cost from `state` to the end.
int64_t ExactSearch::boundFrom(const ExactState &state) const {
  TensorSet missing = model.missing(state);
  int64_t extra =
      model.closureCost(readsToEnd[state.next], missing, state.next);
  if (extra >= ExactModel::impossible)
    return extra;
  int left = tuning.suffixesAtATime;
  for (const Suffix &suffix : suffixes) {
    if (suffix.until < state.next)
      continue;
    if (left-- == 0)
      break;
    extra = std::max(extra,
                     suffix.bound + model.closureCost(suffix.reads[state.next],
                                                      missing, state.next));
  }
  return firstCosts[state.next] + extra;
}

void ExactSearch::reach(const ExactState &state, int64_t cost, uint32_t parent,
                        StepId step) {
  int64_t bound = cost + boundFrom(state);
  if (bound >= costLimit)
    return;
  auto [entry, isNew] =
      nodeOf.emplace(state.key(), static_cast<uint32_t>(nodes.size()));
  if (isNew) {
    nodes.push_back({&entry->first, cost, parent, step});
  } else {
    Node &node = nodes[entry->second];
    if (node.cost <= cost)
      return;
    node.cost = cost;
    node.parent = parent;
    node.step = step;
  }
  open.push({bound, cost, entry->second});
}

void ExactSearch::expand(uint32_t at) {
  ExactState state = ExactState::fromKey(*nodes[at].key);
  int64_t cost = nodes[at].cost;
  StepId last = std::min<StepId>(state.next,
                                 static_cast<StepId>(problem.steps.size()) - 1);
  for (StepId step = 0; step <= last; ++step) {
    if (!model.isOption(state, step))
      continue;
    int64_t costAfter = cost + problem.steps[step].cost;
    model.execute(
        state, step,
        [&](const ExactState &dropped) {
          return costAfter + boundFrom(dropped) < costLimit;
        },
        [&](const ExactState &reached) {
          reach(reached, costAfter, at, step);
        });
  }
}

ExactSearch::Outcome
ExactSearch::run(size_t maxStates, const std::function<bool()> &isOutOfTime) {
  reach(model.initial(), 0, noParent, -1);
  for (uint64_t numPops = 0; !open.empty(); ++numPops) {
    Entry entry = open.top();
    leastCost = std::max(leastCost, entry.bound);
    constexpr uint64_t popsBetweenLooks = 64;
    if (nodes.size() > maxStates ||
        (numPops % popsBetweenLooks == 0 && isOutOfTime()))
      return Outcome::Stopped;
    open.pop();
    // A cheaper way to the same state was found after this one was queued.
    if (entry.cost > nodes[entry.node].cost)
      continue;
    if (model.isGoal(ExactState::fromKey(*nodes[entry.node].key))) {
      goal = entry.node;
      leastCost = entry.cost;
      return Outcome::Found;
    }
    expand(entry.node);
  }
  leastCost = std::max(leastCost, costLimit);
  return Outcome::Nothing;
}

Plan ExactSearch::plan() const {
  Plan plan;
  for (uint32_t at = goal; nodes[at].parent != noParent; at = nodes[at].parent)
    plan.sequence.push_back(nodes[at].step);
  std::reverse(plan.sequence.begin(), plan.sequence.end());
  return plan;
}

} // namespace remat::solver
