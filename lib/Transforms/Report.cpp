//===- Report.cpp - What the pass did, in figures -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/Rematerialize.h"

#include <nlohmann/json.hpp>

using namespace remat;

int64_t RematReport::totalSteps() const {
  int64_t steps = 0;
  for (const RegionReport &region : regions)
    steps += region.steps;
  return steps;
}

int64_t RematReport::totalRecomputedSteps() const {
  int64_t steps = 0;
  for (const RegionReport &region : regions)
    steps += region.recomputedSteps;
  return steps;
}

bool RematReport::isReordered() const {
  for (const RegionReport &region : regions)
    if (region.reordered)
      return true;
  return false;
}

bool RematReport::boundAssumesOrder() const {
  for (const RegionReport &region : regions)
    if (!region.boundHoldsInAnyOrder)
      return true;
  return false;
}

double RematReport::totalPlanSeconds() const {
  double seconds = 0;
  for (const RegionReport &region : regions)
    seconds += region.planSeconds;
  return seconds;
}

/// What `after` adds to `before`, in percent; 0 where nothing costs anything.
static double addedPercent(int64_t before, int64_t after) {
  return before == 0 ? 0 : 100.0 * static_cast<double>(after - before) / before;
}

double RematReport::overheadPercent() const {
  int64_t before = 0, after = 0;
  for (const RegionReport &region : regions) {
    before += region.costBefore;
    after += region.costAfter;
  }
  return addedPercent(before, after);
}

std::optional<double> RematReport::lowerBoundOverheadPercent() const {
  int64_t before = 0, bound = 0;
  for (const RegionReport &region : regions) {
    if (!region.lowerBoundCost)
      return std::nullopt;
    before += region.costBefore;
    bound += *region.lowerBoundCost;
  }
  return addedPercent(before, bound);
}

template <typename T>
static nlohmann::ordered_json orNull(const std::optional<T> &value) {
  return value ? nlohmann::ordered_json(*value)
               : nlohmann::ordered_json(nullptr);
}

std::string remat::toJson(const RematReport &report) {
  nlohmann::ordered_json regions = nlohmann::ordered_json::array();
  for (const RegionReport &region : report.regions)
    regions.push_back({{"function", region.function},
                       {"region", region.regionIndex},
                       {"cap_met", region.capMet},
                       {"outside_bytes", region.outsideBytes},
                       {"transient_bytes_before", region.transientBytesBefore},
                       {"transient_bytes_after", region.transientBytesAfter},
                       {"steps", region.steps},
                       {"recomputed_steps", region.recomputedSteps},
                       {"reordered", region.reordered},
                       {"cost_before", region.costBefore},
                       {"cost_after", region.costAfter},
                       {"lower_bound_cost", orNull(region.lowerBoundCost)},
                       {"bound_assumes_order", !region.boundHoldsInAnyOrder},
                       {"solver", region.solver},
                       {"plan_seconds", region.planSeconds}});
  nlohmann::ordered_json json = {
      {"cap_bytes", orNull(report.capBytes)},
      {"peak_bytes_before", report.peakBytesBefore},
      {"peak_bytes_after", report.peakBytesAfter},
      {"late_reads", report.repair.lateReads.size()},
      {"copies", report.repair.copies},
      {"copy_bytes", report.repair.copyBytes},
      {"steps", report.totalSteps()},
      {"recomputed_steps", report.totalRecomputedSteps()},
      {"reordered", report.isReordered()},
      {"predicted_overhead_percent", report.overheadPercent()},
      {"lower_bound_overhead_percent",
       orNull(report.lowerBoundOverheadPercent())},
      {"bound_assumes_order", report.boundAssumesOrder()},
      {"plan_seconds", report.totalPlanSeconds()},
      {"regions", regions}};
  return json.dump(2) + "\n";
}
