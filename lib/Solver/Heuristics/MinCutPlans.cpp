//===- MinCutPlans.cpp - Plans from minimum cuts at rising prices ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The relaxation of the lower bound says, for every price of a byte, what
// to retain at one step and what to recompute after it. Taken at its word this
// is a plan; where that is above the cap elsewhere, the same price is asked
// there. Prices that rise give a family of plans, from the schedule itself to
// those that hold as little as possible. The last that does not fit and the
// first that does are often far apart, as layers that are alike go together;
// the way between them is gone in small pieces.
//
//===----------------------------------------------------------------------===//

#include "Bound/CutNetwork.h"
#include "Heuristics/Heuristics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

namespace remat::solver {
namespace {

class MinCutFamily {
public:
  explicit MinCutFamily(PlanPool &pool)
      : pool(pool), tuning(pool.tuning.mincut), encoding(pool.encoding),
        index(encoding.problem), scale(CutNetwork::maxCostScale(index)) {}

  void run() {
    auto work =
        static_cast<double>(pool.workFor(tuning.work, tuning.minSchedules));
    std::vector<Decisions> starts = findStarts(tuning.familyShare * work);
    if (pool.isAtGoal())
      return;
    refine(starts, tuning.refineShare * work);
    BudgetScope budget =
        pool.allow(static_cast<int64_t>(tuning.exchangeShare * work));
    if (tuning.exchange)
      pool.exchange();
    if (!pool.fits())
      pool.lowerPeak();
  }

private:
  PlanPool &pool;
  const decltype(Tuning::mincut) &tuning;
  const GapEncoding &encoding;
  ProblemIndex index;
  int64_t scale;
  std::map<StepId, std::unique_ptr<CutNetwork>> stages;
  /// The plan of each price.
  std::map<double, Candidate> family;

  std::vector<Decisions> findStarts(double work) {
    BudgetScope scope = pool.allow(static_cast<int64_t>(work));
    makeFamily();
    return chooseStarts();
  }

  void refine(const std::vector<Decisions> &starts, double work) {
    BudgetScope scope = pool.allow(static_cast<int64_t>(work));
    for (const Decisions &start : starts)
      pool.complete(start);
    for (double target : tuning.repairTargets) {
      auto bytes = static_cast<int64_t>(pool.capBytes * target);
      for (const Decisions &start : starts) {
        pool.refine(start, bytes);
        if (encoding.hasGroups())
          pool.refine(encoding.splitAllGroups(start), bytes);
      }
    }
  }

  /// The plans of prices from low to high, and closer where they begin to fit.
  /// What holds the least comes first: with little time it may have to do.
  void makeFamily() {
    PriceSweepOptions sweep;
    sweep.lowest = tuning.lowestPrice;
    sweep.highest = tuning.highestPrice;
    sweep.numGrid = tuning.numPrices;
    sweep.highestFirst = true;
    sweep.numBisections = tuning.numBisections;
    sweepPrices(sweep, pool.unitPrice(), pool.budget, [&](double price) {
      Candidate candidate = planFor(price);
      pool.neighbourhood.addDonor(candidate.decisions);
      bool fits = candidate.excess == 0;
      if (fits)
        pool.consider(candidate);
      family.emplace(price, std::move(candidate));
      return fits;
    });
  }

  /// Asks for what to drop at the highest window, and at others that are above
  /// the cap then.
  Candidate planFor(double price) {
    Candidate candidate = pool.improver.evaluate(encoding.retainAll());
    std::vector<int32_t> asked;
    while (candidate.excess > 0 &&
           static_cast<int>(asked.size()) < tuning.maxStages) {
      pool.simulator.run(candidate.decisions);
      const std::vector<int64_t> &bytes =
          pool.simulator.lastOutcome().windowBytes;
      int32_t highest = -1;
      for (int32_t slot = 0; slot < static_cast<int32_t>(encoding.slots.size());
           ++slot)
        if (bytes[slot] > pool.capBytes &&
            (highest < 0 || bytes[slot] > bytes[highest]) &&
            std::find(asked.begin(), asked.end(), slot) == asked.end())
          highest = slot;
      if (highest < 0)
        break;
      asked.push_back(highest);
      Decisions decisions = candidate.decisions;
      dropAt(highest, price, decisions);
      candidate = pool.improver.evaluate(std::move(decisions));
    }
    return candidate;
  }

  void dropAt(int32_t slot, double price, Decisions &decisions) {
    StepId step = encoding.slots[slot].begin;
    std::unique_ptr<CutNetwork> &stage = stages[step];
    if (!stage)
      stage = std::make_unique<CutNetwork>(index, step);
    stage->minCut(std::llround(price * static_cast<double>(scale)), scale);
    for (TensorId storage : stage->dropped())
      for (TensorId tensor : index.members[storage])
        if (int32_t gap = encoding.gapAfter(tensor, slot); gap >= 0)
          decisions[gap] = 0;
  }

