//===- MemorySize.h - Sizes as people write them --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SUPPORT_MEMORYSIZE_H
#define REMAT_SUPPORT_MEMORYSIZE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace remat {

/// A cap as the user wrote it: a number of bytes, or a share of the original
/// peak, which is not known yet.
struct MemoryCap {
  bool isPercent = false;
  double percent = 0;
  int64_t bytes = 0;

  /// The cap in bytes where the original peak is `originalPeakBytes`; a share
  /// is rounded down.
  int64_t resolve(int64_t originalPeakBytes) const;
};

/// Examples of all forms that parseMemoryCap takes, for help texts and errors:
/// a size with or without a unit, and a share of the original peak.
constexpr const char *memoryCapForms = "1.5GiB, 800MB, 1048576 or 50%";

/// Parses "50%", "1.5GiB", "800MB", "1048576", "64k"… Units: B; kB, MB, GB, TB
/// (powers of 1000); KiB, MiB, GiB, TiB (powers of 1024); letter case does not
/// matter. Nothing for anything else, negative numbers and numbers beyond the
/// range of int64_t included. Fractions of a byte are dropped.
std::optional<MemoryCap> parseMemoryCap(std::string_view text);

/// "1.50 GiB", "71.3 MiB", "512 B": for people; print the exact number as well.
std::string formatBytes(int64_t bytes);

} // namespace remat

#endif // REMAT_SUPPORT_MEMORYSIZE_H
