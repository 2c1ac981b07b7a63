//===- MomentBound.cpp - The search for bounds from several moments -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MomentBound.h"

#include "Bound/BranchAndBound.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {
namespace {

class MomentSearch {
public:
  MomentSearch(const ProblemIndex &index, const MomentOptions &options,
               Certificate &best)
      : index(index), allTuning(*options.tuning), tuning(allTuning.bound),
        isOutOfTime(options.isOutOfTime),
        goalExtraCost(std::max<int64_t>(0, options.goalCost - index.totalCost)),
        best(best),
        maxWork(static_cast<int64_t>(options.effort * tuning.unitOfWork)),
        rowLimit(tuning.maxRows * std::max(1.0, options.effort)) {
    if (const auto *cut = std::get_if<MinCutProof>(&best.proof))
      moments = {cut->step};
    else if (best.kind() == BoundKind::SeveralMoments)
      moments = std::get<MomentProof>(best.proof).moments;
    else
      moments = {options.firstMoment};
    for (const Step &step : index.problem.steps) {
      std::vector<TensorId> storages;
      for (const std::vector<TensorId> *list : {&step.operands, &step.results})
        for (TensorId tensor : *list)
          if (!index.isPermanent[index.storageOf[tensor]])
            storages.push_back(index.storageOf[tensor]);
      std::sort(storages.begin(), storages.end());
      storages.erase(std::unique(storages.begin(), storages.end()),
                     storages.end());
      workingBytes.push_back(step.workspaceBytes);
      for (TensorId storage : storages)
        workingBytes.back() += index.problem.tensors[storage].bytes;
    }
  }

  void run() {
    if (!start(moments))
      return;
    while (workDone() < tuning.momentsShare * maxWork &&
           addMoment(tuning.aboveCap))
      continue;
    // Splitting also shows where the next moment is needed.
    while (!isDone() && tuning.cases) {
      bool isFinished = cases->run(
          static_cast<int64_t>(tuning.casesShare * (maxWork - workDone())) + 1,
          static_cast<size_t>(tuning.maxCases));
      note();
      isFinished |= cases->numCases() >= static_cast<size_t>(tuning.maxCases);
      if (isDone() || addMoment(tuning.aboveCap) ||
          (isFinished && addMoment(tuning.nearCap)))
        continue;
      if (isFinished)
        break;
    }
  }

private:
  const ProblemIndex &index;
  const Tuning &allTuning;
  const decltype(Tuning::bound) &tuning;
  const std::function<bool()> &isOutOfTime;
  const int64_t goalExtraCost;
  Certificate &best;
  const int64_t maxWork;
  const double rowLimit;
  /// By step: operands, results and workspace.
  std::vector<int64_t> workingBytes;
  std::vector<StepId> moments;
  std::unique_ptr<MomentProgram> program;
  std::unique_ptr<BranchAndBound> cases;
  /// The extra cost proven as one case.
  int64_t rootExtraCost = 0;
  /// The work of abandoned searches.
  int64_t workBefore = 0;
  /// Tight steps that did not help.
  std::vector<StepId> rejected;

  int64_t workDone() const { return workBefore + cases->work(); }
  bool isDone() const {
    return cases->isComplete() || workDone() >= maxWork || isOutOfTime();
  }

  /// Evaluates moments as one case and continues from there; or keeps the
  /// current ones if the program is too large or, if `mustRise`, the bound does
  /// not rise.
  bool start(const std::vector<StepId> &tried, bool mustRise = false) {
    auto newProgram = std::make_unique<MomentProgram>(
        index, MomentOrder::Schedule, tried, best.capBytes, allTuning);
    if (static_cast<double>(newProgram->rows.size()) > rowLimit)
      return false;
    auto newCases =
        std::make_unique<BranchAndBound>(*newProgram, index, best.capBytes,
                                         goalExtraCost, isOutOfTime, allTuning);
    bool isSolved = newCases->solveRoot();
    int64_t extraCost = newCases->extraCost();
    // A smaller factor is noise.
    constexpr double rise = 1.0001;
    bool isTaken = isSolved && (!mustRise || newCases->isComplete() ||
                                static_cast<double>(extraCost) >
                                    rise * static_cast<double>(rootExtraCost));
    if (!isTaken) {
      workBefore += newCases->work();
      return false;
    }
    if (cases)
      workBefore += cases->work();
    cases = std::move(newCases);
    program = std::move(newProgram);
    moments = tried;
    rootExtraCost = extraCost;
    note();
    return true;
  }

  /// Adds a moment: the one at which memory would be highest, if it exceeds a
  /// share of the cap; or if that does not help, the tightest step.
  bool addMoment(double share) {
    if (cases->isComplete() ||
        moments.size() >= static_cast<size_t>(tuning.maxMoments))
      return false;
    StepId fullest = program->fullestStep(cases->lowestValues(), share);
    std::vector<StepId> withFullest = with(fullest);
    if (fullest >= 0 && start(withFullest, /*mustRise=*/true))
      return true;
    if (StepId tightest = tightestStep(); tightest >= 0 && !isDone()) {
      if (start(with(tightest), /*mustRise=*/true))
        return true;
      rejected.push_back(tightest);
    }
    // It may help once cases are split.
    return fullest >= 0 && !isDone() && start(withFullest);
  }

  std::vector<StepId> with(StepId step) const {
    std::vector<StepId> more = moments;
    more.insert(std::lower_bound(more.begin(), more.end(), step), step);
    return more;
  }

  /// The step after the first moment that leaves the least room besides its
  /// operands, results and workspace.
  StepId tightestStep() const {
    const Problem &problem = index.problem;
    StepId tightest = -1;
    int64_t mostBytes = 0;
    for (StepId step = moments.front() + 1;
         step < static_cast<StepId>(problem.steps.size()); ++step) {
      auto contains = [&](const std::vector<StepId> &list) {
        return std::find(list.begin(), list.end(), step) != list.end();
      };
      if (workingBytes[step] <= mostBytes || contains(moments) ||
          contains(rejected))
        continue;
      mostBytes = workingBytes[step];
      tightest = step;
    }
    return tightest;
  }

  /// Takes over the bound if it is better.
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
    best.proof = cases->proof();
  }
};

} // namespace

void improveByMoments(const ProblemIndex &index, const MomentOptions &options,
                      Certificate &best) {
  MomentSearch(index, options, best).run();
}

} // namespace remat::solver
