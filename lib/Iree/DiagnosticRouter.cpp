//===- DiagnosticRouter.cpp - One path for all diagnostics ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/DiagnosticRouter.h"

using namespace remat;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

static std::string toString(MlirStringRef text) {
  return std::string(text.data, text.length);
}

/// The position of `location`: that of the innermost callee, and of the first
/// part of a fused location that has one. Callers are appended to `callers` if
/// given, innermost first.
static SourcePosition resolve(MlirLocation location,
                              std::vector<SourcePosition> *callers) {
  if (mlirLocationIsAFileLineColRange(location))
    return {toString(mlirIdentifierStr(
                mlirLocationFileLineColRangeGetFilename(location))),
            mlirLocationFileLineColRangeGetStartLine(location),
            mlirLocationFileLineColRangeGetStartColumn(location)};
  if (mlirLocationIsAName(location))
    return resolve(mlirLocationNameGetChildLoc(location), callers);
  if (mlirLocationIsACallSite(location)) {
    SourcePosition position =
        resolve(mlirLocationCallSiteGetCallee(location), callers);
    std::vector<SourcePosition> outer;
    SourcePosition caller =
        resolve(mlirLocationCallSiteGetCaller(location), &outer);
    if (!position.isKnown())
      return caller;
    if (callers && caller.isKnown()) {
      callers->push_back(caller);
      callers->insert(callers->end(), outer.begin(), outer.end());
    }
    return position;
  }
  if (mlirLocationIsAFused(location)) {
    std::vector<MlirLocation> parts(mlirLocationFusedGetNumLocations(location));
    mlirLocationFusedGetLocations(location, parts.data());
    for (MlirLocation part : parts) {
      SourcePosition position = resolve(part, nullptr);
      if (position.isKnown())
        return position;
    }
  }
  return {};
}

SourceDiagnostic remat::resolveDiagnostic(const Diagnostic &diagnostic) {
  SourceDiagnostic result;
  result.severity = diagnostic.severity;
  result.message = diagnostic.message;
  result.position = resolve(diagnostic.location, &result.callers);
  for (const Diagnostic &note : diagnostic.notes) {
    result.notes.push_back(resolveDiagnostic(note));
    // Notes are mostly about the same op; do not print its callers again.
    result.notes.back().callers.clear();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// MLIR's own diagnostics
//===----------------------------------------------------------------------===//

static Severity convert(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticError:
    return Severity::Error;
  case MlirDiagnosticWarning:
    return Severity::Warning;
  case MlirDiagnosticNote:
    return Severity::Note;
  case MlirDiagnosticRemark:
    return Severity::Remark;
  }
  return Severity::Error;
}

static Diagnostic convert(MlirDiagnostic diagnostic) {
  Diagnostic result;
  result.severity = convert(mlirDiagnosticGetSeverity(diagnostic));
  result.location = mlirDiagnosticGetLocation(diagnostic);
  mlirDiagnosticPrint(
      diagnostic,
      [](MlirStringRef piece, void *out) {
        static_cast<std::string *>(out)->append(piece.data, piece.length);
      },
      &result.message);
  for (intptr_t i = 0, e = mlirDiagnosticGetNumNotes(diagnostic); i < e; ++i)
    result.notes.push_back(convert(mlirDiagnosticGetNote(diagnostic, i)));
  return result;
}

//===----------------------------------------------------------------------===//
// DiagnosticRouter
//===----------------------------------------------------------------------===//

DiagnosticRouter::DiagnosticRouter(MlirContext context, Receiver receiver)
    : context(context), receiver(std::move(receiver)),
      handlerId(mlirContextAttachDiagnosticHandler(context, &handle, this,
                                                   nullptr)) {}

DiagnosticRouter::~DiagnosticRouter() {
  mlirContextDetachDiagnosticHandler(context, handlerId);
}

void DiagnosticRouter::report(const Diagnostic &diagnostic) {
  std::string ticket;
  {
    std::lock_guard<std::mutex> lock(mutex);
    // No message of MLIR begins with a control character.
    ticket = "\x01remat " + std::to_string(nextTicket++);
    waiting.emplace(ticket, diagnostic);
  }
  mlirEmitError(diagnostic.location, ticket.c_str());
}

DiagnosticSink DiagnosticRouter::sink() {
  return [this](const Diagnostic &diagnostic) { report(diagnostic); };
}

MlirLogicalResult DiagnosticRouter::handle(MlirDiagnostic arrived,
                                           void *userData) {
  DiagnosticRouter &self = *static_cast<DiagnosticRouter *>(userData);
  Diagnostic diagnostic = convert(arrived);
  {
    std::lock_guard<std::mutex> lock(self.mutex);
    auto found = self.waiting.find(diagnostic.message);
    if (found != self.waiting.end()) {
      diagnostic = std::move(found->second);
      self.waiting.erase(found);
    }
  }
  self.receiver(resolveDiagnostic(diagnostic));
  return mlirLogicalResultSuccess();
}
