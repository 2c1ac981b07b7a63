//===- OverwriteOrder.h - Readers before the step that overwrites ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_IR_OVERWRITEORDER_H
#define REMAT_LIB_IR_OVERWRITEORDER_H

#include "Overwrites.h"

namespace remat::ir {

/// An order of the steps of a region, or why there is none.
struct OverwriteOrder {
  /// Every step once, those of a group together unless it must be dissolved.
  /// Empty if dependences go round in circles.
  std::vector<solver::StepId> steps;
  /// Then: the groups in a circle, which may open it when they are dissolved.
  std::vector<int32_t> groups;
  /// If no group is in one: reads, as indices, that close a circle. With a copy
  /// of what they read there is one circle less.
  std::vector<size_t> reads;
};

/// Finds an order in which all `reads` come before the writer, but those that
/// need a copy in any case. Steps stay as early as they can, in the order of
/// the schedule. Linear but for the search for circles.
OverwriteOrder findOverwriteOrder(const RegionProblem &region,
                                  const std::vector<OverwrittenRead> &reads);

} // namespace remat::ir

#endif // REMAT_LIB_IR_OVERWRITEORDER_H
