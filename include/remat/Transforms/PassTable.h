//===- PassTable.h - Our passes by name, for hosts without C++ passes -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_PASSTABLE_H
#define REMAT_TRANSFORMS_PASSTABLE_H

#include "remat/Transforms/Rematerialize.h"

#include <string_view>

namespace remat {

/// One option of a pass, as help texts show it.
struct PassOption {
  const char *name;
  const char *defaultValue;
  const char *help;
};

/// A pass that is called by name.
struct PassEntry {
  const char *name;
  const char *summary;
  std::vector<PassOption> options;
  /// Runs on `root`, which it may change. Returns false after an error was
  /// reported to `sink`. What a printing pass prints goes to standard error, as
  /// from mlir-opt.
  bool (*run)(MlirOperation root, const RematOptions &options,
              const DiagnosticSink &sink);
};

/// The same passes, options and defaults as Passes.td declares.
const std::vector<PassEntry> &allPasses();

/// Parses the text between the braces of a pipeline element, such as
/// `memory-cap=50% best-effort`, for `pass`. Returns what is wrong with it, or
/// nothing.
std::string parsePassOptions(const PassEntry &pass, std::string_view text,
                             RematOptions &options);

} // namespace remat

#endif // REMAT_TRANSFORMS_PASSTABLE_H