  /// The plans on both sides of the cap and between them, and some others.
  std::vector<Decisions> chooseStarts() {
    std::vector<Decisions> starts;
    auto add = [&](const Decisions &decisions) {
      if (std::find(starts.begin(), starts.end(), decisions) == starts.end())
        starts.push_back(decisions);
    };
    const Candidate *last = nullptr;
    for (const auto &[price, candidate] : family) {
      if (last && last->excess > 0 && candidate.excess == 0) {
        if (tuning.interpolate) {
          Candidate between = interpolate(*last, candidate);
          pool.consider(between);
          add(between.decisions);
        }
        add(last->decisions);
        add(candidate.decisions);
      }
      last = &candidate;
    }
    std::vector<const Candidate *> nearest;
    for (const auto &[price, candidate] : family)
      nearest.push_back(&candidate);
    // At low caps a plan of a middle price, repaired, may be the best.
    auto numSpread = static_cast<size_t>(tuning.numSpread);
    for (size_t i = 1; i <= numSpread; ++i)
      if (!nearest.empty())
        add(nearest[(nearest.size() - 1) * i / numSpread]->decisions);
    std::stable_sort(nearest.begin(), nearest.end(),
                     [](const Candidate *a, const Candidate *b) {
                       return a->isBetterThan(*b);
                     });
    nearest.resize(
        std::min(nearest.size(), static_cast<size_t>(tuning.numNearest)));
    for (const Candidate *candidate : nearest)
      add(candidate->decisions);
    return starts;
  }

  /// Goes from `from` to `to`, which fits, by those components of their
  /// difference first that remove the most excess for their cost.
  Candidate interpolate(Candidate from, const Candidate &to) {
    std::vector<std::vector<int32_t>> components =
        differences(from.decisions, to.decisions);
    while (from.excess > 0 && !components.empty() && !pool.budget.isSpent()) {
      size_t best = 0;
      double bestRatio = -1;
      Candidate after;
      for (size_t i = 0; i < components.size() && !pool.budget.isSpent(); ++i) {
        Decisions decisions = from.decisions;
        for (int32_t at : components[i])
          decisions[at] = to.decisions[at];
        Candidate candidate = pool.improver.evaluate(std::move(decisions));
        double removed = static_cast<double>(from.excess - candidate.excess);
        double added = std::max<double>(
            1, static_cast<double>(candidate.cost - from.cost));
        if (removed / added <= bestRatio && bestRatio >= 0)
          continue;
        if (bestRatio >= 0 || removed > 0 || i == 0) {
          bestRatio = std::max(0.0, removed / added);
          best = i;
          after = std::move(candidate);
        }
      }
      if (after.decisions.empty())
        break;
      from = std::move(after);
      components.erase(components.begin() + best);
    }
    return from;
  }

  /// The decisions that differ, those together of which one makes what the
  /// other takes.
  std::vector<std::vector<int32_t>> differences(const Decisions &a,
                                                const Decisions &b) const {
    std::vector<int32_t> changed;
    std::map<TensorId, int32_t> placeOf;
    for (int32_t at = 0; at < static_cast<int32_t>(a.size()); ++at) {
      if (a[at] == b[at])
        continue;
      if (at < static_cast<int32_t>(encoding.gaps.size()))
        placeOf.emplace(encoding.gaps[at].tensor,
                        static_cast<int32_t>(changed.size()));
      changed.push_back(at);
    }
    std::vector<int32_t> parent(changed.size());
    std::iota(parent.begin(), parent.end(), 0);
    auto find = [&](int32_t place) {
      while (parent[place] != place)
        place = parent[place] = parent[parent[place]];
      return place;
    };
    for (size_t i = 0; i < changed.size(); ++i) {
      if (changed[i] >= static_cast<int32_t>(encoding.gaps.size()))
        continue;
      TensorId tensor = encoding.gaps[changed[i]].tensor;
      for (TensorId operand :
           encoding.problem.steps[encoding.maker[tensor]].operands)
        if (auto found = placeOf.find(operand); found != placeOf.end())
          parent[find(static_cast<int32_t>(i))] = find(found->second);
      // All gaps of one tensor.
      parent[find(static_cast<int32_t>(i))] = find(placeOf.at(tensor));
    }
    std::map<int32_t, std::vector<int32_t>> byRoot;
    for (size_t i = 0; i < changed.size(); ++i)
      byRoot[find(static_cast<int32_t>(i))].push_back(changed[i]);
    std::vector<std::vector<int32_t>> components;
    for (auto &[root, members] : byRoot)
      components.push_back(std::move(members));
    return components;
  }
};

} // namespace

void searchMinCuts(PlanPool &pool) {
  PlanPool::PlannerScope scope(pool, "mincut");
  MinCutFamily(pool).run();
}

} // namespace remat::solver
