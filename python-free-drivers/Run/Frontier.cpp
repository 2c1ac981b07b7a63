//===- Frontier.cpp - One program under all caps --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Baselines.h"
#include "Commands.h"
#include "Process.h"
#include "Progress.h"
#include "remat/Solver/Solvers.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cstdio>

using namespace remat;
using namespace remat::run;

namespace {
/// A cap and the best plan within it.
struct FrontierPoint {
  int64_t capBytes = 0;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  int64_t addedSteps = 0;
  std::optional<int64_t> lowerBoundCost;
};
} // namespace

/// Plans for `count` caps from the lowest reachable peak to the original one.
/// A plan within a lower cap is a plan within a higher one, so the curve never
/// rises with the cap.
static std::vector<FrontierPoint> solveFrontier(const CommonOptions &common,
                                                const TracedRegion &region,
                                                int count) {
  const solver::Problem &problem = region.problem;
  const std::string solverName = common.settings.solver.empty()
                                     ? solver::defaultSolver
                                     : common.settings.solver;
  solver::SolverOptions options;
  options.deadlineSeconds = common.settings.deadlineSeconds;
  auto solveAt = [&](int64_t cap) {
    checkInterrupted();
    options.capBytes = cap;
    return *solver::solve(problem, solverName, options);
  };
  Progress progress(count);
  int64_t highest =
      solver::computeTimeline(problem, originalPlan(problem)).peakBytes;
  progress.begin("the lowest peak");
  // Where no plan can meet the cap, the one of the lowest peak is given.
  solver::SolverResult floor = solveAt(0);
  int64_t lowest = floor.peakBytes;
  auto makePoint = [&](int64_t cap, const solver::SolverResult &result) {
    return FrontierPoint{region.outsideBytes + cap,
                         region.outsideBytes + result.peakBytes, result.cost,
                         int64_t(result.plan.sequence.size()) -
                             int64_t(problem.steps.size()),
                         result.lowerBoundCost};
  };
  FrontierPoint best = makePoint(lowest, floor);
  std::vector<FrontierPoint> points;
  for (int i = 0; i < count; ++i) {
    int64_t cap =
        count == 1 ? highest : lowest + (highest - lowest) * i / (count - 1);
    progress.begin("cap " + formatBytes(region.outsideBytes + cap));
    solver::SolverResult result = solveAt(cap);
    FrontierPoint point = makePoint(cap, result);
    if (result.status == solver::SolveStatus::Ok && point.cost <= best.cost)
      best = point;
    best.capBytes = point.capBytes;
    best.lowerBoundCost = point.lowerBoundCost;
    points.push_back(best);
    progress.end("peak " + formatBytes(best.peakBytes));
  }
  return points;
}

static double addedPercent(int64_t cost, int64_t original) {
  return original ? 100.0 * (cost - original) / original : 0;
}

/// Throws RunError if there is no such solver.
static void checkSolver(const std::string &name) {
  for (const solver::SolverInfo &info : solver::allSolvers())
    if (name.empty() || name == info.name)
      return;
  throw RunError("there is no solver '" + name +
                 "'; remat-solve --list-solvers lists them");
}

int remat::run::runFrontier(const CommonOptions &common,
                            const FrontierOptions &options) {
  checkOutputs(common.outputs);
  checkSolver(common.settings.solver);
  std::string program =
      obtainProgram(common.settings, common.source, options.batch);
  Compiled compiled = compileProgram(
      common.settings, {program, "frontier", "", false, /*planOnly=*/true});
  const TracedRegion &region = largestRegion(compiled.regions);
  std::vector<FrontierPoint> points =
      solveFrontier(common, region, options.points);

  Page page;
  page.title = "Memory against time: " + common.source.title() +
               (options.batch ? " batch " + std::to_string(options.batch) : "");
  Table curve;
  curve.title = "Frontier";
  curve.columns = {"Cap (MB)",        "Peak (MB)",
                   "Peak (%)",        "Time by the model (ms)",
                   "Overhead (%)",    "Lower bound (%)",
                   "Executions added"};
  solver::Timeline plain =
      solver::computeTimeline(region.problem, originalPlan(region.problem));
  int64_t original = plain.cost;
  double plainMegabytes = (region.outsideBytes + plain.peakBytes) / 1e6;
  Plot plot;
  plot.title = "Memory-time frontier";
  plot.xLabel = "peak memory in MB, by live ranges";
  plot.yLabel = "overhead in %";
  plot.series = {{"plans", {}, Series::Style::Line},
                 {"lower bound", {}, Series::Style::Line}};
  for (const FrontierPoint &point : points) {
    double overhead = addedPercent(point.cost, original);
    Cell bound;
    if (point.lowerBoundCost) {
      double percent = addedPercent(*point.lowerBoundCost, original);
      bound = Cell(percent, 2);
      plot.series[1].points.push_back({point.capBytes / 1e6, percent});
    }
    curve.rows.push_back(
        {Cell(point.capBytes / 1e6, 2), Cell(point.peakBytes / 1e6, 2),
         Cell(point.peakBytes / 1e4 / plainMegabytes, 1),
         Cell(point.cost / 1e6, 3, true), Cell(overhead, 2, true), bound,
         Cell(point.addedSteps)});
    plot.series[0].points.push_back({point.capBytes / 1e6, overhead});
  }
  Table rules;
  rules.title = "Simple rules";
  rules.columns = {"Rule", "Peak (MB)", "Peak (%)", "Overhead (%)"};
  double lowestMegabytes = plainMegabytes;
  for (const BaselinePoint &point : baselinePoints(region)) {
    double overhead = addedPercent(point.cost, original);
    rules.rows.push_back({Cell(point.rule), Cell(point.peakBytes / 1e6, 2),
                          Cell(point.peakBytes / 1e4 / plainMegabytes, 1),
                          Cell(overhead, 2, true)});
    auto series =
        std::find_if(plot.series.begin(), plot.series.end(),
                     [&](const Series &one) { return one.name == point.rule; });
    if (series == plot.series.end())
      series = plot.series.insert(plot.series.end(),
                                  {point.rule, {}, Series::Style::Points});
    series->points.push_back({point.peakBytes / 1e6, overhead});
  }
  for (const FrontierPoint &point : points)
    lowestMegabytes = std::min(lowestMegabytes, point.capBytes / 1e6);
  if (plot.series[1].points.empty())
    plot.series.erase(plot.series.begin() + 1);
  plot.xBegin = lowestMegabytes * 0.95;
  plot.xEnd = plainMegabytes * 1.02;

  page.tables = {curve, rules};
  page.plots = {plot};
  page.notes = {"Peaks are those of live ranges: packing adds what "
                "remat-compile reports, and remat-compile tightens its plan "
                "until the packed peak meets the cap. Overheads are predicted "
                "by the cost model.",
                "Rules: see remat-run's documentation; all rules make a "
                "dropped tensor again just before its first use in the "
                "backward pass, and keep it from then on."};
  if (compiled.regions.size() > 1)
    page.notes.push_back("Only the largest of the program's " +
                         std::to_string(compiled.regions.size()) +
                         " regions is planned here.");
  page.summary = {
      {"Peak without recomputation", Cell(plainMegabytes, 2).text() + " MB"},
      {"Lowest peak found", Cell(lowestMegabytes, 2).text() + " MB"},
      {"Steps", std::to_string(region.problem.steps.size())}};
  page.data = {{"frontier", toJson(curve)}, {"rules", toJson(rules)}};
  std::printf("%s\n%s", toText(curve).c_str(), toText(rules).c_str());
  writeOutputs(common.outputs, page, curve, common.command);
  return 0;
}
