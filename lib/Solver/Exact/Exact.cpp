//===- Exact.cpp - Optimal plans for small problems -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why a search over states and not an integer program: of the steps that a
// chain of layers consists of, only few sets of tensors fit into a low cap, and
// a search sees each of them once; while the fractions of a linear program hold
// a bit of every tensor, and its bound is far from what any plan costs. Where
// much fits it is the other way round: bounds from several moments are close,
// and prune the search.
//
//===----------------------------------------------------------------------===//

#include "Exact/Exact.h"

#include "Bound/MomentBound.h"
#include "Exact/ExactSearch.h"
#include "Search/PlanPool.h"

#include "remat/Solver/Timeline.h"

namespace remat::solver {
namespace {

/// The share of the time for the plan to start from.
constexpr double portfolioShare = 0.4;
/// What to spend on the bound after each step, see improveByMoments().
constexpr double suffixEffort = 0.03;
/// No plan is that dear.
constexpr int64_t unlimited = int64_t(1) << 58;

/// What has to run again after each step; nothing if that is impossible.
std::optional<ExactSearch::SuffixBounds>
findSuffixBounds(const ProblemIndex &index, int64_t capBytes,
                 const std::function<bool()> &isOutOfTime) {
  std::vector<int64_t> demand = index.demandBytes();
  ExactSearch::SuffixBounds bounds(demand.size(), 0);
  for (StepId step = 0; step < static_cast<StepId>(demand.size()); ++step) {
    if (demand[step] <= capBytes)
      continue;
    // Moments are added behind the first one only.
    Certificate certificate;
    certificate.capBytes = capBytes;
    certificate.cost = index.totalCost;
    improveByMoments(index,
                     {suffixEffort, /*goalCost=*/0, isOutOfTime,
                      /*firstMoment=*/step},
                     certificate);
    if (certificate.isInfeasible)
      return std::nullopt;
    bounds[step] = certificate.cost - index.totalCost;
  }
  return bounds;
}

} // namespace

SolverResult solveExact(const Problem &problem, const SolverOptions &options) {
  Deadline deadline(options.deadlineSeconds);
  if (problem.steps.empty())
    return SolverResult();
  SolverOptions portfolioOptions = options;
  portfolioOptions.deadlineSeconds *= portfolioShare;
  SolverResult result = solveByMembers(problem, portfolioOptions);
  return improveExactly(problem,
                        {options.capBytes, options.lowerBoundCost,
                         exactMaxStates, [&] { return deadline.isPast(); }},
                        std::move(result));
}

SolverResult improveExactly(const Problem &problem, const ExactOptions &options,
                            SolverResult result) {
  ProblemIndex index(problem);
  Timeline timeline = computeTimeline(problem, result.plan);
  int64_t capBytes = options.capBytes;
  bool isOk = timeline.peakBytes <= capBytes;
  int64_t lowerBoundCost = std::max(options.lowerBoundCost, index.totalCost);
  if (result.proven || !ExactModel::isSmallEnough(problem) ||
      (isOk && timeline.cost <= lowerBoundCost))
    return result;
  auto provenInfeasible = [&] {
    result.status = SolveStatus::Infeasible;
    result.proven = true;
    return result;
  };
  std::optional<ExactSearch::SuffixBounds> bounds =
      findSuffixBounds(index, capBytes, options.isOutOfTime);
  if (!bounds)
    return provenInfeasible();
  ExactSearch search(problem, capBytes, isOk ? timeline.cost : unlimited,
                     lowerBoundCost, *bounds);
  switch (search.run(options.maxStates, options.isOutOfTime)) {
  case ExactSearch::Outcome::Found:
    result.plan = search.plan();
    result.member = "exact";
    result.status = SolveStatus::Ok;
    result.proven = true;
    break;
  case ExactSearch::Outcome::Nothing:
    if (!isOk)
      return provenInfeasible();
    result.proven = true;
    break;
  case ExactSearch::Outcome::Stopped:
    if (!isOk)
      result.status = options.isOutOfTime() ? SolveStatus::Deadline
                                            : SolveStatus::Infeasible;
    break;
  }
  result.lowerBoundCost = search.lowerBoundCost();
  return result;
}

} // namespace remat::solver
