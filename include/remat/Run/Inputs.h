//===- Inputs.h - Reproducible inputs for a step --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_INPUTS_H
#define REMAT_RUN_INPUTS_H

#include "remat/Run/Signature.h"

namespace remat::run {

/// The bytes of the argument `index` of a step: numbers that depend on the
/// seed, the argument and the index of the element alone. Floating-point
/// values are uniform in -0.1 .. 0.1, optimizer states in 0 .. 0.1, integers in
/// 0 .. 7, single bits both.
std::string makeInput(const Port &port, uint64_t seed, size_t index);

/// The files of makeInputs().
struct InputFiles {
  /// For --flagfile=: the function and its inputs.
  std::string flags;
  /// Number of results of the function.
  size_t results = 0;
};

/// Writes the inputs of `signature` to `directory`, which must exist. Throws
/// RunError if they cannot be written.
InputFiles makeInputs(const Signature &signature, uint64_t seed,
                      const std::string &directory);

} // namespace remat::run

#endif // REMAT_RUN_INPUTS_H
