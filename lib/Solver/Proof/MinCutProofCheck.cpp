//===- MinCutProofCheck.cpp - Verifies proofs by a minimum cut ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Certificate.h
// alone: nothing is shared with the search for bounds. Any flow within the
// capacities is a proof, however it was found: every plan corresponds to a cut,
// and no cut is smaller than a flow.
//
//===----------------------------------------------------------------------===//

#include "Proof/MinCutProofCheck.h"

#include "Proof/ProofFacts.h"

namespace remat::solver {
namespace {

using Error = ProofError;

class MinCutChecker : ProofFacts {
public:
  MinCutChecker(const Problem &problem, const Certificate &certificate,
                const MinCutProof &proof)
      : ProofFacts(problem), certificate(certificate), proof(proof),
        cut(proof.step) {}

  Error run() {
    if (cut < 0 || cut > numSteps())
      return "there is no step index " + std::to_string(cut);
    if (proof.price < 0 || proof.costScale < 0 || proof.divisor < 0)
      return "prices, scales and divisors are not negative";
    if (cut == numSteps() &&
        !(proof.fromStorage.empty() && proof.toStorage.empty()))
      return "nothing runs after the end, so there is no flow";
    findExcess();
    if (excess <= 0 && proof.divisor > 0)
      return "nothing must be dropped, so there is nothing to round";
    if (Error error = checkLinks())
      return error;
    if (Error error = checkStorages())
      return error;
    if (Error error = checkSteps())
      return error;
    return checkClaim();
  }

private:
  const Certificate &certificate;
  const MinCutProof &proof;
  const StepId cut;
  /// How far the bytes that are fixed or read later exceed the cap.
  Wide excess = 0;
  /// The flow into and out of each storage and step.
  std::vector<Wide> intoStorage, outOfStorage, intoStep, outOfStep;

  void findExcess() {
    excess = -Wide(certificate.capBytes);
    if (cut < numSteps())
      excess += problem.steps[cut].workspaceBytes;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
      if (problem.tensors[tensor].alias < 0 &&
          (isFixed(tensor, cut) || isFedBySource(tensor)))
        excess += problem.tensors[tensor].bytes;
  }

  //===--------------------------------------------------------------------===//
  // The definitions
  //===--------------------------------------------------------------------===//

  /// Made before the cut (or by its step) and read after it.
  bool isReadLater(TensorId tensor) const {
    if (maker[tensor] > cut)
      return false;
    for (StepId step = cut + 1; step < numSteps(); ++step)
      if (contains(problem.steps[step].operands, tensor))
        return true;
    return contains(problem.outputs, tensor);
  }

  /// Whether something in `storage` is read after the cut.
  bool isFedBySource(TensorId storage) const {
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
      if (problem.storageRoot(tensor) == storage && isReadLater(tensor))
        return true;
    return false;
  }

  /// The weight of holding a storage: of not dropping it, or of holding it in
  /// addition to what is read later.
  Wide weightToHold(TensorId storage) const {
    Wide bytes = problem.tensors[storage].bytes;
    return isFedBySource(storage) ? weightOf(bytes, proof.divisor, excess)
                                  : -weightOf(-bytes, proof.divisor, excess);
  }

  /// Whether `step` makes nothing but tensors in `storage`. If the storage is
  /// not held, what such a step reads in it is recomputed as part of the same
  /// chain; if it is held, the step need not run.
  bool makesOnly(StepId step, TensorId storage) const {
    for (TensorId result : problem.steps[step].results)
      if (problem.storageRoot(result) != storage)
        return false;
    return true;
  }

  /// Whether a step that is recomputed after the cut may read `tensor`.
  bool mayBeReadAgain(TensorId tensor) const {
    for (StepId step = 0; step <= cut; ++step)
      if (contains(problem.steps[step].operands, tensor) &&
          !makesOnly(step, problem.storageRoot(tensor)))
        return true;
    return false;
  }

  /// Whether `step` (-1: no step at all, for an input) must be recomputed if
  /// anything in `storage` is read after the cut and it is not held.
  bool mustRunFor(TensorId storage, StepId step) const {
    for (TensorId made = 0; made < numTensors(); ++made) {
      if (maker[made] != step || problem.storageRoot(made) != storage)
        continue;
      bool isRead = false, isInAllChains = true;
      for (TensorId tensor = 0; tensor < numTensors(); ++tensor) {
        if (problem.storageRoot(tensor) != storage || maker[tensor] > cut)
          continue;
        if (isReadLater(tensor) && isInChainOf(made, tensor))
          return true;
        if (isReadLater(tensor) || mayBeReadAgain(tensor)) {
          isRead = true;
          isInAllChains &= isInChainOf(made, tensor);
        }
      }
      if (isRead && isInAllChains)
        return true;
    }
    return false;
  }

