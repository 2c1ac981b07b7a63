//===- MomentProofCheck.cpp - The judge of bounds from several moments ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Moments.h alone:
// nothing is shared with the search for bounds. Any amounts of inequalities
// prove something, whoever found them and however.
//
//===----------------------------------------------------------------------===//

#include "Proof/MomentInequalities.h"

#include <algorithm>

namespace remat::solver {
namespace {

using Error = ProofError;
using Wide = ProofFacts::Wide;

class MomentJudge {
public:
  MomentJudge(const Problem &problem, const Certificate &certificate)
      : certificate(certificate), proof(certificate.moments),
        total(problem, proof, certificate.capBytes) {}

  Error run() {
    bool isForOneOrder = proof.order == MomentOrder::Schedule;
    if (isForOneOrder != (certificate.kind == BoundKind::SeveralMoments))
      return "the proof is not for the order that the certificate names";
    if (Error error = total.checkNumbers())
      return error;
    if (Error error = checkCases())
      return error;
    if (nextCase < proof.cases.size())
      return "there are more cases than the splits make";
    if (certificate.isInfeasible)
      return isAnyPossible
                 ? Error("the cases do not show that the cap cannot be met")
                 : std::nullopt;
    // Costs are integers: it must be more than one below the claim.
    Wide claimed = Wide(certificate.cost) - total.totalCost();
    if (isAnyPossible && claimed > 0 &&
        leastBound <= (claimed - 1) * total.unit())
      return "the cases do not show that all plans cost at least " +
             std::to_string(certificate.cost);
    return std::nullopt;
  }

private:
  using Key = MomentInequalities::Key;

  const Certificate &certificate;
  const MomentProof &proof;
  /// The inequality that the amounts of a sum add up to.
  MomentInequalities total;
  size_t nextCase = 0;
  /// What is known of variables in the case at hand; nothing is of the case if
  /// that contradicts itself.
  std::map<Key, int> known;
  bool isContradiction = false;
  bool isAnyPossible = false;
  Wide leastBound = 0;

  /// Checks the next case and all that belongs to it.
  Error checkCases() {
    if (nextCase >= proof.cases.size())
      return "a case is missing";
    const MomentCase &each = proof.cases[nextCase++];
    switch (each.kind) {
    case MomentCase::Kind::Split:
      return checkSplit(each.variable);
    case MomentCase::Kind::Settle:
      return checkSettled(each.sum);
    case MomentCase::Kind::Bound:
    case MomentCase::Kind::Impossible:
      break;
    }
    bool isImpossible = each.kind == MomentCase::Kind::Impossible;
    if (Error error = addUp(each.sum))
      return error;
    if (isContradiction)
      return std::nullopt;
    Wide bound = boundOfSum(/*withCosts=*/!isImpossible);
    if (isImpossible)
      return bound > 0 ? std::nullopt
                       : Error("the amounts do not show that a case is "
                               "impossible");
    leastBound = isAnyPossible ? std::min(leastBound, bound) : bound;
    isAnyPossible = true;
    return std::nullopt;
  }

  Error checkSplit(const MomentVariable &variable) {
    Key key;
    if (Error error = total.keyOf(variable, key))
      return error;
    auto before = known.find(key);
    bool wasKnown = before != known.end();
    int oldValue = wasKnown ? before->second : 0;
    bool wasContradiction = isContradiction;
    for (int value : {0, 1}) {
      // If the variable is known, plans are of one case only.
      isContradiction = wasContradiction || (wasKnown && oldValue != value);
      known[key] = value;
      if (Error error = checkCases())
        return error;
    }
    isContradiction = wasContradiction;
    if (wasKnown)
      known[key] = oldValue;
    else
      known.erase(key);
    return std::nullopt;
  }

  /// What the sum settles is known in the case that follows.
  Error checkSettled(int32_t sum) {
    if (certificate.isInfeasible)
      return "where nothing is feasible costs settle nothing";
    if (Error error = addUp(sum))
      return error;
    Wide claimed =
        (Wide(certificate.cost) - total.totalCost() - 1) * total.unit();
    Wide bound = boundOfSum(/*withCosts=*/true);
    std::vector<Key> settled;
    for (auto [key, sumOfKey] : total.sums) {
      Wide rest = total.costOf(key) - sumOfKey;
      if (known.count(key) || bound + (rest < 0 ? -rest : rest) <= claimed)
        continue;
      known[key] = rest < 0 ? 1 : 0;
      settled.push_back(key);
    }
    Error error = checkCases();
    for (const Key &key : settled)
      known.erase(key);
    return error;
  }

  Error addUp(int32_t sum) {
    if (Error error = total.addUp(sum))
      return error;
    // What is known counts even if no inequality speaks of it.
    for (auto [key, value] : known)
      total.sums[key] += 0;
    return std::nullopt;
  }

  /// What the inequality says of the cost, or of 0 without costs.
  Wide boundOfSum(bool withCosts) const {
    Wide bound = total.atLeast;
    for (auto [key, sum] : total.sums) {
      Wide rest = (withCosts ? total.costOf(key) : 0) - sum;
      auto found = known.find(key);
      bound +=
          found == known.end() ? std::min<Wide>(0, rest) : rest * found->second;
    }
    return bound;
  }
};

} // namespace

ProofError checkMoments(const Problem &problem,
                        const Certificate &certificate) {
  return MomentJudge(problem, certificate).run();
}

} // namespace remat::solver
