//===- Analysis.h - What a plan does to the tensors of a region -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms of all reports:
//
//   forward     a step that belongs to the forward pass. A step whose origin
//               names a part "backward", "update" or "transpose(...)" does not;
//               a step without a name belongs with the one before it. Where no
//               origin does, the steps up to the peak of the original schedule
//               are the forward pass.
//   activation  a storage that a forward step writes and another step, which
//               is not a forward step, reads: a forward value needed by the
//               backward pass. Only transients count, of more than 0 bytes.
//   recomputed  an activation of which the plan defines several versions;
//               all others are retained.
//   gradient    a transient storage that is written by backward steps only;
//   workspace   all others: forward values that the backward pass does not
//               read.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_ANALYSIS_H
#define REMAT_RUN_ANALYSIS_H

#include "remat/Run/Compiled.h"
#include "remat/Solver/Timeline.h"

namespace remat::run {

/// The role of a tensor, in the terms above.
enum class Role { Activation, Gradient, Workspace };

/// "activation", "gradient" or "workspace".
const char *toString(Role role);

/// A range of slots [begin, end).
struct SlotRange {
  int32_t begin = 0;
  int32_t end = 0;
};

/// One storage of the region; those of 0 bytes (inputs, outputs) are left out.
struct TensorView {
  solver::TensorId tensor = 0;
  /// The kernel that first defines it, and the origin of that kernel.
  std::string name;
  std::string origin;
  int64_t bytes = 0;
  Role role = Role::Workspace;
  /// Steps of the original schedule that read it, -1 if none does.
  solver::StepId firstForwardUse = -1;
  solver::StepId lastForwardUse = -1;
  solver::StepId firstBackwardUse = -1;
  solver::StepId lastBackwardUse = -1;
  SlotRange before;
  /// One per version.
  std::vector<SlotRange> after;
  /// Cost of the executions that recomputed it.
  int64_t recomputeNanos = 0;

  bool recomputed() const { return after.size() > 1; }
};

/// Bytes held at one time, by role.
struct MemorySplit {
  int64_t activations = 0;
  int64_t gradients = 0;
  int64_t workspace = 0;
};

/// A region before and after.
struct Analysis {
  solver::Timeline before;
  solver::Timeline after;
  /// Per step.
  std::vector<bool> isForward;
  std::vector<TensorView> tensors;
  /// At the peak of each.
  MemorySplit peakBefore;
  MemorySplit peakAfter;

  int64_t retained = 0;
  int64_t recomputed = 0;
  int64_t retainedBytes = 0;
  int64_t recomputedBytes = 0;
};

Analysis analyze(const TracedRegion &region);

/// Per step, whether it belongs to the forward pass.
std::vector<bool> findForwardSteps(const solver::Problem &problem,
                                   const std::vector<std::string> &origins);

} // namespace remat::run

#endif // REMAT_RUN_ANALYSIS_H
