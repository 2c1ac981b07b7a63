//===- Certificate.cpp - The judge of lower bounds ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Certificate.h
// alone: nothing is shared with the search for bounds. Any flow within the
// capacities is a proof, whoever found it and however: every plan corresponds
// to a cut, and no cut is smaller than a flow.
//
//===----------------------------------------------------------------------===//

#include "Proof/ProofFacts.h"

#include "remat/Solver/Validate.h"

namespace remat::solver {
namespace {

using Error = ProofError;

/// Judges certificates of the kind BoundKind::MinimumCut.
class MinimumCutJudge : ProofFacts {
public:
  MinimumCutJudge(const Problem &problem, const Certificate &certificate)
      : ProofFacts(problem), certificate(certificate), cut(certificate.step) {}

  Error run() {
    if (cut < 0 || cut > numSteps())
      return "there is no step index " + std::to_string(cut);
    if (certificate.price < 0 || certificate.costScale < 0 ||
        certificate.divisor < 0)
      return "prices, scales and divisors are not negative";
    if (cut == numSteps() &&
        !(certificate.fromStorage.empty() && certificate.toStorage.empty()))
      return "nothing runs after the end, so there is no flow";
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
  const Certificate &certificate;
  StepId cut;
  /// How far all that is fixed or read later is above the cap.
  Wide excess = 0;
  /// What flows into and out of each storage and step.
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

  /// What it weighs to hold a storage: that it is not dropped, or that it is
  /// there in addition to what is read later.
  Wide weightToHold(TensorId storage) const {
    Wide bytes = problem.tensors[storage].bytes;
    return isFedBySource(storage)
               ? weightOf(bytes, certificate.divisor, excess)
               : -weightOf(-bytes, certificate.divisor, excess);
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
        if (!isStorage(flow.storage))
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
      if (out > 0 && isFixed(storage, cut))
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
    Wide toDrop = weightOf(excess, certificate.divisor, excess);
    Wide value = 0;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor) {
      value += outOfStorage[tensor] - intoStorage[tensor];
      if (problem.tensors[tensor].alias < 0 && isFedBySource(tensor) &&
          !isFixed(tensor, cut))
        toDrop -= weightToHold(tensor);
    }
    // The extra cost of all plans within the cap, times the scale, is at least:
    Wide extra = value + Wide(certificate.price) * toDrop;
    if (certificate.isInfeasible)
      // Of no plan this can be true.
      return certificate.costScale == 0 && extra > 0
                 ? std::nullopt
                 : Error("the flow does not show that the cap cannot be met");
    // Costs are integers: it must be more than one below the claim.
    Wide claimed = Wide(certificate.cost) - totalCost();
    bool isShown =
        claimed <= 0 || (certificate.costScale > 0 &&
                         extra > (claimed - 1) * Wide(certificate.costScale));
    if (!isShown)
      return "the flow does not show that all plans cost at least " +
             std::to_string(certificate.cost);
    return std::nullopt;
  }
};

} // namespace

const char *toString(BoundKind kind) {
  switch (kind) {
  case BoundKind::Schedule:
    return "schedule";
  case BoundKind::MinimumCut:
    return "minimum-cut";
  case BoundKind::SeveralMoments:
    return "several-moments";
  case BoundKind::AnyOrder:
    return "any-order";
  case BoundKind::Exhaustive:
    return "exhaustive";
  }
  return "schedule";
}

bool assumesOrder(BoundKind kind) {
  return kind != BoundKind::Schedule && kind != BoundKind::AnyOrder;
}

void renameSteps(Certificate &certificate, const std::vector<StepId> &names) {
  auto rename = [&](StepId &step) {
    if (step >= 0 && step < static_cast<StepId>(names.size()))
      step = names[step];
  };
  rename(certificate.step);
  for (auto *flows : {&certificate.fromStorage, &certificate.toStorage})
    for (Certificate::Flow &flow : *flows)
      rename(flow.step);
  for (StepId &moment : certificate.moments.moments)
    rename(moment);
  for (MomentSum &sum : certificate.moments.sums)
    for (MomentAmount &each : sum) {
      if (each.kind == MomentAmount::Kind::Read)
        rename(each.reader);
      if (each.kind == MomentAmount::Kind::Part ||
          each.kind == MomentAmount::Kind::Again)
        rename(each.id);
    }
  for (MomentCase &each : certificate.moments.cases)
    if (each.kind == MomentCase::Kind::Split &&
        each.variable.kind != MomentVariable::Kind::Held)
      rename(each.variable.id);
}

/// Checks the certificate against a problem that has its order for a schedule.
static ProofError checkInOrder(const Problem &problem, int64_t capBytes,
                               const Certificate &certificate) {
  Validation verdict = validate(problem, {certificate.order});
  if (!verdict.valid() || certificate.order.size() != problem.steps.size())
    return "the order of the certificate is no order of the steps" +
           (verdict.valid() ? "" : ": " + verdict.error);
  std::vector<StepId> placeOf(problem.steps.size());
  for (size_t place = 0; place < placeOf.size(); ++place)
    placeOf[certificate.order[place]] = static_cast<StepId>(place);
  Certificate renamed = certificate;
  renamed.order.clear();
  renameSteps(renamed, placeOf);
  return checkCertificate(withOrder(problem, certificate.order), capBytes,
                          renamed);
}

std::optional<std::string> checkCertificate(const Problem &problem,
                                            int64_t capBytes,
                                            const Certificate &certificate) {
  if (!certificate.order.empty())
    return checkInOrder(problem, capBytes, certificate);
  if (certificate.capBytes != capBytes)
    return "the certificate is for a cap of " +
           std::to_string(certificate.capBytes) + " bytes, not of " +
           std::to_string(capBytes);
  if (problem.steps.empty())
    return certificate.isInfeasible || certificate.cost > 0
               ? Error("a problem without steps costs nothing")
               : std::nullopt;
  switch (certificate.kind) {
  case BoundKind::Schedule:
    return certificate.isInfeasible ||
                   certificate.cost > ProofFacts(problem).totalCost()
               ? Error("that every step runs once does not show this")
               : std::nullopt;
  case BoundKind::MinimumCut:
    return MinimumCutJudge(problem, certificate).run();
  case BoundKind::SeveralMoments:
  case BoundKind::AnyOrder:
    return checkMoments(problem, certificate);
  case BoundKind::Exhaustive:
    break;
  }
  return "there is no certificate of an exhaustive search";
}

} // namespace remat::solver
