//===- Frontier.cpp - Cost against memory, for all caps -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Frontier.h"
#include "Bound/Bounds.h"
#include "Chain/ChainSearch.h"
#include "Portfolio/OrderSelection.h"

#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <algorithm>

namespace remat::solver {
namespace {

class FrontierSearch {
public:
  /// Caps go up to `highestBytes`.
  FrontierSearch(const Problem &problem, const FrontierOptions &options,
                 int64_t highestBytes)
      : problem(problem), options(options), highestBytes(highestBytes),
        tuning(options.tuning->frontier), deadline(options.deadlineSeconds) {}

  std::optional<std::vector<FrontierPoint>> run() {
    if (!findEnds())
      return std::nullopt;
    for (int i = 0; i < numPoints(); ++i)
      planAt(i);
    for (int i = 0; i < tuning.numAnchors; ++i)
      planInWidestStretch(tuning.numAnchors - i);
    for (int i = numPoints() - 1; i > 0; --i)
      startFrom(i, i - 1);
    for (int i = 0; i + 1 < numPoints(); ++i)
      startFrom(i, i + 1);
    makeMonotone();
    return std::move(points);
  }

private:
  const Problem &problem;
  const FrontierOptions &options;
  int64_t highestBytes;
  const decltype(Tuning::frontier) &tuning;
  Deadline deadline;
  std::vector<FrontierPoint> points;
  /// The decisions of the best plan of each cap that has any.
  std::vector<Candidate> decisions;
  /// Whether the named solver was asked.
  std::vector<char> isAnchor;

  void tell(int capsDone) const {
    if (options.progress)
      options.progress(capsDone);
  }

  int numPoints() const { return static_cast<int>(points.size()); }

  /// The seconds left for one of `number` more pieces of work, or 0 for no
  /// limit. There is always a little, so that something is found.
  double secondsFor(int number) const {
    return deadline.isSet() ? std::max(1e-3, deadline.secondsLeft() / number)
                            : 0;
  }

  SolverOptions optionsFor(int64_t capBytes, int piecesLeft) const {
    SolverOptions solverOptions;
    solverOptions.capBytes = capBytes;
    solverOptions.deadlineSeconds = secondsFor(piecesLeft);
    solverOptions.keepOrder = true;
    solverOptions.tuning = options.tuning;
    return solverOptions;
  }

  PlannerOptions poolOptionsFor(int64_t capBytes, int piecesLeft) const {
    PlannerOptions poolOptions;
    poolOptions.capBytes = capBytes;
    poolOptions.deadlineSeconds = secondsFor(piecesLeft);
    poolOptions.tuning = options.tuning;
    return poolOptions;
  }

  /// Takes over a plan where it is the best so far.
  void offer(FrontierPoint &point, const Plan &plan, int64_t peakBytes,
             int64_t cost) {
    if (peakBytes > point.capBytes ||
        (!point.plan.sequence.empty() && cost >= point.cost))
      return;
    point.plan = plan;
    point.peakBytes = peakBytes;
    point.cost = cost;
  }

  bool findEnds() {
    Plan schedule = originalPlan(problem);
    Timeline original = computeTimeline(problem, schedule);
    std::optional<SolverResult> lowest =
        solve(problem, options.solver,
              optionsFor(floorBytes(problem), 2 + options.numCaps));
    if (!lowest)
      return false;
    if (problem.steps.empty())
      return true;
    int64_t low = std::min(lowest->peakBytes, original.peakBytes);
    for (int i = 0; i < options.numCaps; ++i) {
      FrontierPoint &point = points.emplace_back();
      point.capBytes = options.numCaps == 1 ? highestBytes
                                            : low + (highestBytes - low) * i /
                                                        (options.numCaps - 1);
      offer(point, lowest->plan, lowest->peakBytes, lowest->cost);
      offer(point, schedule, original.peakBytes, original.cost);
    }
    decisions.resize(points.size());
    isAnchor.assign(points.size(), false);
    isAnchor[0] = true;
    return true;
  }

  /// Plans for one cap on its own.
  void planAt(int i) {
    FrontierPoint &point = points[i];
    int left = numPoints() - i + 2;
    tell(i);
    BoundOptions boundOptions;
    boundOptions.capBytes = point.capBytes;
    boundOptions.deadlineSeconds = secondsFor(4 * left);
    // Bounds of higher caps hold for lower ones too, so each may be weaker.
    boundOptions.effort = tuning.boundEffort;
    boundOptions.tuning = options.tuning;
    point.lowerBoundCost = lowerBound(problem, boundOptions).cost;
    if (point.cost <= point.lowerBoundCost)
      return;
    PlanPool pool(problem, poolOptionsFor(point.capBytes, left));
    searchChainsBriefly(pool, tuning.workShare);
    take(i, pool);
  }

