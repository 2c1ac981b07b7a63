//===- DynamicProgramming.cpp - Dynamic programming over the schedule -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chain DP plans for every amount of memory; some of its plans, and the
// schedule itself, are repaired and pruned under the exact simulator. The best
// of all is improved further as long as the budget lasts.
//
//===----------------------------------------------------------------------===//

#include "ChainDp.h"
#include "PlanSearch.h"

#include <algorithm>

namespace remat::solver {
namespace {

/// Work for plans, and for improving the best of them.
constexpr int64_t constructionExecutions = 7'000'000;
constexpr int64_t improvementExecutions = 7'000'000;
/// Large problems still get enough to judge the plans of the chain DP.
constexpr int64_t minSchedules = 200;

/// Memory is counted in this many parts of the cap.
constexpr int numQuanta = 256;
/// Plans of the chain DP that are worked on, spread over all amounts of memory.
constexpr size_t numChainStarts = 16;
/// As many more with this share of the cap as slack; they matter at low caps.
constexpr double slackShare = 1.0 / 3;
/// Caps at which plans are repaired, as shares of the cap proper. Repair takes
/// what is cheapest first and may end up in a corner; aiming lower and then
/// taking back what is not needed leads round some of them.
constexpr double repairTargets[] = {1.0, 0.98, 0.95, 0.9, 0.85, 0.75, 0.6};

/// Plans of `chain`, from much memory to little: the last are the dearest,
/// and take the longest to simulate.
std::vector<Decisions> plansOf(const ChainDp &chain) {
  std::vector<Decisions> plans, spread;
  for (int quanta = 0; quanta <= numQuanta; ++quanta)
    if (std::optional<Decisions> plan = chain.planFor(quanta))
      if (plans.empty() || plans.back() != *plan)
        plans.push_back(std::move(*plan));
  size_t number = std::min(numChainStarts, plans.size());
  for (size_t i = 0; i < number; ++i)
    spread.push_back(std::move(plans[i * plans.size() / number]));
  return spread;
}

} // namespace

void searchChains(PlanSearch &search) {
  const GapEncoding &encoding = search.encoding;
  int64_t capBytes = search.capBytes;
  search.setMember("dp");
  search.allow(search.workFor(constructionExecutions, minSchedules));
  ChainDp chain(encoding, search.peakSlot(), capBytes / numQuanta + 1,
                numQuanta);
  std::vector<Decisions> starts = plansOf(chain);
  // In a large problem there may be no time for more than this; so the plans
  // that are likely to be cheap come first.
  for (auto start = starts.rbegin(); start != starts.rend(); ++start)
    search.consider(*start);
  for (const Decisions &start : starts)
    search.refine(start, capBytes);
  for (double target : repairTargets)
    search.refine(encoding.retainAll(),
                  static_cast<int64_t>(capBytes * target));
  // What did not fit so far needs more of a push, and may need the slack;
  // for what did, that is something to try if there is time left.
  bool fits = search.fits();
  chain.setSlack(static_cast<int>(numQuanta * slackShare));
  std::vector<Decisions> withSlack = plansOf(chain);
  std::vector<double> targets(std::begin(repairTargets) + 1,
                              std::end(repairTargets));
  if (!fits) {
    for (const Decisions &start : starts)
      search.refine(encoding.tearAll(start), capBytes);
    for (const Decisions &start : withSlack)
      search.refine(start, capBytes);
    starts.insert(starts.end(), withSlack.begin(), withSlack.end());
    std::reverse(targets.begin(), targets.end());
  }
  for (double target : targets)
    for (const Decisions &start : starts)
      search.refine(start, static_cast<int64_t>(capBytes * target));
  if (fits)
    for (const Decisions &start : withSlack)
      search.refine(start, capBytes);
}

SolverResult solveDynamicProgramming(const Problem &problem,
                                     const SolverOptions &options) {
  if (problem.steps.empty())
    return SolverResult();
  PlanSearch search(problem, options);
  searchChains(search);
  search.allow(search.workFor(improvementExecutions, minSchedules));
  if (!search.fits())
    search.lowerPeak();
  if (search.fits())
    search.searchNeighbourhoods(options.lowerBoundCost);
  return search.result();
}

} // namespace remat::solver
