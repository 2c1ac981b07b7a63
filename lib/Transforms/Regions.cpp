//===- Regions.cpp - What there is to plan below an op --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include "remat/IR/StreamFunction.h"

using namespace remat;
using namespace remat::ir;

/// Whether `op` is a function with a body.
static bool isFunctionWithBody(Op op) {
  return (op.is("func.func") || op.is("util.func")) && op.numRegions() == 1 &&
         !mlirBlockIsNull(op.body());
}

/// The functions of tensor level: `root` itself or those directly in it.
static std::vector<Op> tensorFunctions(Op root) {
  if (isFunctionWithBody(root))
    return {root};
  std::vector<Op> functions;
  if (root.numRegions() == 1)
    for (Op op : opsOf(root.body()))
      if (isFunctionWithBody(op))
        functions.push_back(op);
  return functions;
}

std::optional<std::vector<PlannableRegion>>
remat::collectRegions(Op root, const CostModel &costs,
                      const DiagnosticSink &sink) {
  std::vector<PlannableRegion> regions;
  auto add = [&](std::optional<RegionProblem> read) {
    if (!read)
      return false;
    PlannableRegion region;
    region.ir = std::move(*read);
    region.timeline = solver::computeTimeline(
        region.ir.problem, solver::originalPlan(region.ir.problem));
    regions.push_back(std::move(region));
    return true;
  };

  std::optional<std::vector<StreamFunction>> functions =
      readStreamFunctions(root, sink);
  if (!functions)
    return std::nullopt;
  for (const StreamFunction &function : *functions) {
    int64_t index = 0;
    for (const ExecuteRegion &execute : function.regions) {
      if (!execute.op.is("stream.async.execute")) {
        sink({Severity::Error,
              execute.op.location(),
              "this region is already allocated; run the pass before "
              "iree-stream-cmd-transformation-pipeline",
              {}});
        return std::nullopt;
      }
      if (!add(readStreamRegion(execute.op, costs, sink)))
        return std::nullopt;
      PlannableRegion &region = regions.back();
      region.function = function.name;
      region.indexInFunction = index++;
      region.outsideBytes = execute.outsideBytes;
      region.inputBytes = function.inputBytes;
      region.outputBytes = function.outputBytes;
      region.constantBytes = function.constantBytes;
    }
  }
  if (!functions->empty())
    return regions;

  std::vector<Op> bodies = tensorFunctions(root);
  if (bodies.empty()) {
    sink({Severity::Error,
          root.location(),
          "no function with a body to plan in this '" +
              std::string(root.name()) + "'",
          {}});
    return std::nullopt;
  }
  for (Op function : bodies) {
    if (!add(readTensorFunction(function, costs, sink)))
      return std::nullopt;
    regions.back().function = function.symbolName();
  }
  return regions;
}
