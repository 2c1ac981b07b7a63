//===- Generated.h - Training steps of made-up models ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems of any size, the same for the same arguments on every platform. Each
// has a forward pass, and a backward pass that reads the activations in reverse
// order and computes the gradients; gradients from several consumers are added
// up in a separate step.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_BENCH_GENERATED_H
#define REMAT_TEST_BENCH_GENERATED_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// One operation of a forward pass and its result.
struct ForwardOp {
  /// Earlier operations whose results it reads; none for one that reads the
  /// input of the model.
  std::vector<int32_t> inputs;
  int64_t bytes;
  int64_t cost;
};

/// The training step of `ops`; backward operations cost twice as much.
Problem trainingStep(const std::vector<ForwardOp> &ops);

/// A chain of layers, alternately cheap and expensive; about `numSteps` steps.
Problem generateChain(int32_t numSteps);

/// Layers of 1 to 8 operations, each of which reads one to three results of the
/// previous layer, sometimes one from much earlier.
Problem generateLayered(int32_t numSteps, uint64_t seed);

/// Stages of halved size down and up again, with a skip at each.
Problem generateUNet(int32_t numSteps);

/// Blocks in which each operation reads all earlier results of its block.
Problem generateDenseNet(int32_t numSteps);

} // namespace remat::solver

#endif // REMAT_TEST_BENCH_GENERATED_H
