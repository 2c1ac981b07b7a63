//===- Frontier.cpp - One program under all caps --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Frontier.h"

#include "remat/Run/Commands.h"
#include "remat/Run/Process.h"
#include "remat/Run/Progress.h"
#include "remat/Solver/Solvers.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace remat;
using namespace remat::run;

namespace {
/// A simple rule that people use without a planner, and the solver that
/// implements it.
struct Rule {
  const char *name;
  const char *solver;
};

/// A plan of a rule.
struct RulePoint {
  std::string rule;
  int64_t peakBytes;
  int64_t cost;
};

/// The curve of the largest region of a program.
struct Curve {
  const TracedRegion &region;
  int64_t plainBytes;
  int64_t plainCost;
  std::vector<solver::FrontierPoint> points;
  std::vector<RulePoint> rules;

  double megabytes(int64_t bytes) const {
    return (region.outsideBytes + bytes) / 1e6;
  }
  double percentOfPlain(int64_t bytes) const {
    return 100 * megabytes(bytes) / megabytes(plainBytes);
  }
  double overheadPercent(int64_t cost) const {
    return plainCost ? 100.0 * (cost - plainCost) / plainCost : 0;
  }
};
} // namespace

static const Rule rules[] = {{"one checkpoint per block", "blocks"},
                             {"equal segments", "segments"},
                             {"greedy", "greedy"}};

/// Plans with every rule for every cap of the curve. A rule that does not reach
/// a cap yields its plan with the lowest peak.
static std::vector<RulePoint> planByRules(const Curve &curve,
                                          Progress &progress) {
  std::vector<RulePoint> found = {
      {"keep all", curve.plainBytes, curve.plainCost}};
  for (const Rule &rule : rules) {
    progress.begin(rule.name);
    // By peak; of several with the same peak, the cheapest counts.
    std::map<int64_t, int64_t> plans;
    for (const solver::FrontierPoint &point : curve.points) {
      checkInterrupted();
      solver::SolverOptions options;
      options.capBytes = point.capBytes;
      solver::SolverResult result =
          *solver::solve(curve.region.problem, rule.solver, options);
      if (result.peakBytes >= curve.plainBytes)
        continue;
      int64_t &cost =
          plans.emplace(result.peakBytes, result.cost).first->second;
      cost = std::min(cost, result.cost);
    }
    for (const auto &[peakBytes, cost] : plans)
      found.push_back({rule.name, peakBytes, cost});
    progress.end(std::to_string(plans.size()) +
                 (plans.size() == 1 ? " plan" : " plans"));
  }
  return found;
}

static Curve findCurve(const CommonOptions &common,
                       const FrontierOptions &options,
                       const TracedRegion &region) {
  const solver::Problem &problem = region.problem;
  solver::Timeline plain =
      solver::computeTimeline(problem, originalPlan(problem));
  Curve curve = {region, plain.peakBytes, plain.cost, {}, {}};
  Progress progress(1 + static_cast<int>(std::size(rules)));
  progress.begin("planning for " + std::to_string(options.points) + " caps");
  solver::FrontierOptions search;
  search.numCaps = options.points;
  search.solver = solverCalled(common.settings.solver);
  search.deadlineSeconds = common.settings.deadlineSeconds;
  search.keepOrder = common.settings.keepOrder;
  search.progress = [&](int done) {
    checkInterrupted();
    progress.stage(done < options.points
                       ? "cap " + std::to_string(done + 1) + " of " +
                             std::to_string(options.points)
                       : "improving");
  };
  curve.points = *solver::computeFrontier(problem, search);
  if (curve.points.empty())
    throw RunError("the program has no step to plan");
  progress.end("peaks from " +
               formatBytes(region.outsideBytes + curve.points[0].peakBytes) +
               " to " + formatBytes(region.outsideBytes + plain.peakBytes));
  curve.rules = planByRules(curve, progress);
  return curve;
}

static Table curveTable(const Curve &curve) {
  Table table;
  table.title = "Frontier";
  table.columns = {"Cap (MB)",        "Peak (MB)",
                   "Peak (%)",        "Time by the model (ms)",
                   "Overhead (%)",    "Lower bound (%)",
                   "Executions added"};
  for (const solver::FrontierPoint &point : curve.points)
    table.rows.push_back({Cell(curve.megabytes(point.capBytes), 2),
                          Cell(curve.megabytes(point.peakBytes), 2),
                          Cell(curve.percentOfPlain(point.peakBytes), 1),
                          Cell(point.cost / 1e6, 3, true),
                          Cell(curve.overheadPercent(point.cost), 2, true),
                          Cell(curve.overheadPercent(point.lowerBoundCost), 2),
                          Cell(int64_t(point.plan.sequence.size()) -
                               int64_t(curve.region.problem.steps.size()))});
  return table;
}

