//===- PlanReport.h - What planning did, in figures -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_REPORT_PLANREPORT_H
#define REMAT_REPORT_PLANREPORT_H

#include "remat/Report/Document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// A lower bound on the cost of every plan within the cap.
struct Bound {
  /// In units of the region's costs.
  int64_t cost = 0;
  /// How it was proven; one of the names in docs/report-schema.md.
  std::string kind;
  /// It covers only plans that execute the steps for the first time in the
  /// order of the plan found; otherwise all plans.
  bool assumesOrder = false;
};

/// A lower bound on the overhead of a whole program.
struct OverheadBound {
  /// No plan adds less, in percent of the original cost.
  double percent = 0;
  /// The bound of some region assumes its order.
  bool assumesOrder = false;
};

/// "no plan adds less than", or "no plan in this order adds less than" where
/// the bound that follows assumes the order.
std::string boundClaim(const OverheadBound &bound);

/// The result for one planned region: the body of a stream.async.execute, or
/// the body of a function on tensors.
struct RegionReport {
  std::string function;
  /// Counts the regions of a function from 0.
  int64_t regionIndex = 0;
  bool capMet = true;
  /// Bytes held outside the region while it runs: inputs, outputs, constants
  /// and what other regions left in memory.
  int64_t outsideBytes = 0;
  /// The bytes its transients may take: the cap less `outsideBytes` less slack.
  /// Nothing without a cap.
  std::optional<int64_t> transientCapBytes;
  /// Peak bytes of what the region itself allocates, by live ranges.
  int64_t transientBytesBefore = 0;
  int64_t transientBytesAfter = 0;
  /// No plan in the order of the plan found has a lower peak.
  int64_t transientFloorBytes = 0;
  int64_t steps = 0;
  int64_t recomputedSteps = 0;
  /// Whether the original ops are in another order.
  bool reordered = false;
  /// Nanoseconds by the cost model.
  int64_t costBefore = 0;
  int64_t costAfter = 0;
  std::optional<Bound> bound;
  /// Of the search for the plan that the other figures describe.
  double planSeconds = 0;
};

/// A region as it was planned, step by step, for reports that draw it.
struct RegionTrace {
  std::string function;
  int64_t regionIndex = 0;
  int64_t outsideBytes = 0;
  /// In the format of docs/problem-format.md.
  std::string problem;
  /// The executions, as indices of the problem's steps.
  std::vector<int32_t> sequence;
  /// Per step: its origin in the source (the names of its location,
  /// e.g. layers, else file and line), and the bytes it reads and writes.
  std::vector<std::string> origins;
  std::vector<int64_t> movedBytes;
};

/// Reads of memory that the schedule overwrites too early, and their repair
/// (remat/IR/LateReads.h).
struct RepairReport {
  int64_t lateReads = 0;
  /// Old values that had to be copied; the other reads were moved.
  int64_t copies = 0;
  int64_t copyBytes = 0;
};

/// The result of the pass `rematerialize` for all functions below its root.
struct RematReport {
  /// The cap in bytes, resolved against `peakBytesBefore()`.
  std::optional<int64_t> capBytes;
  /// The planning algorithm.
  std::string solver;
  /// What was repaired before anything was planned.
  RepairReport repair;
  std::vector<RegionReport> regions;
  /// One per region if the options ask for it; a report of its own.
  std::vector<RegionTrace> traces;

  /// Whole footprint, by live ranges, of the region that needs the most.
  int64_t peakBytesBefore() const;
  int64_t peakBytesAfter() const;
  int64_t totalSteps() const;
  int64_t totalRecomputedSteps() const;
  int64_t totalCostBefore() const;
  int64_t totalCostAfter() const;
  double totalPlanSeconds() const;
  /// Added cost in percent of the original cost.
  double overheadPercent() const;
  /// Whether ops of any region are in another order.
  bool isReordered() const;
  /// Every plan adds at least this much; nothing unless known for all regions.
  std::optional<OverheadBound> overheadBound() const;
};

/// The fields of a report about its regions, one by one and in total:
/// `solver`, `steps` … `regions`. Read back, the totals follow from the
/// regions; `plan_seconds` is left to the caller.
void addPlanFields(ReportJson &json, const RematReport &report,
                   double planSeconds);
void readPlanFields(const ReportJson &json, RematReport &report);

/// The report of kind "plan", which the pass option `report` writes.
std::string printReport(const RematReport &report);
/// What printReport() printed, without traces; throws ReportError.
RematReport parsePlanReport(const std::string &text);

/// The report of kind "trace", which remat-compile --trace writes.
std::string printTrace(const std::vector<RegionTrace> &regions);
/// What printTrace() printed; throws ReportError.
std::vector<RegionTrace> parseTraceReport(const std::string &text);

} // namespace remat

#endif // REMAT_REPORT_PLANREPORT_H
