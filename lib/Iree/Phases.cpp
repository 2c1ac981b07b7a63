//===- Phases.cpp - Modules through IREE's pipelines ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Phases.h"

#include "remat/IR/PackSlices.h"

using namespace remat;

namespace {
/// One invocation of IREE's compiler, holding one module.
class Invocation {
public:
  explicit Invocation(iree_compiler_session_t *session)
      : invocation(ireeCompilerInvocationCreate(session)) {}
  ~Invocation() { ireeCompilerInvocationDestroy(invocation); }
  Invocation(const Invocation &) = delete;
  Invocation &operator=(const Invocation &) = delete;

  bool import(OwnedModule module) {
    return ireeCompilerInvocationImportStealModule(invocation,
                                                   {module.release()});
  }
  bool runPhases(const char *from, const char *to) {
    if (from)
      ireeCompilerInvocationSetCompileFromPhase(invocation, from);
    ireeCompilerInvocationSetCompileToPhase(invocation, to);
    return ireeCompilerInvocationPipeline(invocation,
                                          IREE_COMPILER_PIPELINE_STD);
  }
  bool runPasses(const char *pipeline) {
    return ireeCompilerInvocationRunPassPipeline(invocation, pipeline);
  }
  OwnedModule take() {
    return own(ireeCompilerInvocationExportStealModule(invocation));
  }
  iree_compiler_invocation_t *get() { return invocation; }

private:
  iree_compiler_invocation_t *invocation;
};
} // namespace

OwnedModule remat::runToAsync(iree_compiler_session_t *session,
                              OwnedModule module) {
  Invocation invocation(session);
  if (!invocation.import(std::move(module)) ||
      !invocation.runPhases(nullptr, "flow") ||
      !invocation.runPasses("iree-stream-tensor-transformation-pipeline,"
                            "iree-stream-async-transformation-pipeline"))
    return {};
  return invocation.take();
}

OwnedModule remat::runToAllocated(iree_compiler_session_t *session,
                                  OwnedModule module, Packer packer) {
  if (packer == Packer::Remat) {
    Invocation scheduling(session);
    if (!scheduling.import(std::move(module)) ||
        !scheduling.runPasses("iree-stream-schedule-allocation"))
      return {};
    module = scheduling.take();
    ir::packSlices(toOperation(module));
  }
  Invocation invocation(session);
  if (!invocation.import(std::move(module)) ||
      !invocation.runPasses("iree-stream-cmd-transformation-pipeline,"
                            "iree-stream-optimization-pipeline"))
    return {};
  return invocation.take();
}

/// The message of `error`, which is released; empty if there is none.
static std::string take(iree_compiler_error_t *error) {
  if (!error)
    return {};
  std::string message = ireeCompilerErrorGetMessage(error);
  ireeCompilerErrorDestroy(error);
  return message;
}

std::optional<std::string>
remat::runToBytecode(iree_compiler_session_t *session, OwnedModule module,
                     std::string &error) {
  Invocation invocation(session);
  if (!invocation.import(std::move(module)) ||
      !invocation.runPhases("stream", "end"))
    return std::nullopt;
  iree_compiler_output_t *output = nullptr;
  error = take(ireeCompilerOutputOpenMembuffer(&output));
  if (!error.empty())
    return std::nullopt;
  void *contents = nullptr;
  uint64_t size = 0;
  std::optional<std::string> bytes;
  error =
      take(ireeCompilerInvocationOutputVMBytecode(invocation.get(), output));
  if (error.empty())
    error = take(ireeCompilerOutputMapMemory(output, &contents, &size));
  if (error.empty())
    bytes.emplace(static_cast<const char *>(contents), size);
  ireeCompilerOutputDestroy(output);
  return bytes;
}
