//===- CaseReport.cpp - One program under one cap, planned and measured ---===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Report/CaseReport.h"

#include "Fields.h"

#include <algorithm>

using namespace remat;

double remat::median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

/// The increase from `before` to `after` in percent; 0 if `before` is 0.
static double addedPercent(double before, double after) {
  return before > 0 ? 100 * (after / before - 1) : 0;
}

double Measurement::overheadPercent() const {
  return addedPercent(before(), after());
}

double Measurement::cpuOverheadPercent() const {
  return addedPercent(median(cpuSecondsBefore), median(cpuSecondsAfter));
}

std::optional<double> CaseReport::timeScale() const {
  if (!measured || modelSecondsBefore() <= 0)
    return std::nullopt;
  return measured->before() / modelSecondsBefore();
}

template <typename Report, typename Visit>
static void visitFields(Report &measurement, Visit visit) {
  visit("peak_bytes_before", measurement.peakBytesBefore);
  visit("peak_bytes_after", measurement.peakBytesAfter);
  visit("identical", measurement.identical);
  visit("result_bytes", measurement.resultBytes);
  visit("seconds_before", measurement.secondsBefore);
  visit("seconds_after", measurement.secondsAfter);
  visit("cpu_seconds_before", measurement.cpuSecondsBefore);
  visit("cpu_seconds_after", measurement.cpuSecondsAfter);
  visit("launches_before", measurement.launchesBefore);
  visit("launches_after", measurement.launchesAfter);
}

ReportJson remat::toJson(const Measurement &measurement) {
  ReportJson json;
  visitFields(measurement, fieldWriter(json));
  return json;
}

Measurement remat::measurementFromJson(const ReportJson &json) {
  Measurement measurement;
  visitFields(measurement, fieldReader(json));
  return measurement;
}

template <typename Report, typename Visit>
static void visitTitle(Report &report, Visit visit) {
  visit("title", report.title);
  visit("batch", report.batch);
  visit("device", report.device);
}

template <typename Report, typename Visit>
static void visitActivations(Report &report, Visit visit) {
  visit("retained_activations", report.retained);
  visit("recomputed_activations", report.recomputed);
  visit("retained_bytes", report.retainedBytes);
  visit("recomputed_bytes", report.recomputedBytes);
  visit("trace_file", report.traceFile);
}

ReportJson remat::toJson(const CaseReport &report) {
  ReportJson json;
  visitTitle(report, fieldWriter(json));
  json.update(toJson(report.compile));
  json["model_seconds_before"] = report.modelSecondsBefore();
  json["model_seconds_after"] = report.modelSecondsAfter();
  visitActivations(report, fieldWriter(json));
  const std::optional<MissedCap> &missed = report.missed;
  json["floor"] = missed ? ReportJson(missed->floor) : ReportJson();
  json["proven_floor_bytes"] =
      missed ? ReportJson(missed->provenFloorBytes) : ReportJson();
  json["measured"] = report.measured ? toJson(*report.measured) : ReportJson();
  return json;
}

CaseReport remat::caseFromJson(const ReportJson &json) {
  CaseReport report;
  visitTitle(report, fieldReader(json));
  report.compile = compileReportFromJson(json);
  visitActivations(report, fieldReader(json));
  if (!json.at("floor").is_null())
    report.missed = MissedCap{json.at("floor"), json.at("proven_floor_bytes")};
  if (!json.at("measured").is_null())
    report.measured = measurementFromJson(json.at("measured"));
  return report;
}
