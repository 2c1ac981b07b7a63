//===- OrderSelection.cpp - In which order to plan ------------------------===//
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
#include "Chain/ChainSearch.h"
#include "Exact/BruteForce.h"
#include "Portfolio/Portfolio.h"
#include "Reorder/Reorder.h"
#include "Support/Parallel.h"

#include <algorithm>
#include <deque>

namespace remat::solver {

namespace {

class OrderSelection {
public:
  OrderSelection(const Problem &problem, const PlannerOptions &options,
                 OrderBounds &bounds)
      : problem(problem), options(options), tuning(options.tuning->orders),
        bounds(bounds), deadline(options.deadlineSeconds) {
    Trial &schedule = trials.emplace_back(problem, options);
    schedule.lowerBoundCost = options.lowerBoundCost;
  }

  /// Plans in the most promising order and offers what was found on the way
  /// there, too.
  void run(PlannerContext &context);

  std::vector<StepId> choose() {
    ReorderOptions reorderOptions;
    reorderOptions.tuning = options.tuning;
    reorderOptions.capBytes = options.capBytes;
    reorderOptions.deadlineSeconds =
        options.deadlineSeconds * tuning.findTimeShare;
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
    /// The plans that were offered, as plans for the problem as it was given:
    /// where an order splits a group, the parts may meet again there.
    Trial(const Problem &problem, const PlannerOptions &options)
        : offers(problem, options) {}

    /// Empty for the schedule.
    std::vector<StepId> order;
    /// The steps in that order.
    Problem reordered;
    /// 0 if nothing is known, or no plan meets the cap.
    int64_t lowerBoundCost = 0;
    PlannerContext offers;
    /// Whether that took more than a little work.
    bool isPlanned = false;
  };

  const Problem &problem;
  const PlannerOptions options;
  const decltype(Tuning::orders) &tuning;
  OrderBounds &bounds;
  Deadline deadline;
  std::vector<Order> orders;
  std::deque<Trial> trials;

  double secondsLeft() const {
    return deadline.isSet()
               ? std::max(options.deadlineSeconds * tuning.trialTimeShare,
                          deadline.secondsLeft())
               : 0;
  }

  const Problem &problemOf(const Trial &trial) const {
    return trial.order.empty() ? problem : trial.reordered;
  }

  PlannerContext contextFor(const Trial &trial, double deadlineSeconds) const {
    PlannerOptions forTrial = options;
    forTrial.lowerBoundCost = trial.lowerBoundCost;
    forTrial.deadlineSeconds = deadlineSeconds;
    return PlannerContext(problemOf(trial), forTrial);
  }

  /// Within the cap before above it, then cheap or of a low peak.
  bool isBetter(const OfferedPlan &a, const OfferedPlan &b) const {
    bool fitsA = a.peakBytes <= options.capBytes,
         fitsB = b.peakBytes <= options.capBytes;
    if (fitsA != fitsB)
      return fitsA;
    return fitsA ? a.cost < b.cost : a.peakBytes < b.peakBytes;
  }

  /// Takes over what a context for the problem of `trial` was offered.
  static void take(Trial &trial, const PlannerContext &context) {
    if (trial.order.empty()) {
      trial.offers.adopt(context);
      return;
    }
    // What a search through all plans found out holds in the order of
    // `reordered` only, and is dropped.
    for (const OfferedPlan *offered : {context.best(), context.lowest()})
      if (offered)
        trial.offers.offer(inSchedule(offered->plan, trial.order),
                           offered->planner);
  }

  void addTrials() {
    size_t numTried =
        std::min(orders.size(), static_cast<size_t>(tuning.maxTried));
    orders.erase(orders.begin(), orders.end() - numTried);
    for (const Order &order : orders) {
      Trial &trial = trials.emplace_back(problem, options);
      trial.order = order.steps;
      trial.reordered = withOrder(problem, order.steps);
    }
  }

  void findBound(Trial &trial) const {
    Certificate certificate = bounds.find(
        trial.order, options.deadlineSeconds * tuning.boundTimeShare);
    if (!certificate.isInfeasible)
      trial.lowerBoundCost = certificate.cost;
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
    if (overhead(a) < tuning.notablyLower * overhead(b))
      return true;
    if (overhead(b) < tuning.notablyLower * overhead(a))
      return false;
    return isBetter(*a.offers.best(), *b.offers.best());
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
        PlannerContext context =
            contextFor(trial, options.deadlineSeconds * tuning.trialTimeShare);
        PlanPool pool(context.problem, context.options);
        searchChainsBriefly(pool, tuning.trialWorkShare);
        pool.offerTo(context);
        take(trial, context);
      });
    runTogether(lists, options.maxThreads);
    Trial *chosen = &trials[0];
    for (Trial &trial : trials)
      if (promisesMore(trial, *chosen))
        chosen = &trial;
    return *chosen;
  }

  /// All the work on one order.
  void plan(Trial &trial) const {
    PlannerContext context = contextFor(trial, secondsLeft());
    searchPortfolio(context);
    take(trial, context);
    trial.isPlanned = true;
  }

  /// The trial with the best plan so far.
  Trial &findBest() {
    Trial *best = &trials[0];
    for (Trial &trial : trials)
      if (isBetter(*trial.offers.best(), *best->offers.best()))
        best = &trial;
    return *best;
  }
};

void OrderSelection::run(PlannerContext &context) {
  std::vector<StepId> order = choose();
  if (trials.size() == 1 && !orders.empty()) {
    // The order does it alone.
    context.offer({std::move(order)}, "order");
    return;
  }
  bool isTiny = isSmallEnoughForBruteForce(problem);
  for (Trial &trial : trials)
    if (isTiny || trial.order == order)
      plan(trial);
  // A little work on another order was more than all the work on this one.
  Trial &best = findBest();
  if (!best.isPlanned && best.offers.fits() && !deadline.isPast())
    plan(best);
  context.adopt(findBest().offers);
  for (const Trial &trial : trials)
    context.adopt(trial.offers);
  context.findings = trials[0].offers.findings;
}

} // namespace

std::vector<StepId> chooseOrder(const Problem &problem,
                                const PlannerOptions &options) {
  OrderBounds bounds(problem, options.capBytes, *options.tuning);
  return OrderSelection(problem, options, bounds).choose();
}

void searchInAnyOrder(PlannerContext &context, OrderBounds &bounds) {
  if (context.options.keepOrder || !context.options.tuning->orders.reorder)
    searchPortfolio(context);
  else
    OrderSelection(context.problem, context.options, bounds).run(context);
}

void searchOrders(PlannerContext &context) {
  if (context.options.keepOrder)
    return;
  ReorderOptions options;
  options.tuning = context.options.tuning;
  options.capBytes = context.options.capBytes;
  options.deadlineSeconds = context.options.deadlineSeconds;
  std::vector<Order> orders = findOrders(context.problem, options);
  if (!orders.empty())
    context.offer({std::move(orders.back().steps)}, "order");
}

} // namespace remat::solver
