//===- PackSlices.h - Our places in place of IREE's -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After iree-stream-schedule-allocation every slab is described by a
// stream.resource.pack: slices with lifetimes and sizes in, the size of the
// slab and an offset per slice out. IREE resolves it later, greedily in the
// order of starts. Constants that replace its results take that decision out of
// its hands.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_PACKSLICES_H
#define REMAT_IR_PACKSLICES_H

#include "remat/IR/Wrappers.h"

namespace remat::ir {

/// What packSlices did.
struct PackedSlices {
  /// Packs whose results were replaced; those of unknown sizes are left alone.
  int64_t packs = 0;
  /// The largest slab, and the peak of the live ranges behind it.
  int64_t slabBytes = 0;
  int64_t liveBytes = 0;
};

/// Replaces the results of every stream.resource.pack in the functions below
/// `root` by offsets of ours.
PackedSlices packSlices(Op root);

} // namespace remat::ir

#endif // REMAT_IR_PACKSLICES_H
