//===- Profile.cpp - Where time and memory go -----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/KernelCostsFile.h"
#include "remat/Run/Commands.h"
#include "remat/Run/Process.h"
#include "remat/Run/Progress.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/MemorySize.h"

#include <cstdio>
#include <map>

using namespace remat;
using namespace remat::run;
using Json = nlohmann::ordered_json;

namespace {
/// The figures of a kernel in the trace, over all its launches.
struct KernelSite {
  std::string origin;
  int64_t launches = 0;
  int64_t movedBytes = 0;
  int64_t modelNanos = 0;
};
} // namespace

static std::map<std::string, KernelSite>
findKernels(const std::vector<TracedRegion> &regions) {
  std::map<std::string, KernelSite> kernels;
  for (const TracedRegion &region : regions)
    for (size_t i = 0; i < region.problem.steps.size(); ++i) {
      KernelSite &kernel = kernels[region.problem.steps[i].name];
      if (!kernel.launches++)
        kernel.origin = region.origins[i];
      kernel.movedBytes += region.movedBytes[i];
      kernel.modelNanos += region.problem.steps[i].cost;
    }
  return kernels;
}

static Table kernelTable(const std::vector<KernelTime> &times,
                         const std::map<std::string, KernelSite> &sites) {
  Table table;
  table.title = "Kernels";
  table.columns = {"Kernel",      "Layer",    "Launches",
                   "Time (ms)",   "Time (%)", "Per launch (ms)",
                   "Bytes moved", "GB/s",     "Model (ms)"};
  int64_t total = 0;
  for (const KernelTime &kernel : times)
    total += kernel.totalNanos;
  for (const KernelTime &kernel : times) {
    std::vector<Cell> row = {
        Cell(kernel.name),
        Cell(),
        Cell(kernel.launches),
        Cell(kernel.totalNanos / 1e6, 3),
        Cell(total ? 100.0 * kernel.totalNanos / total : 0, 1),
        Cell(kernel.totalNanos / 1e6 / std::max<int64_t>(1, kernel.launches),
             3)};
    auto site = sites.find(kernel.name);
    if (site != sites.end()) {
      row[1] = Cell(site->second.origin);
      row.push_back(Cell(site->second.movedBytes));
      row.push_back(Cell(double(site->second.movedBytes) /
                             std::max<int64_t>(1, kernel.totalNanos),
                         2));
      row.push_back(Cell(site->second.modelNanos / 1e6, 3, true));
    }
    row.resize(table.columns.size());
    table.rows.push_back(row);
  }
  return table;
}

/// The bytes held at the peak, by kind.
static Table splitTable(const Signature &signature, const Analysis &analysis,
                        int64_t constantBytes) {
  std::map<std::string, int64_t> held;
  for (const Port &port : signature.arguments)
    held[port.kind] += port.bytes;
  int64_t newParameters = 0, newStates = 0, gradients = 0, outputs = 0;
  for (const Port &port : signature.results)
    (port.kind == "parameter"         ? newParameters
     : port.kind == "optimizer-state" ? newStates
     : port.kind == "gradient"        ? gradients
                                      : outputs) += port.bytes;
  Table table;
  table.title = "Memory at the peak";
  table.columns = {"Kind", "Bytes without recomputation",
                   "Bytes with recomputation"};
  auto add = [&](const char *name, int64_t before, int64_t after) {
    table.rows.push_back({Cell(name), Cell(before), Cell(after)});
  };
  auto same = [&](const char *name, int64_t bytes) { add(name, bytes, bytes); };
  same("parameters", held["parameter"]);
  same("updated parameters", newParameters);
  same("optimizer state", held["optimizer-state"]);
  same("updated optimizer state", newStates);
  same("inputs", held["input"]);
  same("outputs", outputs);
  same("constants", constantBytes);
  add("gradients", gradients + analysis.peakBefore.gradients,
      gradients + analysis.peakAfter.gradients);
  add("activations", analysis.peakBefore.activations,
      analysis.peakAfter.activations);
  add("workspace", analysis.peakBefore.workspace, analysis.peakAfter.workspace);
  return table;
}

/// The costs that remat-compile --costs reads.
static ir::KernelCosts
makeCosts(const std::vector<KernelTime> &times,
          const std::map<std::string, KernelSite> &sites) {
  ir::KernelCosts costs;
  double measured = 0, modelled = 0;
  for (const KernelTime &kernel : times) {
    if (!kernel.launches)
      continue;
    costs.nanos[kernel.name] = kernel.totalNanos / kernel.launches;
    auto site = sites.find(kernel.name);
    if (site == sites.end())
      continue;
    measured += double(kernel.totalNanos) / kernel.launches;
    modelled += double(site->second.modelNanos) / site->second.launches;
  }
  if (modelled > 0 && measured > 0)
    costs.modelScale = measured / modelled;
  return costs;
}

