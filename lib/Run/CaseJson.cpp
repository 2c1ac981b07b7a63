//===- CaseJson.cpp - Cases as JSON, to report and to resume --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Case.h"

#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

using namespace remat;
using namespace remat::run;
using Json = nlohmann::json;

/// Calls `visit` with the name and the member of each figure of a case.
template <typename Result, typename Visit>
static void visitFigures(Result &result, Visit visit) {
  visit("title", result.title);
  visit("batch", result.batch);
  visit("target", result.target);
  visit("device", result.device);
  visit("cap_bytes", result.capBytes);
  visit("cap_met", result.capMet);
  visit("peak_bytes_before", result.peakBytesBefore);
  visit("peak_bytes_after", result.peakBytesAfter);
  visit("transient_bytes_before", result.transientBytesBefore);
  visit("transient_bytes_after", result.transientBytesAfter);
  visit("input_bytes", result.inputBytes);
  visit("output_bytes", result.outputBytes);
  visit("constant_bytes", result.constantBytes);
  visit("steps", result.steps);
  visit("recomputed_steps", result.recomputedSteps);
  visit("reordered", result.reordered);
  visit("model_seconds_before", result.modelSecondsBefore);
  visit("model_seconds_after", result.modelSecondsAfter);
  visit("solver", result.solver);
  visit("plan_seconds", result.planSeconds);
  visit("compile_seconds", result.compileSeconds);
  visit("retained_activations", result.retained);
  visit("recomputed_activations", result.recomputed);
  visit("retained_bytes", result.retainedBytes);
  visit("recomputed_bytes", result.recomputedBytes);
  visit("floor", result.floor);
  visit("proven_floor_bytes", result.provenFloorBytes);
  visit("trace_file", result.traceFile);
}

Json remat::run::toJson(const CaseResult &result) {
  Json json;
  visitFigures(
      result, [&](const char *name, const auto &value) { json[name] = value; });
  json["predicted_overhead_percent"] = result.predictedOverheadPercent();
  json["lower_bound_overhead_percent"] =
      result.lowerBoundPercent ? Json(*result.lowerBoundPercent) : Json();
  json["measured"] = result.measured ? toJson(*result.measured) : Json();
  return json;
}

CaseResult remat::run::caseFromJson(const Json &json) {
  CaseResult result;
  visitFigures(result, [&](const char *name, auto &value) {
    json.at(name).get_to(value);
  });
  if (!json.at("lower_bound_overhead_percent").is_null())
    result.lowerBoundPercent = json.at("lower_bound_overhead_percent");
  if (!json.at("measured").is_null())
    result.measured = measurementFromJson(json.at("measured"));
  return result;
}

std::vector<CaseResult> remat::run::loadCalibration(const std::string &path) {
  std::string error;
  std::optional<std::string> text = readFile(path, error);
  if (!text)
    throw RunError(error);
  std::vector<CaseResult> cases;
  try {
    // A sweep has cases, a comparison is one.
    Json report = Json::parse(*text).at("report");
    Json entries =
        report.contains("cases") ? report.at("cases") : Json::array({report});
    for (const Json &entry : entries) {
      if (!entry.contains("measured") || entry.at("measured").is_null())
        continue;
      // What timesOf() looks at; a report of another version has that too.
      CaseResult &result = cases.emplace_back();
      result.title = entry.at("title");
      result.batch = entry.at("batch");
      result.modelSecondsBefore = entry.at("model_seconds_before");
      result.measured = measurementFromJson(entry.at("measured"));
    }
  } catch (const Json::exception &failure) {
    throw RunError("'" + path + "' is no report of a sweep or a comparison: " +
                   failure.what());
  }
  if (cases.empty())
    throw RunError("'" + path + "' holds no measured case");
  return cases;
}
