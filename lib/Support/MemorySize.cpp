//===- MemorySize.cpp - Sizes as people write them ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Support/MemorySize.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <limits>

namespace remat {
namespace {

/// The largest size we accept, as a floating-point number that converts back
/// without overflow.
constexpr long double maxBytes =
    static_cast<long double>(std::numeric_limits<int64_t>::max());

/// The bytes in one `unit`, in lower case, or 0 if there is no such unit.
long double bytesPerUnit(const std::string &unit) {
  if (unit.empty() || unit == "b")
    return 1;
  size_t exponent = std::string_view("kmgt").find(unit[0]);
  if (exponent == std::string_view::npos)
    return 0;
  std::string rest = unit.substr(1);
  if (rest == "ib")
    return std::pow(1024.0L, exponent + 1);
  if (rest.empty() || rest == "b")
    return std::pow(1000.0L, exponent + 1);
  return 0;
}

/// Reads digits, optionally a point and more digits, from the front of `text`
/// and removes them.
std::optional<long double> takeNumber(std::string_view &text) {
  long double value = 0;
  long double digitWeight = 1;
  bool seenPoint = false;
  bool lastIsDigit = false;
  size_t length = 0;
  for (; length < text.size(); ++length) {
    char c = text[length];
    if (c == '.' && lastIsDigit && !seenPoint) {
      seenPoint = true;
      lastIsDigit = false;
      continue;
    }
    if (!std::isdigit(static_cast<unsigned char>(c)))
      break;
    lastIsDigit = true;
    value = value * 10 + (c - '0');
    if (seenPoint)
      digitWeight *= 10;
  }
  if (!lastIsDigit)
    return std::nullopt;
  text.remove_prefix(length);
  return value / digitWeight;
}

} // namespace

int64_t MemoryCap::resolve(int64_t originalPeakBytes) const {
  if (!isPercent)
    return bytes;
  // A millionth of a byte makes up for shares such as 0.3, which have no exact
  // binary form.
  long double share = static_cast<long double>(percent) * originalPeakBytes;
  long double rounded = std::floor(share / 100 + 1e-6L);
  return rounded >= maxBytes ? std::numeric_limits<int64_t>::max()
                             : static_cast<int64_t>(rounded);
}

std::optional<MemoryCap> parseMemoryCap(std::string_view text) {
  std::optional<long double> number = takeNumber(text);
  if (!number)
    return std::nullopt;
  MemoryCap cap;
  if (text == "%") {
    cap.isPercent = true;
    cap.percent = static_cast<double>(*number);
    if (!std::isfinite(cap.percent))
      return std::nullopt;
    return cap;
  }
  std::string unit;
  for (char c : text)
    unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  long double scale = bytesPerUnit(unit);
  if (scale == 0)
    return std::nullopt;
  long double bytes = std::floor(*number * scale);
  if (!(bytes < maxBytes))
    return std::nullopt;
  cap.bytes = static_cast<int64_t>(bytes);
  return cap;
}

std::string formatBytes(int64_t bytes) {
  if (bytes < 0)
    return "-" + formatBytes(bytes == std::numeric_limits<int64_t>::min()
                                 ? std::numeric_limits<int64_t>::max()
                                 : -bytes);
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  static constexpr const char *units[] = {"KiB", "MiB", "GiB",
                                          "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  // 1023.5 and above would print as 1024 of the smaller unit.
  for (; value >= 1023.5; value /= 1024)
    ++unit;
  int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.*f %s", decimals, value,
                units[unit]);
  return buffer;
}

} // namespace remat
