//===- Version.cpp - The version of Remat ---------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The build defines REMAT_VERSION and REMAT_PINNED_IREE_VERSION, for this file
// alone: a new version compiles nothing else.
//
//===----------------------------------------------------------------------===//

#include "remat/Support/Version.h"

std::string remat::versionText(const std::string &program,
                               const std::string &uses) {
  return program + " " + REMAT_VERSION + (uses.empty() ? "" : ", " + uses);
}

const char *remat::pinnedIreeVersion() { return REMAT_PINNED_IREE_VERSION; }
