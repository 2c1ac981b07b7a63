//===- OrderSelection.cpp - Plans and bounds in an order of one's own -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever plans on a schedule plans on any order of the same steps: the order
// is made the schedule of a problem of its own, and the steps of the plan are
// given their names back. Which order to spend the work on, a little work on
// each tells.
//
//===----------------------------------------------------------------------===//

#include "Portfolio/OrderSelection.h"
#include "Search/PlanPool.h"
#include "Support/Parallel.h"

#include "remat/Solver/Timeline.h"

#include <algorithm>

namespace remat::solver {

Plan inSchedule(const Plan &plan, const std::vector<StepId> &order) {
  Plan result;
  for (StepId step : plan.sequence)
    result.sequence.push_back(order[step]);
  return result;
}

Certificate inSchedule(Certificate certificate,
                       const std::vector<StepId> &order) {
  renameSteps(certificate, order);
  certificate.order = order;
  return certificate;
}

Certificate improveBoundInOrder(const Problem &problem,
                                const BoundOptions &options,
                                Certificate start) {
  if (start.order.empty())
    return improveBound(problem, options, std::move(start));
  std::vector<StepId> order = std::move(start.order), placeOf(order.size());
  for (size_t place = 0; place < order.size(); ++place)
    placeOf[order[place]] = static_cast<StepId>(place);
  start.order.clear();
  renameSteps(start, placeOf);
  Problem reordered = withOrder(problem, order);
  if (start.kind() == BoundKind::Schedule)
    start = lowerBound(reordered, options);
  else
    start = improveBound(reordered, options, std::move(start));
  return inSchedule(std::move(start), order);
}

namespace {

/// The shares of the time for finding orders, for the bound of each, and for
/// planning on each to compare them.
constexpr double orderShare = 0.1;
constexpr double boundShare = 0.1;
constexpr double trialShare = 0.1;
/// So many orders are compared with the schedule: the lowest.
constexpr size_t maxTried = 2;
/// The share of the work of dp for that.
constexpr double trialWork = 0.15;
/// An order of such a share of the bound of another, or less, promises more.
constexpr double notablyLower = 0.99;

class OrderSelection {
public:
  OrderSelection(const Problem &problem, const SolverOptions &options)
      : problem(problem), options(options), deadline(options.deadlineSeconds) {
    Trial &schedule = trials.emplace_back();
    schedule.problem = &problem;
    schedule.lowerBoundCost = options.lowerBoundCost;
  }

  /// Plans in the most promising order; never worse than what was found on the
  /// way there.
  SolverResult run();

  std::vector<StepId> choose() {
    ReorderOptions reorderOptions;
    reorderOptions.capBytes = options.capBytes;
    reorderOptions.deadlineSeconds = options.deadlineSeconds * orderShare;
    orders = findOrders(problem, reorderOptions);
    if (orders.empty())
      return {};
    if (orders.back().peakBytes <= options.capBytes)
      return orders.back().steps;
    return mostPromising().order;
  }

private:
  /// One order, and what is known of it.
  struct Trial {
    /// Empty for the schedule.
    std::vector<StepId> order;
    const Problem *problem = nullptr;
    /// 0 if no plan meets the cap.
    int64_t lowerBoundCost = 0;
    Certificate certificate;
    /// The best plan so far, for the problem as it was given, and whether that
    /// took more than a little work.
    SolverResult result;
    bool isPlanned = false;
  };

  const Problem &problem;
  const SolverOptions &options;
  Deadline deadline;
  std::vector<Order> orders;
  std::vector<Problem> reordered;
  std::vector<Trial> trials;

  double secondsLeft() const {
    return deadline.isSet() ? std::max(options.deadlineSeconds * trialShare,
                                       deadline.secondsLeft())
                            : 0;
  }

  SolverOptions optionsFor(const Trial &trial, double deadlineSeconds) const {
    SolverOptions result = options;
    result.lowerBoundCost = trial.lowerBoundCost;
    result.deadlineSeconds = deadlineSeconds;
    return result;
  }

  /// Within the cap before above it, then cheap or of a low peak.
  bool isBetter(const SolverResult &a, const SolverResult &b) const {
    bool fitsA = a.peakBytes <= options.capBytes,
         fitsB = b.peakBytes <= options.capBytes;
    if (fitsA != fitsB)
      return fitsA;
    return fitsA ? a.cost < b.cost : a.peakBytes < b.peakBytes;
  }

  /// Notes a result on the problem of `trial` if it is its best. Its memory is
  /// that in the problem as it was given, where the parts of a group that the
  /// order tore apart may meet again.
  void take(Trial &trial, SolverResult result) const {
    if (!trial.order.empty())
      result.plan = inSchedule(result.plan, trial.order);
    Timeline timeline = computeTimeline(problem, result.plan);
    result.peakBytes = timeline.peakBytes;
    result.cost = timeline.cost;
    if (trial.result.plan.sequence.empty() || isBetter(result, trial.result))
      trial.result = std::move(result);
  }