static Table ruleTable(const Curve &curve) {
  Table table;
  table.title = "Simple rules";
  table.columns = {"Rule", "Peak (MB)", "Peak (%)", "Overhead (%)"};
  for (const RulePoint &point : curve.rules)
    table.rows.push_back({Cell(point.rule),
                          Cell(curve.megabytes(point.peakBytes), 2),
                          Cell(curve.percentOfPlain(point.peakBytes), 1),
                          Cell(curve.overheadPercent(point.cost), 2, true)});
  return table;
}

static Plot frontierPlot(const Curve &curve) {
  Plot plot;
  plot.title = "Memory-time frontier";
  plot.xLabel = "peak memory in MB, by live ranges";
  plot.yLabel = "overhead in %";
  plot.series = {{"planned", {}, Series::Style::Line},
                 {"lower bound", {}, Series::Style::Curve}};
  double lowest = curve.megabytes(curve.plainBytes);
  for (const solver::FrontierPoint &point : curve.points) {
    plot.series[0].points.push_back(
        {curve.megabytes(point.peakBytes), curve.overheadPercent(point.cost)});
    plot.series[1].points.push_back(
        {curve.megabytes(point.capBytes),
         curve.overheadPercent(point.lowerBoundCost)});
    lowest = std::min(lowest, curve.megabytes(point.peakBytes));
  }
  for (const RulePoint &point : curve.rules) {
    if (plot.series.back().name != point.rule)
      plot.series.push_back({point.rule, {}, Series::Style::Points});
    plot.series.back().points.push_back(
        {curve.megabytes(point.peakBytes), curve.overheadPercent(point.cost)});
  }
  plot.xBegin = lowest * 0.95;
  plot.xEnd = curve.megabytes(curve.plainBytes) * 1.02;
  return plot;
}

int remat::run::runFrontier(const CommonOptions &common,
                            const FrontierOptions &options) {
  checkOutputs(common.outputs);
  solverCalled(common.settings.solver);
  std::string program =
      obtainProgram(common.settings, common.source, options.batch);
  Compiled compiled = compileProgram(
      common.settings, {program, "frontier", "", false, /*planOnly=*/true});
  Curve curve = findCurve(common, options, largestRegion(compiled.regions));

  Page page;
  page.kind = "frontier";
  page.title = "Memory against time: " + common.source.title() +
               (options.batch ? " batch " + std::to_string(options.batch) : "");
  Table planned = curveTable(curve), simple = ruleTable(curve);
  page.tables = {planned, simple};
  page.plots = {frontierPlot(curve)};
  page.notes = {
      "Peaks are those of live ranges: packing adds what remat-compile "
      "reports, and remat-compile tightens its plan until the packed peak "
      "meets the cap. Overheads are predicted by the cost model.",
      "No plan within a cap that executes the steps in the order of these "
      "plans adds less than the lower bound."};
  for (const Rule &rule : rules)
    if (std::none_of(
            curve.rules.begin(), curve.rules.end(),
            [&](const RulePoint &point) { return point.rule == rule.name; }))
      page.notes.push_back("The rule '" + std::string(rule.name) +
                           "' saves nothing here.");
  if (compiled.regions.size() > 1)
    page.notes.push_back("Only the largest of the program's " +
                         std::to_string(compiled.regions.size()) +
                         " regions is planned here.");
  page.summary = {
      {"Peak without recomputation",
       Cell(curve.megabytes(curve.plainBytes), 2).text() + " MB"},
      {"Lowest peak found",
       Cell(curve.megabytes(curve.points[0].peakBytes), 2).text() + " MB"},
      {"Steps", std::to_string(curve.region.problem.steps.size())}};
  page.data = {{"frontier", toJson(planned)}, {"rules", toJson(simple)}};
  std::printf("%s\n%s", toText(planned).c_str(), toText(simple).c_str());
  for (const std::string &note : page.notes)
    std::printf("- %s\n", note.c_str());
  writeOutputs(common.outputs, page, planned, common.command);
  return 0;
}
