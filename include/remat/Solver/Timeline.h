//===- Timeline.h - Live ranges and memory over time ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_TIMELINE_H
#define REMAT_SOLVER_TIMELINE_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// The life of one storage: the half-open range of slots [begin, end) in which
/// any version that lives in it is live.
struct LiveRange {
  /// The tensor that owns the storage.
  TensorId tensor;
  /// The execution (index into the sequence) that made it, -1 for inputs.
  int32_t execution;
  int32_t begin;
  int32_t end;
};

/// What happens in one slot.
struct Slot {
  /// The executions [begin, end) of the sequence that form the slot.
  int32_t begin;
  int32_t end;
  /// Live storages plus workspace, in bytes.
  int64_t bytes;
};

/// The slots of a plan and what lives in them.
struct Timeline {
  std::vector<Slot> slots;
  /// Ordered by begin, then by execution, then by tensor.
  std::vector<LiveRange> ranges;
  int64_t peakBytes = 0;
  /// The first slot at the peak, or -1 if there are no slots.
  int32_t peakSlot = -1;
  int64_t cost = 0;
};

/// The live ranges and the memory over time of a `plan` that passes validate(),
/// in O(executions + tensors) plus the size of the result.
Timeline computeTimeline(const Problem &problem, const Plan &plan);

} // namespace remat::solver

#endif // REMAT_SOLVER_TIMELINE_H