  //===--------------------------------------------------------------------===//
  // The flow
  //===--------------------------------------------------------------------===//

  Error checkLinks() {
    intoStorage.assign(problem.tensors.size(), 0);
    outOfStorage = intoStorage;
    intoStep.assign(problem.steps.size(), 0);
    outOfStep = intoStep;
    for (const auto *list : {&proof.fromStorage, &proof.toStorage})
      for (const MinCutProof::Flow &flow : *list) {
        if (!isStorage(flow.storage))
          return "tensor index " + std::to_string(flow.storage) +
                 " owns no storage";
        if (flow.step < -1 || flow.step >= numSteps())
          return "there is no step index " + std::to_string(flow.step);
        if (flow.amount < 0)
          return "the flow between " + nameOf(flow.storage) + " and " +
                 nameOfStep(flow.step) + " is negative";
      }
    for (const MinCutProof::Flow &flow : proof.fromStorage) {
      if (!mustRunFor(flow.storage, flow.step))
        return nameOfStep(flow.step) + " need not be recomputed for the " +
               "storage of " + nameOf(flow.storage);
      outOfStorage[flow.storage] += flow.amount;
      if (flow.step >= 0)
        intoStep[flow.step] += flow.amount;
    }
    for (const MinCutProof::Flow &flow : proof.toStorage) {
      bool reads = false;
      if (flow.step >= 0 && !makesOnly(flow.step, flow.storage))
        for (TensorId operand : problem.steps[flow.step].operands)
          reads |= problem.storageRoot(operand) == flow.storage;
      if (!reads)
        return nameOfStep(flow.step) + " does not read the storage of " +
               nameOf(flow.storage);
      outOfStep[flow.step] += flow.amount;
      intoStorage[flow.storage] += flow.amount;
    }
    return std::nullopt;
  }

  /// At most its price flows out of a storage. What does not come from steps
  /// comes from the source, which feeds the storages that are read later.
  Error checkStorages() const {
    for (TensorId storage = 0; storage < numTensors(); ++storage) {
      Wide in = intoStorage[storage], out = outOfStorage[storage];
      if (in == 0 && out == 0)
        continue;
      if (out > Wide(proof.price) * weightToHold(storage))
        return "the flow out of the storage of " + nameOf(storage) +
               " exceeds the price of its bytes";
      if (out > 0 && isFixed(storage, cut))
        return "the storage of " + nameOf(storage) +
               " is always held and has no price";
      if (in > out)
        return "the storage of " + nameOf(storage) +
               " takes in more than it gives";
      if (in < out && !isFedBySource(storage))
        return "the storage of " + nameOf(storage) +
               " gives more than it takes in, but nothing reads it later";
    }
    return std::nullopt;
  }

  /// What a step takes in and does not pass on is paid for by its cost.
  Error checkSteps() const {
    for (StepId step = 0; step < numSteps(); ++step) {
      Wide paid = intoStep[step] - outOfStep[step];
      if (paid < 0)
        return nameOfStep(step) + " passes on more than it takes in";
      if (paid > Wide(proof.costScale) * problem.steps[step].cost &&
          canRunAgain(step, cut))
        return "the flow into " + nameOfStep(step) + " exceeds its cost";
    }
    return std::nullopt;
  }

  Error checkClaim() const {
    // The weight to drop if everything that is read later were held for free.
    Wide toDrop = weightOf(excess, proof.divisor, excess);
    Wide value = 0;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor) {
      value += outOfStorage[tensor] - intoStorage[tensor];
      if (problem.tensors[tensor].alias < 0 && isFedBySource(tensor) &&
          !isFixed(tensor, cut))
        toDrop -= weightToHold(tensor);
    }
    // The extra cost of all plans within the cap, times the scale, is at least:
    Wide extra = value + Wide(proof.price) * toDrop;
    if (certificate.isInfeasible)
      // Steps cost nothing, so no plan has an extra cost above 0.
      return proof.costScale == 0 && extra > 0
                 ? std::nullopt
                 : Error("the flow does not show that the cap cannot be met");
    // Costs are integers: the bound must exceed the claim minus one.
    Wide claimed = Wide(certificate.cost) - totalCost();
    bool isShown =
        claimed <= 0 ||
        (proof.costScale > 0 && extra > (claimed - 1) * Wide(proof.costScale));
    if (!isShown)
      return "the flow does not show that all plans cost at least " +
             std::to_string(certificate.cost);
    return std::nullopt;
  }
};

} // namespace

ProofError checkMinCut(const Problem &problem, const Certificate &certificate,
                       const MinCutProof &proof) {
  return MinCutChecker(problem, certificate, proof).run();
}

} // namespace remat::solver
