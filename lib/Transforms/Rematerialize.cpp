//===- Rematerialize.cpp - Plan, verify, rewrite --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/Rematerialize.h"

#include "Regions.h"
#include "Trace.h"
#include "remat/IR/LateReads.h"
#include "remat/IR/Rewrite.h"
#include "remat/Support/FileIO.h"
#include "remat/Transforms/PlanOutcome.h"

#include <algorithm>

using namespace remat;
using namespace remat::ir;

static std::string bytesText(int64_t bytes) {
  return std::to_string(bytes) + " bytes (" + formatBytes(bytes) + ")";
}

static void reportError(const DiagnosticSink &sink, Op at,
                        std::string message) {
  sink({Severity::Error, at.location(), std::move(message), {}});
}

/// "activation of 4194304 bytes made by 'matmul'" for the largest storages that
/// are live in the peak slot of `plan`.
static std::string largestAtPeak(const solver::Problem &problem,
                                 const solver::Timeline &timeline,
                                 const solver::Plan &plan) {
  std::vector<const solver::LiveRange *> live;
  for (const solver::LiveRange &range : timeline.ranges)
    if (range.begin <= timeline.peakSlot && timeline.peakSlot < range.end &&
        problem.tensors[range.tensor].bytes > 0)
      live.push_back(&range);
  std::stable_sort(live.begin(), live.end(),
                   [&](const auto *left, const auto *right) {
                     return problem.tensors[left->tensor].bytes >
                            problem.tensors[right->tensor].bytes;
                   });
  constexpr size_t shown = 4;
  std::string text = std::to_string(live.size()) + " tensors live, largest: ";
  for (size_t i = 0; i < live.size() && i < shown; ++i) {
    const solver::Tensor &tensor = problem.tensors[live[i]->tensor];
    text += (i ? ", " : "") + std::string(solver::toString(tensor.kind)) +
            " of " + std::to_string(tensor.bytes) + " bytes";
    if (live[i]->execution >= 0)
      text += " made by '" +
              problem.steps[plan.sequence[live[i]->execution]].name + "'";
  }
  return text;
}

/// The error for a cap that cannot be met; its notes name the ops at the peak.
static Diagnostic capNotMet(const PlannableRegion &region,
                            const PlanOutcome &outcome,
                            const RematOptions &options, int64_t capBytes) {
  const solver::Problem &problem = region.ir.problem;
  int64_t lowest = region.outsideBytes + outcome.lowestPeakBytes;
  std::string message =
      "cannot meet the cap of " + bytesText(capBytes) + " in function '" +
      region.function + "'; the lowest peak " +
      (outcome.lowestPeakBytes <= outcome.floorBytes ? "possible in this order"
                                                     : "found") +
      " is " + bytesText(lowest);
  if (region.outsideBytes > 0)
    message += ", of which " + std::to_string(region.outsideBytes) +
               " bytes are held outside the region";
  if (outcome.deadlinePassed)
    message += "; the deadline of " + std::to_string(options.deadlineSeconds) +
               " s passed before more was tried";
  message += options.bestEffort ? "; continuing with that peak"
                                : "; raise the cap to that, or use " +
                                      options.bestEffortSpelling;
  Diagnostic error{options.bestEffort ? Severity::Warning : Severity::Error,
                   region.ir.owner.location(),
                   message,
                   {}};
  solver::Timeline timeline = solver::computeTimeline(problem, outcome.plan);
  for (solver::StepId step : outcome.stepsAtPeak)
    error.note(region.ir.steps[step].op.location(),
               "'" + problem.steps[step].name + "' runs at the peak, with " +
                   largestAtPeak(problem, timeline, outcome.plan));
  return error;
}

/// The error for a cap below the inputs, outputs and constants alone.
static void reportCapBelowOutside(const PlannableRegion &region,
                                  int64_t capBytes,
                                  const DiagnosticSink &sink) {
  reportError(
      sink, region.ir.owner,
      "cannot meet the cap of " + bytesText(capBytes) + " in function '" +
          region.function + "'; it holds " + bytesText(region.outsideBytes) +
          " while this region runs, whatever is recomputed (inputs " +
          std::to_string(region.inputBytes) + ", outputs " +
          std::to_string(region.outputBytes) + ", constants " +
          std::to_string(region.constantBytes) + "); raise the cap above that");
}

namespace {
/// One run of the pass.
class Rematerializer {
public:
  Rematerializer(Op root, const RematOptions &options,
                 const DiagnosticSink &sink, RematReport &report)
      : root(root), options(options), sink(sink), report(report),
        costs(root, options.target, options.kernelCosts) {}

  bool run(const std::vector<PackingSlack> &slack);

private:
  bool checkOptions();
  bool plan(const PlannableRegion &region, RegionReport &regionReport,
            solver::Plan &plan);
  bool rewrite(std::vector<PlannableRegion> &regions,
               const std::vector<solver::Plan> &plans);

  Op root;
  const RematOptions &options;
  const DiagnosticSink &sink;
  RematReport &report;
  CostModel costs;
  MemoryCap cap;
};
} // namespace

