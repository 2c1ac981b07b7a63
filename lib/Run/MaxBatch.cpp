//===- MaxBatch.cpp - The largest batches that fit ------------------------===//
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

#include <cstdio>
#include <map>

using namespace remat;
using namespace remat::run;

namespace {
/// Compiles for one memory size, without or with recomputation, batch by batch.
class Search {
public:
  Search(const CommonOptions &common, Journal &journal, int64_t memoryBytes,
         bool recompute)
      : common(common), journal(journal), memoryBytes(memoryBytes),
        recompute(recompute), progress(0) {}

  /// The largest batch that fits, 0 if none does: doubles until one does not,
  /// then bisects.
  int64_t run(int64_t first) {
    int64_t low = 0, high = first;
    while (fits(high)) {
      low = high;
      high *= 2;
    }
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    return low;
  }

  const CaseReport &at(int64_t batch) { return results.at(batch); }

private:
  bool fits(int64_t batch) {
    CaseRequest request;
    request.title = common.source.title() + " batch " + std::to_string(batch);
    progress.begin(request.title + (recompute ? ", with" : ", without") +
                   " recomputation");
    request.batch = batch;
    // Without recomputation, the cap is the original peak.
    request.memoryCap = recompute ? std::to_string(memoryBytes) : "100%";
    request.bestEffort = true;
    request.execute = Execute::Never;
    std::string key = Journal::keyOf(common.settings, common.source, batch,
                                     request.memoryCap);
    std::optional<CaseReport> known = journal.find(key);
    if (!known) {
      request.program = obtainProgram(common.settings, common.source, batch);
      known = runCase(common.settings, request);
      journal.add(key, *known);
    }
    CaseReport &result = *known;
    bool does = result.after().peakBytes <= memoryBytes;
    progress.clear();
    std::fprintf(stderr, "batch %lld %s recomputation: %s, %s\n",
                 static_cast<long long>(batch), recompute ? "with" : "without",
                 formatBytes(result.after().peakBytes).c_str(),
                 does ? "fits" : "does not fit");
    results[batch] = std::move(result);
    return does;
  }

  const CommonOptions &common;
  Journal &journal;
  int64_t memoryBytes;
  bool recompute;
  Progress progress;
  std::map<int64_t, CaseReport> results;
};
} // namespace

int remat::run::runMaxBatch(const CommonOptions &common,
                            const MaxBatchOptions &options) {
  checkOutputs(common.outputs);
  std::optional<MemoryCap> memory = parseMemoryCap(options.memory);
  if (!memory || memory->isPercent)
    throw RunError("invalid memory size '" + options.memory +
                   "'; expected 1.5GiB, 800MB or 1048576");
  std::vector<Calibration> calibration;
  if (!options.calibrationFile.empty())
    calibration = loadCalibration(options.calibrationFile);
  Table table;
  table.title =
      "Largest batch of " + common.source.title() + " in " + options.memory;
  table.columns = {"Recomputation", "Largest batch", "Peak (MB)",
                   "Overhead (%)",  "Step time (s)", "Samples per second"};
  Page page;
  page.kind = "max-batch";
  Journal journal(common.settings, options.resume);
  for (bool recompute : {false, true}) {
    Search search(common, journal, memory->bytes, recompute);
    int64_t batch = search.run(options.firstBatch);
    std::vector<Cell> row = {Cell(recompute ? "with" : "without"), Cell(batch)};
    if (batch) {
      const CaseReport &result = search.at(batch);
      double seconds = timesOf(result, calibration).second;
      row.insert(row.end(),
                 {Cell(result.after().peakBytes / 1e6, 1),
                  Cell(result.compile.remat.overheadPercent(), 2, true),
                  Cell(seconds, 3, true), Cell(batch / seconds, 2, true)});
      page.data[recompute ? "with" : "without"] = toJson(result);
    }
    row.resize(table.columns.size());
    table.rows.push_back(row);
  }
  page.title = table.title;
  page.tables = {table};
  page.notes = {"Memory is what the compiler allocates, exact; times are "
                "predicted by the cost model" +
                (calibration.empty() ? std::string(".")
                                     : ", scaled by what was measured of " +
                                           calibration.front().title + ".")};
  std::fputs(toText(table).c_str(), stdout);
  writeOutputs(common.outputs, page, table, common.command);
  return 0;
}
