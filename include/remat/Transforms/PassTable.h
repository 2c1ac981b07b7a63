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

#include <functional>
#include <string_view>

namespace remat {

/// One option of a pass, as help texts show it.
struct PassOption {
  const char *name;
  const char *defaultValue;
  const char *help;
};

/// A pass with its options, ready to run on `root`, which it may change.
/// Returns false after an error was reported to `sink`. Printing passes print
/// to standard error, as in mlir-opt.
using PassFunction =
    std::function<bool(MlirOperation root, const DiagnosticSink &sink)>;

/// A pass that is called by name.
struct PassEntry {
  const char *name;
  /// The name in MLIR's dumps and timing, the same as in mlir-opt.
  const char *className;
  const char *summary;
  std::vector<PassOption> options;
  /// Parses the text between the braces of a pipeline element, such as
  /// `memory-cap=50% best-effort`. If the text is invalid, returns an empty
  /// function and the reason in `error`.
  PassFunction (*bind)(std::string_view text, std::string &error);
};

/// The passes that Passes.td declares, in its order.
const std::vector<PassEntry> &allPasses();

// For each pass, with the struct of its options:
//
//   /// Returns an error about the values, or an empty string.
//   std::string checkOptions(const FooOptions &options);
//   /// The pass as a PassFunction.
//   bool runPass(MlirOperation root, const FooOptions &options,
//                const DiagnosticSink &sink);
#define GEN_PASS_FUNCTIONS
#include "remat/Transforms/PassOptions.h.inc"

} // namespace remat

#endif // REMAT_TRANSFORMS_PASSTABLE_H
