//===- KernelCostsFile.cpp - Measured costs as a file ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/KernelCostsFile.h"

#include "remat/Support/FileIO.h"

#include <nlohmann/json.hpp>

using namespace remat;
using Json = nlohmann::json;

std::optional<ir::KernelCosts> remat::loadKernelCosts(const std::string &path,
                                                      std::string &error) {
  std::optional<std::string> text = readFile(path, error);
  if (!text)
    return std::nullopt;
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  bool valid = json.is_object() && json.contains("kernels") &&
               json["kernels"].is_object();
  ir::KernelCosts costs;
  if (valid && json.contains("model_scale")) {
    valid = json["model_scale"].is_number() && json["model_scale"] > 0;
    costs.modelScale = valid ? json["model_scale"].get<double>() : 1;
  }
  if (valid)
    for (const auto &[kernel, nanos] : json["kernels"].items()) {
      valid &= nanos.is_number_integer() && nanos >= 0;
      if (valid)
        costs.nanos[kernel] = nanos;
    }
  if (valid)
    return costs;
  error =
      "invalid costs '" + path +
      "'; expected an object with \"kernels\", an object that maps names to "
      "whole nanoseconds, and optionally \"model_scale\", a positive number";
  return std::nullopt;
}

std::string remat::printKernelCosts(const ir::KernelCosts &costs) {
  nlohmann::ordered_json json = {{"model_scale", costs.modelScale},
                                 {"kernels", costs.nanos}};
  return json.dump(1) + "\n";
}