  /// Caps for which little work found nothing lie together, the low ones as a
  /// rule. Has the named solver plan for the middle of the longest such
  /// stretch, or if there is none, for the cap that is the farthest from its
  /// bound.
  void planInWidestStretch(int anchorsLeft) {
    int anchor = -1, longest = 0;
    for (int begin = 0, end; begin < numPoints(); begin = end + 1) {
      for (end = begin; end < numPoints() && isOpen(end); ++end)
        ;
      if (end - begin > longest) {
        longest = end - begin;
        anchor = begin + longest / 2;
      }
    }
    for (int i = 1; i < numPoints() && longest == 0; ++i)
      if (!isAnchor[i] && gapOf(i) > (anchor < 0 ? 0 : gapOf(anchor)))
        anchor = i;
    if (anchor < 0)
      return;
    tell(numPoints());
    isAnchor[anchor] = true;
    SolverOptions solverOptions =
        optionsFor(points[anchor].capBytes, anchorsLeft + 2);
    SolverResult result = *solve(problem, options.solver, solverOptions);
    offer(points[anchor], result.plan, result.peakBytes, result.cost);
    for (int i = anchor + 1; i < numPoints(); ++i)
      offer(points[i], result.plan, result.peakBytes, result.cost);
  }

  int64_t gapOf(int i) const {
    return points[i].cost - points[i].lowerBoundCost;
  }

  /// Whether there is no plan for this very cap, and need of one.
  bool isOpen(int i) const {
    return !isAnchor[i] && decisions[i].decisions.empty() && gapOf(i) > 0;
  }

  void take(int i, PlanPool &pool) {
    if (!pool.fits())
      return;
    const Candidate &best = pool.best();
    if (decisions[i].decisions.empty() || best.cost < decisions[i].cost)
      decisions[i] = best;
    offer(points[i], pool.bestPlan(), best.peakBytes, best.cost);
  }

  /// Makes the plan of `from` fit, or takes back what it drops too much.
  void startFrom(int from, int to) {
    if (decisions[from].decisions.empty() ||
        points[to].cost <= points[to].lowerBoundCost)
      return;
    tell(numPoints());
    PlanPool pool(problem, poolOptionsFor(points[to].capBytes, numPoints()));
    BudgetScope budget = pool.allow(pool.workFor(decisions[to].decisions.empty()
                                                     ? tuning.repairWork
                                                     : tuning.neighbourWork,
                                                 tuning.minSchedules));
    pool.refine(decisions[from].decisions, points[to].capBytes);
    take(to, pool);
  }

  void makeMonotone() {
    for (int i = 1; i < numPoints(); ++i)
      offer(points[i], points[i - 1].plan, points[i - 1].peakBytes,
            points[i - 1].cost);
    for (int i = numPoints() - 1; i > 0; --i)
      points[i - 1].lowerBoundCost =
          std::max(points[i - 1].lowerBoundCost, points[i].lowerBoundCost);
  }
};

/// Plans in `order`, and gives the steps their places in the schedule back.
/// Nothing if a plan does not fit in the problem as it is given, where parts of
/// a group that the order tore apart may meet again.
std::optional<std::vector<FrontierPoint>>
computeInOrder(const Problem &problem, const std::vector<StepId> &order,
               const FrontierOptions &options, int64_t highestBytes) {
  Problem reordered = withOrder(problem, order);
  std::optional<std::vector<FrontierPoint>> points =
      FrontierSearch(reordered, options, highestBytes).run();
  for (FrontierPoint &point : *points) {
    point.plan = inSchedule(point.plan, order);
    point.isReordered = true;
    point.peakBytes = computeTimeline(problem, point.plan).peakBytes;
    if (point.peakBytes > point.capBytes)
      return std::nullopt;
  }
  // The last cap is that of the schedule, which needs no other order.
  Timeline original = computeTimeline(problem, originalPlan(problem));
  FrontierPoint &last = points->back();
  if (last.cost == original.cost) {
    last.plan = originalPlan(problem);
    last.peakBytes = original.peakBytes;
    last.isReordered = false;
  }
  return points;
}

} // namespace

std::optional<std::vector<FrontierPoint>>
computeFrontier(const Problem &problem, const FrontierOptions &options) {
  int64_t peakBytes = computeTimeline(problem, originalPlan(problem)).peakBytes;
  for (const SolverInfo &info : allSolvers()) {
    if (options.solver != info.name || !info.mayReorder || options.keepOrder ||
        problem.steps.empty())
      continue;
    PlannerOptions halfway;
    halfway.capBytes = peakBytes - (peakBytes - floorBytes(problem)) / 2;
    halfway.tuning = options.tuning;
    halfway.deadlineSeconds =
        options.deadlineSeconds * options.tuning->frontier.orderTimeShare;
    std::vector<StepId> order = chooseOrder(problem, halfway);
    if (order.empty())
      continue;
    if (auto points = computeInOrder(problem, order, options, peakBytes))
      return points;
  }
  return FrontierSearch(problem, options, peakBytes).run();
}

} // namespace remat::solver
