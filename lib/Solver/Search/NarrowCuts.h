//===- NarrowCuts.h - Plans that keep chosen tensors only -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a training step up to its peak is the forward pass. Classical
// checkpointing retains some of its tensors across the peak and recomputes all
// others from them, each when it is first read.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_NARROWCUTS_H
#define REMAT_LIB_SOLVER_SEARCH_NARROWCUTS_H

#include "Search/GapEncoding.h"

namespace remat::solver {

/// A slot over which a single tensor leads on.
struct NarrowCut {
  int32_t slot;
  TensorId tensor;
};

/// The slots before `peakSlot` over which a single tensor of at least
/// `smallBytes` leads on to later ones up to the peak, the first such slot of
/// each tensor. Tensors made from nothing (zeros to be overwritten, say) do not
/// count: a sweep makes them on its way. O(tensors + slots).
std::vector<NarrowCut> findNarrowCuts(const GapEncoding &encoding,
                                      int32_t peakSlot, double smallBytes);

/// The last slots of all but the last of `number` segments of equal length that
/// the slots before `endSlot` are split into. Where there are more segments
/// than slots, some are empty. O(number).
std::vector<int32_t> equalSegments(int32_t endSlot, double number);

/// The plan that retains across the peak only what leads over one of the slots
/// in `boundaries`: made there or before, and read after it up to the peak.
Decisions keepBoundaries(const GapEncoding &encoding, int32_t peakSlot,
                         const std::vector<int32_t> &boundaries);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_NARROWCUTS_H
