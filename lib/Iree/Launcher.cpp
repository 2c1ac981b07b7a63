//===- Launcher.cpp - Loads a program and IREE's compiler library ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executable of every program on IREE's compiler library. The program
// itself is a module (see remat/Iree/Program.h), which needs
// libIREECompiler.so. The launcher loads it instead of linking with it, so that
// the user can choose another copy of IREE's library, and a missing one is
// reported. The build defines
//
//   REMAT_PROGRAM   the name of the program, a string
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

static void *load(const char *path, int flags) {
  void *library = dlopen(path, RTLD_NOW | flags);
  if (!library)
    std::fprintf(
        stderr,
        "%s: error: cannot load IREE's compiler library: %s\n"
        "%s: note: './dev build' downloads it; to use another copy, set "
        "REMAT_IREE_COMPILER to the path of its libIREECompiler.so\n",
        REMAT_PROGRAM, dlerror(), REMAT_PROGRAM);
  return library;
}

int main(int argc, char **argv) {
  // The module needs a library with the name libIREECompiler.so: one that is
  // already loaded is used, wherever it came from.
  const char *chosen = std::getenv("REMAT_IREE_COMPILER");
  if (chosen && *chosen && !load(chosen, RTLD_GLOBAL))
    return 1;
  void *program = load("$ORIGIN/../lib/" REMAT_PROGRAM ".so", RTLD_LOCAL);
  if (!program)
    return 1;
  void *entry = dlsym(program, "rematMain");
  if (!entry) {
    std::fprintf(stderr, "%s: error: %s\n", REMAT_PROGRAM, dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char **)>(entry)(argc, argv);
}
