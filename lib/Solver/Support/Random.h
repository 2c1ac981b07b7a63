//===- Random.h - Random numbers that are the same everywhere -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SUPPORT_RANDOM_H
#define REMAT_LIB_SOLVER_SUPPORT_RANDOM_H

#include <cstdint>

namespace remat::solver {

/// A sequence of random numbers (SplitMix64) that depends on nothing but its
/// seed: the distributions of the standard library differ between platforms.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t mixed = state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  /// A number in [0, bound).
  int32_t below(int64_t bound) {
    return static_cast<int32_t>(next() % static_cast<uint64_t>(bound));
  }
  /// A number in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SUPPORT_RANDOM_H
