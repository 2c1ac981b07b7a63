//===- Packing.h - Places in one slab for live ranges ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors that are live at the same time must not overlap in memory; tensors
// that are not may share it. Given live ranges and sizes, a packing gives each
// an offset in one slab. No slab is smaller than the most bytes live at once;
// packing well means to come near that.
//
//   address
//   ^  +-----------+
//   |  |     B     +-------+
//   |  +-------+---+   C   |   peak of the live ranges: B + C
//   |  |   A   |   +-------+   slab: A + B, because A lies below B
//   |  +-------+
//   +------------------------> slot
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_PACKING_H
#define REMAT_SOLVER_PACKING_H

#include <cstdint>
#include <vector>

namespace remat::solver {

/// Something to place: `bytes` that are in use in the slots [begin, end).
struct PackItem {
  int32_t begin = 0;
  int32_t end = 0;
  int64_t bytes = 0;
};

struct Packing {
  /// The place of each item.
  std::vector<int64_t> offsets;
  /// The size of the slab.
  int64_t totalBytes = 0;
};

/// The most bytes in use in any slot: no packing needs less.
int64_t peakBytes(const std::vector<PackItem> &items);

/// Whether no two items overlap in both time and memory, and all lie within the
/// slab. O(n^2) and obvious: what packings are verified with.
bool isValidPacking(const std::vector<PackItem> &items, const Packing &packing);

/// Places the items one after the other, in the given order, each at the lowest
/// offset where it meets nothing that was placed before. O(n^2 log n) at worst.
Packing packFirstFit(const std::vector<PackItem> &items,
                     const std::vector<int32_t> &order);

/// Packs the items into at most `targetBytes` if it can: first fit by size, by
/// duration, by area, by start; then, from the best of them, search over orders
/// that moves what lies at the top of the slab forward, `rounds` times.
/// Heuristic; deterministic. Stops as soon as the target or the peak of the
/// live ranges is reached.
Packing pack(const std::vector<PackItem> &items, int64_t targetBytes,
             int rounds = 2000);

} // namespace remat::solver

#endif // REMAT_SOLVER_PACKING_H
