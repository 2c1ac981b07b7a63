//===- Case.cpp - One program under one cap, in figures -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Case.h"

#include "remat/Run/Process.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace remat;
using namespace remat::run;

/// The names of the largest tensors at the peak of a plan.
static std::string describeFloor(const TracedRegion &region,
                                 const Analysis &analysis) {
  const solver::Timeline &timeline = analysis.after;
  if (timeline.peakSlot < 0)
    return {};
  std::string text;
  const solver::Slot &slot = timeline.slots[timeline.peakSlot];
  for (int32_t i = slot.begin; i < slot.end; ++i) {
    const std::string &name =
        region.problem.steps[region.plan.sequence[i]].name;
    if (text.find(name) == std::string::npos)
      text += (text.empty() ? "" : " with ") + name;
  }
  std::vector<const TensorView *> live;
  for (const TensorView &view : analysis.tensors)
    for (const SlotRange &range : view.after)
      if (range.begin <= timeline.peakSlot && timeline.peakSlot < range.end)
        live.push_back(&view);
  std::stable_sort(live.begin(), live.end(),
                   [](const TensorView *left, const TensorView *right) {
                     return left->bytes > right->bytes;
                   });
  text += ": " + formatBytes(region.outsideBytes) + " held outside, " +
          std::to_string(live.size()) + " tensors of " +
          formatBytes(timeline.peakBytes);
  for (size_t i = 0; i < live.size() && i < 3; ++i)
    text += (i ? ", " : ", largest ") + formatBytes(live[i]->bytes) + " of " +
            live[i]->origin;
  return text;
}

/// The largest tensors at the lowest peak of `region`, and a peak below which
/// no plan goes.
static MissedCap describeMissed(const CompileReport &report,
                                const TracedRegion &region,
                                const Analysis &analysis) {
  MissedCap missed = {describeFloor(region, analysis), 0};
  for (const RegionReport &planned : report.remat.regions)
    if (planned.function == region.function &&
        planned.regionIndex == region.index)
      missed.provenFloorBytes =
          region.outsideBytes + planned.transientFloorBytes;
  return missed;
}

/// Copies the report and the trace of remat-compile.
static void addCompiled(CaseReport &result, const Compiled &compiled) {
  result.compile = compiled.report;
  const TracedRegion *largest = nullptr;
  if (!compiled.regions.empty())
    largest = &largestRegion(compiled.regions);
  for (const TracedRegion &region : compiled.regions) {
    Analysis analysis = analyze(region);
    result.retained += analysis.retained;
    result.recomputed += analysis.recomputed;
    result.retainedBytes += analysis.retainedBytes;
    result.recomputedBytes += analysis.recomputedBytes;
    if (&region == largest && !result.compile.capMet)
      result.missed = describeMissed(result.compile, region, analysis);
  }
}

bool remat::run::shouldExecute(const CaseRequest &request,
                               const Settings &settings,
                               const CaseReport &planned) {
  if (request.execute != Execute::Auto)
    return request.execute == Execute::Always;
  // Two runs for peaks and two for launches, then pairs of timed runs, which
  // take about two steps each.
  double steps = 4 + 4 * settings.repetitions;
  double seconds = planned.modelSecondsAfter() * request.timeScale * steps;
  double memory = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // The program that runs a module holds a second copy of inputs and outputs.
  double needed = planned.before().peakBytes +
                  planned.compile.fixed->inputBytes +
                  planned.compile.fixed->outputBytes;
  return seconds <= request.budgetSeconds && needed <= 0.6 * memory;
}

/// Throws RunError if the measurement contradicts the compiler's figures.
static void verify(const CaseReport &result) {
  const Measurement &measured = *result.measured;
  std::string name = result.title;
  if (!measured.identical)
    throw RunError(name + ": the results of the two modules differ");
  if (measured.peakBytesBefore != result.before().peakBytes ||
      measured.peakBytesAfter != result.after().peakBytes)
    throw RunError(name + ": the runtime counted peaks of " +
                   std::to_string(measured.peakBytesBefore) + " and " +
                   std::to_string(measured.peakBytesAfter) +
                   " bytes, but the compiler allocated " +
                   std::to_string(result.before().peakBytes) + " and " +
                   std::to_string(result.after().peakBytes));
  if (result.compile.capMet && measured.peakBytesAfter > result.capBytes())
    throw RunError(
        name + ": the peak of " + std::to_string(measured.peakBytesAfter) +
        " bytes exceeds the cap of " + std::to_string(result.capBytes()));
}

CaseReport remat::run::runCase(const Settings &settings,
                               const CaseRequest &request) {
  auto stage = [&](const std::string &text) {
    if (request.onStage)
      request.onStage(text);
  };
  CaseReport result;
  result.title = request.title;
  result.batch = request.batch;
  result.device = settings.device;
  std::string name = request.title;
  std::replace(name.begin(), name.end(), '/', '-');
  std::replace(name.begin(), name.end(), ' ', '-');
  CompileRequest compile = {request.program, name + "-remat", request.memoryCap,
                            request.bestEffort,
                            request.execute != Execute::Always};
  result.traceFile = compile.name + ".trace.json";
  stage(compile.planOnly ? "planning" : "compiling for the cap");
  Compiled after = compileProgram(settings, compile);
  addCompiled(result, after);
  if (!shouldExecute(request, settings, result))
    return result;
  if (compile.planOnly) {
    stage("compiling for the cap");
    compile.planOnly = false;
    after = compileProgram(settings, compile);
  }
  // If nothing changed, it is the same module.
  std::string before = after.module;
  if (result.compile.remat.totalRecomputedSteps() > 0 ||
      result.compile.remat.isReordered()) {
    stage("compiling without recomputation");
    before = compileProgram(
                 settings, {request.program, name + "-plain", "", false, false})
                 .module;
  }
  std::optional<Signature> signature = readSignature(request.program);
  PairRequest pair = {before, after.module,
                      signature ? *signature
                                : moduleSignature(settings, after.module),
                      result.compile.fixed->constantBytes, request.onStage};
  result.measured = measurePair(settings, pair);
  unlink(after.module.c_str());
  unlink(before.c_str());
  verify(result);
  return result;
}

