//===- Certificate.cpp - Proofs of lower bounds on the cost ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Solver/Certificate.h"

#include "Proof/MinCutProofCheck.h"
#include "Proof/MomentProofCheck.h"
#include "Proof/ProofFacts.h"

#include "remat/Solver/Validate.h"

namespace remat::solver {

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

BoundKind Certificate::kind() const {
  if (std::holds_alternative<MinCutProof>(proof))
    return BoundKind::MinimumCut;
  if (const auto *moments = std::get_if<MomentProof>(&proof))
    return moments->order == MomentOrder::Any ? BoundKind::AnyOrder
                                              : BoundKind::SeveralMoments;
  return BoundKind::Schedule;
}

namespace {

/// Renames the steps of a proof, alternative by alternative.
class StepRenamer {
public:
  explicit StepRenamer(const std::vector<StepId> &names) : names(names) {}

  void operator()(ScheduleProof &) const {}

  void operator()(MinCutProof &proof) const {
    rename(proof.step);
    for (auto *flows : {&proof.fromStorage, &proof.toStorage})
      for (MinCutProof::Flow &flow : *flows)
        rename(flow.step);
  }

  void operator()(MomentProof &proof) const {
    for (StepId &moment : proof.moments)
      rename(moment);
    for (MomentSum &sum : proof.sums)
      for (MomentAmount &each : sum) {
        if (each.kind == MomentAmount::Kind::Read)
          rename(each.reader);
        if (each.kind == MomentAmount::Kind::Part ||
            each.kind == MomentAmount::Kind::Again)
          rename(each.id);
      }
    for (MomentCase &each : proof.cases)
      if (each.kind == MomentCase::Kind::Split &&
          each.variable.kind != MomentVariable::Kind::Held)
        rename(each.variable.id);
  }

private:
  const std::vector<StepId> &names;

  /// Negative ids and the id after the last step name no step and stay.
  void rename(StepId &step) const {
    if (step >= 0 && step < static_cast<StepId>(names.size()))
      step = names[step];
  }
};

} // namespace

void renameSteps(Certificate &certificate, const std::vector<StepId> &names) {
  std::visit(StepRenamer(names), certificate.proof);
}

/// Checks a certificate for an order of its own, as one for the problem that
/// has this order as its schedule.
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
               ? ProofError("a problem without steps costs nothing")
               : std::nullopt;
  if (const auto *proof = std::get_if<MinCutProof>(&certificate.proof))
    return checkMinCut(problem, certificate, *proof);
  if (const auto *proof = std::get_if<MomentProof>(&certificate.proof))
    return checkMoments(problem, certificate, *proof);
  return certificate.isInfeasible ||
                 certificate.cost > ProofFacts(problem).totalCost()
             ? ProofError("running every step once does not show this")
             : std::nullopt;
}

} // namespace remat::solver
