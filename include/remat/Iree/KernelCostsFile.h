//===- KernelCostsFile.h - Measured costs as a file -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `remat-run profile --costs-output` writes and `remat-compile --costs`
// reads:
//
//   {"model_scale": 1.5, "kernels": {"main_dispatch_0_matmul": 250000, ...}}
//
// with times in nanoseconds.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_KERNELCOSTSFILE_H
#define REMAT_IREE_KERNELCOSTSFILE_H

#include "remat/IR/KernelCosts.h"

#include <optional>

namespace remat {

/// The costs in the file at `path`. Nothing, and why in `error`, if it cannot
/// be read or is invalid.
std::optional<ir::KernelCosts> loadKernelCosts(const std::string &path,
                                               std::string &error);

/// `costs` as the text of such a file.
std::string printKernelCosts(const ir::KernelCosts &costs);

} // namespace remat

#endif // REMAT_IREE_KERNELCOSTSFILE_H