std::pair<double, double>
remat::run::timesOf(const CaseReport &result,
                    const std::vector<Calibration> &calibration) {
  if (result.measured)
    return {result.measured->before(), result.measured->after()};
  double scale = 1, nearest = INFINITY;
  for (const Calibration &other : calibration) {
    double distance =
        std::abs(std::log2(double(std::max<int64_t>(1, result.batch)) /
                           std::max<int64_t>(1, other.batch)));
    if (distance < nearest) {
      scale = other.timeScale;
      nearest = distance;
    }
  }
  return {result.modelSecondsBefore() * scale,
          result.modelSecondsAfter() * scale};
}

Table remat::run::summaryTable(const std::vector<CaseReport> &cases,
                               const std::vector<Calibration> &calibration) {
  Table table;
  table.title = "Summary";
  table.columns = {"Batch Size",
                   "Initial Peak Memory (GB)",
                   "Final Peak Memory (GB)",
                   "Memory Reduction (GB)",
                   "Memory Reduction (%)",
                   "Initial Execution Time (s)",
                   "Final Execution Time (s)",
                   "Execution Time Overhead (s)",
                   "Execution Time Overhead (%)",
                   "Recomputation Time (s)",
                   "Retained Activations",
                   "Retained Activations (%)",
                   "Recomputed Activations",
                   "Recomputed Activations (%)",
                   "Retained Memory (GB)",
                   "Saved Memory (GB)"};
  for (const CaseReport &result : cases) {
    bool predicted = !result.measured;
    auto [before, after] = timesOf(result, calibration);
    double initial = result.before().peakBytes / 1e9;
    double final = result.after().peakBytes / 1e9;
    double scale = result.modelSecondsBefore() > 0
                       ? before / result.modelSecondsBefore()
                       : 1;
    double recomputation =
        scale * (result.modelSecondsAfter() - result.modelSecondsBefore());
    int64_t all = result.retained + result.recomputed;
    auto share = [&](int64_t part) { return all ? 100.0 * part / all : 0.0; };
    table.rows.push_back(
        {Cell(result.batch), Cell(initial, 3), Cell(final, 3),
         Cell(initial - final, 3),
         Cell(initial > 0 ? 100 * (1 - final / initial) : 0, 1),
         Cell(before, 3, predicted), Cell(after, 3, predicted),
         Cell(after - before, 3, predicted),
         Cell(before > 0 ? 100 * (after / before - 1) : 0, 1, predicted),
         Cell(recomputation, 3, true), Cell(result.retained),
         Cell(share(result.retained), 1), Cell(result.recomputed),
         Cell(share(result.recomputed), 1), Cell(result.retainedBytes / 1e9, 3),
         Cell(result.recomputedBytes / 1e9, 3)});
  }
  return table;
}

std::vector<std::string>
remat::run::summaryNotes(const std::vector<CaseReport> &cases,
                         const std::vector<Calibration> &calibration) {
  std::vector<std::string> notes = {
      "GB are 10^9 bytes. Memory is the whole device footprint (inputs, "
      "outputs, constants, transients), exact in every row: as allocated by "
      "the compiler, and, in executed rows, as counted by the runtime.",
      "Times marked ~ are predicted by the cost model, scaled by the measured "
      "row of the nearest batch; times without the mark were measured (median; "
      "runs with and without recomputation alternate). The recomputation time "
      "is what the repeated kernels take by the model, scaled likewise.",
      "An activation is a transient value of the forward pass that the "
      "backward pass reads; it is recomputed if it is computed more than once, "
      "otherwise retained. Saved memory is the sum of the recomputed ones."};
  if (calibration.empty() && !cases.empty())
    notes.push_back("Nothing was executed: times are those of the cost model, "
                    "of which only ratios are meaningful.");
  for (const CaseReport &result : cases)
    if (result.missed)
      notes.push_back(
          result.title + ": the cap of " + formatBytes(result.capBytes()) +
          " was missed; the lowest peak found is " +
          formatBytes(result.after().peakBytes) + ", at " +
          result.missed->floor + "; no plan in this order needs less than " +
          formatBytes(result.missed->provenFloorBytes));
  return notes;
}

std::optional<std::string>
remat::run::boundNote(const std::vector<CaseReport> &cases) {
  bool anyBound = false, anyAssumes = false;
  std::string unconditional;
  for (const CaseReport &result : cases) {
    std::optional<OverheadBound> bound = result.compile.remat.overheadBound();
    if (!bound)
      continue;
    anyBound = true;
    anyAssumes |= bound->assumesOrder;
    if (!bound->assumesOrder)
      unconditional += (unconditional.empty() ? "" : ", ") + result.title;
  }
  if (!anyBound)
    return std::nullopt;
  if (!anyAssumes)
    return "Lower bounds hold for all plans.";
  if (unconditional.empty())
    return "Lower bounds hold for plans in the order of the plan found.";
  return "Lower bounds hold for all plans of " + unconditional +
         "; otherwise for plans in the order of the plan found.";
}
