//===- Type.h - Types of tensors in generated programs --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_MODELS_TYPE_H
#define REMAT_MODELS_TYPE_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace remat::models {

/// A model that cannot be built with its options: shapes that do not match, an
/// image smaller than a window. The message is a diagnostic for the user.
class ModelError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Element types that generated programs use.
enum class DType { F32, F16, BF16, I32, I8, I1 };

/// Whether `dtype` is one of the floating-point types.
bool isFloat(DType dtype);

/// Bytes that one element takes in memory (an i1 takes one).
int64_t elementBytes(DType dtype);

/// The MLIR spelling, e.g. "bf16".
const char *toString(DType dtype);

/// Extents of a tensor, outermost first.
using Shape = std::vector<int64_t>;

/// "8x128" for {8, 128}; "" for a scalar.
std::string toString(const Shape &shape);

/// The type of a tensor of static shape.
struct Type {
  DType dtype = DType::F32;
  Shape shape;

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t elements() const;
  int64_t bytes() const { return elements() * elementBytes(dtype); }

  /// The MLIR spelling, e.g. "tensor<8x128xf32>".
  std::string str() const;

  bool operator==(const Type &other) const {
    return dtype == other.dtype && shape == other.shape;
  }
  bool operator!=(const Type &other) const { return !(*this == other); }
};

} // namespace remat::models

#endif // REMAT_MODELS_TYPE_H
