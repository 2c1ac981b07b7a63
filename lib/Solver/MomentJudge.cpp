//===- MomentJudge.cpp - The judge of bounds from several moments ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written for the reader, from the definitions in remat/Solver/Moments.h alone:
// nothing is shared with the search for bounds. Every inequality that a proof
// names is written down anew here; any amounts of them prove something.
//
//===----------------------------------------------------------------------===//

#include "JudgeFacts.h"

#include <algorithm>
#include <array>
#include <map>

namespace remat::solver {
namespace {

using Error = JudgeError;

class MomentJudge : JudgeFacts {
public:
  MomentJudge(const Problem &problem, const Certificate &certificate)
      : JudgeFacts(problem), certificate(certificate),
        proof(certificate.moments), end(proof.moments.size()) {}

  Error run() {
    if (Error error = checkNumbers())
      return error;
    for (StepId step : proof.moments)
      findSides(step);
    for (const MomentWeights &which : proof.weights)
      if (Error error = checkWeights(which))
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
    Wide claimed = Wide(certificate.cost) - totalCost();
    if (isAnyPossible && claimed > 0 && leastBound <= (claimed - 1) * unit())
      return "the cases do not show that all plans cost at least " +
             std::to_string(certificate.cost);
    return std::nullopt;
  }

private:
  /// held(k, s) or runs(k, l, j), by all that makes it up.
  using Key = std::array<int32_t, 4>;
  /// Above all that is said here there is room for sums.
  static constexpr long double limit = 1e36L;

  const Certificate &certificate;
  const MomentProof &proof;
  /// The moment that is the end.
  const int32_t end;
  /// By moment and step: executed up to the moment, or after it, for sure.
  std::vector<std::vector<char>> isEarly, isLater;
  size_t nextCase = 0;
  /// What is known of variables in the case at hand; nothing is of the case if
  /// that contradicts itself.
  std::map<Key, int> known;
  bool isContradiction = false;
  bool isAnyPossible = false;
  Wide leastBound = 0;
  /// The inequality that the amounts of one case add up to.
  std::map<Key, Wide> sums;
  Wide atLeast = 0;
  long double magnitude = 0;

  Wide unit() const { return Wide(proof.scale) * proof.weightScale; }
  bool inOrder() const { return proof.order == MomentOrder::Schedule; }

