//===- PlanReport.cpp - What planning did, in figures ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Report/PlanReport.h"

#include "Fields.h"

#include <algorithm>

using namespace remat;

std::string remat::boundClaim(const OverheadBound &bound) {
  return bound.assumesOrder ? "no plan in this order adds less than"
                            : "no plan adds less than";
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// The sum of `figure` over all regions.
template <typename Figure>
static auto sumOf(const RematReport &report, Figure figure) {
  decltype(figure(RegionReport())) sum = 0;
  for (const RegionReport &region : report.regions)
    sum += figure(region);
  return sum;
}

int64_t RematReport::peakBytesBefore() const {
  int64_t peak = 0;
  for (const RegionReport &region : regions)
    peak = std::max(peak, region.outsideBytes + region.transientBytesBefore);
  return peak;
}

int64_t RematReport::peakBytesAfter() const {
  int64_t peak = 0;
  for (const RegionReport &region : regions)
    peak = std::max(peak, region.outsideBytes + region.transientBytesAfter);
  return peak;
}

int64_t RematReport::totalSteps() const {
  return sumOf(*this, [](const RegionReport &region) { return region.steps; });
}

int64_t RematReport::totalRecomputedSteps() const {
  return sumOf(
      *this, [](const RegionReport &region) { return region.recomputedSteps; });
}

int64_t RematReport::totalCostBefore() const {
  return sumOf(*this,
               [](const RegionReport &region) { return region.costBefore; });
}

int64_t RematReport::totalCostAfter() const {
  return sumOf(*this,
               [](const RegionReport &region) { return region.costAfter; });
}

double RematReport::totalPlanSeconds() const {
  return sumOf(*this,
               [](const RegionReport &region) { return region.planSeconds; });
}

bool RematReport::isReordered() const {
  return std::any_of(
      regions.begin(), regions.end(),
      [](const RegionReport &region) { return region.reordered; });
}

/// The increase from `before` to `after` in percent; 0 if `before` is 0.
static double addedPercent(int64_t before, int64_t after) {
  return before == 0 ? 0 : 100.0 * static_cast<double>(after - before) / before;
}

double RematReport::overheadPercent() const {
  return addedPercent(totalCostBefore(), totalCostAfter());
}

std::optional<OverheadBound> RematReport::overheadBound() const {
  OverheadBound total;
  int64_t cost = 0;
  for (const RegionReport &region : regions) {
    if (!region.bound)
      return std::nullopt;
    cost += region.bound->cost;
    total.assumesOrder |= region.bound->assumesOrder;
  }
  total.percent = addedPercent(totalCostBefore(), cost);
  return total;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename Report, typename Visit>
static void visitFields(Report &region, Visit visit) {
  visit("function", region.function);
  visit("region", region.regionIndex);
  visit("cap_met", region.capMet);
  visit("outside_bytes", region.outsideBytes);
  visit("transient_cap_bytes", region.transientCapBytes);
  visit("transient_bytes_before", region.transientBytesBefore);
  visit("transient_bytes_after", region.transientBytesAfter);
  visit("transient_floor_bytes", region.transientFloorBytes);
  visit("steps", region.steps);
  visit("recomputed_steps", region.recomputedSteps);
  visit("reordered", region.reordered);
  visit("cost_before", region.costBefore);
  visit("cost_after", region.costAfter);
  visit("plan_seconds", region.planSeconds);
}

static ReportJson toJson(const RegionReport &region) {
  ReportJson json;
  visitFields(region, fieldWriter(json));
  const std::optional<Bound> &bound = region.bound;
  json["lower_bound_cost"] = bound ? ReportJson(bound->cost) : ReportJson();
  json["bound_kind"] = bound ? ReportJson(bound->kind) : ReportJson();
  json["bound_assumes_order"] =
      bound ? ReportJson(bound->assumesOrder) : ReportJson();
  return json;
}

static RegionReport regionFromJson(const ReportJson &json) {
  RegionReport region;
  visitFields(region, fieldReader(json));
  if (!json.at("lower_bound_cost").is_null())
    region.bound = Bound{json.at("lower_bound_cost"), json.at("bound_kind"),
                         json.at("bound_assumes_order")};
  return region;
}

void remat::addPlanFields(ReportJson &json, const RematReport &report,
                          double planSeconds) {
  json["solver"] = report.solver;
  json["late_reads"] = report.repair.lateReads;
  json["copies"] = report.repair.copies;
  json["copy_bytes"] = report.repair.copyBytes;
  json["steps"] = report.totalSteps();
  json["recomputed_steps"] = report.totalRecomputedSteps();
  json["reordered"] = report.isReordered();
  json["predicted_overhead_percent"] = report.overheadPercent();
  std::optional<OverheadBound> bound = report.overheadBound();
  json["lower_bound_overhead_percent"] =
      bound ? ReportJson(bound->percent) : ReportJson();
  json["bound_assumes_order"] =
      bound ? ReportJson(bound->assumesOrder) : ReportJson();
  json["plan_seconds"] = planSeconds;
  json["regions"] = ReportJson::array();
  for (const RegionReport &region : report.regions)
    json["regions"].push_back(toJson(region));
}

void remat::readPlanFields(const ReportJson &json, RematReport &report) {
  json.at("solver").get_to(report.solver);
  // Reports of before these fields have none.
  report.repair.lateReads = json.value("late_reads", int64_t(0));
  report.repair.copies = json.value("copies", int64_t(0));
  report.repair.copyBytes = json.value("copy_bytes", int64_t(0));
  for (const ReportJson &region : json.at("regions"))
    report.regions.push_back(regionFromJson(region));
}

std::string remat::printReport(const RematReport &report) {
  ReportJson json = {{"cap_bytes", fieldToJson(report.capBytes)},
                     {"peak_bytes_before", report.peakBytesBefore()},
                     {"peak_bytes_after", report.peakBytesAfter()}};
  addPlanFields(json, report, report.totalPlanSeconds());
  return printDocument("plan", json);
}

RematReport remat::parsePlanReport(const std::string &text) {
  return parseReport("plan", text, [](const ReportJson &json) {
    RematReport report;
    readField(json.at("cap_bytes"), report.capBytes);
    readPlanFields(json, report);
    return report;
  });
}

template <typename Trace, typename Visit>
static void visitTrace(Trace &trace, Visit visit) {
  visit("function", trace.function);
  visit("region", trace.regionIndex);
  visit("outside_bytes", trace.outsideBytes);
  visit("problem", trace.problem);
  visit("sequence", trace.sequence);
  visit("origins", trace.origins);
  visit("moved_bytes", trace.movedBytes);
}

std::string remat::printTrace(const std::vector<RegionTrace> &regions) {
  ReportJson json = {{"regions", ReportJson::array()}};
  for (const RegionTrace &trace : regions) {
    ReportJson region;
    visitTrace(trace, fieldWriter(region));
    json["regions"].push_back(region);
  }
  return printDocument("trace", json, /*singleLine=*/true);
}

std::vector<RegionTrace> remat::parseTraceReport(const std::string &text) {
  return parseReport("trace", text, [](const ReportJson &json) {
    std::vector<RegionTrace> regions;
    for (const ReportJson &region : json.at("regions"))
      visitTrace(regions.emplace_back(), fieldReader(region));
    return regions;
  });
}
