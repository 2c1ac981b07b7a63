//===- PassPipeline.h - A pass manager with our passes and IREE's ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_PASSPIPELINE_H
#define REMAT_IREE_PASSPIPELINE_H

#include "remat/Iree/PipelineText.h"

#include "remat/Transforms/PassTable.h"

#include "mlir-c/Pass.h"

#include <memory>
#include <string>
#include <vector>

namespace remat {

/// A pass manager filled from text. IREE's library has no C function that
/// registers a pass under a name, so its own pipeline parser does not know
/// ours: the text is parsed here, our passes are added as external passes, and
/// every other pass is handed to IREE as text.
///
/// Our passes run on any op that they are nested under.
class PassPipeline {
public:
  /// An empty pipeline on ops called `anchor`, which checkAnchor() accepts.
  /// What our passes report goes to `sink`, from any thread.
  PassPipeline(MlirContext context, const std::string &anchor,
               DiagnosticSink sink);
  ~PassPipeline();
  PassPipeline(const PassPipeline &) = delete;
  PassPipeline &operator=(const PassPipeline &) = delete;

  /// Appends `elements`. False, and why in `error`, if a pass is unknown, if
  /// its options are, or if it cannot run where the text puts it; the pipeline
  /// must not be run then.
  bool append(const std::vector<PipelineElement> &elements,
              PipelineError &error);

  /// Appends a single pass, as for a flag on the command line: a pass that is
  /// restricted to one op, such as func.func, is nested under it if the
  /// pipeline runs on another.
  bool appendNesting(const PipelineElement &element, PipelineError &error);

  /// For further settings.
  MlirPassManager get() { return manager; }

  /// Runs on `root`. False after an error was reported.
  bool run(MlirOperation root);

private:
  /// A pass of ours and its options; the user data of its callbacks.
  struct Instance {
    const PassEntry *entry;
    PassFunction run;
    const DiagnosticSink *sink;
  };

  bool appendTo(MlirOpPassManager where, const PipelineElement &element,
                PipelineError &error);
  static void runInstance(MlirOperation root, MlirExternalPass pass,
                          void *instance);

  MlirContext context;
  std::string anchor;
  DiagnosticSink sink;
  MlirPassManager manager;
  std::vector<std::unique_ptr<Instance>> instances;
};

/// Whether the name of `element`, a nested pipeline, can be that of an op:
/// "dialect.op", or "any" for all ops. False, and why in `error`, if not. MLIR
/// takes any name, and then runs nothing.
bool checkAnchor(const PipelineElement &element, PipelineError &error);

/// Whether IREE or we have a pass or pipeline called `name`.
bool isPassName(MlirContext context, const std::string &name);

} // namespace remat

#endif // REMAT_IREE_PASSPIPELINE_H
