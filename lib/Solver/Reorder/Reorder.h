//===- Reorder.h - The steps in an order of less memory -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Another order of the same steps costs nothing. Schedules of compilers leave
// memory on the table where steps that would free it come late (updates that
// all stand at the end of a training step keep every gradient until then) or
// steps that take it come early (splats, broadcasts).
//
// An order is worth its peak first. Of equal peak the better one has the lower
// overlap: the products of the sizes of every pair of storages in memory at
// the same time, summed up. It falls with memory over time wherever memory is
// taken, so that a cap below the peak finds less to recompute; and it does not
// depend on how time is counted, so that a step which only frees memory may
// stand anywhere. Ties keep the order of the schedule.
//
// At low caps the forward pass is recomputed piece by piece, and what counts is
// the late peak: what is live of all that is made after the peak, such as
// gradients that wait for their updates.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_REORDER_REORDER_H
#define REMAT_LIB_SOLVER_REORDER_REORDER_H

#include "remat/Solver/Problem.h"
#include "remat/Solver/Tuning.h"

namespace remat::solver {

/// Every step once, in an order that computes the same as the schedule.
struct Order {
  std::vector<StepId> steps;
  int64_t peakBytes = 0;
  double overlap = 0;
  /// The most that is live at once of what is made in the peak slot and later.
  int64_t latePeakBytes = 0;
};

struct ReorderOptions {
  /// Looks no further once an order meets this cap.
  int64_t capBytes = 0;
  /// Wall-clock seconds after which nothing more is tried; 0 means no deadline.
  double deadlineSeconds = 0;
  /// How work is shared out. Never null; must live as long as the call.
  const Tuning *tuning = &Tuning::defaults();
};

/// Orders that are better than the schedule, none if none is known. Those that
/// change little come first: moves of what has reason to, with all else in
/// place; the same with groups split; the best order of windows around the
/// peak; an order made anew; if the cap is below the late peak, one that lowers
/// that. Each but the last kind has a lower peak than the one before it, or no
/// higher one and less overlap; the later ones notably so. Heuristic; where
/// one window holds all units, and without groups, the last is the best of all
/// orders. Deterministic but for the deadline. O(n log n) for steps of a few
/// operands: a second or two for 100,000.
std::vector<Order> findOrders(const Problem &problem,
                              const ReorderOptions &options);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_REORDER_REORDER_H
