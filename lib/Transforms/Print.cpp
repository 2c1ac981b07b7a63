//===- Print.cpp - Live ranges and costs, for people and FileCheck --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "remat/IR/LateReads.h"
#include "remat/Solver/ProblemText.h"
#include "remat/Transforms/Rematerialize.h"

#include <algorithm>

using namespace remat;
using namespace remat::ir;

/// "func @main" or "func @main region 1", the heading of a region.
static std::string heading(const PlannableRegion &region) {
  std::string text = "func @" + region.function;
  if (region.ir.owner.is("stream.async.execute"))
    text += " region " + std::to_string(region.indexInFunction);
  return text;
}

/// Calls `print` with each region below `root` and the machine of its costs;
/// false after an error was reported.
template <typename PrintFn>
static bool forEachRegion(MlirOperation root, const std::string &target,
                          const DiagnosticSink &sink, PrintFn print) {
  CostModel costs(root, target);
  std::optional<std::vector<LateRead>> lateReads = findLateReads(root, sink);
  if (!lateReads)
    return false;
  if (!lateReads->empty()) {
    sink({Severity::Error,
          lateReads->front().location,
          lateReads->front().text() +
              "; run rematerialize first, which repairs that",
          {}});
    return false;
  }
  std::optional<std::vector<PlannableRegion>> regions =
      collectRegions(root, costs, sink);
  if (!regions)
    return false;
  for (const PlannableRegion &region : *regions)
    print(region, costs.machine());
  return true;
}

bool remat::printLiveRanges(MlirOperation root, const DiagnosticSink &sink,
                            std::string &out) {
  auto print = [&](const PlannableRegion &region, const Machine &) {
    const solver::Problem &problem = region.ir.problem;
    const solver::Timeline &timeline = region.timeline;
    out += "// ---- live ranges: " + heading(region) + ": " +
           std::to_string(timeline.slots.size()) + " slots, peak " +
           std::to_string(timeline.peakBytes) + " bytes in slot " +
           std::to_string(timeline.peakSlot) + ", " +
           std::to_string(region.outsideBytes) + " bytes outside ----\n";
    for (const solver::LiveRange &range : timeline.ranges) {
      const solver::Tensor &tensor = problem.tensors[range.tensor];
      out += "tensor " + std::to_string(range.tensor) + " [" +
             std::to_string(range.begin) + ", " + std::to_string(range.end) +
             ") " + std::to_string(tensor.bytes) + " bytes " +
             solver::toString(tensor.kind);
      if (range.execution >= 0)
        out += " made by " + problem.steps[range.execution].name;
      out += "\n";
    }
    for (size_t i = 0; i < timeline.slots.size(); ++i) {
      const solver::Slot &slot = timeline.slots[i];
      out += "slot " + std::to_string(i) + ": " + std::to_string(slot.bytes) +
             " bytes:";
      for (int32_t step = slot.begin; step < slot.end; ++step)
        out += " " + problem.steps[step].name;
      out += "\n";
    }
  };
  return forEachRegion(root, "auto", sink, print);
}

bool remat::printCosts(MlirOperation root, const std::string &target,
                       const DiagnosticSink &sink, std::string &out) {
  auto print = [&](const PlannableRegion &region, const Machine &machine) {
    const solver::Problem &problem = region.ir.problem;
    out += "// ---- costs: " + heading(region) + ": " +
           std::to_string(problem.steps.size()) + " steps, " +
           std::to_string(region.timeline.cost) + " ns on " + machine.name +
           " ----\n";
    for (const solver::Step &step : problem.steps) {
      int64_t bytes = 0;
      for (solver::TensorId result : step.results)
        bytes += problem.tensors[result].bytes;
      out += "step " + std::to_string(step.label) + ": " +
             std::to_string(step.cost) + " ns, results " +
             std::to_string(bytes) + " bytes, " +
             (step.mayRecompute() ? "recomputable"
                                  : "never recomputed: " + step.noRecompute) +
             ": " + step.name + "\n";
    }
  };
  return forEachRegion(root, target, sink, print);
}

bool remat::printProblems(MlirOperation root, const std::string &target,
                          const DiagnosticSink &sink, std::string &out) {
  auto print = [&](const PlannableRegion &region, const Machine &) {
    out += solver::printProblem(region.ir.problem) + "# " + heading(region) +
           ", " + std::to_string(region.outsideBytes) +
           " bytes outside, which count 0 here\n";
  };
  return forEachRegion(root, target, sink, print);
}
