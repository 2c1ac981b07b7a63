//===- MemoryMap.h - Tensors in memory over time, as SVG ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_MEMORYMAP_H
#define REMAT_RUN_MEMORYMAP_H

#include "remat/Run/Analysis.h"

namespace remat::run {

/// A live range with a place in memory.
struct PlacedRange {
  /// The index in analysis.tensors, and the index of the version.
  size_t tensor;
  size_t version;
  SlotRange range;
  int64_t offset;
};

/// All live ranges of one of the two schedules, in the order in which they
/// begin.
struct MemoryLayout {
  bool after = false;
  std::vector<PlacedRange> ranges;
  int64_t totalBytes = 0;
};

/// Packs the tensors of a region, into `targetBytes` if that is possible. The
/// places are for the picture: the compiler packs on its own.
MemoryLayout layOutMemory(const Analysis &analysis, bool after,
                          int64_t targetBytes);

/// How to draw a map.
struct MapOptions {
  /// Drawn as a line if positive.
  int64_t capBytes = 0;
  /// The height of the picture; that of the layout at least.
  int64_t scaleBytes = 0;
  std::string id;
};

/// The memory of a region over its slots, one rectangle per live range: as wide
/// as the range, as high as its bytes.
/// Rectangles have the attribute data-tensor, the index in analysis.tensors.
std::string memoryMap(const Analysis &analysis, const MemoryLayout &layout,
                      const MapOptions &options);

} // namespace remat::run

#endif // REMAT_RUN_MEMORYMAP_H
