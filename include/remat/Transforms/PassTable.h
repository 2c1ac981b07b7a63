//===- PassTable.h - Our passes by name, for hosts without C++ passes -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_PASSTABLE_H
#define REMAT_TRANSFORMS_PASSTABLE_H

#include "remat/IR/Diagnostic.h"

#include <string_view>

namespace remat {

/// One option of a pass, as help texts show it.
struct PassOption {
  const char *name;
  const char *defaultValue;
  const char *help;
};

/// A pass that takes the text between the braces of a pipeline element, e.g.
/// `memory-cap=50% best-effort`.
struct PassEntry {
  const char *name;
  const char *summary;
  std::vector<PassOption> options;
  /// Parses `optionText` alone, without running: the error, or empty.
  std::string (*checkOptions)(std::string_view optionText);
  /// Runs on `root`. Returns false after an error was reported to `sink`. What
  /// a printing pass prints goes to standard error, as from mlir-opt.
  bool (*run)(MlirOperation root, std::string_view optionText,
              const DiagnosticSink &sink);
};

/// The same passes, options and defaults as Passes.td declares.
const std::vector<PassEntry> &allPasses();

} // namespace remat

#endif // REMAT_TRANSFORMS_PASSTABLE_H
