//===- TensorIndex.cpp - Who makes, shares and overwrites each tensor -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Index/TensorIndex.h"

namespace remat::solver {

TensorIndex::TensorIndex(const Problem &problem)
    : problem(problem), maker(problem.tensors.size(), -1),
      members(problem.tensors.size()), overwriter(problem.tensors.size(), -1),
      isPermanent(problem.tensors.size(), false) {
  auto numTensors = static_cast<TensorId>(problem.tensors.size());
  for (TensorId tensor = 0; tensor < numTensors; ++tensor) {
    storageOf.push_back(problem.storageRoot(tensor));
    members[storageOf[tensor]].push_back(tensor);
  }
  for (TensorId input : problem.inputs)
    if (problem.tensors[input].kind != TensorKind::Donated)
      isPermanent[storageOf[input]] = true;

  std::vector<char> isMade(numTensors, false);
  for (TensorId input : problem.inputs)
    isMade[input] = true;
  for (StepId id = 0; id < static_cast<StepId>(problem.steps.size()); ++id) {
    const Step &step = problem.steps[id];
    for (const InPlace &pair : step.inPlace)
      for (TensorId sharer : members[storageOf[pair.operand]])
        if (isMade[sharer] && overwriter[sharer] < 0)
          overwriter[sharer] = id;
    for (TensorId result : step.results) {
      maker[result] = id;
      isMade[result] = true;
    }
  }
}

} // namespace remat::solver
