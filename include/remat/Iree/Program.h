//===- Program.h - Programs on IREE's compiler library --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program linked with a missing library cannot report that in its own words.
// So a program on IREE's compiler library has two parts, which
// remat_iree_program() in lib/Iree/CMakeLists.txt builds: a launcher, bin/NAME
// (Launcher.cpp), which needs nothing, and a module, lib/NAME.so, which needs
// libIREECompiler.so. The launcher loads the module and calls rematMain().
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IREE_PROGRAM_H
#define REMAT_IREE_PROGRAM_H

/// The main function of a program on IREE's compiler library; returns its exit
/// code. The only symbol that the module of a program exports.
extern "C" int rematMain(int argc, char **argv);

#endif // REMAT_IREE_PROGRAM_H
