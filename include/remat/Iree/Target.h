//===- Target.h - What IREE compiles for ----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_TARGET_H
#define REMAT_IREE_TARGET_H

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// The targets, for help texts and errors. Why cpu:im2col exists: on
/// processors, IREE has fast code for the convolutions of a forward pass, but
/// not for most of those that automatic differentiation derives for the
/// backward pass. As matrix products of patches (im2col) all of them are fast,
/// at the price of the memory of the patches.
inline constexpr const char *targetForms =
    "cpu, cpu:im2col, cuda or cuda:sm_XY (such as cuda:sm_80)";

/// The flags that make IREE compile for `target`; the user's own come first and
/// take precedence. Nothing if there is no such target.
std::optional<std::vector<std::string>>
flagsForTarget(const std::string &target,
               const std::vector<std::string> &userFlags);

/// The machine of the cost model for `target`: "cpu" or "cuda".
std::string machineOfTarget(const std::string &target);

} // namespace remat

#endif // REMAT_IREE_TARGET_H
