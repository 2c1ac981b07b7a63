//===- MomentBound.cpp - The search for bounds from several moments -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MomentBound.h"

#include "CaseSearch.h"

#include <algorithm>

namespace remat::solver {
namespace {

/// An effort of 1, in the units of CaseSearch::work().
constexpr double unitOfWork = 3e8;
/// Larger programs take too long to solve even once, and more moments make
/// larger ones without saying more.
constexpr double maxRows = 14'000;
constexpr size_t maxMoments = 8;
/// Every case is some hundred numbers of the certificate.
constexpr size_t maxCases = 256;
/// The share of the work after which no moment is added without splitting
/// cases first, and the share for splitting before the next look around.
constexpr double shareForMoments = 0.5;
constexpr double shareForCases = 0.3;

/// Memory is too high, or so high that with whole storages it may be too high.
constexpr double aboveCap = 1.001;
constexpr double nearCap = 0.7;

class MomentSearch {
public:
  MomentSearch(const StageIndex &index, const MomentOptions &options,
               Certificate &best)
      : index(index), isOutOfTime(options.isOutOfTime),
        goalExtraCost(std::max<int64_t>(0, options.goalCost - index.totalCost)),
        best(best), maxWork(static_cast<int64_t>(options.effort * unitOfWork)),
        rowLimit(maxRows * std::max(1.0, options.effort)) {
    if (best.kind == BoundKind::SeveralMoments)
      moments = best.moments.moments;
    else
      moments = {best.step};
  }

  void run() {
    if (!start())
      return;
    while (workDone() < shareForMoments * maxWork && addMoment(aboveCap))
      continue;
    // Splitting shows where the next moment is needed, too.
    while (!isDone()) {
      bool isFinished = cases->run(
          static_cast<int64_t>(shareForCases * (maxWork - workDone())) + 1,
          maxCases);
      note();
      isFinished |= cases->numCases() >= maxCases;
      if (isDone() || addMoment(aboveCap) || (isFinished && addMoment(nearCap)))
        continue;
      if (isFinished)
        break;
    }
  }

private:
  const StageIndex &index;
  const std::function<bool()> &isOutOfTime;
  const int64_t goalExtraCost;
  Certificate &best;
  const int64_t maxWork;
  const double rowLimit;
  std::vector<StepId> moments;
  std::unique_ptr<MomentProgram> program;
  std::unique_ptr<CaseSearch> cases;
  /// Of searches that were given up.
  int64_t workBefore = 0;

  int64_t workDone() const { return workBefore + cases->work(); }
  bool isDone() const {
    return cases->isComplete() || workDone() >= maxWork || isOutOfTime();
  }

  /// Looks at the present moments, as one case.
  bool start() {
    auto nextProgram = std::make_unique<MomentProgram>(
        index, MomentOrder::Schedule, moments, best.capBytes);
    if (static_cast<double>(nextProgram->rows.size()) > rowLimit)
      return false;
    if (cases)
      workBefore = workDone();
    cases.reset();
    program = std::move(nextProgram);
    cases = std::make_unique<CaseSearch>(*program, index, best.capBytes,
                                         goalExtraCost, isOutOfTime);
    if (!cases->solveRoot())
      return false;
    note();
    return true;
  }

  /// Adds the moment at which memory would be highest, if that is above a share
  /// of the cap.
  bool addMoment(double share) {
    if (cases->isComplete() || moments.size() >= maxMoments)
      return false;
    StepId next = program->fullestStep(cases->lowestValues(), share);
    if (next < 0)
      return false;
    auto place = std::lower_bound(moments.begin(), moments.end(), next);
    if (place != moments.end() && *place == next)
      return false;
    moments.insert(place, next);
    if (start())
      return true;
    moments.erase(std::find(moments.begin(), moments.end(), next));
    return false;
  }

  /// Takes the bound over if it is better.
  void note() {
    if (cases->isInfeasible()) {
      best.isInfeasible = true;
      best.cost = 0;
    } else if (int64_t cost = index.totalCost + cases->extraCost();
               cost > best.cost) {
      best.cost = cost;
    } else {
      return;
    }
    best.kind = BoundKind::SeveralMoments;
    best.moments = cases->proof();
  }
};

} // namespace

void improveByMoments(const StageIndex &index, const MomentOptions &options,
                      Certificate &best) {
  MomentSearch(index, options, best).run();
}

} // namespace remat::solver
