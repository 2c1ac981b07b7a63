//===- Compare.cpp - One program with and without recomputation -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Commands.h"
#include "remat/Run/Process.h"
#include "remat/Run/Progress.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cstdio>

using namespace remat;
using namespace remat::run;

static std::string withBytes(int64_t bytes) {
  return formatBytes(bytes) + " (" + std::to_string(bytes) + " bytes)";
}

static std::string decimals(double value, int digits) {
  return Cell(value, digits).text();
}

/// "1.234 s (1.200 to 1.301, 5 runs)".
static std::string timeText(const std::vector<double> &seconds) {
  auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return decimals(median(seconds), 4) + " s (" + decimals(*least, 4) + " to " +
         decimals(*most, 4) + ", " + std::to_string(seconds.size()) + " runs)";
}

/// `predicted` is the step time before and after, for a case that was not
/// measured but for which a similar one was.
static Table
compareTable(const Measurement *measured, const CaseReport *result,
             std::optional<std::pair<double, double>> predicted = {}) {
  Table table;
  table.title = "Comparison";
  table.columns = {"Figure", "Without recomputation", "With recomputation",
                   "Difference"};
  auto percent = [](double before, double after) {
    return Cell(before > 0 ? decimals(100 * (after / before - 1), 2) + " %"
                           : "");
  };
  auto bytes = [&](const char *name, int64_t before, int64_t after) {
    table.rows.push_back({Cell(name), Cell(std::to_string(before)),
                          Cell(std::to_string(after)),
                          percent(double(before), double(after))});
  };
  if (measured) {
    bytes("Peak counted by the runtime (bytes)", measured->peakBytesBefore,
          measured->peakBytesAfter);
  }
  if (result) {
    bytes("Peak allocated by the compiler (bytes)", result->before().peakBytes,
          result->after().peakBytes);
    bytes("Slab of transients (bytes)", result->before().transientBytes,
          result->after().transientBytes);
  }
  if (measured) {
    table.rows.push_back({Cell("Step time, median (s)"),
                          Cell(decimals(measured->before(), 4)),
                          Cell(decimals(measured->after(), 4)),
                          percent(measured->before(), measured->after())});
    double cpuBefore = median(measured->cpuSecondsBefore);
    double cpuAfter = median(measured->cpuSecondsAfter);
    table.rows.push_back(
        {Cell("Processor time, median (s)"), Cell(decimals(cpuBefore, 4)),
         Cell(decimals(cpuAfter, 4)), percent(cpuBefore, cpuAfter)});
    bytes("Kernel launches", measured->launchesBefore, measured->launchesAfter);
  }
  if (predicted)
    table.rows.push_back({Cell("Step time, predicted (s)"),
                          Cell(decimals(predicted->first, 4)),
                          Cell(decimals(predicted->second, 4)),
                          percent(predicted->first, predicted->second)});
  if (result) {
    table.rows.push_back(
        {Cell("Step time by the cost model (s)"),
         Cell(decimals(result->modelSecondsBefore(), 4)),
         Cell(decimals(result->modelSecondsAfter(), 4)),
         percent(result->modelSecondsBefore(), result->modelSecondsAfter())});
    bytes("Steps executed", result->compile.remat.totalSteps(),
          result->compile.remat.totalSteps() +
              result->compile.remat.totalRecomputedSteps());
  }
  return table;
}

/// "no plan in this order adds less than 1.20 %".
static std::string boundText(const OverheadBound &bound) {
  return boundClaim(bound) + " " + decimals(bound.percent, 2) + " %";
}

/// The figures of a case that matter most.
static std::vector<Headline> headlinesOf(const CaseReport &result) {
  std::optional<OverheadBound> bound = result.compile.remat.overheadBound();
  double share = double(result.after().peakBytes) /
                 double(std::max<int64_t>(1, result.before().peakBytes));
  std::vector<Headline> lines = {
      {"Peak memory", formatBytes(result.after().peakBytes),
       "instead of " + formatBytes(result.before().peakBytes) + ", that is " +
           decimals(100 * share, 1) + " %" +
           (result.compile.capMet ? "" : "; the cap was missed"),
       share}};
  if (result.measured)
    lines.push_back({"Measured overhead",
                     decimals(result.measured->overheadPercent(), 1) + " %",
                     "of the time on the clock; " +
                         decimals(result.measured->cpuOverheadPercent(), 1) +
                         " % of processor time"});
  lines.push_back({"Predicted overhead",
                   decimals(result.compile.remat.overheadPercent(), 2) + " %",
                   bound ? boundText(*bound) : "by the cost model"});
  lines.push_back({"Recomputed",
                   std::to_string(result.compile.remat.totalRecomputedSteps()),
                   "executions added to " +
                       std::to_string(result.compile.remat.totalSteps()) +
                       " steps; " + std::to_string(result.recomputed) + " of " +
                       std::to_string(result.recomputed + result.retained) +
                       " activations"});
  return lines;
}

static void addMeasured(Page &page, const Measurement &measured) {
  page.summary.push_back(
      {"Results",
       measured.identical
           ? "identical, all " + std::to_string(measured.resultBytes) + " bytes"
           : "DIFFERENT"});
  page.summary.push_back(
      {"Measured overhead", decimals(measured.overheadPercent(), 2) +
                                " % of the time on the clock, " +
                                decimals(measured.cpuOverheadPercent(), 2) +
                                " % of processor time"});
  page.summary.push_back({"Time without", timeText(measured.secondsBefore)});
  page.summary.push_back({"Time with", timeText(measured.secondsAfter)});
}

