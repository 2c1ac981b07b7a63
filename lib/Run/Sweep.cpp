//===- Sweep.cpp - One program at several batches -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Journal.h"
#include "remat/Run/Commands.h"
#include "remat/Run/Process.h"
#include "remat/Run/Progress.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cstdio>

using namespace remat;
using namespace remat::run;

namespace {
/// Runs the cases of a sweep one after the other.
class Sweep {
public:
  Sweep(const CommonOptions &common, const SweepOptions &options)
      : common(common), options(options),
        journal(common.settings, options.resume),
        progress(static_cast<int>(options.batches.size()) *
                 (options.against.empty() ? 1 : 2)) {
    if (!options.calibrationFile.empty())
      calibration = loadCalibration(options.calibrationFile);
    if (!calibration.empty())
      timeScale = calibration.back().timeScale;
  }

  /// Goes through the batches until the end or an interrupt.
  void run();
  /// Prints and writes the rows so far.
  void report() const;

  bool interrupted = false;
  int failures = 0;

private:
  std::optional<CaseReport> runOne(const Settings &settings, int64_t batch,
                                   const std::string &memoryCap,
                                   const std::string &title);
  Table checkpointTable() const;
  std::vector<Plot> plots() const;
  std::string capsText() const;

  const CommonOptions &common;
  const SweepOptions &options;
  Journal journal;
  Progress progress;
  /// Measured over modelled time of the cases so far.
  double timeScale = 1;
  /// Of the cases so far, and of --calibrate.
  std::vector<Calibration> calibration;
  std::vector<CaseReport> cases;
  /// With --against, the result of the rule for each of the cases.
  std::vector<CaseReport> ruleCases;
};
} // namespace

/// A cap that no plan meets: with it a rule reports its lowest peak.
static const char *const noMemory = "1";

static std::string outcomeOf(const CaseReport &result) {
  std::string text =
      formatBytes(result.before().peakBytes) + " -> " +
      formatBytes(result.after().peakBytes) +
      (result.compile.capMet || std::to_string(result.capBytes()) == noMemory
           ? ""
           : ", cap missed") +
      ", " + Cell(result.compile.remat.overheadPercent(), 2).text() +
      " % predicted";
  if (result.measured && !result.compile.remat.totalRecomputedSteps())
    text += ", executed, nothing recomputed";
  else if (result.measured)
    text += ", " + Cell(result.measured->overheadPercent(), 2).text() +
            " % measured (" +
            Cell(result.measured->cpuOverheadPercent(), 2).text() +
            " % of processor time), results identical";
  return text;
}

/// One case, from the journal or computed; nothing if it failed, after
/// reporting that.
std::optional<CaseReport> Sweep::runOne(const Settings &settings, int64_t batch,
                                        const std::string &memoryCap,
                                        const std::string &title) {
  progress.begin(title);
  CaseRequest request;
  request.title = title;
  request.batch = batch;
  request.memoryCap = memoryCap;
  request.bestEffort = true;
  request.execute = options.execute;
  request.budgetSeconds = options.budgetSeconds;
  request.timeScale = timeScale;
  request.onStage = [&](const std::string &text) { progress.stage(text); };
  try {
    std::string key = Journal::keyOf(settings, common.source, batch, memoryCap);
    std::optional<CaseReport> result = journal.find(key);
    bool known = result && (result->measured ||
                            !shouldExecute(request, settings, *result));
    if (!known) {
      request.program = obtainProgram(settings, common.source, batch);
      result = runCase(settings, request);
      journal.add(key, *result);
    }
    timeScale = result->timeScale().value_or(timeScale);
    progress.end(outcomeOf(*result) + (known ? " (from before)" : ""));
    addCalibration(calibration, *result);
    return result;
  } catch (const RunError &error) {
    // Continue with the other rows.
    progress.end("failed");
    std::fprintf(stderr, "remat-run: error: %s\n", error.what());
    ++failures;
    return std::nullopt;
  }
}

void Sweep::run() {
  Settings ruleSettings = common.settings;
  ruleSettings.solver = options.against;
  try {
    for (size_t i = 0; i < options.batches.size(); ++i) {
      int64_t batch = options.batches[i];
      std::string title =
          common.source.title() + " batch " + std::to_string(batch);
      std::string cap;
      std::optional<CaseReport> rule;
      if (options.against.empty()) {
        cap = options.memoryCaps[std::min(i, options.memoryCaps.size() - 1)];
      } else {
        rule = runOne(ruleSettings, batch, noMemory,
                      title + " by " + options.against);
        if (!rule)
          continue;
        cap = std::to_string(rule->after().peakBytes);
      }
      std::optional<CaseReport> result =
          runOne(common.settings, batch, cap, title);
      if (!result)
        continue;
      cases.push_back(std::move(*result));
      if (rule)
        ruleCases.push_back(std::move(*rule));
    }
  } catch (const Interrupted &) {
    interrupted = true;
  }
  progress.clear();
}

