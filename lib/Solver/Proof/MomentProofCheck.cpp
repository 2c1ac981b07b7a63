//===- MomentProofCheck.cpp - Verifies proofs from several moments --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Moments.h alone:
// nothing is shared with the search for bounds. Any amounts of inequalities
// prove something, however they were found.
//
//===----------------------------------------------------------------------===//

#include "Proof/MomentProofCheck.h"

#include "Proof/MomentInequalities.h"

#include <algorithm>
#include <cassert>

namespace remat::solver {
namespace {

using Error = ProofError;
using Wide = ProofFacts::Wide;

class MomentChecker {
public:
  MomentChecker(const Problem &problem, const Certificate &certificate,
                const MomentProof &proof)
      : certificate(certificate), proof(proof),
        total(problem, proof, certificate.capBytes) {}

  Error run() {
    if (Error error = total.checkNumbers())
      return error;
    // Costs are integers: the bound must exceed the claim minus one. That every
    // step runs once needs no proof.
    Wide extraCost = Wide(certificate.cost) - total.totalCost() - 1;
    std::optional<Wide> inUnits = total.inUnits(std::max<Wide>(extraCost, -1));
    if (!certificate.isInfeasible && !inUnits)
      return notShown();
    mustExceed = inUnits.value_or(0);
    if (Error error = checkCases())
      return error;
    if (nextCase < proof.cases.size())
      return "there are more cases than the splits make";
    if (certificate.isInfeasible)
      return isAnyPossible
                 ? Error("the cases do not show that the cap cannot be met")
                 : std::nullopt;
    if (isAnyPossible && mustExceed >= 0 && leastBound <= mustExceed)
      return notShown();
    return std::nullopt;
  }

private:
  using Key = MomentInequalities::Key;

  /// A node of the tree whose subtrees are being checked.
  struct OpenNode {
    /// A split: the variable, its value in the current subtree, and what was
    /// known before.
    Key variable = {};
    int value = 0;
    std::optional<int> oldValue;
    bool wasContradiction = false;
    /// Otherwise the variables that a sum settled.
    bool isSplit = false;
    std::vector<Key> settled;
  };

  const Certificate &certificate;
  const MomentProof &proof;
  /// The inequality that the amounts of a sum add up to.
  MomentInequalities total;
  /// What the extra cost of each case must exceed, in the unit of the amounts.
  Wide mustExceed = 0;
  size_t nextCase = 0;
  /// The nodes from the root to the current case. Proofs may be deep, so there
  /// is no recursion.
  std::vector<OpenNode> path;
  /// The values of the known variables in the current case. If they contradict
  /// each other, no plan is of the case.
  std::map<Key, int> known;
  bool isContradiction = false;
  bool isAnyPossible = false;
  Wide leastBound = 0;

  Error notShown() const {
    return "the cases do not show that all plans cost at least " +
           std::to_string(certificate.cost);
  }

  /// Checks the tree in preorder.
  Error checkCases() {
    do {
      if (nextCase >= proof.cases.size())
        return "a case is missing";
      const MomentCase &each = proof.cases[nextCase++];
      bool isLeaf = false;
      Error error;
      if (each.kind == MomentCase::Kind::Split) {
        error = openSplit(each.variable);
      } else if (each.kind == MomentCase::Kind::Settle) {
        error = openSettled(each.sum);
      } else {
        error = checkLeaf(each);
        isLeaf = true;
      }
      if (error)
        return error;
      while (isLeaf && !path.empty() && !goToNextSubtree())
        path.pop_back();
    } while (!path.empty());
    assert(known.empty() && !isContradiction);
    return std::nullopt;
  }

  Error openSplit(const MomentVariable &variable) {
    OpenNode node;
    if (Error error = total.keyOf(variable, node.variable))
      return error;
    if (auto found = known.find(node.variable); found != known.end())
      node.oldValue = found->second;
    node.wasContradiction = isContradiction;
    node.isSplit = true;
    path.push_back(std::move(node));
    enterSplit();
    return std::nullopt;
  }

  /// Makes the subtree of the last node's value the current case.
  void enterSplit() {
    const OpenNode &node = path.back();
    // If the variable is known, all plans are of one of the two cases.
    isContradiction = node.wasContradiction ||
                      node.oldValue.value_or(node.value) != node.value;
    known[node.variable] = node.value;
  }

  /// Continues with the second subtree of the last node; or undoes what the
  /// node made known and returns false.
  bool goToNextSubtree() {
    OpenNode &node = path.back();
    if (node.isSplit && node.value == 0) {
      node.value = 1;
      enterSplit();
      return true;
    }
    for (const Key &key : node.settled)
      known.erase(key);
    if (!node.isSplit)
      return false;
    isContradiction = node.wasContradiction;
    if (node.oldValue)
      known[node.variable] = *node.oldValue;
    else
      known.erase(node.variable);
    return false;
  }

  /// The variables that the sum settles are known in the case that follows.
  Error openSettled(int32_t sum) {
    if (certificate.isInfeasible)
      return "where nothing is feasible costs settle nothing";
    if (Error error = addUp(sum))
      return error;
    Wide bound = boundOfSum(/*withCosts=*/true);
    OpenNode node;
    for (auto [key, sumOfKey] : total.sums) {
      Wide rest = total.costOf(key) - sumOfKey;
      if (known.count(key) || bound + (rest < 0 ? -rest : rest) <= mustExceed)
        continue;
      known[key] = rest < 0 ? 1 : 0;
      node.settled.push_back(key);
    }
    path.push_back(std::move(node));
    return std::nullopt;
  }

  Error checkLeaf(const MomentCase &leaf) {
    bool isImpossible = leaf.kind == MomentCase::Kind::Impossible;
    if (Error error = addUp(leaf.sum))
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

  Error addUp(int32_t sum) {
    if (Error error = total.addUp(sum))
      return error;
    // Known variables count even if they are in no inequality.
    for (auto [key, value] : known)
      total.sums[key] += 0;
    return std::nullopt;
  }

  /// The lower bound that the inequality gives on the extra cost, or on 0
  /// without costs.
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

ProofError checkMoments(const Problem &problem, const Certificate &certificate,
                        const MomentProof &proof) {
  return MomentChecker(problem, certificate, proof).run();
}

} // namespace remat::solver
