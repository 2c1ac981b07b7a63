//===- Sweep.cpp - One program at several batches -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Process.h"
#include "Progress.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/MemorySize.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

using namespace remat;
using namespace remat::run;
using Json = nlohmann::json;

namespace {
/// Finished rows, in a file of the work directory: one line of JSON each, under
/// a key of everything that the row depends on.
class Journal {
public:
  Journal(const Settings &settings, bool resume)
      : path(settings.workDirectory + "/rows.jsonl") {
    std::string error;
    std::optional<std::string> text;
    if (resume)
      text = readFile(path, error);
    std::istringstream lines(text.value_or(""));
    for (std::string line; std::getline(lines, line);) {
      Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
      if (row.is_object() && row.contains("key") && row.contains("case"))
        rows[row["key"]] = row["case"];
    }
  }

  std::optional<CaseResult> find(const std::string &key) const {
    auto row = rows.find(key);
    if (row == rows.end())
      return std::nullopt;
    try {
      return caseFromJson(row->second);
    } catch (const Json::exception &) {
      return std::nullopt; // a row of another version
    }
  }

  void add(const std::string &key, const CaseResult &result) {
    rows[key] = toJson(result);
    std::string text, error;
    for (const auto &[name, row] : rows)
      text += Json({{"key", name}, {"case", row}}).dump() + "\n";
    if (!writeFile(path, text, error))
      throw RunError(error);
  }

private:
  std::string path;
  std::map<std::string, Json> rows;
};
} // namespace

/// Everything a row depends on, but the machine.
static std::string keyOf(const CommonOptions &common,
                         const SweepOptions &options, int64_t batch,
                         const std::string &memoryCap) {
  const Settings &settings = common.settings;
  Json key = {common.source.path,
              common.source.model,
              common.source.modelOptions,
              batch,
              memoryCap,
              settings.target,
              settings.device,
              settings.seed,
              settings.repetitions,
              settings.ireeFlags,
              settings.solver,
              settings.costsFile,
              static_cast<int>(options.execute)};
  return key.dump();
}

/// Peak memory and latency against the batch.
static std::vector<Plot> sweepPlots(const std::vector<CaseResult> &cases) {
  Plot memory, latency;
  memory.title = "Peak memory against batch";
  memory.xLabel = latency.xLabel = "batch size";
  memory.yLabel = "GB";
  latency.title = "Latency against batch";
  latency.yLabel = "s per step";
  memory.series = {{"without recomputation", {}, Series::Style::Line},
                   {"with recomputation", {}, Series::Style::Line}};
  latency.series = memory.series;
  for (const CaseResult &result : cases) {
    auto [before, after] = timesOf(result, cases);
    auto batch = static_cast<double>(result.batch);
    memory.series[0].points.push_back({batch, result.peakBytesBefore / 1e9});
    memory.series[1].points.push_back({batch, result.peakBytesAfter / 1e9});
    latency.series[0].points.push_back({batch, before});
    latency.series[1].points.push_back({batch, after});
    memory.level = std::max(memory.level, result.capBytes / 1e9);
  }
  bool oneCap = std::all_of(cases.begin(), cases.end(), [&](const auto &one) {
    return one.capBytes == cases[0].capBytes;
  });
  if (oneCap)
    memory.levelName = "cap";
  return {memory, latency};
}

static std::string outcomeOf(const CaseResult &result) {
  std::string text = formatBytes(result.peakBytesBefore) + " -> " +
                     formatBytes(result.peakBytesAfter) +
                     (result.capMet ? "" : ", cap missed") + ", " +
                     Cell(result.predictedOverheadPercent(), 2).text() +
                     " % predicted";
  if (result.measured)
    text += ", " + Cell(result.measured->overheadPercent(), 2).text() +
            " % measured (" +
            Cell(result.measured->cpuOverheadPercent(), 2).text() +
            " % of processor time), results identical";
  return text;
}

/// Prints and writes what is there of `cases`.
static void report(const CommonOptions &common, const SweepOptions &options,
                   const std::vector<CaseResult> &cases) {
  if (cases.empty())
    return;
  Page page;
  std::string caps;
  for (const std::string &cap : options.memoryCaps)
    caps += (caps.empty() ? "" : ", ") + cap;
  page.title = common.source.title() + " with a cap of " + caps + ", " +
               common.settings.target;
  Table table = summaryTable(cases);
  table.title = page.title;
  page.tables = {table};
  page.notes = summaryNotes(cases);
  page.plots = sweepPlots(cases);
  int64_t executed = 0;
  for (const CaseResult &result : cases) {
    executed += result.measured.has_value();
    page.data["cases"].push_back(nlohmann::ordered_json(toJson(result)));
  }
  page.summary = {{"Model", common.source.title()},
                  {"Cap", caps},
                  {"Batches", std::to_string(cases.size())},
                  {"Executed", std::to_string(executed) + " of " +
                                   std::to_string(cases.size())},
                  {"Target", common.settings.target},
                  {"Device", common.settings.device}};
  std::vector<TracedRegion> regions =
      loadTrace(common.settings, cases.back().traceFile);
  if (!regions.empty())
    page.picture = Picture{&largestRegion(regions), cases.back().capBytes};
  std::fputs(toText(table).c_str(), stdout);
  for (const std::string &note : page.notes)
    std::printf("- %s\n", note.c_str());
  writeOutputs(common.outputs, page, table, common.command);
}

int remat::run::runSweep(const CommonOptions &common,
                         const SweepOptions &options) {
  checkOutputs(common.outputs);
  if (options.execute == Execute::Always)
    checkDevice(common.settings);
  Journal journal(common.settings, options.resume);
  Progress progress(static_cast<int>(options.batches.size()));
  std::vector<CaseResult> cases;
  double timeScale = 1;
  int failures = 0;
  bool interrupted = false;
  for (size_t i = 0; i < options.batches.size(); ++i) {
    int64_t batch = options.batches[i];
    const std::string &cap =
        options.memoryCaps[std::min(i, options.memoryCaps.size() - 1)];
    std::string key = keyOf(common, options, batch, cap);
    CaseRequest request;
    request.title = common.source.title() + " batch " + std::to_string(batch);
    progress.begin(request.title);
    try {
      std::optional<CaseResult> known = journal.find(key);
      CaseResult result;
      if (known) {
        result = *known;
      } else {
        request.program = obtainProgram(common.settings, common.source, batch);
        request.batch = batch;
        request.memoryCap = cap;
        request.bestEffort = true;
        request.execute = options.execute;
        request.budgetSeconds = options.budgetSeconds;
        request.timeScale = timeScale;
        request.onStage = [&](const std::string &text) {
          progress.stage(text);
        };
        result = runCase(common.settings, request);
        journal.add(key, result);
      }
      timeScale = result.timeScale().value_or(timeScale);
      progress.end(outcomeOf(result) + (known ? " (from before)" : ""));
      cases.push_back(std::move(result));
    } catch (const Interrupted &) {
      interrupted = true;
      break;
    } catch (const RunError &error) {
      // The other rows are worth having.
      progress.end("failed");
      std::fprintf(stderr, "remat-run: error: %s\n", error.what());
      ++failures;
    }
  }
  progress.clear();
  report(common, options, cases);
  if (interrupted)
    throw Interrupted();
  return failures ? 1 : 0;
}
