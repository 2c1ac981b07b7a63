//===- Launcher.cpp - Loads a tool and IREE's compiler library ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole of the programs on IREE's compiler library. The tools themselves
// are in libRematIree.so, which needs libIREECompiler.so: loading it here
// rather than linking with it lets the user choose another copy of IREE's
// library, and lets a missing one be explained. The build defines
//
//   REMAT_TOOL_NAME   the name of the program, a string
//   REMAT_TOOL_ENTRY  the function of libRematIree.so to call, a string
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

static void *load(const char *path, int flags) {
  void *library = dlopen(path, RTLD_NOW | flags);
  if (!library)
    std::fprintf(stderr,
                 "%s: error: cannot load IREE's compiler library: %s\n"
                 "%s: note: './dev build' obtains it; another copy is used if "
                 "REMAT_IREE_COMPILER holds the path of its "
                 "libIREECompiler.so\n",
                 REMAT_TOOL_NAME, dlerror(), REMAT_TOOL_NAME);
  return library;
}

int main(int argc, char **argv) {
  // The tools need a library by the name of libIREECompiler.so: one that is
  // loaded already is taken, wherever it came from.
  const char *chosen = std::getenv("REMAT_IREE_COMPILER");
  if (chosen && *chosen && !load(chosen, RTLD_GLOBAL))
    return 1;
  void *tools = load("$ORIGIN/../lib/libRematIree.so", RTLD_LOCAL);
  if (!tools)
    return 1;
  void *entry = dlsym(tools, REMAT_TOOL_ENTRY);
  if (!entry) {
    std::fprintf(stderr, "%s: error: %s\n", REMAT_TOOL_NAME, dlerror());
    return 1;
  }
  return reinterpret_cast<int (*)(int, char **)>(entry)(argc, argv);
}