/// Two modules about which nothing else is known.
static int compareModules(const CommonOptions &common,
                          const CompareOptions &options) {
  const std::string &before = common.source.path;
  PairRequest pair = {before,
                      options.otherModule,
                      moduleSignature(common.settings, before),
                      0,
                      {}};
  Measurement measured = measurePair(common.settings, pair);
  Page page;
  page.kind = "compare-modules";
  page.title = before + " against " + options.otherModule;
  page.summary.push_back({"Peak without", withBytes(measured.peakBytesBefore)});
  page.summary.push_back({"Peak with", withBytes(measured.peakBytesAfter)});
  addMeasured(page, measured);
  page.tables = {compareTable(&measured, nullptr)};
  page.data = toJson(measured);
  std::fputs(toText(page.tables[0]).c_str(), stdout);
  for (const auto &[name, value] : page.summary)
    std::printf("%s: %s\n", name.c_str(), value.c_str());
  writeOutputs(common.outputs, page, page.tables[0], common.command);
  if (measured.identical)
    return 0;
  std::fprintf(stderr, "remat-run: error: the results differ\n");
  return 1;
}

int remat::run::runCompare(const CommonOptions &common,
                           const CompareOptions &options) {
  checkOutputs(common.outputs);
  if (options.execute != Execute::Never)
    checkDevice(common.settings);
  if (!options.otherModule.empty())
    return compareModules(common, options);

  Progress progress(1);
  CaseRequest request;
  request.title =
      common.source.title() +
      (options.batch ? " batch " + std::to_string(options.batch) : "");
  progress.begin(request.title);
  request.program =
      obtainProgram(common.settings, common.source, options.batch);
  request.batch = options.batch;
  request.memoryCap = options.memoryCap;
  request.bestEffort = options.bestEffort;
  request.execute = options.execute;
  request.onStage = [&](const std::string &text) { progress.stage(text); };
  CaseReport result = runCase(common.settings, request);
  progress.clear();

  const RepairReport &repair = result.compile.remat.repair;
  if (repair.lateReads > 0)
    std::fprintf(stderr,
                 "remat-run: warning: iree-compile alone computes wrong "
                 "results for this program: %lld reads of donated memory come "
                 "too late; they are repaired in both modules\n",
                 static_cast<long long>(repair.lateReads));

  Page page;
  page.kind = "compare";
  page.title = result.title + ", " + result.compile.target +
               ", with a cap of " + options.memoryCap;
  page.headlines = headlinesOf(result);
  page.summary = {
      {"Peak without", withBytes(result.before().peakBytes)},
      {"Peak with", withBytes(result.after().peakBytes)},
      {"Cap", withBytes(result.capBytes()) +
                  (result.compile.capMet ? "" : ", MISSED")},
      {"Recomputed",
       std::to_string(result.compile.remat.totalRecomputedSteps()) +
           " executions added to " +
           std::to_string(result.compile.remat.totalSteps()) + " steps"},
      {"Activations", std::to_string(result.retained) + " retained, " +
                          std::to_string(result.recomputed) + " recomputed"},
      {"Predicted overhead",
       decimals(result.compile.remat.overheadPercent(), 2) + " %"}};
  if (result.compile.fixed)
    page.summary.push_back(
        {"Donated", withBytes(result.compile.fixed->donatedBytes) + " of " +
                        withBytes(result.compile.fixed->inputBytes) +
                        " of arguments"});
  if (repair.lateReads > 0)
    page.summary.push_back(
        {"Late reads", std::to_string(repair.lateReads) + " repaired, with " +
                           std::to_string(repair.copies) + " copies"});
  std::optional<OverheadBound> bound = result.compile.remat.overheadBound();
  page.summary.push_back(
      {"Lower bound", bound ? boundText(*bound) : "not known"});
  if (result.measured) {
    addMeasured(page, *result.measured);
    page.summary.push_back({"Device", result.device});
  }
  std::vector<Calibration> calibration;
  addCalibration(calibration, result);
  std::optional<std::pair<double, double>> predicted;
  if (!options.calibrationFile.empty() && !result.measured) {
    calibration = loadCalibration(options.calibrationFile);
    predicted = timesOf(result, calibration);
  }
  Table table = compareTable(result.measured ? &*result.measured : nullptr,
                             &result, predicted);
  page.tables = {table};
  page.notes = summaryNotes({result}, calibration);
  if (bound)
    page.notes.push_back("By the cost model, " + boundText(*bound) + ".");
  page.data = toJson(result);
  if (predicted)
    page.data["predicted_seconds"] = {predicted->first, predicted->second};
  std::vector<TracedRegion> regions =
      loadTrace(common.settings, result.traceFile);
  page.picture = Picture{&largestRegion(regions), result.capBytes()};
  std::fputs(toText(table).c_str(), stdout);
  for (const auto &[name, value] : page.summary)
    std::printf("%s: %s\n", name.c_str(), value.c_str());
  writeOutputs(common.outputs, page, table, common.command);
  return 0;
}
