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

#include <algorithm>

namespace remat::solver {
namespace {

/// No plan is that expensive.
constexpr int64_t unlimited = int64_t(1) << 58;

/// What has to run again after each step; nothing if that is impossible.
std::optional<ExactSearch::SuffixBounds>
findSuffixBounds(const ProblemIndex &index, int64_t capBytes,
                 const Tuning &tuning,
                 const std::function<bool()> &isOutOfTime) {
  std::vector<int64_t> demand = index.demandBytes();
  ExactSearch::SuffixBounds bounds(demand.size(), 0);
  for (StepId step = 0; step < static_cast<StepId>(demand.size()); ++step) {
    if (demand[step] <= capBytes)
      continue;
    // Moments are added after the first one only.
    Certificate certificate;
    certificate.capBytes = capBytes;
    certificate.cost = index.totalCost;
    improveByMoments(index,
                     {tuning.exact.suffixEffort, /*goalCost=*/0, isOutOfTime,
                      /*firstMoment=*/step, &tuning},
                     certificate);
    if (certificate.isInfeasible)
      return std::nullopt;
    bounds[step] = certificate.cost - index.totalCost;
  }
  return bounds;
}

} // namespace

void searchBestFirst(PlannerContext &context, size_t maxStates,
                     const std::function<bool()> &isOutOfTime) {
  const Problem &problem = context.problem;
  const Tuning &tuning = *context.options.tuning;
  ProblemIndex index(problem);
  int64_t capBytes = context.options.capBytes;
  std::optional<int64_t> costOfPlan;
  if (context.fits())
    costOfPlan = context.best()->cost;
  int64_t lowerBoundCost =
      std::max(context.options.lowerBoundCost, index.totalCost);
  if (!ExactModel::isSmallEnough(problem) ||
      (costOfPlan && *costOfPlan <= lowerBoundCost))
    return;
  std::optional<ExactSearch::SuffixBounds> bounds =
      findSuffixBounds(index, capBytes, tuning, isOutOfTime);
  if (!bounds) {
    context.findings.isInfeasible = true;
    return;
  }
  ExactSearch search(problem, capBytes, costOfPlan.value_or(unlimited),
                     lowerBoundCost, *bounds, tuning.exact);
  switch (search.run(maxStates, isOutOfTime)) {
  case ExactSearch::Outcome::Found:
    context.offer(search.plan(), "exact");
    break;
  case ExactSearch::Outcome::Nothing:
    if (!costOfPlan) {
      context.findings.isInfeasible = true;
      return;
    }
    break;
  case ExactSearch::Outcome::Stopped:
    break;
  }
  context.findings.lowerBoundCost = search.lowerBoundCost();
}

} // namespace remat::solver
