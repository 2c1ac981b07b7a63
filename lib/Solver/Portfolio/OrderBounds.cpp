//===- OrderBounds.cpp - Lower bounds, order by order --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Portfolio/OrderBounds.h"

namespace remat::solver {

/// A bound on plans for withOrder(problem, order), as one on the plans for
/// `problem` that execute the steps for the first time in `order`.
static Certificate inSchedule(Certificate certificate,
                              const std::vector<StepId> &order) {
  renameSteps(certificate, order);
  certificate.order = order;
  return certificate;
}

Certificate OrderBounds::known(const std::vector<StepId> &order) const {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto found = bounds.find(order); found != bounds.end())
    return found->second;
  Certificate certificate;
  certificate.capBytes = capBytes;
  certificate.cost = problem.scheduleCost();
  certificate.order = order;
  return certificate;
}

BoundOptions OrderBounds::optionsFor(double deadlineSeconds) const {
  BoundOptions options;
  options.capBytes = capBytes;
  options.maxSteps = tuning.bound.maxSteps;
  options.effort = tuning.bound.effort;
  options.deadlineSeconds = deadlineSeconds;
  options.tuning = &tuning;
  return options;
}

Certificate OrderBounds::find(const std::vector<StepId> &order,
                              double deadlineSeconds) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = bounds.find(order); found != bounds.end())
      return found->second;
  }
  BoundOptions options = optionsFor(deadlineSeconds);
  Certificate certificate =
      order.empty()
          ? lowerBound(problem, options)
          : inSchedule(lowerBound(withOrder(problem, order), options), order);
  std::lock_guard<std::mutex> lock(mutex);
  return bounds.emplace(order, std::move(certificate)).first->second;
}

Certificate OrderBounds::improve(const std::vector<StepId> &order,
                                 int64_t goalCost, double deadlineSeconds) {
  BoundOptions options = optionsFor(deadlineSeconds);
  options.goalCost = goalCost;
  Certificate start = known(order);
  if (order.empty())
    return improveBound(problem, options, std::move(start));
  std::vector<StepId> placeOf(order.size());
  for (size_t place = 0; place < order.size(); ++place)
    placeOf[order[place]] = static_cast<StepId>(place);
  start.order.clear();
  renameSteps(start, placeOf);
  Problem reordered = withOrder(problem, order);
  // Nothing to start from: the order was not looked at before.
  if (start.kind() == BoundKind::Schedule)
    start = lowerBound(reordered, options);
  else
    start = improveBound(reordered, options, std::move(start));
  return inSchedule(std::move(start), order);
}

Plan inSchedule(const Plan &plan, const std::vector<StepId> &order) {
  Plan result;
  for (StepId step : plan.sequence)
    result.sequence.push_back(order[step]);
  return result;
}

} // namespace remat::solver
