//===- AnyOrderBound.cpp - Bounds for all orders of first executions ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/Bounds.h"
#include "Bound/BranchAndBound.h"
#include "Support/Deadline.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {
namespace {

class AnyOrderSearch {
public:
  AnyOrderSearch(const Problem &problem, const BoundOptions &options)
      : problem(problem), options(options), tuning(options.tuning->bound),
        index(problem), maxWork(options.effort * tuning.unitOfWork),
        deadline(options.deadlineSeconds) {}

  Certificate run() {
    best.capBytes = options.capBytes;
    best.cost = index.totalCost;
    if (options.effort <= 0 || problem.steps.empty())
      return best;
    // The bounds of single moments, best first.
    std::vector<std::pair<int64_t, StepId>> found;
    for (StepId step : candidates()) {
      if (best.isInfeasible || work > tuning.singleShare * maxWork ||
          deadline.isPast())
        break;
      found.push_back({-evaluate({step}), step});
    }
    std::stable_sort(found.begin(), found.end());
    std::vector<StepId> moments;
    int64_t bestExtraCost = 0;
    for (auto [negative, step] : found) {
      if (best.isInfeasible ||
          moments.size() == static_cast<size_t>(tuning.maxMomentsInAnyOrder) ||
          work > tuning.setsShare * maxWork || deadline.isPast())
        break;
      std::vector<StepId> more = moments;
      more.push_back(step);
      int64_t extraCost = moments.empty() ? -negative : evaluate(more);
      if (extraCost <= bestExtraCost)
        continue;
      bestExtraCost = extraCost;
      moments = std::move(more);
    }
    if (!best.isInfeasible && !moments.empty() && !deadline.isPast())
      evaluate(moments, maxWork - work);
    return best;
  }

private:
  const Problem &problem;
  const BoundOptions &options;
  const decltype(Tuning::bound) &tuning;
  ProblemIndex index;
  const double maxWork;
  Deadline deadline;
  double work = 0;
  Certificate best;

  /// The step of the highest demand in each part of the schedule, highest
  /// first.
  std::vector<StepId> candidates() const {
    // The demand in any order is at most that in the order of the schedule.
    std::vector<int64_t> demand = index.demandBytes();
    std::vector<StepId> above;
    for (StepId step = 0; step < static_cast<StepId>(demand.size()); ++step)
      if (demand[step] > options.capBytes)
        above.push_back(step);
    size_t stride =
        above.size() /
            std::min<size_t>(tuning.maxDemands,
                             tuning.maxStepsSeen / demand.size() + 1) +
        1;
    std::vector<std::pair<int64_t, StepId>> sampled;
    for (size_t i = 0; i < above.size() && !deadline.isPast(); i += stride)
      sampled.push_back({-demandAt(above[i]), above[i]});
    std::vector<std::pair<int64_t, StepId>> highest;
    size_t part = sampled.size() / std::max(1, options.maxSteps) + 1;
    for (size_t begin = 0; begin < sampled.size(); begin += part)
      highest.push_back(*std::min_element(
          sampled.begin() + begin,
          sampled.begin() + std::min(begin + part, sampled.size())));
    std::sort(highest.begin(), highest.end());
    std::vector<StepId> steps;
    for (auto [negative, step] : highest)
      if (-negative > options.capBytes)
        steps.push_back(step);
    return steps;
  }

  /// The bytes that are always held at the first execution of `step`, or read
  /// later.
  int64_t demandAt(StepId step) const {
    MomentSides sides = findSides(index, MomentOrder::Any, step);
    std::vector<char> isCounted = index.isPermanent;
    auto count = [&](const std::vector<TensorId> &list) {
      for (TensorId tensor : list)
        if (StepId maker = index.maker[tensor];
            maker < 0 || sides.isEarly[maker])
          isCounted[index.storageOf[tensor]] = true;
    };
    count(problem.steps[step].operands);
    count(problem.steps[step].results);
    count(problem.outputs);
    for (size_t id = 0; id < problem.steps.size(); ++id)
      if (sides.isLater[id])
        count(problem.steps[id].operands);
    int64_t bytes = problem.steps[step].workspaceBytes;
    for (size_t storage = 0; storage < isCounted.size(); ++storage)
      if (isCounted[storage])
        bytes += problem.tensors[storage].bytes;
    return bytes;
  }

  /// The extra cost that these moments prove; with more work, by cases too.
  int64_t evaluate(const std::vector<StepId> &moments,
                   double workForCases = 0) {
    MomentProgram program(index, MomentOrder::Any, moments, options.capBytes,
                          *options.tuning);
    if (program.rows.size() > static_cast<size_t>(tuning.maxRows))
      return 0;
    assert(!moments.empty());
    int64_t goal = std::max<int64_t>(0, options.goalCost - index.totalCost);
    BranchAndBound cases(
        program, index, options.capBytes, goal,
        [this] { return deadline.isPast(); }, *options.tuning);
    cases.solveRoot();
    if (workForCases > 0 && tuning.cases)
      cases.run(static_cast<int64_t>(workForCases),
                static_cast<size_t>(tuning.maxCases));
    work += static_cast<double>(cases.work());
    if (cases.isInfeasible()) {
      best.isInfeasible = true;
      best.cost = 0;
    }
    int64_t extraCost = cases.extraCost();
    if (best.isInfeasible || index.totalCost + extraCost > best.cost) {
      best.proof = cases.proof();
    }
    if (!best.isInfeasible)
      best.cost = std::max(best.cost, index.totalCost + extraCost);
    return extraCost;
  }
};

} // namespace

Certificate anyOrderBound(const Problem &problem, const BoundOptions &options) {
  return AnyOrderSearch(problem, options).run();
}

} // namespace remat::solver
