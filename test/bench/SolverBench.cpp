//===- SolverBench.cpp - How planning scales with the program -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The argument of each benchmark is the number of layers of a chain; its
// training step has twice as many steps.
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Problem.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <benchmark/benchmark.h>

using namespace remat::solver;

/// The training step of a chain: layer i reads activation i and makes
/// activation i + 1; backwards, it reads activation i and the gradient of
/// activation i + 1 and makes that of activation i. Plain, all activations
/// (1 MiB each) are live when the backward pass begins.
static Problem trainingChain(int32_t layers) {
  Problem problem;
  auto addTensor = [&](TensorKind kind) {
    auto id = static_cast<TensorId>(problem.tensors.size());
    problem.tensors.push_back({1 << 20, kind, /*alias=*/-1, /*label=*/id});
    return id;
  };
  auto addStep = [&](std::vector<TensorId> operands, TensorId result) {
    Step step;
    step.operands = std::move(operands);
    step.results = {result};
    step.cost = 1000;
    step.label = static_cast<int64_t>(problem.steps.size());
    problem.steps.push_back(std::move(step));
  };

  std::vector<TensorId> activations = {addTensor(TensorKind::Input)};
  problem.inputs = activations;
  for (int32_t layer = 0; layer < layers; ++layer) {
    TensorId next = addTensor(TensorKind::Activation);
    addStep({activations.back()}, next);
    activations.push_back(next);
  }
  TensorId gradient = activations.back();
  for (int32_t layer = layers; layer-- > 0;) {
    TensorId next = addTensor(TensorKind::Gradient);
    addStep({activations[layer], gradient}, next);
    gradient = next;
  }
  problem.outputs = {gradient};
  return problem;
}

/// Live ranges and memory over time of the plain schedule.
static void timeline(benchmark::State &state) {
  Problem problem = trainingChain(static_cast<int32_t>(state.range(0)));
  Plan plan = originalPlan(problem);
  for (auto _ : state)
    benchmark::DoNotOptimize(computeTimeline(problem, plan));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(timeline)->RangeMultiplier(8)->Range(64, 32768)->Complexity();

/// A plan of the default solver for half of the plain peak, and its cost.
static void planForHalf(benchmark::State &state) {
  Problem problem = trainingChain(static_cast<int32_t>(state.range(0)));
  Timeline plain = computeTimeline(problem, originalPlan(problem));
  SolverOptions options;
  options.capBytes = plain.peakBytes / 2;
  for (auto _ : state) {
    auto result = solve(problem, defaultSolver, options);
    if (result->status != SolveStatus::Ok) {
      state.SkipWithError("no plan within the cap");
      break;
    }
    state.counters["overhead_percent"] =
        100.0 * static_cast<double>(result->cost - plain.cost) /
        static_cast<double>(plain.cost);
  }
}
BENCHMARK(planForHalf)
    ->RangeMultiplier(4)
    ->Range(16, 1024)
    ->Unit(benchmark::kMillisecond);