  void addTrials() {
    size_t numTried = std::min(orders.size(), maxTried);
    orders.erase(orders.begin(), orders.end() - numTried);
    reordered.reserve(numTried);
    for (const Order &order : orders) {
      Trial &trial = trials.emplace_back();
      trial.order = order.steps;
      trial.problem = &reordered.emplace_back(withOrder(problem, order.steps));
    }
  }

  /// Finds a bound, as solve() does for the schedule.
  void findBound(Trial &trial) const {
    BoundOptions boundOptions;
    boundOptions.capBytes = options.capBytes;
    boundOptions.deadlineSeconds = options.deadlineSeconds * boundShare;
    Certificate certificate = lowerBound(*trial.problem, boundOptions);
    if (!certificate.isInfeasible)
      trial.lowerBoundCost = certificate.cost;
    if (!trial.order.empty())
      trial.certificate = inSchedule(std::move(certificate), trial.order);
  }

  /// Whether `a` promises better plans than `b`: a notably lower bound says
  /// more than a little work does.
  bool promisesMore(const Trial &a, const Trial &b) const {
    auto overhead = [scheduleCost =
                         problem.scheduleCost()](const Trial &trial) {
      return static_cast<double>(trial.lowerBoundCost - scheduleCost);
    };
    if ((a.lowerBoundCost == 0) != (b.lowerBoundCost == 0))
      return b.lowerBoundCost == 0;
    if (overhead(a) < notablyLower * overhead(b))
      return true;
    if (overhead(b) < notablyLower * overhead(a))
      return false;
    return isBetter(a.result, b.result);
  }

  /// The most promising trial after a little work on each; the schedule where
  /// others promise no more.
  Trial &mostPromising() {
    addTrials();
    std::vector<std::vector<Task>> lists(2);
    for (size_t i = 0; i < trials.size(); ++i)
      lists[i % lists.size()].push_back([this, &trial = trials[i]] {
        if (trial.lowerBoundCost == 0)
          findBound(trial);
        PlanPool search(
            *trial.problem,
            optionsFor(trial, options.deadlineSeconds * trialShare));
        searchChainsBriefly(search, trialWork);
        take(trial, search.result());
      });
    runTogether(lists);
    Trial *chosen = &trials[0];
    for (Trial &trial : trials)
      if (promisesMore(trial, *chosen))
        chosen = &trial;
    return *chosen;
  }

  /// All the work on one order.
  void plan(Trial &trial) const {
    take(trial,
         solvePortfolio(*trial.problem, optionsFor(trial, secondsLeft())));
    trial.isPlanned = true;
  }

  /// The trial with the best plan so far.
  Trial &findBest() {
    Trial *best = &trials[0];
    for (Trial &trial : trials)
      if (isBetter(trial.result, best->result))
        best = &trial;
    return *best;
  }
};

SolverResult OrderSelection::run() {
  std::vector<StepId> order = choose();
  if (orders.empty())
    return solvePortfolio(problem, optionsFor(trials[0], secondsLeft()));
  if (trials.size() == 1) {
    // The order does it alone.
    SolverResult result;
    result.plan.sequence = std::move(order);
    result.lowestPeakBytes = orders.back().peakBytes;
    result.member = "order";
    return result;
  }
  bool isTiny = problem.steps.size() <= bruteForceMaxSteps;
  for (Trial &trial : trials)
    if (isTiny || trial.order == order)
      plan(trial);
  Trial *best = &findBest();
  // A little work on another order was more than all the work on this one.
  if (!best->isPlanned && best->result.peakBytes <= options.capBytes &&
      !deadline.isPast()) {
    plan(*best);
    best = &findBest();
  }
  SolverResult result = std::move(best->result);
  for (const Trial &trial : trials)
    result.lowestPeakBytes =
        std::min(result.lowestPeakBytes, trial.result.peakBytes);
  result.certificate = std::move(best->certificate);
  return result;
}

} // namespace

std::vector<StepId> chooseOrder(const Problem &problem,
                                const SolverOptions &options) {
  return OrderSelection(problem, options).choose();
}

SolverResult solveInAnyOrder(const Problem &problem,
                             const SolverOptions &options) {
  if (options.keepOrder || problem.steps.empty())
    return solvePortfolio(problem, options);
  return OrderSelection(problem, options).run();
}

SolverResult solveOrder(const Problem &problem, const SolverOptions &options) {
  SolverResult result;
  result.plan = originalPlan(problem);
  if (options.keepOrder)
    return result;
  ReorderOptions reorderOptions;
  reorderOptions.capBytes = options.capBytes;
  reorderOptions.deadlineSeconds = options.deadlineSeconds;
  std::vector<Order> orders = findOrders(problem, reorderOptions);
  if (!orders.empty())
    result.plan.sequence = std::move(orders.back().steps);
  return result;
}

} // namespace remat::solver
