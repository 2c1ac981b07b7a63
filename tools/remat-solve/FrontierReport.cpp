//===- FrontierReport.cpp - What remat-solve says of all caps -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontierReport.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace remat::solver {
namespace {

/// One point in all formats.
struct Row {
  double capPercent;
  double peakPercent;
  double overheadPercent;
  double boundPercent;
  size_t numRecomputations;
};

Row rowOf(const FrontierReport &report, const FrontierPoint &point) {
  auto share = [](int64_t part, int64_t whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  };
  return {
      share(point.capBytes, report.originalPeakBytes),
      share(point.peakBytes, report.originalPeakBytes),
      share(point.cost - report.originalCost, report.originalCost),
      share(point.lowerBoundCost - report.originalCost, report.originalCost),
      point.plan.sequence.size() - report.problem.steps.size()};
}

} // namespace

std::string formatFrontier(const FrontierReport &report) {
  std::string text = "       cap bytes   cap %  peak %  overhead %   bound %  "
                     "recomputations\n";
  for (const FrontierPoint &point : report.points) {
    Row row = rowOf(report, point);
    char buffer[160];
    std::snprintf(
        buffer, sizeof(buffer), "%16lld %7.2f %7.2f %11.2f %9.2f %15zu\n",
        static_cast<long long>(point.capBytes), row.capPercent, row.peakPercent,
        row.overheadPercent, row.boundPercent, row.numRecomputations);
    text += buffer;
  }
  return text;
}

std::string formatFrontierCsv(const FrontierReport &report) {
  std::string text = "cap_bytes,peak_bytes,cost,overhead_percent,"
                     "lower_bound_overhead_percent,recomputations\n";
  for (const FrontierPoint &point : report.points) {
    Row row = rowOf(report, point);
    char buffer[200];
    std::snprintf(buffer, sizeof(buffer), "%lld,%lld,%lld,%.6f,%.6f,%zu\n",
                  static_cast<long long>(point.capBytes),
                  static_cast<long long>(point.peakBytes),
                  static_cast<long long>(point.cost), row.overheadPercent,
                  row.boundPercent, row.numRecomputations);
    text += buffer;
  }
  return text;
}

std::string formatFrontierJson(const FrontierReport &report) {
  nlohmann::ordered_json json;
  json["original_peak_bytes"] = report.originalPeakBytes;
  json["original_cost"] = report.originalCost;
  json["points"] = nlohmann::ordered_json::array();
  for (const FrontierPoint &point : report.points) {
    Row row = rowOf(report, point);
    nlohmann::ordered_json entry;
    entry["cap_bytes"] = point.capBytes;
    entry["peak_bytes"] = point.peakBytes;
    entry["cost"] = point.cost;
    entry["overhead_percent"] = row.overheadPercent;
    entry["lower_bound_overhead_percent"] = row.boundPercent;
    entry["reordered"] = point.isReordered;
    entry["sequence"] = nlohmann::ordered_json::array();
    for (StepId step : point.plan.sequence)
      entry["sequence"].push_back(report.problem.steps[step].label);
    json["points"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

} // namespace remat::solver
