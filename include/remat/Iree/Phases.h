//===- Phases.h - Modules through IREE's pipelines ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_PHASES_H
#define REMAT_IREE_PHASES_H

#include "remat/Iree/CompilerApi.h"

#include <memory>
#include <optional>
#include <string>

namespace remat {

/// Owns a module that does not belong to an invocation.
struct ModuleDeleter {
  void operator()(void *module) const { mlirOperationDestroy({module}); }
};
using OwnedModule = std::unique_ptr<void, ModuleDeleter>;

/// The module as an operation.
inline MlirOperation toOperation(const OwnedModule &module) {
  return {module.get()};
}
inline OwnedModule own(MlirOperation module) { return OwnedModule(module.ptr); }
inline OwnedModule clone(const OwnedModule &module) {
  return own(mlirOperationClone(toOperation(module)));
}

/// Each function takes a module through one part of IREE's compiler and returns
/// the result, or nothing after IREE emitted diagnostics on the context.
/// `session` is the one whose context the module lives in.

/// From an input dialect to stream.async: scheduled, not allocated.
OwnedModule runToAsync(iree_compiler_session_t *session, OwnedModule module);

/// Who assigns the offset of each tensor in the slab.
enum class Packer { Iree, Remat };

/// From stream.async to stream.cmd: allocated.
OwnedModule runToAllocated(iree_compiler_session_t *session, OwnedModule module,
                           Packer packer);

/// From stream.cmd to the bytes of a .vmfb; `error` holds the
/// reason of a failure that is not a diagnostic.
std::optional<std::string> runToBytecode(iree_compiler_session_t *session,
                                         OwnedModule module,
                                         std::string &error);

} // namespace remat

#endif // REMAT_IREE_PHASES_H
