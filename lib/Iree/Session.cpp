//===- Session.cpp - IREE's compiler library, set up ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Session.h"

#include <cstring>
#include <memory>
#include <new>

using namespace remat;

IreeSession::IreeSession(const char *program,
                         const std::vector<std::string> &flags) {
  ireeCompilerGlobalInitialize();
  std::vector<const char *> arguments{program};
  for (const std::string &flag : flags)
    arguments.push_back(flag.c_str());
  ireeCompilerSetupGlobalCL(static_cast<int>(arguments.size()),
                            arguments.data(), program,
                            /*installSignalHandlers=*/false);
  session = ireeCompilerSessionCreate();
  // IREE's passes crash on unregistered ops; the parser names them.
  mlirContextSetAllowUnregisteredDialects(context(), false);
}

IreeSession::~IreeSession() {
  ireeCompilerSessionDestroy(session);
  ireeCompilerGlobalShutdown();
}

MlirOperation IreeSession::parse(const SourceBuffer &source) {
  // The parser looks for a null after the text. Bytecode may hold constants
  // that must be aligned in memory as they are in the file; the alignment of a
  // page suffices for all of them.
  constexpr std::align_val_t alignment{4096};
  size_t length = source.text.size() + 1;
  auto release = [&](char *memory) { operator delete(memory, alignment); };
  std::unique_ptr<char, decltype(release)> copy(
      static_cast<char *>(operator new(length, alignment)), release);
  std::memcpy(copy.get(), source.text.c_str(), length);

  // Wrapping a buffer fails only if it lacks the null.
  iree_compiler_source_t *wrapped = nullptr;
  if (iree_compiler_error_t *error = ireeCompilerSourceWrapBuffer(
          session, source.name.c_str(), copy.get(), length,
          /*isNullTerminated=*/true, &wrapped)) {
    ireeCompilerErrorDestroy(error);
    return {nullptr};
  }
  iree_compiler_invocation_t *invocation =
      ireeCompilerInvocationCreate(session);
  MlirOperation module{nullptr};
  if (ireeCompilerInvocationParseSource(invocation, wrapped))
    module = ireeCompilerInvocationExportStealModule(invocation);
  ireeCompilerInvocationDestroy(invocation);
  ireeCompilerSourceDestroy(wrapped);
  return module;
}

std::string remat::ireeCompilerVersionText() {
  ireeCompilerGlobalInitialize();
  return std::string("IREE compiler ") + ireeCompilerGetRevision() +
         ", MLIR C API " + REMAT_MLIR_VERSION;
}
