//===- Heuristics.h - Planners without guarantees ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_HEURISTICS_HEURISTICS_H
#define REMAT_LIB_SOLVER_HEURISTICS_HEURISTICS_H

#include "Search/PlanPool.h"

namespace remat::solver {

/// Checkpointing by segments of the forward pass (what runs up to the peak):
/// retains what leads from one segment to the next and recomputes all else.
/// Tries equal segments, the square root of the number of slots among them, and
/// thresholds on bytes. A baseline; often finds nothing at low caps.
/// Complexity: about a hundred simulations.
void searchSegments(PlanPool &pool);

/// One checkpoint for each block, as users place them by hand: retains the
/// tensor at each narrow place of the forward pass and recomputes all else,
/// whatever the cap. A baseline; finds nothing where there are no narrow
/// places. Complexity: a few simulations.
void searchBlocks(PlanPool &pool);

/// XLA's rule: at the highest place, recompute the tensor that saves the most
/// bytes there for the cost it adds, until the plan fits. A baseline; close to
/// the best at mild caps, and stuck where no single tensor helps. Complexity:
/// up to 64 simulations for each tensor that is dropped, within a fixed number.
void searchGreedily(PlanPool &pool);

/// Minimum cuts, as in the lower bound, at rising prices of memory: each says
/// what to retain at the step of the highest memory, and then at others that
/// are still above the cap. Joins the last plan above the cap and the first
/// within it by components of their difference, then repairs and prunes. Best
/// at mild caps, where what is retained across the peak decides; knows no
/// nested recomputation except what repair adds, so weak at very low caps.
/// Complexity: some hundred maximum flows and a fixed number of simulated
/// executions.
void searchMinCuts(PlanPool &pool);

/// Plans from minimum cuts under prices on memory at the peak, repaired and
/// pruned, then large-neighbourhood search from the best of them. Complexity: a
/// fixed number of simulated executions.
void searchPrices(PlanPool &pool);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_HEURISTICS_HEURISTICS_H
