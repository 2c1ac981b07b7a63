//===- CompileReport.cpp - What a compilation did, in figures -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Report/CompileReport.h"

#include "Fields.h"
#include "remat/Support/MemorySize.h"

#include <cstdio>

using namespace remat;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Adds the figures of `footprint` under names that end in `suffix`, or null.
static void addFootprint(ReportJson &json, const std::string &suffix,
                         const std::optional<Footprint> &footprint) {
  auto add = [&](const char *name, auto figure) {
    json[name + suffix] =
        footprint ? ReportJson(figure(*footprint)) : ReportJson();
  };
  add("peak_bytes_", [](const Footprint &one) { return one.peakBytes; });
  add("transient_bytes_",
      [](const Footprint &one) { return one.transientBytes; });
  add("live_bytes_", [](const Footprint &one) { return one.liveBytes; });
  add("packing_bytes_",
      [](const Footprint &one) { return one.packingBytes(); });
}

static std::optional<Footprint> readFootprint(const ReportJson &json,
                                              const std::string &suffix) {
  if (json.at("peak_bytes_" + suffix).is_null())
    return std::nullopt;
  return Footprint{json.at("peak_bytes_" + suffix),
                   json.at("transient_bytes_" + suffix),
                   json.at("live_bytes_" + suffix)};
}

/// The plain fields, in two groups with the footprints between them.
template <typename Report, typename Visit>
static void visitRequest(Report &report, Visit visit) {
  visit("model", report.model);
  visit("target", report.target);
  visit("iree_flags", report.ireeFlags);
  visit("cap_bytes", report.capBytes);
  visit("cap_met", report.capMet);
}

template <typename Report, typename Visit>
static void visitEffort(Report &report, Visit visit) {
  visit("attempts", report.attempts);
  visit("compile_seconds", report.compileSeconds);
}

template <typename Fixed, typename Visit>
static void visitFixed(Fixed &fixed, Visit visit) {
  visit("input_bytes", fixed.inputBytes);
  visit("donated_bytes", fixed.donatedBytes);
  visit("output_bytes", fixed.outputBytes);
  visit("constant_bytes", fixed.constantBytes);
}

ReportJson remat::toJson(const CompileReport &report) {
  ReportJson json;
  visitRequest(report, fieldWriter(json));
  addFootprint(json, "before", report.before);
  addFootprint(json, "after", report.after);
  json["packing"] = report.ownPacking ? "remat" : "iree";
  auto write = fieldWriter(json);
  const FixedMemory none;
  visitFixed(report.fixed ? *report.fixed : none,
             [&](const char *name, int64_t bytes) {
               write(name, report.fixed ? ReportJson(bytes) : ReportJson());
             });
  visitEffort(report, fieldWriter(json));
  addPlanFields(json, report.remat, report.planSeconds);
  return json;
}

CompileReport remat::compileReportFromJson(const ReportJson &json) {
  CompileReport report;
  visitRequest(report, fieldReader(json));
  report.before = readFootprint(json, "before");
  report.after = readFootprint(json, "after");
  report.ownPacking = json.at("packing") == "remat";
  if (!json.at("input_bytes").is_null())
    visitFixed(report.fixed.emplace(), fieldReader(json));
  visitEffort(report, fieldReader(json));
  json.at("plan_seconds").get_to(report.planSeconds);
  report.remat.capBytes = report.capBytes;
  readPlanFields(json, report.remat);
  return report;
}

std::string remat::printReport(const CompileReport &report) {
  return printDocument("compile", toJson(report));
}

CompileReport remat::parseCompileReport(const std::string &text) {
  return parseReport("compile", text, compileReportFromJson);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string percent(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%+.2f %%", value);
  return text;
}

std::string remat::summarize(const CompileReport &report) {
  if (!report.before || !report.after)
    return {};
  const RematReport &remat = report.remat;
  std::string text = "peak memory: " + formatBytes(report.before->peakBytes) +
                     " -> " + formatBytes(report.after->peakBytes) + " (" +
                     std::to_string(report.after->peakBytes) + " bytes)";
  if (report.capBytes)
    text += ", cap " + formatBytes(*report.capBytes) + " (" +
            std::to_string(*report.capBytes) + " bytes)" +
            (report.capMet ? "" : " MISSED");
  text += "; transients " + formatBytes(report.before->transientBytes) +
          " -> " + formatBytes(report.after->transientBytes);
  if (report.fixed && report.fixed->donatedBytes > 0)
    text += "; donated " + formatBytes(report.fixed->donatedBytes);
  text += "\n";
  text += "recomputed: " + std::to_string(remat.totalRecomputedSteps()) +
          " executions added to " + std::to_string(remat.totalSteps()) +
          " steps" + (remat.isReordered() ? ", in another order" : "") + "\n";
  std::optional<OverheadBound> bound = remat.overheadBound();
  return text + "predicted overhead: " + percent(remat.overheadPercent()) +
         "; " +
         (bound ? boundClaim(*bound) + " " + percent(bound->percent)
                : "no lower bound known") +
         "\n";
}
