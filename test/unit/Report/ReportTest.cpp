//===- ReportTest.cpp - Reports as types, JSON and text -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Report/CaseReport.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace remat;

/// A region of 10 steps that cost 1000; the plan adds 100 and 3 executions.
static RegionReport exampleRegion() {
  RegionReport region;
  region.function = "main";
  region.outsideBytes = 50;
  region.transientCapBytes = 450;
  region.transientBytesBefore = 900;
  region.transientBytesAfter = 400;
  region.transientFloorBytes = 300;
  region.steps = 10;
  region.recomputedSteps = 3;
  region.costBefore = 1000;
  region.costAfter = 1100;
  region.bound = Bound{1040, "several-moments", true};
  region.planSeconds = 0.25;
  return region;
}

static RematReport exampleReport() {
  RematReport report;
  report.capBytes = 500;
  report.solver = "auto";
  report.regions = {exampleRegion(), exampleRegion()};
  report.regions[1].regionIndex = 1;
  report.regions[1].outsideBytes = 20;
  report.regions[1].bound = Bound{1000, "schedule", false};
  return report;
}

static CompileReport exampleCompileReport() {
  CompileReport report;
  report.model = "m.mlir";
  report.target = "cpu";
  report.ireeFlags = {"--a", "--b=1"};
  report.capBytes = 500;
  report.before = Footprint{950, 900, 890};
  report.after = Footprint{460, 410, 400};
  report.fixed = FixedMemory{30, 20, 15, 5};
  report.ownPacking = true;
  report.remat = exampleReport();
  report.attempts = 3;
  report.planSeconds = 1.5;
  report.compileSeconds = 4;
  return report;
}

static CaseReport exampleCase() {
  CaseReport report;
  report.title = "m batch 4";
  report.batch = 4;
  report.device = "local-task";
  report.compile = exampleCompileReport();
  report.retained = 5;
  report.recomputed = 2;
  report.retainedBytes = 100;
  report.recomputedBytes = 60;
  report.missed = MissedCap{"matmul: 3 tensors", 320};
  report.traceFile = "m.trace.json";
  report.measured = Measurement();
  report.measured->identical = true;
  report.measured->secondsBefore = {3, 1, 2};
  report.measured->secondsAfter = {2.2};
  return report;
}

TEST(PlanReport, TotalsFollowFromTheRegions) {
  RematReport report = exampleReport();
  EXPECT_EQ(report.peakBytesBefore(), 950);
  EXPECT_EQ(report.peakBytesAfter(), 450);
  EXPECT_EQ(report.totalSteps(), 20);
  EXPECT_EQ(report.totalRecomputedSteps(), 6);
  EXPECT_DOUBLE_EQ(report.totalPlanSeconds(), 0.5);
  EXPECT_DOUBLE_EQ(report.overheadPercent(), 10);
  EXPECT_FALSE(report.isReordered());
  EXPECT_EQ(RematReport().overheadPercent(), 0);
}

// 1040 + 1000 of 2000. One region whose bound assumes its order is enough for
// the sum to assume it; one without a bound is enough for there to be none.
TEST(PlanReport, TheBoundOfAProgramIsThatOfAllRegions) {
  RematReport report = exampleReport();
  std::optional<OverheadBound> bound = report.overheadBound();
  ASSERT_TRUE(bound);
  EXPECT_DOUBLE_EQ(bound->percent, 2);
  EXPECT_TRUE(bound->assumesOrder);
  report.regions[0].bound = Bound{1040, "any-order", false};
  EXPECT_FALSE(report.overheadBound()->assumesOrder);
  report.regions[1].bound.reset();
  EXPECT_FALSE(report.overheadBound());
}

TEST(PlanReport, RoundTrip) {
  std::string text = printReport(exampleReport());
  EXPECT_EQ(printReport(parsePlanReport(text)), text);
  RematReport bare;
  bare.regions = {RegionReport()};
  EXPECT_EQ(printReport(parsePlanReport(printReport(bare))), printReport(bare));
}