  Error checkNumbers() const {
    if (inOrder() != (certificate.kind == BoundKind::SeveralMoments))
      return "the proof is not for the order that the certificate names";
    if (proof.moments.empty())
      return "there are no moments";
    for (size_t i = 0; i < proof.moments.size(); ++i)
      if (proof.moments[i] < 0 || proof.moments[i] >= numSteps() ||
          (inOrder() && i > 0 && proof.moments[i] <= proof.moments[i - 1]))
        return "the moments are not steps in the order of the schedule";
    if (proof.scale < 1 || proof.weightScale < 1)
      return "scales are not below 1";
    if (static_cast<long double>(proof.scale) * proof.weightScale *
            (static_cast<long double>(totalCost()) + 1) >
        limit)
      return "the scales are too large";
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // The variables
  //===--------------------------------------------------------------------===//

  /// Whether 0 <= from < to <= end, and in any order, to = end.
  bool isStretch(int32_t from, int32_t to) const {
    return from >= 0 && from < to && to <= end && (inOrder() || to == end);
  }

  void findSides(StepId moment) {
    std::vector<char> early(numSteps(), false), later(numSteps(), false);
    auto dependsOn = [&](StepId step, const std::vector<char> &set) {
      for (TensorId operand : problem.steps[step].operands)
        if (maker[operand] >= 0 && set[maker[operand]])
          return true;
      return false;
    };
    // Operands are made by earlier steps of the schedule.
    for (StepId step = 0; step < numSteps(); ++step) {
      std::vector<char> itself(numSteps(), false);
      itself[moment] = true;
      later[step] = inOrder()
                        ? step > moment
                        : dependsOn(step, later) || dependsOn(step, itself);
    }
    early[moment] = true;
    for (StepId step = moment; step >= 0; --step) {
      if (inOrder())
        early[step] = true;
      if (early[step])
        for (TensorId operand : problem.steps[step].operands)
          if (maker[operand] >= 0)
            early[maker[operand]] = true;
    }
    isEarly.push_back(std::move(early));
    isLater.push_back(std::move(later));
  }

  bool isMadeEarly(TensorId tensor, int32_t moment) const {
    return maker[tensor] < 0 || isEarly[moment][maker[tensor]];
  }

  /// Whether a storage is at the moment whatever the plan. The first slot is
  /// that of the first step only in the order of the schedule.
  bool isThere(TensorId storage, int32_t moment) const {
    StepId step = proof.moments[moment];
    return isFixed(storage, step, /*isInFirstSlot=*/inOrder() && step == 0);
  }

  /// Whether a step may run again after the moment. What is overwritten and
  /// lost is certain only in the order of the schedule.
  bool mayRunAfter(StepId step, int32_t moment) const {
    return inOrder() ? canRunAgain(step, proof.moments[moment])
                     : problem.steps[step].mayRecompute();
  }

  /// Adds factor * held(moment, storage) to the left side.
  void addHeld(int32_t moment, TensorId storage, Wide factor) {
    magnitude += static_cast<long double>(factor < 0 ? -factor : factor);
    if (isThere(storage, moment))
      atLeast -= factor;
    else if (isMadeEarly(storage, moment))
      sums[{0, moment, 0, storage}] += factor;
  }

  /// Adds factor * runs(from, to, step) to the left side; -1 is no step.
  void addRuns(int32_t from, int32_t to, StepId step, Wide factor) {
    magnitude += static_cast<long double>(factor < 0 ? -factor : factor);
    if (step >= 0 && mayRunAfter(step, from))
      sums[{1, from, to, step}] += factor;
  }

  /// Adds factor * again(step) to the left side.
  void addAgain(StepId step, Wide factor) {
    magnitude += static_cast<long double>(factor);
    sums[{2, 0, 0, step}] += factor;
  }

  Error keyOf(const MomentVariable &variable, Key &key) const {
    bool isHeld = variable.kind == MomentVariable::Kind::Held;
    int32_t from = variable.from, to = isHeld ? end : variable.to;
    if (variable.kind == MomentVariable::Kind::Again)
      from = 0, to = end;
    if (!isStretch(from, to))
      return "a split names a moment that there is not";
    bool isStep = variable.id >= 0 && variable.id < numSteps();
    bool isVariable = false;
    switch (variable.kind) {
    case MomentVariable::Kind::Held:
      key = {0, from, 0, variable.id};
      isVariable = isStorage(variable.id) && !isThere(variable.id, from) &&
                   isMadeEarly(variable.id, from);
      break;
    case MomentVariable::Kind::Runs:
      key = {1, from, to, variable.id};
      isVariable = isStep && isEarly[from][variable.id];
      break;
    case MomentVariable::Kind::Again:
      key = {2, 0, 0, variable.id};
      isVariable = isStep && !inOrder();
      break;
    }
    return isVariable ? std::nullopt
                      : Error("a split names something that is not a variable");
  }

  //===--------------------------------------------------------------------===//
  // The inequalities
  //===--------------------------------------------------------------------===//

  Error addInequality(const MomentAmount &each) {
    if (each.amount < 0)
      return "amounts are not negative";
    switch (each.kind) {
    case MomentAmount::Kind::Read:
      return addRead(each);
    case MomentAmount::Kind::Stay:
      return addStay(each);
    case MomentAmount::Kind::Part:
      return addPart(each);
    case MomentAmount::Kind::Again:
      return addAgain(each);
    case MomentAmount::Kind::Weight:
      return addWeight(each);
    }
    return "there is no such inequality";
  }

  /// Whether a first execution in the stretch, or the end, asks for `made`.
  bool isReadInStretch(TensorId made, int32_t from, int32_t to) const {
    auto asks = [&](const std::vector<TensorId> &list) {
      return std::any_of(list.begin(), list.end(), [&](TensorId tensor) {
        return isMadeEarly(tensor, from) && isInChainOf(made, tensor);
      });
    };
    StepId last = to == end ? numSteps() - 1 : proof.moments[to];
    for (StepId step = 0; step <= last; ++step)
      if (isLater[from][step] && asks(problem.steps[step].operands))
        return true;
    return to == end && asks(problem.outputs);
  }

  Error addRead(const MomentAmount &each) {
    if (!isStretch(each.from, each.to) || each.id < 0 ||
        each.id >= numTensors())
      return "a read names what there is not";
    Wide factor = Wide(each.amount) * proof.weightScale;
    if (each.reader >= 0) {
      if (each.reader >= numSteps() || !isEarly[each.from][each.reader])
        return nameOfStep(each.reader) + " is not yet executed at the moment";
      const Step &reader = problem.steps[each.reader];
      if (std::none_of(
              reader.operands.begin(), reader.operands.end(),
              [&](TensorId tensor) { return isInChainOf(each.id, tensor); }))
        return nameOfStep(each.reader) + " does not ask for " + nameOf(each.id);
      addRuns(each.from, each.to, each.reader, -factor);
    } else {
      if (!isReadInStretch(each.id, each.from, each.to))
        return nameOf(each.id) + " is not read in the stretch";
      atLeast += factor;
      magnitude += static_cast<long double>(factor);
    }
    addHeld(each.from, problem.storageRoot(each.id), factor);
    addRuns(each.from, each.to, maker[each.id], factor);
    return std::nullopt;
  }

  Error addStay(const MomentAmount &each) {
    if (!isStretch(each.from, each.to) || each.to == end ||
        !isStorage(each.id) || !isMadeEarly(each.id, each.from))
      return "what stays is not there before";
    Wide factor = Wide(each.amount) * proof.weightScale;
    addHeld(each.from, each.id, factor);
    addRuns(each.from, each.to, maker[each.id], factor);
    addHeld(each.to, each.id, -factor);
    return std::nullopt;
  }

  Error addPart(const MomentAmount &each) {
    if (!isStretch(each.from, each.middle) ||
        !isStretch(each.middle, each.to) || each.id < 0 ||
        each.id > proof.moments[each.from])
      return "a stretch is parted where it can not be";
    Wide factor = Wide(each.amount) * proof.weightScale;
    addRuns(each.from, each.middle, each.id, factor);
    addRuns(each.middle, each.to, each.id, factor);
    addRuns(each.from, each.to, each.id, -factor);
    return std::nullopt;
  }

  Error addAgain(const MomentAmount &each) {
    if (inOrder() || !isStretch(each.from, each.to) || each.id < 0 ||
        each.id >= numSteps() || !isEarly[each.from][each.id])
      return "nothing says here that a step runs again";
    Wide factor = Wide(each.amount) * proof.weightScale;
    addAgain(each.id, factor);
    addRuns(each.from, each.to, each.id, -factor);
    return std::nullopt;
  }

  /// Whether the storage takes bytes at the moment only if it is held.
  bool hasWeight(TensorId storage, int32_t moment) const {
    return problem.tensors[storage].alias < 0 && !isThere(storage, moment) &&
           isMadeEarly(storage, moment);
  }

  Error checkWeights(const MomentWeights &which) const {
    if (which.moment < 0 || which.moment >= end || which.divisor < 0 ||
        (which.divisor == 0 && !which.storages.empty()))
      return "weights name what there is not";
    for (size_t i = 0; i < which.storages.size(); ++i)
      if (!isStorage(which.storages[i]) ||
          !hasWeight(which.storages[i], which.moment) ||
          (i > 0 && which.storages[i] <= which.storages[i - 1]))
        return "weights name what takes no bytes, or twice";
    if (which.divisor > 0 && excessOf(which) <= 0)
      return "nothing has to be dropped, so there is nothing to round";
    return std::nullopt;
  }

  /// E, or the fixed bytes less the cap without a divisor.
  Wide excessOf(const MomentWeights &which) const {
    StepId step = proof.moments[which.moment];
    Wide excess =
        Wide(problem.steps[step].workspaceBytes) - certificate.capBytes;
    for (TensorId tensor = 0; tensor < numTensors(); ++tensor)
      if (problem.tensors[tensor].alias < 0 && isThere(tensor, which.moment))
        excess += problem.tensors[tensor].bytes;
    for (TensorId storage : which.storages)
      excess += problem.tensors[storage].bytes;
    return excess;
  }

  Error addWeight(const MomentAmount &each) {
    if (each.id < 0 || each.id >= static_cast<int32_t>(proof.weights.size()))
      return "there are no such weights";
    const MomentWeights &which = proof.weights[each.id];
    Wide factor = each.amount, g = which.divisor, excess = excessOf(which);
    atLeast += factor * weightOf(excess, g, excess);
    magnitude += static_cast<long double>(factor) *
                 (std::abs(static_cast<long double>(excess)) + which.divisor);
    for (TensorId storage = 0; storage < numTensors(); ++storage) {
      if (!hasWeight(storage, which.moment))
        continue;
      Wide bytes = problem.tensors[storage].bytes;
      if (contains(which.storages, storage)) {
        atLeast -= factor * weightOf(bytes, g, excess);
        addHeld(which.moment, storage, -factor * weightOf(bytes, g, excess));
      } else {
        addHeld(which.moment, storage, factor * weightOf(-bytes, g, excess));
      }
    }
    return std::nullopt;
  }

  //===--------------------------------------------------------------------===//
  // The cases
  //===--------------------------------------------------------------------===//

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
    if (Error error = keyOf(variable, key))
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
    Wide claimed = (Wide(certificate.cost) - totalCost() - 1) * unit();
    Wide bound = boundOfSum(/*withCosts=*/true);
    std::vector<Key> settled;
    for (auto [key, sumOfKey] : sums) {
      Wide rest = costOf(key) - sumOfKey;
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

  /// Adds up the inequalities of a sum.
  Error addUp(int32_t sum) {
    if (sum < 0 || sum >= static_cast<int32_t>(proof.sums.size()))
      return "a case names a sum that there is not";
    sums.clear();
    atLeast = 0;
    magnitude = 0;
    for (const MomentAmount &amount : proof.sums[sum]) {
      if (Error error = addInequality(amount))
        return error;
      if (magnitude > limit)
        return "the amounts are too large";
    }
    // What is known counts even if no inequality speaks of it.
    for (auto [key, value] : known)
      sums[key] += 0;
    return std::nullopt;
  }

  /// What the inequality says of the cost, or of 0 without costs.
  Wide boundOfSum(bool withCosts) const {
    Wide bound = atLeast;
    for (auto [key, sum] : sums) {
      Wide rest = (withCosts ? costOf(key) : 0) - sum;
      auto found = known.find(key);
      bound +=
          found == known.end() ? std::min<Wide>(0, rest) : rest * found->second;
    }
    return bound;
  }

  Wide costOf(const Key &key) const {
    bool hasCost =
        inOrder() ? key[0] == 1 && key[2] == key[1] + 1 : key[0] == 2;
    return hasCost ? Wide(problem.steps[key[3]].cost) * unit() : 0;
  }
};

} // namespace

JudgeError checkMoments(const Problem &problem,
                        const Certificate &certificate) {
  return MomentJudge(problem, certificate).run();
}

} // namespace remat::solver
