//===- FileIO.h - Whole files, or none ------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SUPPORT_FILEIO_H
#define REMAT_SUPPORT_FILEIO_H

#include <optional>
#include <string>
#include <string_view>

namespace remat {

/// The contents of the file at `path` ("-" is standard input), or nothing and
/// why in `error`, e.g. "cannot read 'x.mlir': No such file or directory".
std::optional<std::string> readFile(const std::string &path,
                                    std::string &error);

/// Writes `contents` to `path` ("-" is standard output) so that the file
/// appears whole or not at all: it is written next to its target, then renamed.
/// Targets that are not regular files (devices, pipes) are written directly.
/// Returns false, and why in `error`, if anything failed, a full disk included.
bool writeFile(const std::string &path, std::string_view contents,
               std::string &error);

/// Whether writeFile could begin to write `path` now; if not, why in `error`.
/// Call it before long work whose result would otherwise be lost.
bool canWriteFile(const std::string &path, std::string &error);

} // namespace remat

#endif // REMAT_SUPPORT_FILEIO_H
