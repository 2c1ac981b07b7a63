//===- Target.cpp - What IREE compiles for --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Target.h"

using namespace remat;

std::optional<std::vector<std::string>>
remat::flagsForTarget(const std::string &target,
                      const std::vector<std::string> &userFlags) {
  std::vector<std::string> flags = userFlags;
  auto addUnlessGiven = [&](const std::string &flag, const std::string &value) {
    for (const std::string &given : userFlags)
      if (given == flag || given.rfind(flag + "=", 0) == 0)
        return;
    flags.push_back(flag + "=" + value);
  };
  if (target == "cpu" || target == "cpu:im2col") {
    addUnlessGiven("--iree-hal-target-device", "local");
    addUnlessGiven("--iree-hal-local-target-device-backends", "llvm-cpu");
    addUnlessGiven("--iree-llvmcpu-target-cpu", "host");
    if (target == "cpu:im2col")
      addUnlessGiven("--iree-global-opt-use-im2col-for-convs", "true");
    return flags;
  }
  std::string architecture = "sm_80";
  if (target.rfind("cuda:", 0) == 0)
    architecture = target.substr(sizeof("cuda:") - 1);
  else if (target != "cuda")
    return std::nullopt;
  addUnlessGiven("--iree-hal-target-device", "cuda");
  addUnlessGiven("--iree-cuda-target", architecture);
  return flags;
}

std::string remat::machineOfTarget(const std::string &target) {
  return target.substr(0, target.find(':'));
}
