//===- Baselines.cpp - Plans that people make without a planner -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Baselines.h"

#include "Analysis.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cctype>
#include <cmath>

using namespace remat;
using namespace remat::run;
using namespace remat::solver;

namespace {
/// Writes the sequence of a drop plan.
class DropWriter {
public:
  DropWriter(const Problem &problem, const std::vector<bool> &isForward,
             const std::vector<bool> &dropped)
      : problem(problem), isForward(isForward), dropped(dropped),
        gone(problem.tensors.size(), false), writers(problem.tensors.size()) {
    for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
         ++step)
      for (TensorId result : problem.steps[step].results)
        writers[problem.storageRoot(result)].push_back(step);
  }

  Plan write() {
    for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
         ++step) {
      // The backward pass begins: from here on, what was dropped is gone.
      if (!isForward[step] && !backwardBegan) {
        backwardBegan = true;
        gone = dropped;
      }
      // Also before forward steps that the schedule put late.
      if (backwardBegan)
        restoreOperands(step);
      plan.sequence.push_back(step);
      for (TensorId result : problem.steps[step].results)
        gone[problem.storageRoot(result)] = false;
    }
    return std::move(plan);
  }

private:
  void restoreOperands(StepId step) {
    for (TensorId operand : problem.steps[step].operands)
      restore(problem.storageRoot(operand));
  }
  /// Makes a storage again, by all steps that ever wrote into it, in order.
  void restore(TensorId root) {
    if (!gone[root])
      return;
    gone[root] = false;
    for (StepId writer : writers[root]) {
      restoreOperands(writer);
      plan.sequence.push_back(writer);
    }
  }

  const Problem &problem;
  const std::vector<bool> &isForward;
  const std::vector<bool> &dropped;
  std::vector<bool> gone;
  std::vector<std::vector<StepId>> writers;
  Plan plan;
  bool backwardBegan = false;
};
} // namespace

std::optional<Plan> remat::run::dropPlan(const Problem &problem,
                                         const std::vector<bool> &isForward,
                                         const std::vector<bool> &dropped) {
  std::vector<bool> allowed = dropped;
  for (const Step &step : problem.steps)
    for (TensorId result : step.results)
      if (!step.mayRecompute())
        allowed[problem.storageRoot(result)] = false;
  Plan plan = DropWriter(problem, isForward, allowed).write();
  if (!validate(problem, plan).valid())
    return std::nullopt;
  return plan;
}

/// The block of a layer: "layer1.0.conv2" and "layer1.0.bn2" are of "layer1.0".
static std::string blockOf(const std::string &origin) {
  std::string layer = origin.substr(0, origin.find(','));
  for (size_t begin = 0; begin < layer.size();) {
    size_t end = std::min(layer.find_first_of("./", begin), layer.size());
    if (end > begin && std::isdigit(layer[begin]))
      return layer.substr(0, end);
    begin = end + 1;
  }
  return layer.substr(0, layer.find_first_of("./"));
}

/// Of the activations, those that no step of a later segment of the forward
/// pass reads; `segments` numbers the forward steps' segments in order.
static std::vector<bool> insideSegments(const TracedRegion &region,
                                        const Analysis &analysis,
                                        const std::vector<int64_t> &segments) {
  const Problem &problem = region.problem;
  std::vector<bool> inside(problem.tensors.size(), false);
  std::vector<int64_t> made(problem.tensors.size(), -1);
  for (const TensorView &view : analysis.tensors)
    inside[view.tensor] = view.role == Role::Activation;
  for (size_t step = 0; step < problem.steps.size(); ++step) {
    if (!analysis.isForward[step])
      continue;
    for (TensorId operand : problem.steps[step].operands) {
      TensorId root = problem.storageRoot(operand);
      if (made[root] >= 0 && made[root] != segments[step])
        inside[root] = false;
    }
    for (TensorId result : problem.steps[step].results)
      made[problem.storageRoot(result)] = segments[step];
  }
  return inside;
}

