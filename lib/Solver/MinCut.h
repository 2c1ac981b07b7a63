//===- MinCut.h - Plans from minimum cuts at rising prices ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_MINCUT_H
#define REMAT_LIB_SOLVER_MINCUT_H

#include "PlanSearch.h"

namespace remat::solver {

/// Puts plans of minimum cuts at rising prices into `search`, refined. Takes a
/// fixed amount of work, about a second times `workShare`.
void searchMinCuts(PlanSearch &search, double workShare = 1);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_MINCUT_H
