//===- Version.h - The version of Remat -----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SUPPORT_VERSION_H
#define REMAT_SUPPORT_VERSION_H

#include <string>

namespace remat {

/// What `program` prints for --version: "remat-solve 0.1.0", with `uses` after
/// a comma if there is any. The number is that of the CMake project.
std::string versionText(const std::string &program,
                        const std::string &uses = {});

/// The release of IREE that third_party/iree-requirements.txt names, "3.13.0".
const char *pinnedIreeVersion();

} // namespace remat

#endif // REMAT_SUPPORT_VERSION_H
