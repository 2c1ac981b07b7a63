//===- PipelineText.h - The textual form of a pass pipeline ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's grammar of pipelines, without knowing any pass:
//
//   pipeline ::= element
//   element  ::= op-name `(` (element (`,` element)*)? `)`
//              | pass-name (`{` options `}`)?
//
// The outermost element must be of the first form. White space around names
// is ignored. Braces in options must be balanced, except between quotes.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_PIPELINETEXT_H
#define REMAT_IREE_PIPELINETEXT_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// A pass with its options, or a pipeline nested below an op.
struct PipelineElement {
  /// The pass, or the op that `nested` runs on.
  std::string name;
  bool isNested = false;
  std::vector<PipelineElement> nested;
  /// The text between the braces, without them.
  std::string options;
  /// Where the element begins in the text it was parsed from.
  size_t offset = 0;

  /// The element in textual form; parsing it yields the same element.
  std::string text() const;
};

/// What is wrong with a pipeline, and where.
struct PipelineError {
  std::string message;
  size_t offset = 0;

  /// The message, `text` and a caret below the place, e.g.
  ///
  ///   in the pass pipeline, column 20: expected a pass name
  ///     builtin.module(cse,)
  ///                        ^
  std::string format(std::string_view text) const;
};

/// Parses a whole pipeline. Nothing, and why in `error`, if it is malformed.
std::optional<PipelineElement> parsePipelineText(std::string_view text,
                                                 PipelineError &error);

} // namespace remat

#endif // REMAT_IREE_PIPELINETEXT_H
