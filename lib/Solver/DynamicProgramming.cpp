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

/// Simulator runs allowed, times the number of steps. A run takes about 60 ns a
/// step, so this is one to two seconds whatever the size of the problem.
constexpr int64_t runsTimesSteps = 25'000'000;
/// Large problems still get enough runs to judge the plans of the chain DP.
constexpr int64_t minRuns = 1000;

/// Memory is counted in this many parts of the cap.
constexpr int numQuanta = 256;
/// Plans of the chain DP that are worked on, spread over all amounts of memory.
constexpr size_t numChainStarts = 16;
/// Caps at which the schedule is repaired, as shares of the cap proper. Repair
/// takes what is cheapest first and may end up in a corner; aiming lower and
/// then taking back what is not needed leads round some of them.
constexpr double repairTargets[] = {1.0, 0.98, 0.95, 0.9, 0.85};

class ChainSolver {
public:
  ChainSolver(const Problem &problem, const SolverOptions &options)
      : capBytes(options.capBytes), encoding(problem), simulator(encoding),
        budget(simulator, maxRuns(problem), options.deadlineSeconds),
        improver(encoding, simulator, budget, options.capBytes) {}

  SolverResult run() {
    best = improver.evaluate(encoding.retainAll());
    std::vector<Decisions> starts = chainPlans();
    size_t numStarts = std::min(starts.size(), numChainStarts);
    for (size_t i = 0; i < numStarts; ++i)
      refine(starts[i * starts.size() / numStarts], capBytes);
    for (double target : repairTargets)
      refine(encoding.retainAll(), static_cast<int64_t>(capBytes * target));
    if (best.excess == 0)
      improver.exchange(best);
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
  Budget budget;
  Improver improver;
  Candidate best;

  static int64_t maxRuns(const Problem &problem) {
    int64_t steps = static_cast<int64_t>(problem.steps.size());
    return std::max(minRuns, runsTimesSteps / std::max<int64_t>(1, steps));
  }

  /// The different plans of the chain DP, from little to much memory.
  std::vector<Decisions> chainPlans() {
    const std::vector<int64_t> &bytes =
        simulator.run(encoding.retainAll()).windowBytes;
    auto peak = std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
    // The window behind the last slot is empty in the schedule itself.
    int32_t peakSlot =
        static_cast<int32_t>(std::min<size_t>(peak, encoding.slots.size() - 1));
    ChainDp chain(encoding, peakSlot, capBytes / numQuanta + 1, numQuanta);
    std::vector<Decisions> plans;
    for (int quanta = 0; quanta <= numQuanta; ++quanta)
      if (std::optional<Decisions> plan = chain.planFor(quanta))
        if (plans.empty() || plans.back() != *plan)
          plans.push_back(std::move(*plan));
    return plans;
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
    if (candidate.isBetterThan(best))
      best = std::move(candidate);
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
