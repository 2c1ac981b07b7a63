//===- Certificate.cpp - The judge of lower bounds ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Bounds.h alone:
// nothing is shared with the search for bounds. Any flow within the capacities
// is a proof, whoever found it and however: every plan corresponds to a cut,
// and no cut is smaller than a flow.
//
//===----------------------------------------------------------------------===//

#include "Reorder.h"
#include "remat/Solver/Bounds.h"

#include "remat/Solver/Validate.h"

#include <algorithm>

namespace remat::solver {
namespace {

using Error = std::optional<std::string>;
/// Wide enough for sums of products of sizes and prices.
using Wide = __int128;

class CertificateJudge {
public:
  CertificateJudge(const Problem &problem, const Certificate &certificate)
      : problem(problem), certificate(certificate), cut(certificate.step) {}

  Error run(int64_t capBytes) {
    if (certificate.capBytes != capBytes)
      return "the certificate is for a cap of " +
             std::to_string(certificate.capBytes) + " bytes, not of " +
             std::to_string(capBytes);
    if (problem.steps.empty())
      return certificate.isInfeasible || certificate.cost > 0
                 ? Error("a problem without steps costs nothing")
                 : std::nullopt;
    if (cut < 0 || cut > numSteps())
      return "there is no step index " + std::to_string(cut);
    if (certificate.price < 0 || certificate.costScale < 0 ||
        certificate.divisor < 0)
      return "prices, scales and divisors are not negative";
    if (cut == numSteps() &&
        !(certificate.fromStorage.empty() && certificate.toStorage.empty()))
      return "nothing runs after the end, so there is no flow";
    findMakers();
    findExcess();
    if (Error error = checkLinks())
      return error;
    if (Error error = checkStorages())
      return error;
    if (Error error = checkSteps())
      return error;
    return checkClaim();
  }

private:
  const Problem &problem;
  const Certificate &certificate;
  StepId cut;
  std::vector<StepId> maker;
  /// How far all that is fixed or read later is above the cap.
  Wide excess = 0;
  /// What flows into and out of each storage and step.
  std::vector<Wide> intoStorage, outOfStorage, intoStep, outOfStep;

  StepId numSteps() const { return static_cast<StepId>(problem.steps.size()); }
  TensorId numTensors() const {
    return static_cast<TensorId>(problem.tensors.size());
  }
  std::string nameOf(TensorId tensor) const {
    return "tensor " + std::to_string(problem.tensors[tensor].label);
  }
  std::string nameOfStep(StepId step) const {
    return step < 0 ? "nothing"
                    : "step " + std::to_string(problem.steps[step].label);
  }
  static bool contains(const std::vector<TensorId> &list, TensorId tensor) {
    return std::find(list.begin(), list.end(), tensor) != list.end();
  }

  void findMakers() {
    maker.assign(problem.tensors.size(), -1);
    for (StepId step = 0; step < numSteps(); ++step)
      for (TensorId result : problem.steps[step].results)
        maker[result] = step;
  }