bool Rematerializer::checkOptions() {
  if (!options.memoryCap.empty()) {
    std::optional<MemoryCap> parsed = parseMemoryCap(options.memoryCap);
    if (!parsed) {
      reportError(sink, root,
                  "invalid memory cap '" + options.memoryCap + "'; expected " +
                      memoryCapForms);
      return false;
    }
    cap = *parsed;
  }
  report.solver =
      options.solver.empty() ? solver::defaultSolver : options.solver;
  std::string names;
  for (const solver::SolverInfo &info : solver::allSolvers()) {
    if (report.solver == info.name)
      return true;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  reportError(sink, root,
              "unknown solver '" + report.solver + "'; expected one of " +
                  names);
  return false;
}

/// Finds a plan for `region` within the cap.
bool Rematerializer::plan(const PlannableRegion &region,
                          RegionReport &regionReport, solver::Plan &plan) {
  int64_t capBytes = *regionReport.transientCapBytes;
  if (capBytes < 0 && !options.bestEffort) {
    reportCapBelowOutside(region, *report.capBytes, sink);
    return false;
  }
  solver::SolverOptions solverOptions;
  solverOptions.capBytes = std::max<int64_t>(capBytes, 0);
  solverOptions.deadlineSeconds = options.deadlineSeconds;
  solverOptions.keepOrder = options.keepOrder;
  PlanOutcome outcome = describeOutcome(
      *solver::solve(region.ir.problem, report.solver, solverOptions));
  regionReport.planSeconds = outcome.seconds;
  regionReport.costAfter = outcome.cost;
  regionReport.bound = outcome.bound;
  regionReport.reordered = outcome.reordered;
  regionReport.transientBytesAfter = outcome.peakBytes;
  regionReport.transientFloorBytes = outcome.floorBytes;
  regionReport.capMet = outcome.capMet;
  regionReport.recomputedSteps =
      static_cast<int64_t>(outcome.plan.sequence.size()) - regionReport.steps;
  if (!outcome.capMet)
    sink(capNotMet(region, outcome, options, *report.capBytes));
  plan = std::move(outcome.plan);
  return outcome.capMet || options.bestEffort;
}

/// Rewrites all regions and writes the report, or does neither.
bool Rematerializer::rewrite(std::vector<PlannableRegion> &regions,
                             const std::vector<solver::Plan> &plans) {
  Rewrite rewrite(costs);
  for (size_t i = 0; i < regions.size(); ++i) {
    RegionReport &regionReport = report.regions[i];
    if (!plans[i].sequence.empty()) {
      std::optional<solver::Timeline> timeline = rewrite.apply(
          regions[i].ir, plans[i],
          {regionReport.transientBytesAfter, regionReport.costAfter}, sink);
      if (!timeline)
        return false;
      regionReport.transientBytesAfter = timeline->peakBytes;
    }
  }
  std::string error;
  if (!options.report.empty() &&
      !writeFile(options.report, printReport(report), error)) {
    reportError(sink, root, error);
    return false;
  }
  rewrite.commit();
  return true;
}

bool Rematerializer::run(const std::vector<PackingSlack> &slack) {
  if (!checkOptions())
    return false;
  std::optional<LateReadRepair> repair = repairLateReads(root, sink);
  if (!repair)
    return false;
  report.repair = {static_cast<int64_t>(repair->lateReads.size()),
                   repair->copies, repair->copyBytes};
  if (repair->changedAnything())
    sink(describeRepair(root, *repair));
  std::optional<std::vector<PlannableRegion>> regions =
      collectRegions(root, costs, sink);
  if (!regions)
    return false;
  for (const PlannableRegion &region : *regions) {
    RegionReport regionReport;
    regionReport.function = region.function;
    regionReport.regionIndex = region.indexInFunction;
    regionReport.outsideBytes = region.outsideBytes;
    regionReport.transientBytesBefore = region.timeline.peakBytes;
    regionReport.transientBytesAfter = region.timeline.peakBytes;
    regionReport.steps = static_cast<int64_t>(region.ir.steps.size());
    regionReport.costBefore = region.timeline.cost;
    regionReport.costAfter = region.timeline.cost;
    regionReport.transientFloorBytes = solver::floorBytes(region.ir.problem);
    // No plan is cheaper than running every step once.
    regionReport.bound =
        Bound{region.timeline.cost,
              solver::toString(solver::BoundKind::Schedule), false};
    report.regions.push_back(std::move(regionReport));
  }
  if (!options.memoryCap.empty())
    report.capBytes = cap.resolve(report.peakBytesBefore());

  // Plan everything before rewriting anything, so that an error leaves the IR
  // unchanged.
  // An empty plan leaves its region alone.
  std::vector<solver::Plan> plans(regions->size());
  for (size_t i = 0; report.capBytes && i < regions->size(); ++i) {
    RegionReport &regionReport = report.regions[i];
    int64_t capBytes = *report.capBytes - regionReport.outsideBytes;
    for (const PackingSlack &entry : slack)
      if (entry.function == regionReport.function &&
          entry.regionIndex == regionReport.regionIndex)
        capBytes -= entry.bytes;
    regionReport.transientCapBytes = capBytes;
    if (regionReport.transientBytesBefore <= capBytes)
      continue;
    if (!plan((*regions)[i], regionReport, plans[i]))
      return false;
  }
  for (size_t i = 0; options.trace && i < regions->size(); ++i)
    report.traces.push_back(traceRegion((*regions)[i], plans[i], costs));
  return rewrite(*regions, plans);
}

bool remat::rematerialize(MlirOperation root, const RematOptions &options,
                          const DiagnosticSink &sink, RematReport &report,
                          const std::vector<PackingSlack> &slack) {
  return Rematerializer(root, options, sink, report).run(slack);
}
