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

#include "Chain/ChainSearch.h"
#include "Exact/Exact.h"
#include "Support/Parallel.h"

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

/// The share of the time up to the deadline for the members.
constexpr double membersShare = 0.7;

class Portfolio {
public:
  Portfolio(const Problem &problem, const SolverOptions &options)
      : problem(problem), options(options), goal(goalCost(problem, options)),
        search(problem, options) {}

  SolverResult run() {
    // The quick ones first: they may do, and leave something if time is short.
    for (auto member : {searchBlocks, searchSegments, searchGreedily}) {
      member(search, goal);
      if (isDone())
        return search.result();
    }
    runMembers();
    if (!search.fits())
      lowerPeak();
    for (int round = 0; round < numRounds && search.fits() && !isDone();
         ++round)
      improve(round);
    return search.result();
  }

private:
  const Problem &problem;
  SolverOptions options;
  int64_t goal;
  PlanPool search;

  bool isDone() {
    return search.budget.isPastDeadline() ||
           (search.fits() && search.best().cost <= goal);
  }

  /// The seconds until `share` of the time is over, 0 if there is no deadline.
  double secondsLeft(double share = 1) const {
    return options.deadlineSeconds == 0
               ? 0
               : std::max(1e-3, share * options.deadlineSeconds -
                                    search.budget.secondsPassed());
  }

  void runMembers() {
    std::vector<std::unique_ptr<PlanPool>> searches(3);
    auto task = [&](size_t place, void (*member)(PlanPool &, int64_t),
                    double share) {
      return [this, place, member, share, &searches] {
        SolverOptions forThis = options;
        forThis.deadlineSeconds = secondsLeft(share);
        searches[place] = std::make_unique<PlanPool>(problem, forThis);
        member(*searches[place], goal);
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
        SolverOptions forThis = options;
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
    SolverOptions forThis = options;
    forThis.deadlineSeconds = secondsLeft();
    for (int i = 0; i < numSearches; ++i) {
      forThis.seed = options.seed + 1 + round * numSearches + i;
      lists.push_back({[this, i, forThis, &searches] {
        searches[i] = std::make_unique<PlanPool>(problem, forThis);
        PlanPool &mine = *searches[i];
        mine.adopt(search);
        if (i == 0) {
          BudgetScope work =
              mine.allow(mine.workFor(recombinationExecutions, minSchedules));
          ChainSearch(mine).recombine();
        }
        BudgetScope work = mine.allow(mine.workFor(
            i == 0 ? neighbourhoodExecutions
                   : neighbourhoodExecutions + recombinationExecutions,
            minSchedules));
        mine.searchNeighbourhoods(goal);
      }});
    }
    runTogether(lists);
    for (const std::unique_ptr<PlanPool> &each : searches)
      search.adopt(*each);
  }
};

} // namespace

SolverResult solveByMembers(const Problem &problem,
                            const SolverOptions &options) {
  if (problem.steps.empty())
    return SolverResult();
  if (problem.steps.size() <= bruteForceMaxSteps &&
      problem.tensors.size() <= bruteForceMaxTensors) {
    SolverResult exact = solveBruteForce(problem, options);
    if (exact.proven) {
      exact.member = "brute-force";
      return exact;
    }
  }
  return Portfolio(problem, options).run();
}

SolverResult solvePortfolio(const Problem &problem,
                            const SolverOptions &options) {
  if (problem.steps.size() > maxStepsForExact)
    return solveByMembers(problem, options);
  Deadline deadline(options.deadlineSeconds);
  SolverOptions forMembers = options;
  forMembers.deadlineSeconds *= shareBeforeExact;
  SolverResult result = solveByMembers(problem, forMembers);
  return improveExactly(problem,
                        {options.capBytes, options.lowerBoundCost, exactStates,
                         [&] { return deadline.isPast(); }},
                        std::move(result));
}

} // namespace remat::solver