TEST(Trace, RoundTrip) {
  RegionTrace trace = {"main",    1,          50,     "remat-problem 1\n",
                       {0, 1, 0}, {"a", "b"}, {8, 16}};
  std::string text = printTrace({trace});
  std::vector<RegionTrace> parsed = parseTraceReport(text);
  ASSERT_EQ(parsed.size(), 1u);
  EXPECT_EQ(parsed[0].sequence, trace.sequence);
  EXPECT_EQ(printTrace(parsed), text);
}

TEST(CompileReport, RoundTrip) {
  std::string text = printReport(exampleCompileReport());
  EXPECT_EQ(printReport(parseCompileReport(text)), text);
  // Compiled without recomputation, of unknown memory.
  CompileReport plain;
  plain.model = "m.mlir";
  std::string plainText = printReport(plain);
  CompileReport parsed = parseCompileReport(plainText);
  EXPECT_FALSE(parsed.before || parsed.fixed || parsed.capBytes);
  EXPECT_EQ(printReport(parsed), plainText);
}

// The seconds of a region are those of the attempt that the report describes;
// those of all attempts are a separate field.
TEST(CompileReport, SecondsOfRegionsAndOfAllAttemptsAreTwoThings) {
  nlohmann::json json =
      nlohmann::json::parse(printReport(exampleCompileReport()));
  EXPECT_EQ(json["plan_seconds"], 1.5);
  EXPECT_EQ(json["regions"][0]["plan_seconds"], 0.25);
  EXPECT_EQ(json["regions"][1]["plan_seconds"], 0.25);
}

TEST(CompileReport, SummarySaysForWhichPlansTheBoundHolds) {
  CompileReport report = exampleCompileReport();
  EXPECT_EQ(summarize(report),
            "peak memory: 950 B -> 460 B (460 bytes), cap 500 B (500 bytes); "
            "transients 900 B -> 410 B; donated 20 B\n"
            "recomputed: 6 executions added to 20 steps\n"
            "predicted overhead: +10.00 %; no plan in this order adds less "
            "than +2.00 %\n");
  report.remat.regions[0].bound = Bound{1040, "any-order", false};
  EXPECT_NE(summarize(report).find("; no plan adds less than +2.00 %\n"),
            std::string::npos);
  report.remat.regions[0].bound.reset();
  EXPECT_NE(summarize(report).find("; no lower bound known\n"),
            std::string::npos);
  report.capMet = false;
  EXPECT_NE(summarize(report).find("cap 500 B (500 bytes) MISSED;"),
            std::string::npos);
  EXPECT_EQ(summarize(CompileReport()), "");
}

TEST(CaseReport, RoundTrip) {
  CaseReport report = exampleCase();
  ReportJson json = toJson(report);
  EXPECT_EQ(toJson(caseFromJson(json)), json);
  report.missed.reset();
  report.measured.reset();
  json = toJson(report);
  EXPECT_EQ(toJson(caseFromJson(json)), json);
  EXPECT_THROW(caseFromJson(ReportJson::object()), nlohmann::json::exception);
}

// 2 s measured where the model says 2000 ns.
TEST(CaseReport, TimeScale) {
  CaseReport report = exampleCase();
  EXPECT_DOUBLE_EQ(report.timeScale().value(), 1e6);
  EXPECT_NEAR(report.measured->overheadPercent(), 10, 1e-9);
  report.measured.reset();
  EXPECT_FALSE(report.timeScale());
}

TEST(Measurement, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

static std::string messageOf(const std::string &text) {
  try {
    parseCompileReport(text);
  } catch (const ReportError &error) {
    return error.what();
  }
  return "";
}

TEST(Document, OtherTextsAreErrors) {
  EXPECT_EQ(messageOf("nonsense"), "invalid report; expected a JSON object");
  EXPECT_EQ(messageOf("{}"),
            "unknown schema version null of a report; expected 1");
  EXPECT_EQ(messageOf(R"({"schema_version": 2, "kind": "compile"})"),
            "unknown schema version 2 of a report; expected 1");
  EXPECT_EQ(messageOf(printReport(exampleReport())),
            "invalid report of kind \"plan\"; expected \"compile\"");
  EXPECT_EQ(messageOf(R"({"schema_version": 1, "kind": "compile"})")
                .find("invalid report of kind 'compile': "),
            0u);
}
