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

/// Work to put plans together, and to search neighbourhoods, in each round.
constexpr int64_t recombinationExecutions = 4'000'000;
constexpr int64_t neighbourhoodExecutions = 5'000'000;
constexpr int64_t minSchedules = 40;
constexpr int numRounds = 2;
/// Searches that go on side by side from there, with different seeds.
constexpr int numSearches = 2;

/// Where nothing fits: so often a lower peak is sought.
constexpr int numLowerings = 3;

/// Problems of up to so many steps also get this much of the exact search.
constexpr size_t maxStepsForExact = 100;
constexpr size_t exactStates = 70'000;
constexpr double shareBeforeExact = 0.5;
/// The share of the time for the members where all states are wanted.
constexpr double shareBeforeAllStates = 0.4;

/// The share of the time up to the deadline for the members.
constexpr double membersShare = 0.7;

class Portfolio {
public:
  explicit Portfolio(PlannerContext &context)
      : context(context), problem(context.problem), options(context.options),
        search(problem, options) {}

  void run() {
    plan();
    search.offerTo(context);
  }

private:
  PlannerContext &context;
  const Problem &problem;
  const PlannerOptions &options;
  PlanPool search;

  void plan() {
    // The quick ones first: they may do, and leave something if time is short.
    for (PoolPlanner member : {searchBlocks, searchSegments, searchGreedily}) {
      member(search);
      if (isDone())
        return;
    }
    runMembers();
    if (!search.fits())
      lowerPeak();
    for (int round = 0; round < numRounds && search.fits() && !isDone();
         ++round)
      improve(round);
  }

  bool isDone() { return search.budget.isPastDeadline() || search.isAtGoal(); }

  /// The seconds until `share` of the time is over, 0 if there is no deadline.
  double secondsLeft(double share = 1) const {
    return options.deadlineSeconds == 0
               ? 0
               : std::max(1e-3, share * options.deadlineSeconds -
                                    search.budget.secondsPassed());
  }

  void runMembers() {
    std::vector<std::unique_ptr<PlanPool>> searches(3);
    auto task = [&](size_t place, PoolPlanner member, double share) {
      return [this, place, member, share, &searches] {
        PlannerOptions forThis = options;
        forThis.deadlineSeconds = secondsLeft(share);
        searches[place] = std::make_unique<PlanPool>(problem, forThis);
        member(*searches[place]);
      };
    };
    runTogether({{task(1, searchChains, membersShare)},
                 {task(0, searchMinCuts, membersShare / 2),
                  task(2, searchPrices, membersShare)}});
    for (const std::unique_ptr<PlanPool> &each : searches)
      search.adopt(*each);
  }

  /// Where nothing fits: finds out how low the peak can be, by planning for
  /// caps between the lowest peak so far and what every plan needs.
  void lowerPeak() {
    int64_t low = std::max(options.capBytes, floorBytes(problem));
    for (int round = 0; round < numLowerings && !isDone(); ++round) {
      int64_t high = search.improver.lowest().peakBytes;
      if (high - low <= high / 1000)
        return;
      std::vector<std::unique_ptr<PlanPool>> searches(numSearches);
      std::vector<std::vector<Task>> lists;
      for (int i = 0; i < numSearches; ++i) {
        PlannerOptions forThis = options;
        forThis.deadlineSeconds = secondsLeft();
        forThis.capBytes = low + (high - low) / (numSearches + 1) * (i + 1);
        lists.push_back({[this, i, forThis, &searches] {
          searches[i] = std::make_unique<PlanPool>(problem, forThis);
          ChainSearch(*searches[i]).construct();
        }});
      }
      runTogether(lists);
      for (const std::unique_ptr<PlanPool> &each : searches) {
        search.improver.record(each->improver.lowest());
        if (!each->fits())
          low = std::max(low, each->capBytes);
      }
      search.budget.isSpent();
    }
  }

  /// Puts parts of the best plans together, and searches on from there.
  void improve(int round) {
    search.budget.isSpent();
    std::vector<std::unique_ptr<PlanPool>> searches(numSearches);
    std::vector<std::vector<Task>> lists;
    PlannerOptions forThis = options;
    forThis.deadlineSeconds = secondsLeft();
    for (int i = 0; i < numSearches; ++i) {
      forThis.seed = options.seed + 1 + round * numSearches + i;
      lists.push_back({[this, i, forThis, &searches] {
        searches[i] = std::make_unique<PlanPool>(problem, forThis);
        PlanPool &mine = *searches[i];
        mine.adopt(search);
        if (i == 0) {
          mine.allow(mine.workFor(recombinationExecutions, minSchedules));
          ChainSearch(mine).recombine();
        }
        mine.allow(mine.workFor(i == 0 ? neighbourhoodExecutions
                                       : neighbourhoodExecutions +
                                             recombinationExecutions,
                                minSchedules));
        mine.searchNeighbourhoods();
      }});
    }
    runTogether(lists);
    for (const std::unique_ptr<PlanPool> &each : searches)
      search.adopt(*each);
  }
};

} // namespace

void searchByMembers(PlannerContext &context) {
  if (isSmallEnoughForBruteForce(context.problem)) {
    searchExhaustively(context);
    if (context.findings.lowerBoundCost || context.findings.isInfeasible)
      return;
  }
  Portfolio(context).run();
}

/// The members with a share of the time, then up to `maxStates` of the
/// best-first search.
static void searchByMembersAndStates(PlannerContext &context,
                                     double membersShare, size_t maxStates) {
  PlannerOptions options = context.options;
  options.deadlineSeconds *= membersShare;
  PlannerContext members(context.problem, options);
  searchByMembers(members);
  context.adopt(members);
  if (!context.findings.lowerBoundCost && !context.findings.isInfeasible)
    searchBestFirst(context, maxStates,
                    [&] { return context.deadline.isPast(); });
}

void searchPortfolio(PlannerContext &context) {
  if (context.problem.steps.size() > maxStepsForExact)
    searchByMembers(context);
  else
    searchByMembersAndStates(context, shareBeforeExact, exactStates);
}

void searchExactly(PlannerContext &context) {
  searchByMembersAndStates(context, shareBeforeAllStates, exactMaxStates);
}

} // namespace remat::solver
