//===- Passes.cpp - Shells of the passes for C++ hosts --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass reads its options into plain values, calls the function behind it
// and renders what that reports through MLIR's own channels.
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/Passes.h"

#include "remat/Transforms/PassTable.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace remat {
#define GEN_PASS_DEF_REMATERIALIZEPASS
#define GEN_PASS_DEF_PRINTLIVERANGESPASS
#define GEN_PASS_DEF_PRINTCOSTSPASS
#define GEN_PASS_DEF_PRINTPROBLEMPASS
#include "remat/Transforms/Passes.h.inc"
} // namespace remat

using namespace remat;

static mlir::DiagnosticSeverity toMlir(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return mlir::DiagnosticSeverity::Error;
  case Severity::Warning:
    return mlir::DiagnosticSeverity::Warning;
  case Severity::Remark:
    return mlir::DiagnosticSeverity::Remark;
  case Severity::Note:
    return mlir::DiagnosticSeverity::Note;
  }
  llvm_unreachable("all severities are handled");
}

/// Hands a diagnostic of the bridge to MLIR's engine, notes attached.
static void emit(const Diagnostic &diagnostic) {
  mlir::Location location = unwrap(diagnostic.location);
  mlir::InFlightDiagnostic inFlight =
      location->getContext()->getDiagEngine().emit(location,
                                                   toMlir(diagnostic.severity));
  inFlight << diagnostic.message;
  for (const Diagnostic &note : diagnostic.notes)
    inFlight.attachNote(unwrap(note.location)) << note.message;
}

/// Reports what is wrong with the values of the options of `pass`; false if
/// anything is.
template <typename OptionsT>
static bool checkOptions(mlir::Pass &pass, mlir::Operation *root,
                         const OptionsT &options) {
  std::string error = remat::checkOptions(options);
  if (error.empty())
    return true;
  root->emitError() << "pass '" << pass.getArgument() << "': " << error;
  return false;
}

/// Runs a pass that only prints on `root`; false after an error was reported.
template <typename OptionsT>
static bool print(mlir::Pass &pass, mlir::Operation *root,
                  const OptionsT &options) {
  return checkOptions(pass, root, options) &&
         runPass(wrap(root), options, emit);
}

namespace {

struct Rematerialize : impl::RematerializePassBase<Rematerialize> {
  using Base::Base;
#define GEN_READ_OPTIONS_REMATERIALIZEPASS
#include "remat/Transforms/PassOptions.h.inc"

  void runOnOperation() override {
    RematOptions options(readOptions());
    if (!checkOptions(*this, getOperation(), options))
      return signalPassFailure();
    RematReport result;
    if (!rematerialize(wrap(getOperation()), options, emit, result))
      return signalPassFailure();
    if (result.totalRecomputedSteps() == 0 && !result.isReordered() &&
        result.repair.lateReads == 0)
      return markAllAnalysesPreserved();
    numStepsRecomputed += result.totalRecomputedSteps();
    for (const RegionReport &region : result.regions) {
      if (region.recomputedSteps == 0 && !region.reordered)
        continue;
      mlir::remark::passed(
          getOperation()->getLoc(),
          mlir::remark::RemarkOpts::name(
              region.recomputedSteps > 0 ? "Rematerialized" : "Reordered")
              .category(getArgument())
              .function(region.function))
          << (region.recomputedSteps > 0
                  ? "recomputed steps to meet the memory cap"
                  : "put steps into another order to meet the memory cap")
          << mlir::remark::metric("PeakBytesBefore",
                                  region.outsideBytes +
                                      region.transientBytesBefore)
          << mlir::remark::metric("PeakBytesAfter",
                                  region.outsideBytes +
                                      region.transientBytesAfter)
          << mlir::remark::metric("Steps", region.steps)
          << mlir::remark::metric("RecomputedSteps", region.recomputedSteps);
    }
  }
};

struct PrintLiveRanges : impl::PrintLiveRangesPassBase<PrintLiveRanges> {
#define GEN_READ_OPTIONS_PRINTLIVERANGESPASS
#include "remat/Transforms/PassOptions.h.inc"

  void runOnOperation() override {
    if (!print(*this, getOperation(), readOptions()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct PrintCosts : impl::PrintCostsPassBase<PrintCosts> {
  using Base::Base;
#define GEN_READ_OPTIONS_PRINTCOSTSPASS
#include "remat/Transforms/PassOptions.h.inc"

  void runOnOperation() override {
    if (!print(*this, getOperation(), readOptions()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct PrintProblem : impl::PrintProblemPassBase<PrintProblem> {
  using Base::Base;
#define GEN_READ_OPTIONS_PRINTPROBLEMPASS
#include "remat/Transforms/PassOptions.h.inc"

  void runOnOperation() override {
    if (!print(*this, getOperation(), readOptions()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
