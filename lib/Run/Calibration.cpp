//===- Calibration.cpp - Predicted times by measured ones -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Calibration.h"

#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

#include <nlohmann/json.hpp>

using namespace remat;
using namespace remat::run;
using Json = ReportJson;

void remat::run::addCalibration(std::vector<Calibration> &calibration,
                                const CaseReport &result) {
  if (std::optional<double> scale = result.timeScale())
    calibration.push_back({result.title, result.batch, *scale});
}

/// The measured cases in `report`, the part of a document that the command
/// itself filled in.
static std::vector<Calibration> readCases(const Json &report) {
  std::vector<Calibration> cases;
  // A sweep has cases, a comparison is one.
  Json entries =
      report.contains("cases") ? report.at("cases") : Json::array({report});
  for (const Json &entry : entries) {
    if (!entry.contains("measured") || entry.at("measured").is_null())
      continue;
    double model = entry.at("model_seconds_before");
    double measured = measurementFromJson(entry.at("measured")).before();
    if (model > 0)
      cases.push_back({entry.at("title"), entry.at("batch"), measured / model});
  }
  return cases;
}

std::vector<Calibration> remat::run::loadCalibration(const std::string &path) {
  std::string error;
  std::optional<std::string> text = readFile(path, error);
  if (!text)
    throw RunError(error);
  std::vector<Calibration> cases;
  try {
    Json document = Json::parse(*text);
    Json version = document.value("schema_version", Json());
    if (!version.is_null() && version != reportSchemaVersion)
      throw RunError("unknown schema version " + version.dump() +
                     " of the report '" + path + "'; expected " +
                     std::to_string(reportSchemaVersion));
    cases = readCases(document.at("report"));
  } catch (const Json::exception &failure) {
    throw RunError(
        "invalid calibration '" + path +
        "'; expected a report of a sweep or a comparison: " + failure.what());
  }
  if (cases.empty())
    throw RunError("invalid calibration '" + path +
                   "'; expected a measured case");
  return cases;
}
