//===- DiagnosticRouter.h - One path for all diagnostics ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_DIAGNOSTICROUTER_H
#define REMAT_IREE_DIAGNOSTICROUTER_H

#include "remat/Iree/SourceDiagnostic.h"

#include "mlir-c/Diagnostics.h"

#include <functional>
#include <map>
#include <mutex>

namespace remat {

/// Resolves `diagnostic`, with its notes, to positions in files.
SourceDiagnostic resolveDiagnostic(const Diagnostic &diagnostic);

/// Delivers the diagnostics of a context and those of our own passes to one
/// receiver, in an order that does not depend on threads.
///
/// MLIR holds back what the threads of a parallel pipeline emit and delivers it
/// in the order of the ops. Ours must wait in the same queue, but the C API
/// emits only errors without notes. So report() keeps the diagnostic here and
/// emits an error whose message is a ticket for it; when the ticket arrives at
/// the handler, the diagnostic is delivered in its place.
class DiagnosticRouter {
public:
  /// Called by one thread at a time. It must not emit diagnostics itself.
  using Receiver = std::function<void(const SourceDiagnostic &)>;

  /// Attaches to `context`, which must outlive this.
  DiagnosticRouter(MlirContext context, Receiver receiver);
  ~DiagnosticRouter();
  DiagnosticRouter(const DiagnosticRouter &) = delete;
  DiagnosticRouter &operator=(const DiagnosticRouter &) = delete;

  /// Takes a diagnostic of ours, from any thread.
  void report(const Diagnostic &diagnostic);

  /// report() as the sink that our passes take.
  DiagnosticSink sink();

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);

  MlirContext context;
  Receiver receiver;
  MlirDiagnosticHandlerID handlerId;
  std::mutex mutex; ///< Guards `waiting` and `nextTicket`.
  std::map<std::string, Diagnostic> waiting;
  int64_t nextTicket = 0;
};

} // namespace remat

#endif // REMAT_IREE_DIAGNOSTICROUTER_H
