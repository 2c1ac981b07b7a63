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
#include "Improve.h"

#include "remat/Solver/Solvers.h"

#include <algorithm>

namespace remat::solver {
namespace {

/// Executions that may be simulated. Each takes 25 to 50 ns, so this is one to
/// two seconds whatever the size of the problem.
constexpr int64_t maxExecutions = 30'000'000;
/// Large problems still get enough to judge the plans of the chain DP: so many
/// times the schedule.
constexpr int64_t minSchedules = 300;

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
/// The share of the work for all that; the rest is for improving the best.
constexpr double constructionShare = 0.7;
/// How many of the best plans are improved if there is time.
constexpr size_t numElite = 8;

class ChainSolver {
public:
  ChainSolver(const Problem &problem, const SolverOptions &options)
      : capBytes(options.capBytes), encoding(problem), simulator(encoding),
        limit(workLimit(problem)),
        budget(simulator, static_cast<int64_t>(limit * constructionShare),
               options.deadlineSeconds),
        improver(encoding, simulator, budget, options.capBytes) {}

  SolverResult run() {
    construct();
    budget.setLimit(limit);
    if (best.excess == 0)
      improve();
    else
      lowerPeak();

    SolverResult result;
    result.status = best.excess == 0          ? SolveStatus::Ok
                    : budget.isPastDeadline() ? SolveStatus::Deadline
                                              : SolveStatus::Infeasible;
    const Candidate &chosen = best.excess == 0 ? best : improver.lowest();
    result.plan.sequence = simulator.run(chosen.decisions).sequence;
    result.lowestPeakBytes = improver.lowest().peakBytes;
    return result;
  }

private:
  int64_t capBytes;
  GapEncoding encoding;
  Simulator simulator;
  int64_t limit;
  Budget budget;
  Improver improver;
  Candidate best;
  /// The best plans within the cap, of different costs, the cheapest first.
  std::vector<Candidate> elite;

  static int64_t workLimit(const Problem &problem) {
    return std::max(maxExecutions,
                    minSchedules * static_cast<int64_t>(problem.steps.size()));
  }

  /// Finds the best of many plans, each repaired and pruned.
  void construct() {
    best = improver.evaluate(encoding.retainAll());
    ChainDp chain(encoding, peakSlot(), capBytes / numQuanta + 1, numQuanta);
    std::vector<Decisions> starts = plansOf(chain);
    // In a large problem there may be no time for more than this; so the
    // plans that are likely to be cheap come first.
    for (auto start = starts.rbegin(); start != starts.rend(); ++start)
      if (!budget.isSpent())
        consider(improver.evaluate(*start));
    for (const Decisions &start : starts)
      refine(start, capBytes);
    for (double target : repairTargets)
      refine(encoding.retainAll(), static_cast<int64_t>(capBytes * target));
    // What did not fit so far needs more of a push, and may need the slack;
    // for what did, that is something to try if there is time left.
    bool fits = best.excess == 0;
    chain.setSlack(static_cast<int>(numQuanta * slackShare));
    std::vector<Decisions> withSlack = plansOf(chain);
    std::vector<double> targets(std::begin(repairTargets) + 1,
                                std::end(repairTargets));
    if (!fits) {
      for (const Decisions &start : withSlack)
        refine(start, capBytes);
      starts.insert(starts.end(), withSlack.begin(), withSlack.end());
      std::reverse(targets.begin(), targets.end());
    }
    for (double target : targets)
      for (const Decisions &start : starts)
        refine(start, static_cast<int64_t>(capBytes * target));
    if (fits)
      for (const Decisions &start : withSlack)
        refine(start, capBytes);
  }

  /// The slot of the schedule with the highest memory.
  int32_t peakSlot() {
    // The window behind the last slot is empty in the schedule itself.
    std::vector<int64_t> bytes =
        simulator.run(encoding.retainAll()).windowBytes;
    bytes.pop_back();
    return static_cast<int32_t>(std::max_element(bytes.begin(), bytes.end()) -
                                bytes.begin());
  }

  /// Plans of `chain`, from much memory to little: the last are the dearest,
  /// and take the longest to simulate.
  static std::vector<Decisions> plansOf(const ChainDp &chain) {
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

  /// Repairs `start` for `targetBytes`, then makes the most of the cap proper.
  void refine(Decisions start, int64_t targetBytes) {
    if (budget.isSpent())
      return;
    improver.setCap(targetBytes);
    Candidate candidate = improver.evaluate(std::move(start));
    improver.repair(candidate);
    improver.setCap(capBytes);
    candidate = improver.evaluate(std::move(candidate.decisions));
    improver.repair(candidate);
    if (candidate.excess == 0)
      improver.prune(candidate);
    consider(std::move(candidate));
  }

  /// Notes `candidate` if it is among the best.
  void consider(Candidate candidate) {
    // Plans of one cost are mostly the same plan.
    auto place =
        std::find_if(elite.begin(), elite.end(), [&](const Candidate &other) {
          return !other.isBetterThan(candidate);
        });
    if (candidate.excess == 0 &&
        (place == elite.end() || place->cost != candidate.cost)) {
      elite.insert(place, candidate);
      elite.resize(std::min(elite.size(), numElite));
    }
    if (candidate.isBetterThan(best))
      best = std::move(candidate);
  }

  /// A plan that is not the best now may become so by exchanges.
  void improve() {
    for (Candidate &candidate : elite) {
      improver.exchange(candidate);
      if (candidate.isBetterThan(best))
        best = candidate;
    }
  }

  /// Nothing fits: finds out how low the peak can be.
  void lowerPeak() {
    while (!budget.isSpent()) {
      Candidate candidate = improver.lowest();
      improver.setCap(std::max(capBytes, candidate.peakBytes - 1));
      candidate = improver.evaluate(std::move(candidate.decisions));
      improver.repair(candidate);
      if (candidate.excess > 0)
        return;
      improver.prune(candidate);
      if (candidate.peakBytes <= capBytes) {
        best = std::move(candidate);
        return;
      }
    }
  }
};

} // namespace

SolverResult solveDynamicProgramming(const Problem &problem,
                                     const SolverOptions &options) {
  if (problem.steps.empty())
    return SolverResult();
  return ChainSolver(problem, options).run();
}

} // namespace remat::solver
