//===- CalibrationTest.cpp - Measured cases out of reports ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Calibration.h"
#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

#include <gtest/gtest.h>

#include <cstdio>

using namespace remat;
using namespace remat::run;

/// A case whose step takes 3 s where the model says 2 s.
static const char *const measuredCase =
    R"({"title": "m batch 8", "batch": 8, "model_seconds_before": 2.0,
        "measured": {"peak_bytes_before": 2, "peak_bytes_after": 1,
          "identical": true, "result_bytes": 1, "seconds_before": [3.0],
          "seconds_after": [4.0], "cpu_seconds_before": [3.0],
          "cpu_seconds_after": [4.0], "launches_before": 1,
          "launches_after": 2}})";

/// The result of loadCalibration() for a file with `text`, or its message.
static std::pair<std::vector<Calibration>, std::string>
load(const std::string &text) {
  std::string path = testing::TempDir() + "/calibration.json", error;
  EXPECT_TRUE(writeFile(path, text, error)) << error;
  std::vector<Calibration> cases;
  std::string message;
  try {
    cases = loadCalibration(path);
  } catch (const RunError &failure) {
    message = failure.what();
  }
  std::remove(path.c_str());
  return {cases, message};
}

// Reports without a schema version have the needed fields.
TEST(Calibration, ReadsReportsWithAndWithoutAVersion) {
  std::string report = R"("report": {"cases": [)" + std::string(measuredCase) +
                       R"(, {"title": "x", "measured": null}]})";
  for (const char *version : {"", R"("schema_version": 1, )"}) {
    auto [cases, message] = load("{" + std::string(version) + report + "}");
    ASSERT_EQ(cases.size(), 1u) << message;
    EXPECT_EQ(cases[0].title, "m batch 8");
    EXPECT_EQ(cases[0].batch, 8);
    EXPECT_DOUBLE_EQ(cases[0].timeScale, 1.5);
  }
}

TEST(Calibration, AComparisonIsOneCase) {
  EXPECT_EQ(
      load(R"({"report": )" + std::string(measuredCase) + "}").first.size(),
      1u);
}

TEST(Calibration, OtherFilesAreErrors) {
  EXPECT_NE(load(R"({"schema_version": 7, "report": {}})")
                .second.find("unknown schema version 7 of the report"),
            std::string::npos);
  EXPECT_NE(load("{}").second.find("expected a report of a sweep"),
            std::string::npos);
  EXPECT_NE(load(R"({"report": {}})").second.find("expected a measured case"),
            std::string::npos);
}
