//===- CompilerApi.h - IREE's embedding API, as far as we use it ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IREE's compiler package ships libIREECompiler.so without headers. These are
// the functions of its C embedding API (API version 1.x) that lib/Iree calls.
// The same library exports the MLIR C API; its headers come with MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_COMPILERAPI_H
#define REMAT_IREE_COMPILERAPI_H

#include "mlir-c/IR.h"

#include <cstddef>
#include <cstdint>

// The names are IREE's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

struct iree_compiler_error_t;
struct iree_compiler_session_t;
struct iree_compiler_invocation_t;
struct iree_compiler_source_t;
struct iree_compiler_output_t;

/// Severities as callback diagnostics carry them.
enum iree_compiler_diagnostic_severity_t {
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_NOTE = 0,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_WARNING = 1,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_ERROR = 2,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_REMARK = 3,
};

/// The full compilation pipeline.
enum iree_compiler_pipeline_t { IREE_COMPILER_PIPELINE_STD = 0 };

// Process-wide set-up.
void ireeCompilerGlobalInitialize();
void ireeCompilerGlobalShutdown();
const char *ireeCompilerGetRevision();
void ireeCompilerSetupGlobalCL(int argc, const char **argv, const char *banner,
                               bool installSignalHandlers);
void ireeCompilerRegisterDialects(MlirDialectRegistry registry);
void ireeCompilerInitializeContext(MlirContext context);

// Errors are owned by the caller.
void ireeCompilerErrorDestroy(iree_compiler_error_t *error);
const char *ireeCompilerErrorGetMessage(iree_compiler_error_t *error);

// A session holds flags and the context; an invocation compiles one module.
iree_compiler_session_t *ireeCompilerSessionCreate();
void ireeCompilerSessionDestroy(iree_compiler_session_t *session);
iree_compiler_error_t *
ireeCompilerSessionSetFlags(iree_compiler_session_t *session, int argc,
                            const char *const *argv);
MlirContext ireeCompilerSessionBorrowContext(iree_compiler_session_t *session);

iree_compiler_invocation_t *
ireeCompilerInvocationCreate(iree_compiler_session_t *session);
void ireeCompilerInvocationDestroy(iree_compiler_invocation_t *invocation);
void ireeCompilerInvocationEnableCallbackDiagnostics(
    iree_compiler_invocation_t *invocation, int flags,
    void (*callback)(iree_compiler_diagnostic_severity_t severity,
                     const char *message, size_t messageSize, void *userData),
    void *userData);
bool ireeCompilerInvocationParseSource(iree_compiler_invocation_t *invocation,
                                       iree_compiler_source_t *source);
void ireeCompilerInvocationSetCompileFromPhase(
    iree_compiler_invocation_t *invocation, const char *phase);
void ireeCompilerInvocationSetCompileToPhase(
    iree_compiler_invocation_t *invocation, const char *phase);
bool ireeCompilerInvocationPipeline(iree_compiler_invocation_t *invocation,
                                    iree_compiler_pipeline_t pipeline);
bool ireeCompilerInvocationRunPassPipeline(
    iree_compiler_invocation_t *invocation, const char *textPassPipeline);
bool ireeCompilerInvocationImportStealModule(
    iree_compiler_invocation_t *invocation, MlirOperation module);
MlirOperation
ireeCompilerInvocationExportStealModule(iree_compiler_invocation_t *invocation);
iree_compiler_error_t *
ireeCompilerInvocationOutputVMBytecode(iree_compiler_invocation_t *invocation,
                                       iree_compiler_output_t *output);

// Sources and outputs are owned by the caller.
iree_compiler_error_t *
ireeCompilerSourceWrapBuffer(iree_compiler_session_t *session,
                             const char *bufferName, const char *buffer,
                             size_t length, bool isNullTerminated,
                             iree_compiler_source_t **outSource);
void ireeCompilerSourceDestroy(iree_compiler_source_t *source);
iree_compiler_error_t *
ireeCompilerOutputOpenMembuffer(iree_compiler_output_t **outOutput);
iree_compiler_error_t *
ireeCompilerOutputMapMemory(iree_compiler_output_t *output, void **contents,
                            uint64_t *size);
void ireeCompilerOutputDestroy(iree_compiler_output_t *output);

// The main function of iree-opt. It sets up the process itself: call it once,
// and no other function of the library.
int ireeOptRunMain(int argc, char **argv);

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // REMAT_IREE_COMPILERAPI_H
