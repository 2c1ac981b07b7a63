//===- Report.cpp - What remat-solve says ---------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "remat/Support/MemorySize.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace remat::solver {
namespace {

std::string bytesText(int64_t bytes) {
  return formatBytes(bytes) + " (" + std::to_string(bytes) + " bytes)";
}

std::string percentText(double percent) {
  char buffer[48];
  std::snprintf(buffer, sizeof(buffer), "%.2f %%", percent);
  return buffer;
}

std::string stepText(const Step &step) {
  std::string text = "step " + std::to_string(step.label);
  return step.name.empty() ? text : text + " '" + step.name + "'";
}

double sharePercent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100.0 * part / whole;
}

/// The sequence, with runs of steps in schedule order summarized in one line.
std::string planText(const SolveReport &report) {
  const std::vector<StepId> &sequence = report.result.plan.sequence;
  std::vector<char> seen(report.problem.steps.size(), false);
  std::string text;
  for (size_t at = 0; at < sequence.size();) {
    const Step &first = report.problem.steps[sequence[at]];
    if (seen[sequence[at]]) {
      text += "  again " + stepText(first) + "\n";
      ++at;
      continue;
    }
    size_t end = at;
    do
      seen[sequence[end++]] = true;
    while (end < sequence.size() && sequence[end] == sequence[end - 1] + 1 &&
           !seen[sequence[end]]);
    const Step &last = report.problem.steps[sequence[end - 1]];
    text += "  run " + stepText(first);
    if (end - at > 1)
      text +=
          " to " + stepText(last) + " (" + std::to_string(end - at) + " steps)";
    text += "\n";
    at = end;
  }
  return text;
}

} // namespace

double SolveReport::overheadPercent(int64_t cost) const {
  return sharePercent(cost - originalCost, originalCost);
}

std::string formatReport(const SolveReport &report) {
  const SolverResult &result = report.result;
  size_t numSteps = report.problem.steps.size();
  std::string text;
  auto line = [&](const char *head, const std::string &rest) {
    char buffer[16];
    std::snprintf(buffer, sizeof(buffer), "%-10s", head);
    text += buffer + rest + "\n";
  };
  line("schedule", std::to_string(numSteps) + " steps, peak " +
                       bytesText(report.originalPeakBytes) + ", cost " +
                       std::to_string(report.originalCost));
  line("cap", bytesText(report.capBytes) + ", " +
                  percentText(
                      sharePercent(report.capBytes, report.originalPeakBytes)) +
                  " of that peak");
  size_t numRecomputations = result.plan.sequence.size() - numSteps;
  line("plan",
       "peak " + bytesText(result.peakBytes) + ", cost " +
           std::to_string(result.cost) + ", overhead " +
           percentText(report.overheadPercent(result.cost)) + ", " +
           std::to_string(numRecomputations) +
           (numRecomputations == 1 ? " recomputation" : " recomputations") +
           (result.isReordered ? ", in another order" : ""));
  if (result.lowerBoundCost)
    line("bound",
         std::string("no plan ") +
             (assumesOrder(result.boundKind) ? "in this order " : "") +
             "costs less than " + std::to_string(*result.lowerBoundCost) +
             ", overhead " +
             percentText(report.overheadPercent(*result.lowerBoundCost)) +
             (result.proven ? ": this one is optimal" : ""));
  char seconds[48];
  std::snprintf(seconds, sizeof(seconds), "%.3f s", result.seconds);
  line("solver", result.solver + ", " + seconds);
  return text + "sequence:\n" + planText(report);
}

std::string formatFailure(const SolveReport &report) {
  const SolverResult &result = report.result;
  bool isOutOfTime = result.status == SolveStatus::Deadline && !result.proven;
  std::string text = !result.proven ? "cannot meet"
                     : assumesOrder(result.boundKind)
                         ? "no plan in this order meets"
                         : "no plan meets";
  text += " the cap of " + std::to_string(report.capBytes) + " bytes";
  if (isOutOfTime)
    text += " before the deadline";
  text += result.lowestPeakBytes == result.floorBytes
              ? "; the lowest peak is "
              : "; the lowest peak found is ";
  text += std::to_string(result.lowestPeakBytes) + " bytes";
  for (size_t i = 0; i < result.stepsAtPeak.size(); ++i)
    text += (i == 0 ? ", at " : ", ") +
            stepText(report.problem.steps[result.stepsAtPeak[i]]);
  return text + "; raise the cap" + (isOutOfTime ? " or the deadline" : "");
}

std::string formatJson(const SolveReport &report) {
  const SolverResult &result = report.result;
  nlohmann::ordered_json json;
  json["status"] = toString(result.status);
  json["original_peak_bytes"] = report.originalPeakBytes;
  json["peak_bytes"] = result.peakBytes;
  json["cap_bytes"] = report.capBytes;
  json["original_cost"] = report.originalCost;
  json["cost"] = result.cost;
  json["overhead_percent"] = report.overheadPercent(result.cost);
  if (result.lowerBoundCost)
    json["lower_bound_overhead_percent"] =
        report.overheadPercent(*result.lowerBoundCost);
  else
    json["lower_bound_overhead_percent"] = nullptr;
  json["bound"] = toString(result.boundKind);
  json["bound_assumes_order"] = assumesOrder(result.boundKind);
  json["reordered"] = result.isReordered;
  json["proven"] = result.proven;
  if (result.status != SolveStatus::Ok)
    json["lowest_peak_bytes"] = result.lowestPeakBytes;
  json["seconds"] = result.seconds;
  json["solver"] = result.solver;
  json["sequence"] = nlohmann::ordered_json::array();
  for (StepId step : result.plan.sequence)
    json["sequence"].push_back(report.problem.steps[step].label);
  return json.dump(2) + "\n";
}

std::string formatProof(const Certificate &certificate, int64_t originalCost) {
  std::string text = "proven: no plan ";
  if (assumesOrder(certificate.kind()))
    text +=
        std::string("that executes the steps for the first time in the "
                    "order of ") +
        (certificate.order.empty() ? "the schedule\n" : "the certificate\n");
  if (certificate.isInfeasible)
    return text + "meets the cap of " + std::to_string(certificate.capBytes) +
           " bytes\n";
  text += assumesOrder(certificate.kind()) ? "and meets" : "that meets";
  return text + " the cap of " + std::to_string(certificate.capBytes) +
         " bytes costs less than " + std::to_string(certificate.cost) +
         ", overhead " +
         percentText(
             sharePercent(certificate.cost - originalCost, originalCost)) +
         "\n";
}

} // namespace remat::solver