/// The memory of the rule, and the cost of planning within the same memory.
Table Sweep::checkpointTable() const {
  Table table;
  table.columns = {
      "Batch Size",           "Baseline (MB)",  "With Checkpointing (MB)",
      "Reduction (%)",        "Baseline (ms)",  "With Checkpointing (ms)",
      "Overhead (%)",         "Planned (MB)",   "Planned (ms)",
      "Planned Overhead (%)", "Lower Bound (%)"};
  for (size_t i = 0; i < cases.size(); ++i) {
    const CaseReport &rule = ruleCases[i], &planned = cases[i];
    auto [before, after] = timesOf(rule, calibration);
    auto [plannedBefore, plannedAfter] = timesOf(planned, calibration);
    std::optional<OverheadBound> bound = planned.compile.remat.overheadBound();
    auto overhead = [](double without, double with) {
      return without > 0 ? 100 * (with / without - 1) : 0;
    };
    table.rows.push_back(
        {Cell(rule.batch), Cell(rule.before().peakBytes / 1e6, 1),
         Cell(rule.after().peakBytes / 1e6, 1),
         Cell(100 - 100.0 * rule.after().peakBytes / rule.before().peakBytes,
              1),
         Cell(1e3 * before, 1, !rule.measured),
         Cell(1e3 * after, 1, !rule.measured),
         Cell(overhead(before, after), 1, !rule.measured),
         Cell(planned.after().peakBytes / 1e6, 1),
         Cell(1e3 * plannedAfter, 1, !planned.measured),
         Cell(overhead(plannedBefore, plannedAfter), 1, !planned.measured),
         bound ? Cell(bound->percent, 1) : Cell()});
  }
  return table;
}

/// Peak memory and latency against the batch.
std::vector<Plot> Sweep::plots() const {
  Plot memory, latency;
  memory.title = "Peak memory against batch";
  memory.xLabel = latency.xLabel = "batch size";
  memory.yLabel = "GB";
  latency.title = "Latency against batch";
  latency.yLabel = "s per step";
  memory.series = {{"without recomputation", {}, Series::Style::Line},
                   {"with recomputation", {}, Series::Style::Line}};
  if (!ruleCases.empty())
    memory.series.push_back(
        {"planned by " + options.against, {}, Series::Style::Line});
  latency.series = memory.series;
  auto add = [&](const CaseReport &result, size_t series, bool after) {
    auto [secondsBefore, secondsAfter] = timesOf(result, calibration);
    auto batch = static_cast<double>(result.batch);
    memory.series[series].points.push_back(
        {batch,
         (after ? result.after().peakBytes : result.before().peakBytes) / 1e9});
    latency.series[series].points.push_back(
        {batch, after ? secondsAfter : secondsBefore});
  };
  for (const CaseReport &result : cases) {
    add(result, 0, false);
    add(result, 1, true);
    memory.level = std::max(memory.level, result.capBytes() / 1e9);
  }
  for (const CaseReport &result : ruleCases)
    add(result, 2, true);
  bool oneCap = std::all_of(cases.begin(), cases.end(), [&](const auto &one) {
    return one.capBytes() == cases[0].capBytes();
  });
  if (oneCap)
    memory.levelName = "cap";
  return {memory, latency};
}

std::string Sweep::capsText() const {
  if (!options.against.empty())
    return "what " + options.against + " needs";
  std::string caps;
  for (const std::string &cap : options.memoryCaps)
    caps += (caps.empty() ? "" : ", ") + cap;
  return caps;
}

void Sweep::report() const {
  if (cases.empty())
    return;
  Page page;
  page.kind = "sweep";
  page.title = common.source.title() + " with a cap of " + capsText() + ", " +
               common.settings.target;
  Table summary = summaryTable(cases, calibration);
  summary.title = page.title;
  Table main = summary;
  if (!options.against.empty()) {
    main = checkpointTable();
    main.title = common.source.title() + " planned by " + options.against +
                 ", and by " + solverCalled(common.settings.solver) +
                 " in the same memory, " + common.settings.target;
    page.tables = {main};
  }
  page.tables.push_back(summary);
  page.notes = summaryNotes(cases, calibration);
  if (!options.against.empty())
    if (std::optional<std::string> note = boundNote(cases))
      page.notes.push_back(*note);
  page.plots = plots();
  int64_t executed = 0;
  for (const CaseReport &result : cases) {
    executed += result.measured.has_value();
    page.data["cases"].push_back(toJson(result));
  }
  for (const CaseReport &result : ruleCases)
    page.data["rule_cases"].push_back(toJson(result));
  page.summary = {{"Model", common.source.title()},
                  {"Cap", capsText()},
                  {"Batches", std::to_string(cases.size())},
                  {"Executed", std::to_string(executed) + " of " +
                                   std::to_string(cases.size())},
                  {"Target", common.settings.target},
                  {"Device", common.settings.device}};
  std::vector<TracedRegion> regions =
      loadTrace(common.settings, cases.back().traceFile);
  if (!regions.empty())
    page.picture = Picture{&largestRegion(regions), cases.back().capBytes()};
  std::fputs(toText(main).c_str(), stdout);
  for (const std::string &note : page.notes)
    std::printf("- %s\n", note.c_str());
  writeOutputs(common.outputs, page, main, common.command);
}

int remat::run::runSweep(const CommonOptions &common,
                         const SweepOptions &options) {
  checkOutputs(common.outputs);
  solverCalled(common.settings.solver);
  solverCalled(options.against);
  if (options.execute == Execute::Always)
    checkDevice(common.settings);
  Sweep sweep(common, options);
  sweep.run();
  sweep.report();
  if (sweep.interrupted)
    throw Interrupted();
  return sweep.failures ? 1 : 0;
}
