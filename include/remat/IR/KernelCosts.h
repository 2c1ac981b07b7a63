//===- KernelCosts.h - Measured times of kernels --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_KERNELCOSTS_H
#define REMAT_IR_KERNELCOSTS_H

#include <cstdint>
#include <map>
#include <string>

namespace remat::ir {

/// Measured times, which take the place of what the cost model says.
struct KernelCosts {
  /// Nanoseconds of one launch, by the name of the kernel.
  std::map<std::string, int64_t> nanos;
  /// Factor on the model's time of everything that was not measured, so that
  /// both are on one scale.
  double modelScale = 1;
};

} // namespace remat::ir

#endif // REMAT_IR_KERNELCOSTS_H
