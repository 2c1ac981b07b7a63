//===- BranchAndBound.cpp - Branch and bound over a moment program --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/BranchAndBound.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace remat::solver {

/// A value closer to 0 or 1 than this counts as 0 or 1.
static constexpr double integrality = 1e-6;
/// Amounts stay below 2^62.
static constexpr double maxAmount = 4.6e18;

BranchAndBound::BranchAndBound(const MomentProgram &program,
                               const ProblemIndex &index, int64_t capBytes,
                               int64_t goalExtraCost,
                               std::function<bool()> isOutOfTime,
                               const Tuning &tuning)
    : program(program), capBytes(capBytes), goalExtraCost(goalExtraCost),
      tuning(tuning.bound), isOutOfTime(std::move(isOutOfTime)),
      scale(std::clamp<int64_t>((int64_t(1) << 60) / (index.totalCost + 1), 1,
                                int64_t(1) << 40)),
      weightScale(capBytes >> 20 > 0 ? int64_t(1) << 20 : 1),
      // Costs that add up to a million, weights that add up to some ones.
      costFactor(1e6 / static_cast<double>(index.totalCost + 1)),
      linear(makeLinear()), known(program.columns.size(), -1),
      sums(program.columns.size(), 0) {}

LinearProgram BranchAndBound::makeLinear() {
  std::vector<double> costs;
  for (const MomentProgram::Column &column : program.columns)
    costs.push_back(static_cast<double>(column.cost) * costFactor);
  std::vector<LinearProgram::Row> rows;
  for (const MomentProgram::Row &row : program.rows) {
    int64_t largest = 1;
    for (auto [column, value] : row.terms)
      largest = std::max(largest, std::abs(value));
    rowFactors.push_back(1.0 / static_cast<double>(largest));
    rows.push_back(
        {{}, {}, static_cast<double>(row.atLeast) * rowFactors.back()});
    for (auto [column, value] : row.terms) {
      rows.back().columns.push_back(column);
      rows.back().values.push_back(static_cast<double>(value) *
                                   rowFactors.back());
    }
  }
  return LinearProgram(costs, rows, isOutOfTime);
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

BranchAndBound::Amounts
BranchAndBound::roundedAmounts(const std::vector<double> &duals,
                               bool isRay) const {
  // The length of a ray is arbitrary; the longer, the finer its parts.
  double longest = 0;
  if (isRay)
    for (double dual : duals)
      longest = std::max(longest, std::abs(dual));
  Amounts amounts;
  for (int32_t row = 0; row < static_cast<int32_t>(duals.size()); ++row) {
    double amount = duals[row] * rowFactors[row];
    amount *= isRay ? std::ldexp(1.0, 40) / std::max(longest, 1e-30)
                    : static_cast<double>(scale) / costFactor;
    if (program.rows[row].key.kind == MomentAmount::Kind::Weight)
      amount *= static_cast<double>(weightScale);
    if (int64_t rounded = std::llround(std::clamp(amount, 0.0, maxAmount)))
      amounts.push_back({row, rounded});
  }
  return amounts;
}

/// The bound of the current case from `amounts`, times both scales. `rests`
/// receives the remaining costs of the columns that are not known.
BranchAndBound::Wide
BranchAndBound::boundOf(const Amounts &amounts, bool withCosts,
                        std::vector<std::pair<int32_t, Wide>> *rests) {
  Wide bound = 0;
  std::vector<int32_t> touched = knownColumns;
  for (auto [at, amount] : amounts) {
    assert(amount >= 0 && static_cast<size_t>(at) < program.rows.size());
    const MomentProgram::Row &row = program.rows[at];
    Wide factor = amount;
    if (row.key.kind != MomentAmount::Kind::Weight)
      factor *= weightScale;
    bound += factor * row.atLeast;
    for (auto [column, value] : row.terms) {
      touched.push_back(column);
      sums[column] += factor * value;
    }
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (int32_t column : touched) {
    Wide cost = withCosts ? program.columns[column].cost * unit() : 0;
    Wide rest = cost - sums[column];
    sums[column] = 0;
    if (known[column] >= 0) {
      bound += rest * known[column];
      continue;
    }
    bound += std::min<Wide>(0, rest);
    if (rests)
      rests->push_back({column, rest});
  }
  return bound;
}

/// Makes the case of `node` the current one.
void BranchAndBound::enter(int32_t node) {
  for (int32_t column : knownColumns) {
    linear.setBounds(column, 0, 1);
    known[column] = -1;
  }
  knownColumns.clear();
  auto know = [&](int32_t column, int8_t value) {
    assert(value == 0 || value == 1);
    knownColumns.push_back(column);
    known[column] = value;
  };
  for (; nodes[node].parent >= 0; node = nodes[node].parent) {
    know(nodes[node].column, static_cast<int8_t>(nodes[node].value));
    for (auto [column, value] : nodes[nodes[node].parent].settled)
      know(column, value);
  }
  for (int32_t column : knownColumns)
    linear.setBounds(column, known[column], known[column]);
}

/// Takes over the solution of the linear program of the current case.
void BranchAndBound::take(Node &node, LinearProgram::Outcome outcome) {
  bool isRay = outcome == LinearProgram::Outcome::Infeasible;
  std::vector<double> duals = linear.duals();
  for (double sign : {1.0, -1.0}) {
    if (sign < 0 && !isRay)
      break;
    for (double &dual : duals)
      dual *= sign;
    Amounts amounts = roundedAmounts(duals, isRay);
    Wide bound = boundOf(amounts, /*withCosts=*/!isRay);
    if (isRay && bound > 0) {
      node.isImpossible = true;
      node.amounts = std::move(amounts);
      return;
    }
    if (!isRay && bound > node.bound) {
      node.bound = bound;
      node.amounts = std::move(amounts);
    }
  }
  node.isSolved = outcome == LinearProgram::Outcome::Optimal;
  node.basis = linear.basis();
  std::vector<double> values = linear.values();
  std::vector<std::pair<double, int32_t>> scored;
  for (int32_t column = 0; column < static_cast<int32_t>(values.size());
       ++column) {
    double share = std::min(values[column], 1 - values[column]);
    if (share < integrality)
      continue;
    // The held storages determine the steps that run.
    constexpr double weightOfRuns = 1e-3;
    double score =
        program.columns[column].variable.kind == MomentVariable::Kind::Held
            ? static_cast<double>(program.bytesOf(column)) /
                  static_cast<double>(capBytes + 1)
            : weightOfRuns * 1e-6 * costFactor *
                  static_cast<double>(program.columns[column].cost);
    scored.push_back({-share * score, column});
  }
  std::sort(scored.begin(), scored.end());
  scored.resize(std::min(scored.size(), static_cast<size_t>(tuning.maxTried)));
  node.fractional.clear();
  for (auto [score, column] : scored)
    node.fractional.push_back(column);
}

/// Solves the current case, from its basis.
void BranchAndBound::solve(Node &node, int maxPivots) {
  int64_t pivotsBefore = linear.numPivots();
  LinearProgram::Outcome outcome;
  if (node.basis.empty()) {
    outcome = linear.solve();
  } else {
    linear.setBasis(node.basis);
    outcome = linear.resolve(maxPivots);
  }
  take(node, outcome);
  countWork(pivotsBefore);
}

void BranchAndBound::countWork(int64_t pivotsBefore) {
  // Measured, in nanoseconds.
  int64_t size =
      static_cast<int64_t>(program.rows.size() + program.columns.size());
  workDone += 100'000 + 150 * size +
              (30'000 + 2 * size) * (linear.numPivots() - pivotsBefore);
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

bool BranchAndBound::isLower(int32_t a, int32_t b) const {
  return nodes[a].bound != nodes[b].bound ? nodes[a].bound < nodes[b].bound
                                          : a < b;
}

bool BranchAndBound::solveRoot() {
  assert(nodes.empty() && "solved already");
  nodes.emplace_back();
  // A single row that cannot hold needs no linear program, and the simplex code
  // does not always have a ray for it.
  for (int32_t at = 0; at < static_cast<int32_t>(program.rows.size()); ++at)
    if (boundOf({{at, 1}}, /*withCosts=*/false) > 0) {
      nodes[0].isImpossible = true;
      nodes[0].amounts = {{at, 1}};
      return true;
    }
  solve(nodes[0], tuning.pivotsToSolve);
  if (isOpen(nodes[0]))
    open.push_back(0);
  return nodes[0].isImpossible || nodes[0].isSolved;
}

bool BranchAndBound::isOpen(const Node &node) const {
  return !node.isImpossible &&
         (goalExtraCost == 0 || node.bound <= (goalExtraCost - 1) * unit());
}

bool BranchAndBound::run(int64_t maxWork, size_t maxCases) {
  int64_t end = workDone + maxWork;
  auto isHigher = [&](int32_t a, int32_t b) { return isLower(b, a); };
  std::make_heap(open.begin(), open.end(), isHigher);
  auto add = [&](int32_t node) {
    if (!isOpen(nodes[node]))
      return;
    open.push_back(node);
    std::push_heap(open.begin(), open.end(), isHigher);
  };
  while (!open.empty()) {
    int32_t lowest = open.front();
    if (workDone >= end || open.size() >= maxCases || isOutOfTime())
      return false;
    if (nodes[lowest].isSolved && nodes[lowest].fractional.empty())
      return true;
    std::pop_heap(open.begin(), open.end(), isHigher);
    open.pop_back();
    enter(lowest);
    bool isOk = true;
    if (nodes[lowest].isSolved) {
      isOk = split(lowest);
      for (int32_t child : nodes[lowest].children)
        if (isOk)
          add(child);
    } else {
      solve(nodes[lowest], tuning.pivotsToSolve);
      isOk = !isOutOfTime() &&
             (nodes[lowest].isSolved || nodes[lowest].isImpossible);
      if (isOk)
        add(lowest);
    }
    if (!isOk) {
      add(lowest);
      return false;
    }
  }
  return true;
}

/// Finds the columns that the amounts of the current case settle.
void BranchAndBound::settle(Node &node) {
  if (goalExtraCost == 0)
    return;
  std::vector<std::pair<int32_t, Wide>> rests;
  Wide bound = boundOf(node.amounts, /*withCosts=*/true, &rests);
  for (auto [column, rest] : rests)
    if (bound + (rest < 0 ? -rest : rest) > (goalExtraCost - 1) * unit())
      node.settled.push_back({column, static_cast<int8_t>(rest < 0)});
}

/// The variable at which to split the current case, which is solved: the one
/// that makes both halves the most expensive.
int32_t BranchAndBound::chooseColumn(const Node &node) {
  const std::vector<int32_t> &columns = node.fractional;
  assert(!columns.empty() && "an integral case needs no split");
  if (columns.size() == 1)
    return columns[0];
  linear.setBasis(node.basis);
  int64_t pivotsBefore = linear.numPivots();
  linear.resolve(tuning.pivotsToSolve);
  std::vector<std::pair<double, double>> rises =
      linear.tryBoth(columns, tuning.pivotsToTry);
  countWork(pivotsBefore);
  // In the units of the linear program, where all costs are a million.
  constexpr double least = 1e-3, most = 1e6;
  int32_t best = columns[0];
  double bestScore = -1;
  for (size_t i = 0; i < columns.size(); ++i) {
    double score = std::clamp(rises[i].first, least, most) *
                   std::clamp(rises[i].second, least, most);
    if (score > bestScore) {
      bestScore = score;
      best = columns[i];
    }
  }
  return best;
}

/// Splits a case; false if time is up.
bool BranchAndBound::split(int32_t lowest) {
  settle(nodes[lowest]);
  int32_t column = chooseColumn(nodes[lowest]);
  for (int32_t value : {0, 1}) {
    Node child;
    child.parent = lowest;
    child.column = column;
    child.value = value;
    child.basis = nodes[lowest].basis;
    child.bound = nodes[lowest].bound;
    // What holds for the parent holds here too.
    child.amounts = nodes[lowest].amounts;
    nodes[lowest].children[value] = static_cast<int32_t>(nodes.size());
    nodes.push_back(std::move(child));
    enter(nodes[lowest].children[value]);
    solve(nodes.back(), tuning.pivotsToSolve);
  }
  if (isOutOfTime()) {
    nodes.resize(nodes.size() - 2);
    for (int32_t &child : nodes[lowest].children)
      child = -1;
    nodes[lowest].settled.clear();
    return false;
  }
  // Only cases need these.
  nodes[lowest].basis = {};
  if (nodes[lowest].settled.empty())
    nodes[lowest].amounts = {};
  return true;
}

int64_t BranchAndBound::extraCost() const {
  if (open.empty())
    return goalExtraCost;
  int32_t lowest =
      *std::min_element(open.begin(), open.end(),
                        [&](int32_t a, int32_t b) { return isLower(a, b); });
  Wide bound = std::max<Wide>(0, nodes[lowest].bound);
  // A lower claim is true as well. With the cost of the schedule it fits.
  constexpr Wide limit = std::numeric_limits<int64_t>::max() / 2;
  return static_cast<int64_t>(
      std::min<Wide>(limit, (bound + unit() - 1) / unit()));
}

std::vector<double> BranchAndBound::lowestValues() {
  assert(!open.empty() && "no case is open");
  int32_t lowest =
      *std::min_element(open.begin(), open.end(),
                        [&](int32_t a, int32_t b) { return isLower(a, b); });
  enter(lowest);
  solve(nodes[lowest], tuning.pivotsToSolve);
  return linear.values();
}

MomentProof BranchAndBound::proof() const {
  MomentProof proof;
  proof.order = program.order;
  proof.moments = program.moments;
  proof.scale = scale;
  proof.weightScale = weightScale;
  proof.weights = program.weights;
  copyCases(0, proof);
  return proof;
}

void BranchAndBound::copyCases(int32_t at, MomentProof &proof) const {
  const Node &node = nodes[at];
  MomentCase copy;
  bool isSplit = node.children[0] >= 0;
  if (!isSplit || !node.settled.empty()) {
    copy.kind = isSplit             ? MomentCase::Kind::Settle
                : node.isImpossible ? MomentCase::Kind::Impossible
                                    : MomentCase::Kind::Bound;
    copy.sum = static_cast<int32_t>(proof.sums.size());
    proof.cases.push_back(copy);
    MomentSum &sum = proof.sums.emplace_back();
    for (auto [row, amount] : node.amounts) {
      sum.push_back(program.rows[row].key);
      sum.back().amount = amount;
    }
  }
  if (!isSplit)
    return;
  copy.kind = MomentCase::Kind::Split;
  copy.variable = program.columns[nodes[node.children[0]].column].variable;
  proof.cases.push_back(copy);
  for (int32_t child : node.children)
    copyCases(child, proof);
}

} // namespace remat::solver
