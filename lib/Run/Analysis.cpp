//===- Analysis.cpp - What a plan does to the tensors of a region ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Analysis.h"

#include <algorithm>

using namespace remat;
using namespace remat::run;
using namespace remat::solver;

const char *remat::run::toString(Role role) {
  switch (role) {
  case Role::Activation:
    return "activation";
  case Role::Gradient:
    return "gradient";
  case Role::Workspace:
    break;
  }
  return "workspace";
}

/// Whether `origin` names a part of the backward pass.
static bool namesBackward(const std::string &origin) {
  for (const char *mark : {"backward", "update", "transpose("})
    if (origin.find(mark) != std::string::npos)
      return true;
  return false;
}

/// Whether `origin` is a position in a file, or empty, and so names no layer.
static bool isPlace(const std::string &origin) {
  size_t last = origin.find_last_not_of("0123456789");
  return last == std::string::npos ||
         (last + 1 < origin.size() && origin[last] == ':');
}

std::vector<bool>
remat::run::findForwardSteps(const Problem &problem,
                             const std::vector<std::string> &origins) {
  std::vector<bool> isForward(problem.steps.size(), true);
  bool named = false;
  for (size_t i = 0; i < origins.size(); ++i) {
    isForward[i] = isPlace(origins[i]) ? i == 0 || isForward[i - 1]
                                       : !namesBackward(origins[i]);
    named |= !isForward[i];
  }
  if (named)
    return isForward;
  Timeline timeline = computeTimeline(problem, originalPlan(problem));
  int32_t end =
      timeline.peakSlot < 0 ? 0 : timeline.slots[timeline.peakSlot].end;
  for (size_t i = 0; i < isForward.size(); ++i)
    isForward[i] = static_cast<int32_t>(i) < end;
  return isForward;
}

namespace {
/// The steps that touch a storage in the original schedule.
struct Touches {
  std::vector<StepId> writers;
  std::vector<StepId> readers;
};
} // namespace

static std::vector<Touches> findTouches(const Problem &problem) {
  std::vector<Touches> touches(problem.tensors.size());
  auto add = [](std::vector<StepId> &list, StepId step) {
    if (list.empty() || list.back() != step)
      list.push_back(step);
  };
  for (StepId step = 0; step < static_cast<StepId>(problem.steps.size());
       ++step) {
    const Step &entry = problem.steps[step];
    for (TensorId result : entry.results)
      add(touches[problem.storageRoot(result)].writers, step);
    for (TensorId operand : entry.operands)
      add(touches[problem.storageRoot(operand)].readers, step);
  }
  return touches;
}

/// The bytes of each role that are live in the peak slot.
static MemorySplit splitAtPeak(const Problem &problem, const Timeline &timeline,
                               const Plan &plan,
                               const std::vector<Role> &roles) {
  MemorySplit split;
  if (timeline.peakSlot < 0)
    return split;
  for (const LiveRange &range : timeline.ranges) {
    if (range.begin > timeline.peakSlot || timeline.peakSlot >= range.end)
      continue;
    int64_t bytes = problem.tensors[range.tensor].bytes;
    switch (roles[range.tensor]) {
    case Role::Activation:
      split.activations += bytes;
      break;
    case Role::Gradient:
      split.gradients += bytes;
      break;
    case Role::Workspace:
      split.workspace += bytes;
      break;
    }
  }
  const Slot &slot = timeline.slots[timeline.peakSlot];
  for (int32_t i = slot.begin; i < slot.end; ++i)
    split.workspace += problem.steps[plan.sequence[i]].workspaceBytes;
  return split;
}

/// Records when the passes read a storage.
static void noteUses(TensorView &view, const Touches &touches,
                     const std::vector<bool> &isForward) {
  for (StepId step : touches.readers) {
    StepId &first =
        isForward[step] ? view.firstForwardUse : view.firstBackwardUse;
    StepId &last = isForward[step] ? view.lastForwardUse : view.lastBackwardUse;
    first = first < 0 ? step : first;
    last = step;
  }
}

static Role roleOf(const Touches &touches, const std::vector<bool> &isForward) {
  auto forward = [&](StepId step) { return isForward[step]; };
  bool made =
      std::any_of(touches.writers.begin(), touches.writers.end(), forward);
  if (!made)
    return Role::Gradient;
  for (StepId reader : touches.readers)
    if (!isForward[reader] &&
        std::find(touches.writers.begin(), touches.writers.end(), reader) ==
            touches.writers.end())
      return Role::Activation;
  return Role::Workspace;
}

Analysis remat::run::analyze(const TracedRegion &region) {
  const Problem &problem = region.problem;
  Plan original = originalPlan(problem);
  Analysis analysis;
  analysis.before = computeTimeline(problem, original);
  analysis.after = computeTimeline(problem, region.plan);
  analysis.isForward = findForwardSteps(problem, region.origins);
  std::vector<Touches> touches = findTouches(problem);

  std::vector<int64_t> executions(problem.steps.size(), 0);
  for (StepId step : region.plan.sequence)
    ++executions[step];

  std::vector<Role> roles(problem.tensors.size(), Role::Workspace);
  std::vector<size_t> viewOf(problem.tensors.size(), SIZE_MAX);
  for (TensorId tensor = 0;
       tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor) {
    const Tensor &entry = problem.tensors[tensor];
    if (entry.alias >= 0 || entry.bytes == 0 || touches[tensor].writers.empty())
      continue;
    TensorView view;
    view.tensor = tensor;
    view.bytes = entry.bytes;
    StepId maker = touches[tensor].writers.back();
    view.name = problem.steps[maker].name;
    view.origin = region.origins[maker];
    view.role = roles[tensor] = roleOf(touches[tensor], analysis.isForward);
    noteUses(view, touches[tensor], analysis.isForward);
    for (StepId writer : touches[tensor].writers)
      view.recomputeNanos +=
          (executions[writer] - 1) * problem.steps[writer].cost;
    viewOf[tensor] = analysis.tensors.size();
    analysis.tensors.push_back(std::move(view));
  }
  for (const LiveRange &range : analysis.before.ranges)
    if (viewOf[range.tensor] != SIZE_MAX)
      analysis.tensors[viewOf[range.tensor]].before = {range.begin, range.end};
  for (const LiveRange &range : analysis.after.ranges)
    if (viewOf[range.tensor] != SIZE_MAX)
      analysis.tensors[viewOf[range.tensor]].after.push_back(
          {range.begin, range.end});
  for (const TensorView &view : analysis.tensors) {
    if (view.role != Role::Activation)
      continue;
    ++(view.recomputed() ? analysis.recomputed : analysis.retained);
    (view.recomputed() ? analysis.recomputedBytes : analysis.retainedBytes) +=
        view.bytes;
  }
  analysis.peakBefore = splitAtPeak(problem, analysis.before, original, roles);
  analysis.peakAfter = splitAtPeak(problem, analysis.after, region.plan, roles);
  return analysis;
}
