//===- Signature.h - Arguments and results of a program -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_SIGNATURE_H
#define REMAT_RUN_SIGNATURE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat::run {

/// An argument or result of the step.
struct Port {
  /// In the form of iree-run-module: "8x128xf32".
  std::string type;
  /// "f32".
  std::string elementType;
  int64_t elements = 1;
  int64_t bytes = 0;
  /// Its role in the training step, from its attribute `remat.kind`:
  /// "parameter", "input", "optimizer-state", "gradient" or "output". Without
  /// the attribute, an argument whose type is that of a result counts as a
  /// parameter.
  std::string kind;
  std::string name;
};

/// The function that a program exports.
struct Signature {
  std::string function;
  std::vector<Port> arguments;
  std::vector<Port> results;

  int64_t argumentBytes() const;
};

/// Reads the first public function of MLIR text, or of the declaration that
/// iree-dump-module prints. Nothing, and why in `error`, if there is none or
/// if its types are not tensors of fixed shape and known element type.
std::optional<Signature> parseSignature(const std::string &text,
                                        std::string &error);

} // namespace remat::run

#endif // REMAT_RUN_SIGNATURE_H
