//===- Interpreter.h - Executes a graph, slowly and obviously -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of the operations of a Graph, written from the specification and
// sharing no code with the builder's gradients. Floating-point elements of
// every type are computed as double, so that finite differences are accurate;
// i32 wraps around as it must.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_MODELS_INTERPRETER_H
#define REMAT_TEST_UNIT_MODELS_INTERPRETER_H

#include "remat/Models/Graph.h"

#include <vector>

namespace remat::models {

/// Elements of a tensor in row-major order.
using Elements = std::vector<double>;

/// The results of the function for `arguments`, one per argument in order.
std::vector<Elements> interpret(const Graph &graph,
                                const std::vector<Elements> &arguments);

} // namespace remat::models

#endif // REMAT_TEST_UNIT_MODELS_INTERPRETER_H
