//===- Trace.cpp - Regions as they were planned ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "remat/IR/StreamOps.h"
#include "remat/Solver/ProblemText.h"

#include <algorithm>

using namespace remat;
using namespace remat::ir;

/// Collects the names and the file positions in `location`, each once, in
/// order.
static void collectOrigins(MlirLocation location,
                           std::vector<std::string> &names,
                           std::vector<std::string> &places) {
  auto add = [](std::vector<std::string> &list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end())
      list.push_back(std::move(text));
  };
  if (mlirLocationIsAName(location)) {
    add(names, std::string(toView(
                   mlirIdentifierStr(mlirLocationNameGetName(location)))));
    return;
  }
  if (mlirLocationIsACallSite(location)) {
    collectOrigins(mlirLocationCallSiteGetCallee(location), names, places);
    return;
  }
  if (mlirLocationIsAFused(location)) {
    std::vector<MlirLocation> parts(mlirLocationFusedGetNumLocations(location));
    mlirLocationFusedGetLocations(location, parts.data());
    for (MlirLocation part : parts)
      collectOrigins(part, names, places);
    return;
  }
  if (mlirLocationIsAFileLineColRange(location)) {
    std::string_view file = toView(
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)));
    add(places,
        std::string(file.substr(file.rfind('/') + 1)) + ":" +
            std::to_string(mlirLocationFileLineColRangeGetStartLine(location)));
  }
}

/// The origin of an op as text: names if there are any, else file positions.
static std::string originOf(Op op) {
  // Fusion joins many ops; a few names are enough.
  constexpr size_t shown = 4;
  std::vector<std::string> names, places;
  collectOrigins(op.location(), names, places);
  const std::vector<std::string> &parts = names.empty() ? places : names;
  std::string text;
  for (size_t i = 0; i < parts.size() && i < shown; ++i)
    text += (i ? ", " : "") + parts[i];
  return text + (parts.size() > shown ? ", ..." : "");
}

RegionTrace remat::traceRegion(const PlannableRegion &region,
                               const solver::Plan &plan,
                               const CostModel &costs) {
  RegionTrace trace;
  trace.function = region.function;
  trace.regionIndex = region.indexInFunction;
  trace.outsideBytes = region.outsideBytes;
  const solver::Problem &problem = region.ir.problem;
  trace.problem = solver::printProblem(problem);
  trace.sequence =
      plan.sequence.empty() ? originalPlan(problem).sequence : plan.sequence;
  for (const StepSite &site : region.ir.steps) {
    trace.origins.push_back(originOf(site.op));
    int64_t bytes = 0;
    if (site.op.is("stream.async.dispatch"))
      bytes = costs.workOfDispatch(site.op).bytes;
    else
      for (const TensorUse &use : site.results)
        bytes += problem.tensors[use.tensor].bytes;
    trace.movedBytes.push_back(bytes);
  }
  return trace;
}
