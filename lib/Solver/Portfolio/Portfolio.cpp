//===- Portfolio.cpp - All members together -------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First every member works as it would alone, so none of them can do better
// than the portfolio. Then parts of their best plans are put together and
// improved, more than once.
//
// Two threads share the work where there are two processors. What each does is
// laid down beforehand, so their timing changes nothing.
//
//===----------------------------------------------------------------------===//

#include "Portfolio/Portfolio.h"
#include "Chain/ChainSearch.h"
#include "Exact/BruteForce.h"
#include "Exact/Exact.h"
#include "Heuristics/Heuristics.h"
#include "Support/Parallel.h"

#include "remat/Solver/Solvers.h"

#include <algorithm>
#include <memory>

namespace remat::solver {
namespace {

class Portfolio {
public:
  explicit Portfolio(PlannerContext &context)
      : context(context), problem(context.problem), options(context.options),
        tuning(options.tuning->portfolio), pool(problem, options) {}

  void run() {
    plan();
    pool.offerTo(context);
  }

private:
  PlannerContext &context;
  const Problem &problem;
  const PlannerOptions &options;
  const decltype(Tuning::portfolio) &tuning;
  PlanPool pool;

  void plan() {
    // The quick ones first: they may do, and leave something if time is short.
    const std::pair<bool, PoolPlanner> quickOnes[] = {
        {tuning.blocks, searchBlocks},
        {tuning.segments, searchSegments},
        {tuning.greedy, searchGreedily}};
    for (auto [isOn, planner] : quickOnes) {
      if (isOn)
        planner(pool);
      if (isDone())
        return;
    }
    runMembers();
    if (!pool.fits() && tuning.lowering)
      lowerPeak();
    for (int round = 0; round < tuning.numRounds && pool.fits() && !isDone();
         ++round)
      improve(round);
  }

  bool isDone() { return pool.budget.isPastDeadline() || pool.isAtGoal(); }

  /// The seconds until `share` of the time is over, 0 if there is no deadline.
  double secondsLeft(double share = 1) const {
    return options.deadlineSeconds == 0
               ? 0
               : std::max(1e-3, share * options.deadlineSeconds -
                                    pool.budget.secondsPassed());
  }

  void runMembers() {
    std::vector<std::unique_ptr<PlanPool>> searches(3);
    auto task = [&](bool isOn, size_t place, PoolPlanner planner,
                    double share) {
      return [this, isOn, place, planner, share, &searches] {
        PlannerOptions forThis = options;
        forThis.deadlineSeconds = secondsLeft(share);
        searches[place] = std::make_unique<PlanPool>(problem, forThis);
        if (isOn)
          planner(*searches[place]);
      };
    };
    double share = tuning.memberTimeShare;
    runTogether({{task(tuning.dp, 1, searchChains, share)},
                 {task(tuning.mincut, 0, searchMinCuts, share / 2),
                  task(tuning.lns, 2, searchPrices, share)}},
                options.maxThreads);
    for (const std::unique_ptr<PlanPool> &each : searches)
      pool.adopt(*each);
  }

  /// Where nothing fits: finds out how low the peak can be, by planning for
  /// caps between the lowest peak so far and what every plan needs.
  void lowerPeak() {
    int64_t low = std::max(options.capBytes, floorBytes(problem));
    for (int round = 0; round < tuning.numLowerings && !isDone(); ++round) {
      int64_t high = pool.improver.lowest().peakBytes;
      if (high - low <= high / 1000)
        return;
      std::vector<std::unique_ptr<PlanPool>> searches(tuning.numSearches);
      std::vector<std::vector<Task>> lists;
      for (int i = 0; i < tuning.numSearches; ++i) {
        PlannerOptions forThis = options;
        forThis.deadlineSeconds = secondsLeft();
        forThis.capBytes =
            low + (high - low) / (tuning.numSearches + 1) * (i + 1);
        lists.push_back({[this, i, forThis, &searches] {
          searches[i] = std::make_unique<PlanPool>(problem, forThis);
          ChainSearch(*searches[i]).construct();
        }});
      }
      runTogether(lists, options.maxThreads);
      for (const std::unique_ptr<PlanPool> &each : searches) {
        pool.improver.record(each->improver.lowest());
        if (!each->fits())
          low = std::max(low, each->capBytes);
      }
      pool.budget.isSpent();
    }
  }

  /// Puts parts of the best plans together, and searches on from there.
  void improve(int round) {
    pool.budget.isSpent();
    std::vector<std::unique_ptr<PlanPool>> searches(tuning.numSearches);
    std::vector<std::vector<Task>> lists;
    PlannerOptions forThis = options;
    forThis.deadlineSeconds = secondsLeft();
    for (int i = 0; i < tuning.numSearches; ++i) {
      forThis.seed = options.seed + 1 +
                     static_cast<uint64_t>(round) * tuning.numSearches + i;
      lists.push_back({[this, i, forThis, &searches] {
        searches[i] = std::make_unique<PlanPool>(problem, forThis);
        PlanPool &mine = *searches[i];
        mine.adopt(pool);
        // Those that cross no plans have that much more for the rest.
        int64_t work = tuning.neighbourhoodWork;
        if (i > 0)
          work += tuning.recombinationWork;
        else if (tuning.recombination) {
          BudgetScope budget = mine.allow(
              mine.workFor(tuning.recombinationWork, tuning.minSchedules));
          ChainSearch(mine).recombine();
        }
        BudgetScope budget =
            mine.allow(mine.workFor(work, tuning.minSchedules));
        if (tuning.neighbourhoods)
          mine.searchNeighbourhoods();
      }});
    }
    runTogether(lists, options.maxThreads);
    for (const std::unique_ptr<PlanPool> &each : searches)
      pool.adopt(*each);
  }
};

} // namespace

void searchByMembers(PlannerContext &context) {
  if (context.options.tuning->portfolio.bruteForce &&
      isSmallEnoughForBruteForce(context.problem)) {
    searchExhaustively(context);
    if (context.findings.lowerBoundCost || context.findings.isInfeasible)
      return;
  }
  Portfolio(context).run();
}

/// The members with a share of the time, then up to `maxStates` of the
/// best-first search.
static void searchByMembersAndStates(PlannerContext &context, double timeShare,
                                     size_t maxStates) {
  PlannerOptions options = context.options;
  options.deadlineSeconds *= timeShare;
  PlannerContext members(context.problem, options);
  searchByMembers(members);
  context.adopt(members);
  if (!context.findings.lowerBoundCost && !context.findings.isInfeasible)
    searchBestFirst(context, maxStates,
                    [&] { return context.deadline.isPast(); });
}

void searchPortfolio(PlannerContext &context) {
  const auto &tuning = context.options.tuning->portfolio;
  if (!tuning.exact ||
      context.problem.steps.size() > static_cast<size_t>(tuning.exactMaxSteps))
    searchByMembers(context);
  else
    searchByMembersAndStates(context, tuning.beforeExactTimeShare,
                             static_cast<size_t>(tuning.exactStates));
}

void searchExactly(PlannerContext &context) {
  searchByMembersAndStates(
      context, context.options.tuning->portfolio.beforeExactAloneTimeShare,
      exactMaxStates);
}

} // namespace remat::solver