/// Adds the point of the plan that drops `dropped`, if there is one.
static void addPoint(std::vector<BaselinePoint> &points, const char *rule,
                     const TracedRegion &region, const Analysis &analysis,
                     const std::vector<bool> &dropped) {
  std::optional<Plan> plan =
      dropPlan(region.problem, analysis.isForward, dropped);
  if (!plan)
    return;
  Timeline timeline = computeTimeline(region.problem, *plan);
  points.push_back(
      {rule, region.outsideBytes + timeline.peakBytes, timeline.cost});
}

/// Segments by block names; nothing if fewer than two blocks are named.
static std::vector<int64_t> blockSegments(const TracedRegion &region,
                                          const Analysis &analysis) {
  std::vector<int64_t> segments(region.problem.steps.size(), 0);
  std::vector<std::string> names;
  for (size_t step = 0; step < segments.size(); ++step) {
    // Places in files are no layers.
    if (!analysis.isForward[step] ||
        region.origins[step].find(".mlir:") != std::string::npos)
      continue;
    std::string block = blockOf(region.origins[step]);
    auto found = std::find(names.begin(), names.end(), block);
    segments[step] = found - names.begin();
    if (found == names.end())
      names.push_back(block);
  }
  return names.size() < 2 ? std::vector<int64_t>() : segments;
}

/// Segments of equal bytes of activations.
static std::vector<int64_t> rootSegments(const TracedRegion &region,
                                         const Analysis &analysis) {
  std::vector<int64_t> made(region.problem.steps.size(), 0);
  int64_t count = 0, total = 0;
  for (const TensorView &view : analysis.tensors) {
    if (view.role != Role::Activation)
      continue;
    ++count;
    total += view.bytes;
    for (size_t step = 0; step < made.size(); ++step)
      for (TensorId result : region.problem.steps[step].results)
        if (result == view.tensor)
          made[step] += view.bytes;
  }
  auto segmentCount = static_cast<int64_t>(std::sqrt(double(count)));
  std::vector<int64_t> segments(made.size(), 0);
  int64_t sum = 0;
  for (size_t step = 0; step < made.size(); ++step) {
    segments[step] =
        total ? std::min(segmentCount - 1, sum * segmentCount / total) : 0;
    sum += made[step];
  }
  return segments;
}

/// Drops activations one by one, the best value first.
static void addGreedy(std::vector<BaselinePoint> &points,
                      const TracedRegion &region, const Analysis &analysis) {
  struct Candidate {
    TensorId tensor;
    double bytesPerNano;
  };
  std::vector<int64_t> cost(region.problem.tensors.size(), 0);
  for (const Step &step : region.problem.steps)
    for (TensorId result : step.results)
      cost[region.problem.storageRoot(result)] += step.cost;
  std::vector<Candidate> candidates;
  for (const TensorView &view : analysis.tensors)
    if (view.role == Role::Activation)
      candidates.push_back(
          {view.tensor,
           double(view.bytes) / std::max<int64_t>(cost[view.tensor], 1)});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate &left, const Candidate &right) {
                     return left.bytesPerNano > right.bytesPerNano;
                   });
  std::vector<bool> dropped(region.problem.tensors.size(), false);
  // Hundreds of points that cannot be told apart say nothing.
  int64_t lowest = region.outsideBytes + analysis.before.peakBytes;
  int64_t visible = lowest / 50;
  for (const Candidate &candidate : candidates) {
    dropped[candidate.tensor] = true;
    size_t count = points.size();
    addPoint(points, "greedy", region, analysis, dropped);
    if (points.size() == count)
      dropped[candidate.tensor] = false;
    else if (points.back().peakBytes > lowest - visible)
      points.pop_back();
    else
      lowest = points.back().peakBytes;
  }
}

std::vector<BaselinePoint>
remat::run::baselinePoints(const TracedRegion &region) {
  Analysis analysis = analyze(region);
  std::vector<BaselinePoint> points;
  points.push_back({"keep all", region.outsideBytes + analysis.before.peakBytes,
                    analysis.before.cost});
  std::vector<int64_t> blocks = blockSegments(region, analysis);
  if (!blocks.empty())
    addPoint(points, "checkpoint per block", region, analysis,
             insideSegments(region, analysis, blocks));
  addPoint(points, "square-root segments", region, analysis,
           insideSegments(region, analysis, rootSegments(region, analysis)));
  addGreedy(points, region, analysis);
  return points;
}
