//===- RandomProblem.cpp - Small random problems --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"

#include <algorithm>

namespace remat::solver {

int64_t nextRandom(uint64_t &state, int64_t bound) {
  // SplitMix64.
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<int64_t>((z ^ (z >> 31)) % static_cast<uint64_t>(bound));
}

namespace {

class Generator {
public:
  Generator(uint64_t seed, int maxSteps)
      : random(seed), isTraining(seed % 2 == 1), maxSteps(maxSteps) {}

  Problem run() {
    makeInputs();
    int numSteps = 2 + below(maxSteps - 1);
    int forward = isTraining ? (numSteps + 1) / 2 : numSteps;
    for (int i = 0; i < numSteps; ++i)
      makeStep(i < forward);
    for (TensorId id = 0; id < static_cast<TensorId>(problem.tensors.size());
         ++id)
      if (isReadable[id] && (oneIn(5) || id == lastMade))
        problem.outputs.push_back(id);
    return std::move(problem);
  }

private:
  uint64_t random;
  bool isTraining;
  int maxSteps;
  Problem problem;
  /// Per tensor: not overwritten so far.
  std::vector<char> isReadable;
  /// Forward tensors that no backward step has read yet, oldest first.
  std::vector<TensorId> saved;
  TensorId lastMade = -1;
  int32_t group = -1;
  int32_t numGroups = 0;

  int below(int bound) { return static_cast<int>(nextRandom(random, bound)); }
  bool oneIn(int n) { return below(n) == 0; }

  TensorId makeTensor(TensorKind kind, TensorId alias) {
    Tensor tensor;
    tensor.label = 100 + static_cast<int64_t>(problem.tensors.size()) * 3;
    tensor.kind = kind;
    tensor.alias = alias;
    tensor.bytes = alias < 0 ? below(20) : problem.tensors[alias].bytes;
    problem.tensors.push_back(tensor);
    isReadable.push_back(true);
    return static_cast<TensorId>(problem.tensors.size()) - 1;
  }

  void makeInputs() {
    static constexpr TensorKind kinds[] = {
        TensorKind::Input, TensorKind::Parameter, TensorKind::Donated};
    for (int i = below(3); i >= 0; --i) {
      TensorId view = oneIn(4) && !problem.inputs.empty()
                          ? problem.inputs[below(problem.inputs.size())]
                          : -1;
      problem.inputs.push_back(makeTensor(kinds[below(3)], view));
    }
  }

  bool sharesStorage(TensorId a, TensorId b) const {
    return problem.storageRoot(a) == problem.storageRoot(b);
  }

  void addOperand(Step &step, TensorId id) {
    if (id >= 0 && isReadable[id])
      step.operands.push_back(id);
  }

  void makeStep(bool isForward) {
    Step step;
    step.label = 7 + static_cast<int64_t>(problem.steps.size()) * 2;
    step.name = isForward ? "forward" : "backward";
    step.cost = below(10);
    step.workspaceBytes = oneIn(4) ? below(8) : 0;
    if (oneIn(8)) {
      step.noRecompute = "chance";
      step.hasEffects = step.label % 4 == 3;
    }
    if (group < 0 || oneIn(2))
      group = oneIn(4) ? numGroups++ : -1;
    step.group = group;

    // Training reads the newest tensor and, on the way back, a saved one.
    if (isTraining || oneIn(2))
      addOperand(step, lastMade);
    if (!isForward && !saved.empty()) {
      addOperand(step, saved.back());
      saved.pop_back();
    }
    for (int extra = below(3); extra > 0; --extra)
      addOperand(step, below(problem.tensors.size()));

    int numResults = oneIn(6) ? below(4) : 1;
    for (int i = 0; i < numResults; ++i)
      step.results.push_back(makeResult(step));
    if (!step.results.empty()) {
      lastMade = step.results.front();
      if (isForward)
        saved.push_back(lastMade);
    }
    problem.steps.push_back(std::move(step));
  }

  /// A result of `step`: of its own, or a view of or in place of an operand.
  TensorId makeResult(Step &step) {
    if (step.operands.empty() || !oneIn(4))
      return makeTensor(TensorKind::Activation, -1);
    TensorId operand = step.operands[below(step.operands.size())];
    auto shares = [&](TensorId other) { return sharesStorage(other, operand); };
    for (const InPlace &pair : step.inPlace)
      if (shares(pair.operand))
        return makeTensor(TensorKind::Activation, -1);
    bool overwrite = oneIn(2) && std::none_of(step.results.begin(),
                                              step.results.end(), shares);
    if (!overwrite)
      return makeTensor(TensorKind::Activation, operand);
    for (TensorId id = 0; id < static_cast<TensorId>(problem.tensors.size());
         ++id)
      if (shares(id))
        isReadable[id] = false;
    TensorId result = makeTensor(TensorKind::Activation, operand);
    step.inPlace.push_back({result, operand});
    return result;
  }
};

} // namespace

Problem randomProblem(uint64_t seed, int maxSteps) {
  return Generator(seed, maxSteps).run();
}

} // namespace remat::solver
