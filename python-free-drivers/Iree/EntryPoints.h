//===- EntryPoints.h - What libRematIree.so exports -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tools on IREE's compiler library. The programs themselves are launchers
// that load libRematIree.so, because a program that were linked with a library
// which is not there could not say so in its own words.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_DRIVERS_IREE_ENTRYPOINTS_H
#define REMAT_DRIVERS_IREE_ENTRYPOINTS_H

extern "C" {

/// The main function of remat-opt; returns its exit code.
int rematOptMain(int argc, char **argv);

/// The main function of remat-compile; returns its exit code.
int rematCompileMain(int argc, char **argv);

} // extern "C"

#endif // REMAT_DRIVERS_IREE_ENTRYPOINTS_H
