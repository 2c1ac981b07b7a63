//===- CaseTest.cpp - The sixteen columns and their notes -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Case.h"

#include <gtest/gtest.h>

using namespace remat;
using namespace remat::run;

static CaseReport example(int64_t batch, bool measured) {
  CaseReport result;
  result.title = "m batch " + std::to_string(batch);
  result.batch = batch;
  result.compile.capBytes = 1500000000;
  result.compile.before = Footprint{2000000000, 0, 0};
  result.compile.after = Footprint{1500000000, 0, 0};
  RegionReport region;
  region.costBefore = 1000000000 * batch;
  region.costAfter = 1100000000 * batch;
  result.compile.remat.regions = {region};
  result.retained = 30;
  result.recomputed = 10;
  result.retainedBytes = 400000000;
  result.recomputedBytes = 500000000;
  if (measured) {
    result.measured = Measurement();
    result.measured->secondsBefore = {3.0 * batch, 2.0 * batch, 9.0 * batch};
    result.measured->secondsAfter = {3.6 * batch, 3.3 * batch, 3.0 * batch};
  }
  return result;
}

TEST(Case, SixteenColumnsInOrder) {
  Table table = summaryTable({example(4, true)}, {});
  std::vector<std::string> expected = {"Batch Size",
                                       "Initial Peak Memory (GB)",
                                       "Final Peak Memory (GB)",
                                       "Memory Reduction (GB)",
                                       "Memory Reduction (%)",
                                       "Initial Execution Time (s)",
                                       "Final Execution Time (s)",
                                       "Execution Time Overhead (s)",
                                       "Execution Time Overhead (%)",
                                       "Recomputation Time (s)",
                                       "Retained Activations",
                                       "Retained Activations (%)",
                                       "Recomputed Activations",
                                       "Recomputed Activations (%)",
                                       "Retained Memory (GB)",
                                       "Saved Memory (GB)"};
  EXPECT_EQ(table.columns, expected);
  std::vector<std::string> cells;
  for (const Cell &cell : table.rows.at(0))
    cells.push_back(cell.text());
  // Medians 3 s and 3.3 s per sample of 4; 0.1 s more per sample by the model,
  // three times slower than modelled.
  EXPECT_EQ(cells, (std::vector<std::string>{
                       "4", "2.000", "1.500", "0.500", "25.0", "12.000",
                       "13.200", "1.200", "10.0", "~1.200", "30", "75.0", "10",
                       "25.0", "0.400", "0.500"}));
}

// Batch 16 is predicted by the scale of batch 8 (3), not by that of batch 1.
TEST(Case, PredictionsAreScaledByTheNearestMeasuredBatch) {
  CaseReport one = example(1, true);
  one.measured->secondsBefore = {100};
  std::vector<CaseReport> cases = {one, example(8, true), example(16, false)};
  std::vector<Calibration> calibration;
  for (const CaseReport &result : cases)
    addCalibration(calibration, result);
  EXPECT_EQ(calibration.size(), 2u);
  auto [before, after] = timesOf(cases[2], calibration);
  EXPECT_DOUBLE_EQ(before, 48);
  EXPECT_DOUBLE_EQ(after, 52.8);
  EXPECT_EQ(summaryTable(cases, calibration).rows[2][5].text(), "~48.000");
}

TEST(Case, NothingMeasuredMeansTheModelAlone) {
  std::vector<CaseReport> cases = {example(2, false)};
  EXPECT_DOUBLE_EQ(timesOf(cases[0], {}).first, 2);
  EXPECT_NE(summaryNotes(cases, {}).back().find("Nothing was executed"),
            std::string::npos);
}

TEST(Case, MissedCapsAreNamed) {
  CaseReport missed = example(2, true);
  missed.compile.capMet = false;
  missed.missed = MissedCap{"matmul: 3 tensors", 1 << 20};
  std::string note = summaryNotes({missed}, {}).back();
  EXPECT_NE(note.find("m batch 2: the cap of"), std::string::npos);
  EXPECT_NE(note.find("at matmul: 3 tensors; no plan in this order needs less "
                      "than 1.00 MiB"),
            std::string::npos);
}

static CaseReport withBound(int64_t batch, bool assumesOrder) {
  CaseReport result = example(batch, false);
  result.compile.remat.regions[0].bound =
      Bound{1, assumesOrder ? "minimum-cut" : "any-order", assumesOrder};
  return result;
}

TEST(Case, NotesSayForWhichPlansBoundsHold) {
  EXPECT_FALSE(boundNote({example(2, false)}));
  EXPECT_EQ(boundNote({withBound(2, false), withBound(4, false)}),
            "Lower bounds hold for all plans.");
  EXPECT_EQ(boundNote({withBound(2, true), example(4, false)}),
            "Lower bounds hold for plans in the order of the plan found.");
  EXPECT_EQ(boundNote({withBound(2, true), withBound(4, false)}),
            "Lower bounds hold for all plans of m batch 4; otherwise for plans "
            "in the order of the plan found.");
}