  void findExcess() {
    excess = -Wide(certificate.capBytes);
    if (cut < numSteps())
      excess += problem.steps[cut].workspaceBytes;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
      if (problem.tensors[tensor].alias < 0 &&
          (isFixed(tensor) || isFedBySource(tensor)))
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

  /// In the slot of the cut whatever the plan. In the last slot that is what
  /// has to be there in the end.
  bool isFixed(TensorId storage) const {
    for (TensorId input : problem.inputs)
      if (problem.storageRoot(input) == storage &&
          (cut == 0 || problem.tensors[input].kind != TensorKind::Donated))
        return true;
    if (cut == numSteps()) {
      for (TensorId output : problem.outputs)
        if (problem.storageRoot(output) == storage)
          return true;
      return false;
    }
    for (const std::vector<TensorId> *list :
         {&problem.steps[cut].operands, &problem.steps[cut].results})
      for (TensorId tensor : *list)
        if (problem.storageRoot(tensor) == storage)
          return true;
    return false;
  }

  /// Whether something in `storage` is read after the cut.
  bool isFedBySource(TensorId storage) const {
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
      if (problem.storageRoot(tensor) == storage && isReadLater(tensor))
        return true;
    return false;
  }

  /// The weight of a number of bytes, which may be negative: bytes themselves,
  /// or the function f with the divisor g.
  Wide weightOf(Wide bytes) const {
    Wide g = certificate.divisor;
    if (g == 0)
      return bytes;
    Wide r = excess % g, rest = (bytes % g + g) % g;
    return r * ((bytes - rest) / g) + std::min(r, rest);
  }

  /// What it weighs to hold a storage: that it is not dropped, or that it is
  /// there in addition to what is read later.
  Wide weightToHold(TensorId storage) const {
    Wide bytes = problem.tensors[storage].bytes;
    return isFedBySource(storage) ? weightOf(bytes) : -weightOf(-bytes);
  }

  /// Whether `step` makes nothing but tensors in `storage`. If the storage is
  /// not there, what such a step reads in it is made again as part of the same
  /// chain; if it is there, the step need not run.
  bool makesOnly(StepId step, TensorId storage) const {
    for (TensorId result : problem.steps[step].results)
      if (problem.storageRoot(result) != storage)
        return false;
    return true;
  }

  /// Whether a step that runs again after the cut may ask for `tensor`.
  bool mayBeAskedFor(TensorId tensor) const {
    for (StepId step = 0; step <= cut; ++step)
      if (contains(problem.steps[step].operands, tensor) &&
          !makesOnly(step, problem.storageRoot(tensor)))
        return true;
    return false;
  }

  /// Whether `made` has to be made again to have `tensor` in a new storage.
  bool isInChainOf(TensorId made, TensorId tensor) const {
    for (; tensor >= 0; tensor = problem.tensors[tensor].alias)
      if (tensor == made)
        return true;
    return false;
  }

  /// Whether `step` (-1: no step at all, for an input) has to run again if
  /// anything in `storage` is asked for after the cut and it is not held.
  bool mustRunFor(TensorId storage, StepId step) const {
    for (TensorId made = 0; made < numTensors(); ++made) {
      if (maker[made] != step || problem.storageRoot(made) != storage)
        continue;
      bool isAskedFor = false, isInAllChains = true;
      for (TensorId tensor = 0; tensor < numTensors(); ++tensor) {
        if (problem.storageRoot(tensor) != storage || maker[tensor] > cut)
          continue;
        if (isReadLater(tensor) && isInChainOf(made, tensor))
          return true;
        if (isReadLater(tensor) || mayBeAskedFor(tensor)) {
          isAskedFor = true;
          isInAllChains &= isInChainOf(made, tensor);
        }
      }
      if (isAskedFor && isInAllChains)
        return true;
    }
    return false;
  }

  /// Whether `tensor` can not be read any more after the first execution of
  /// `when`: that or an earlier step overwrote it, and its maker can not run
  /// again after that.
  bool isLost(TensorId tensor, StepId when) const {
    for (StepId step = 0; step <= when; ++step)
      for (const InPlace &pair : problem.steps[step].inPlace)
        if (pair.operand == tensor)
          return maker[tensor] < 0 || !canRunAgain(maker[tensor], step);
    return false;
  }

  /// Whether `step` may run again after the first execution of `when`.
  bool canRunAgain(StepId step, StepId when) const {
    if (!problem.steps[step].mayRecompute())
      return false;
    for (TensorId operand : problem.steps[step].operands)
      if (isLost(operand, when))
        return false;
    return true;
  }

  //===--------------------------------------------------------------------===//
  // The flow
  //===--------------------------------------------------------------------===//

  Error checkLinks() {
    intoStorage.assign(problem.tensors.size(), 0);
    outOfStorage = intoStorage;
    intoStep.assign(problem.steps.size(), 0);
    outOfStep = intoStep;
    for (const auto *list : {&certificate.fromStorage, &certificate.toStorage})
      for (const Certificate::Flow &flow : *list) {
        if (flow.storage < 0 || flow.storage >= numTensors() ||
            problem.tensors[flow.storage].alias >= 0)
          return "tensor index " + std::to_string(flow.storage) +
                 " owns no storage";
        if (flow.step < -1 || flow.step >= numSteps())
          return "there is no step index " + std::to_string(flow.step);
        if (flow.amount < 0)
          return "the flow between " + nameOf(flow.storage) + " and " +
                 nameOfStep(flow.step) + " is negative";
      }
    for (const Certificate::Flow &flow : certificate.fromStorage) {
      if (!mustRunFor(flow.storage, flow.step))
        return nameOfStep(flow.step) + " need not run again for the storage " +
               "of " + nameOf(flow.storage);
      outOfStorage[flow.storage] += flow.amount;
      if (flow.step >= 0)
        intoStep[flow.step] += flow.amount;
    }
    for (const Certificate::Flow &flow : certificate.toStorage) {
      bool reads = false;
      if (flow.step >= 0 && !makesOnly(flow.step, flow.storage))
        for (TensorId operand : problem.steps[flow.step].operands)
          reads |= problem.storageRoot(operand) == flow.storage;
      if (!reads)
        return nameOfStep(flow.step) + " does not ask for the storage of " +
               nameOf(flow.storage);
      outOfStep[flow.step] += flow.amount;
      intoStorage[flow.storage] += flow.amount;
    }
    return std::nullopt;
  }

  /// Out of a storage flows at most its price; what does not come from steps
  /// comes from the source, which feeds storages that are read later.
  Error checkStorages() const {
    for (TensorId storage = 0; storage < numTensors(); ++storage) {
      Wide in = intoStorage[storage], out = outOfStorage[storage];
      if (in == 0 && out == 0)
        continue;
      if (out > Wide(certificate.price) * weightToHold(storage))
        return "the flow out of the storage of " + nameOf(storage) +
               " exceeds the price of its bytes";
      if (out > 0 && isFixed(storage))
        return "the storage of " + nameOf(storage) +
               " is there at any rate and has no price";
      if (in > out)
        return "the storage of " + nameOf(storage) +
               " takes in more than it gives";
      if (in < out && !isFedBySource(storage))
        return "the storage of " + nameOf(storage) +
               " gives more than it takes in, and nothing reads it later";
    }
    return std::nullopt;
  }

  /// What a step takes in and does not hand on it pays for, with its cost.
  Error checkSteps() const {
    for (StepId step = 0; step < numSteps(); ++step) {
      Wide paid = intoStep[step] - outOfStep[step];
      if (paid < 0)
        return nameOfStep(step) + " hands on more than it takes in";
      if (paid > Wide(certificate.costScale) * problem.steps[step].cost &&
          canRunAgain(step, cut))
        return "the flow into " + nameOfStep(step) + " exceeds its cost";
    }
    return std::nullopt;
  }

  Error checkClaim() const {
    if (excess <= 0 && certificate.divisor > 0)
      return "nothing has to be dropped, so there is nothing to round";
    // If all that is read later were held, at no price: what has to go.
    Wide toDrop = weightOf(excess);
    Wide value = 0, totalCost = 0;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor) {
      value += outOfStorage[tensor] - intoStorage[tensor];
      if (problem.tensors[tensor].alias < 0 && isFedBySource(tensor) &&
          !isFixed(tensor))
        toDrop -= weightToHold(tensor);
    }
    for (const Step &step : problem.steps)
      totalCost += step.cost;
    // The extra cost of all plans within the cap, times the scale, is at least:
    Wide extra = value + Wide(certificate.price) * toDrop;
    if (certificate.isInfeasible)
      // Of no plan this can be true.
      return certificate.costScale == 0 && extra > 0
                 ? std::nullopt
                 : Error("the flow does not show that the cap cannot be met");
    // Costs are integers: it must be more than one below the claim.
    Wide claimed = Wide(certificate.cost) - totalCost;
    bool isShown =
        claimed <= 0 || (certificate.costScale > 0 &&
                         extra > (claimed - 1) * Wide(certificate.costScale));
    if (!isShown)
      return "the flow does not show that all plans cost at least " +
             std::to_string(certificate.cost);
    return std::nullopt;
  }
};

/// Checks the certificate against a problem that has its order for a schedule.
Error checkInOrder(const Problem &problem, int64_t capBytes,
                   const Certificate &certificate) {
  auto numSteps = static_cast<StepId>(problem.steps.size());
  Validation verdict = validate(problem, {certificate.order});
  if (!verdict.valid() || certificate.order.size() != problem.steps.size())
    return "the order of the certificate is no order of the steps" +
           (verdict.valid() ? "" : ": " + verdict.error);
  std::vector<StepId> placeOf(numSteps);
  for (StepId place = 0; place < numSteps; ++place)
    placeOf[certificate.order[place]] = place;
  Certificate renamed = certificate;
  renamed.order.clear();
  auto rename = [&](StepId &step) {
    if (step >= 0 && step < numSteps)
      step = placeOf[step];
  };
  rename(renamed.step);
  for (auto *flows : {&renamed.fromStorage, &renamed.toStorage})
    for (Certificate::Flow &flow : *flows)
      rename(flow.step);
  return CertificateJudge(withOrder(problem, certificate.order), renamed)
      .run(capBytes);
}

} // namespace

std::optional<std::string> checkCertificate(const Problem &problem,
                                            int64_t capBytes,
                                            const Certificate &certificate) {
  if (!certificate.order.empty())
    return checkInOrder(problem, capBytes, certificate);
  return CertificateJudge(problem, certificate).run(capBytes);
}

} // namespace remat::solver