static void writeCosts(const std::string &path, const ir::KernelCosts &costs) {
  std::string error;
  if (!writeFile(path, printKernelCosts(costs), error))
    throw RunError(error);
}

/// The cost of the executions in `planned`, with the costs of the same steps in
/// `costed`.
static int64_t costOf(const std::vector<TracedRegion> &planned,
                      const std::vector<TracedRegion> &costed) {
  int64_t cost = 0;
  for (size_t i = 0; i < planned.size() && i < costed.size(); ++i)
    for (solver::StepId step : planned[i].plan.sequence)
      cost += costed[i].problem.steps[step].cost;
  return cost;
}

int remat::run::runProfile(const CommonOptions &common,
                           const ProfileOptions &options) {
  checkOutputs(common.outputs);
  checkDevice(common.settings);
  Progress progress(1);
  std::string title =
      common.source.title() +
      (options.batch ? " batch " + std::to_string(options.batch) : "");
  progress.begin(title);
  std::string program =
      obtainProgram(common.settings, common.source, options.batch);
  progress.stage("compiling");
  Compiled plain =
      compileProgram(common.settings, {program, "profile", "", false, false});
  std::optional<Signature> source = readSignature(program);
  Signature signature =
      source ? *source : moduleSignature(common.settings, plain.module);
  progress.stage("running");
  std::vector<KernelTime> times =
      profileModule(common.settings, plain.module, signature);
  std::map<std::string, KernelSite> sites = findKernels(plain.regions);
  ir::KernelCosts costs = makeCosts(times, sites);

  Page page;
  page.kind = "profile";
  page.title = "Profile of " + title;
  Table kernels = kernelTable(times, sites);
  std::vector<TracedRegion> shown = plain.regions;
  std::string costsPath = options.costsOutput.empty()
                              ? common.settings.workDirectory + "/costs.json"
                              : options.costsOutput;
  writeCosts(costsPath, costs);
  if (!options.memoryCap.empty()) {
    progress.stage("planning by the model and by what was measured");
    CompileRequest request = {program, "by-model", options.memoryCap, false,
                              true};
    std::vector<TracedRegion> byModel =
        compileProgram(common.settings, request).regions;
    Settings measured = common.settings;
    measured.costsFile = costsPath;
    request.name = "by-measurement";
    shown = compileProgram(measured, request).regions;
    progress.stage("measuring again");
    times = profileModule(common.settings, plain.module, signature);
    measured.costsFile = common.settings.workDirectory + "/costs-again.json";
    writeCosts(measured.costsFile, makeCosts(times, sites));
    std::vector<TracedRegion> again =
        compileProgram(measured, {program, "again", "", false, true}).regions;
    double plainCost = costOf(plain.regions, again);
    auto percent = [&](const std::vector<TracedRegion> &planned) {
      double cost = costOf(planned, again);
      return Cell(plainCost > 0 ? 100 * (cost / plainCost - 1) : 0, 2).text() +
             " % more time, by a second measurement";
    };
    page.summary = {{"Cap", options.memoryCap},
                    {"Planned by the model", percent(byModel)},
                    {"Planned by the measured costs", percent(shown)}};
  }
  progress.clear();
  const TracedRegion &region = largestRegion(shown);
  Analysis analysis = analyze(region);
  Table split =
      splitTable(signature, analysis, plain.report.fixed->constantBytes);
  page.tables = {kernels, split};
  int64_t cap = 0;
  if (std::optional<MemoryCap> given = parseMemoryCap(options.memoryCap))
    cap = given->resolve(plain.report.before->peakBytes);
  page.picture = Picture{&region, cap};
  page.notes = {"Times are medians of " +
                    std::to_string(common.settings.repetitions) + " runs.",
                "Times of kernels that run side by side overlap; shares are of "
                "the sum. Bytes are those of the slices a kernel reads and "
                "writes. What is at the peak follows live ranges; packing may "
                "add a little."};
  page.data = {{"kernels", toJson(kernels)},
               {"peak", toJson(split)},
               {"costs", Json::parse(printKernelCosts(costs))}};
  std::printf("%s\n%s", toText(kernels).c_str(), toText(split).c_str());
  for (const auto &[name, value] : page.summary)
    std::printf("%s: %s\n", name.c_str(), value.c_str());
  if (!options.costsOutput.empty())
    std::printf("wrote %s\n", options.costsOutput.c_str());
  writeOutputs(common.outputs, page, kernels, common.command);
  return 0;
}
