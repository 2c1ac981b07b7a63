//===- Inputs.cpp - Reproducible inputs for a step ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Inputs.h"

#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

#include <cstring>

using namespace remat;
using namespace remat::run;

/// A random number from a state, by the mixing function of SplitMix64
/// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
static uint64_t mix(uint64_t state) {
  state += 0x9e3779b97f4a7c15;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
  state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
  return state ^ (state >> 31);
}

/// Appends the low `bytes` bytes of `bits`, the least significant one first.
static void append(std::string &out, uint64_t bits, int64_t bytes) {
  for (int64_t i = 0; i < bytes; ++i)
    out += static_cast<char>(bits >> (8 * i));
}

/// The bits of a normal `value` below 1 in IEEE half precision, cut off.
static uint64_t halfBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  int32_t exponent = static_cast<int32_t>((bits >> 23) & 0xff) - 127 + 15;
  uint32_t sign = (bits >> 16) & 0x8000;
  if (exponent <= 0)
    return sign; // too small for a normal number
  return sign | exponent << 10 | ((bits >> 13) & 0x3ff);
}

std::string remat::run::makeInput(const Port &port, uint64_t seed,
                                  size_t index) {
  uint64_t stream = mix(mix(seed) + index);
  int64_t width = port.elements ? port.bytes / port.elements : 0;
  bool isSigned = port.kind != "optimizer-state";
  const std::string &type = port.elementType;
  std::string bytes;
  bytes.reserve(port.bytes);
  for (int64_t i = 0; i < port.elements; ++i) {
    uint64_t random = mix(stream + i);
    if (type == "i1") {
      append(bytes, random & 1, width);
      continue;
    }
    if (type[0] == 'i' || type[0] == 'u') {
      append(bytes, random & 7, width);
      continue;
    }
    double unit = static_cast<double>(random >> 11) / (1ull << 53);
    double value = isSigned ? 0.2 * unit - 0.1 : 0.1 * unit;
    auto single = static_cast<float>(value);
    uint64_t bits = 0;
    if (type == "f64") {
      std::memcpy(&bits, &value, sizeof(value));
    } else {
      std::memcpy(&bits, &single, sizeof(single));
      if (type == "bf16")
        bits >>= 16;
      else if (type == "f16")
        bits = halfBits(single);
    }
    append(bytes, bits, width);
  }
  return bytes;
}

InputFiles remat::run::makeInputs(const Signature &signature, uint64_t seed,
                                  const std::string &directory) {
  InputFiles files;
  files.flags = directory + "/flags";
  files.results = signature.results.size();
  std::string flags = "--function=" + signature.function + "\n";
  std::string error;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Port &port = signature.arguments[i];
    std::string path = directory + "/" + std::to_string(i) + ".bin";
    if (!writeFile(path, makeInput(port, seed, i), error))
      throw RunError(error);
    flags += "--input=" + port.type + "=@" + path + "\n";
    checkInterrupted();
  }
  if (!writeFile(files.flags, flags, error))
    throw RunError(error);
  return files;
}
