//===- MemoryMap.h - Tensors in memory over time, as SVG ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_DRIVERS_RUN_MEMORYMAP_H
#define REMAT_DRIVERS_RUN_MEMORYMAP_H

#include "Analysis.h"

namespace remat::run {

/// How to draw a map.
struct MapOptions {
  /// Which of the two schedules.
  bool after = false;
  /// Drawn as a line if positive.
  int64_t capBytes = 0;
  /// The height of the picture; memoryMapBytes() at least.
  int64_t scaleBytes = 0;
  std::string id;
};

/// The memory of a region over its slots, one rectangle per live range: as wide
/// as the range, as high as its bytes, put where there is room.
/// Rectangles have the attribute data-tensor, the index in analysis.tensors.
std::string memoryMap(const Analysis &analysis, const MapOptions &options);

/// The highest place that memoryMap() needs.
int64_t memoryMapBytes(const Analysis &analysis, bool after);

} // namespace remat::run

#endif // REMAT_DRIVERS_RUN_MEMORYMAP_H
