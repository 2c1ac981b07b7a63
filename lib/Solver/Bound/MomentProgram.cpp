//===- MomentProgram.cpp - Several moments as a linear program ------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bound/MomentProgram.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace remat::solver {

MomentSides findSides(const ProblemIndex &index, MomentOrder order,
                      StepId step) {
  const std::vector<Step> &steps = index.problem.steps;
  StepId numSteps = static_cast<StepId>(steps.size());
  assert(step >= 0 && step < numSteps);
  MomentSides sides = {std::vector<char>(numSteps, false),
                       std::vector<char>(numSteps, false)};
  auto &[isEarly, isLater] = sides;
  if (order == MomentOrder::Schedule) {
    std::fill(isEarly.begin(), isEarly.begin() + step + 1, true);
    std::fill(isLater.begin() + step + 1, isLater.end(), true);
    return sides;
  }
  isEarly[step] = true;
  for (StepId id = step; id >= 0; --id)
    if (isEarly[id])
      for (TensorId operand : steps[id].operands)
        if (index.maker[operand] >= 0)
          isEarly[index.maker[operand]] = true;
  for (StepId id = step + 1; id < numSteps; ++id)
    for (TensorId operand : steps[id].operands) {
      StepId maker = index.maker[operand];
      isLater[id] |= maker >= 0 && (maker == step || isLater[maker]);
    }
  return sides;
}

MomentProgram::MomentProgram(const ProblemIndex &index, MomentOrder order,
                             std::vector<StepId> steps, int64_t capBytes,
                             const Tuning &tuning)
    : order(order), moments(std::move(steps)), index(index),
      problem(index.problem), capBytes(capBytes), tuning(tuning.bound),
      numMoments(static_cast<int32_t>(moments.size())),
      againColumn(problem.steps.size(), isZero) {
  assert((order == MomentOrder::Any ||
          std::is_sorted(moments.begin(), moments.end())) &&
         !moments.empty());
  for (StepId moment : moments)
    addMoment(moment);
  heldColumn.assign(numMoments,
                    std::vector<int32_t>(problem.tensors.size(), isZero));
  runsColumn.assign(stretch(numMoments, 0),
                    std::vector<int32_t>(problem.steps.size(), isZero));
  for (int32_t from = 0; from < numMoments; ++from)
    for (int32_t to = order == MomentOrder::Any ? numMoments : from + 1;
         to <= numMoments; ++to)
      addFirstReads(from, to);
  // Rows add columns, which add further rows.
  for (int32_t column = 0; column < static_cast<int32_t>(columns.size());
       ++column)
    addConsequences(column);
  for (int32_t moment = 0; moment < numMoments; ++moment)
    addWeights(moment);
}

void MomentProgram::addMoment(StepId step) {
  sides.push_back(findSides(index, order, step));
  isReadLater.emplace_back(problem.tensors.size(), false);
  isFixed.push_back(index.isPermanent);
  for (const std::vector<TensorId> *list :
       {&problem.steps[step].operands, &problem.steps[step].results})
    for (TensorId tensor : *list)
      isFixed.back()[index.storageOf[tensor]] = true;
  if (order == MomentOrder::Schedule && step == 0)
    for (TensorId input : problem.inputs)
      isFixed.back()[index.storageOf[input]] = true;
}

StepId MomentProgram::lastOf(int32_t to) const {
  return to < numMoments ? moments[to]
                         : static_cast<StepId>(problem.steps.size()) - 1;
}

int32_t MomentProgram::held(int32_t moment, TensorId storage) {
  if (isFixed[moment][storage])
    return isOne;
  if (!isMadeEarly(moment, storage))
    return isZero;
  int32_t &column = heldColumn[moment][storage];
  if (column == isZero) {
    column = static_cast<int32_t>(columns.size());
    columns.push_back({{MomentVariable::Kind::Held, moment, 0, storage}, 0});
  }
  return column;
}

int32_t MomentProgram::runs(int32_t from, int32_t to, StepId step) {
  if (step < 0 || !problem.steps[step].mayRecompute() ||
      (order == MomentOrder::Schedule && index.isOnceOnly(step, moments[from])))
    return isZero;
  int32_t &column = runsColumn[stretch(from, to)][step];
  if (column == isZero) {
    column = static_cast<int32_t>(columns.size());
    bool hasCost = order == MomentOrder::Schedule && to == from + 1;
    columns.push_back({{MomentVariable::Kind::Runs, from, to, step},
                       hasCost ? problem.steps[step].cost : 0});
  }
  return column;
}

int32_t MomentProgram::again(StepId step) {
  int32_t &column = againColumn[step];
  if (column == isZero) {
    column = static_cast<int32_t>(columns.size());
    columns.push_back(
        {{MomentVariable::Kind::Again, 0, 0, step}, problem.steps[step].cost});
  }
  return column;
}

void MomentProgram::addRow(MomentAmount key, std::initializer_list<int32_t> sum,
                           int32_t atLeast) {
  if (atLeast == isZero || std::count(sum.begin(), sum.end(), isOne) > 0)
    return;
  Row row = {key, {}, atLeast == isOne ? 1 : 0};
  for (int32_t column : sum)
    if (column != isZero)
      row.terms.push_back({column, 1});
  if (atLeast != isOne)
    row.terms.push_back({atLeast, -1});
  rows.push_back(std::move(row));
}

/// Adds the rows which say that `tensor` is held or recomputed in the stretch.
void MomentProgram::addReads(int32_t from, int32_t to, TensorId tensor,
                             StepId reader, int32_t atLeast) {
  int32_t column = held(from, index.storageOf[tensor]);
  if (column == isOne)
    return;
  for (; tensor >= 0; tensor = problem.tensors[tensor].alias)
    addRow({MomentAmount::Kind::Read, from, 0, to, tensor, reader, 0},
           {column, runs(from, to, index.maker[tensor])}, atLeast);
}

void MomentProgram::addFirstReads(int32_t from, int32_t to) {
  std::vector<char> isDone(problem.tensors.size(), false);
  auto add = [&](const std::vector<TensorId> &list) {
    for (TensorId tensor : list) {
      if (!isMadeEarly(from, tensor) || isDone[tensor])
        continue;
      isDone[tensor] = true;
      isReadLater[from][index.storageOf[tensor]] = true;
      addReads(from, to, tensor, -1, isOne);
    }
  };
  StepId first = order == MomentOrder::Schedule ? moments[from] + 1 : 0;
  for (StepId step = first; step <= lastOf(to); ++step)
    if (sides[from].isLater[step])
      add(problem.steps[step].operands);
  if (to == numMoments)
    add(problem.outputs);
}

/// Adds the rows for what follows if `column` is 1.
void MomentProgram::addConsequences(int32_t column) {
  MomentVariable variable = columns[column].variable;
  if (variable.kind == MomentVariable::Kind::Held) {
    TensorId storage = variable.id;
    int32_t to = variable.from;
    for (int32_t from = 0; from < to && order == MomentOrder::Schedule; ++from)
      if (isMadeEarly(from, storage))
        addRow({MomentAmount::Kind::Stay, from, 0, to, storage, -1, 0},
               {held(from, storage), runs(from, to, index.maker[storage])},
               column);
    return;
  }
  if (variable.kind == MomentVariable::Kind::Again)
    return;
  StepId step = variable.id;
  std::vector<TensorId> operands = problem.steps[step].operands;
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  for (TensorId operand : operands)
    addReads(variable.from, variable.to, operand, step, column);
  if (order == MomentOrder::Any) {
    addRow(
        {MomentAmount::Kind::Again, variable.from, 0, variable.to, step, -1, 0},
        {again(step)}, column);
    return;
  }
  for (int32_t middle = variable.from + 1; middle < variable.to; ++middle)
    addRow({MomentAmount::Kind::Part, variable.from, middle, variable.to, step,
            -1, 0},
           {runs(variable.from, middle, step), runs(middle, variable.to, step)},
           column);
}

void MomentProgram::addWeights(int32_t moment) {
  StepId step = moments[moment];
  int64_t fixedBytes = problem.steps[step].workspaceBytes;
  for (size_t storage = 0; storage < problem.tensors.size(); ++storage)
    if (isFixed[moment][storage])
      fixedBytes += problem.tensors[storage].bytes;
  addWeightRow(moment, fixedBytes, {moment, 0, {}});

  // What is read later, and the sizes with the most bytes in total.
  MomentWeights later = {moment, 0, {}};
  std::map<int64_t, int64_t> bytesOfSize;
  int64_t excess = fixedBytes - capBytes;
  for (TensorId storage = 0;
       storage < static_cast<TensorId>(problem.tensors.size()); ++storage) {
    int64_t bytes = problem.tensors[storage].bytes;
    if (heldColumn[moment][storage] < 0 || bytes == 0 ||
        !isReadLater[moment][storage])
      continue;
    later.storages.push_back(storage);
    excess += bytes;
    bytesOfSize[bytes] += bytes;
  }
  if (excess <= 0)
    return;
  std::vector<std::pair<int64_t, int64_t>> sizes;
  for (auto [size, sum] : bytesOfSize)
    sizes.push_back({sum, size});
  std::sort(sizes.rbegin(), sizes.rend());
  size_t numDivisors = tuning.rounding ? tuning.maxDivisors : 0;
  sizes.resize(std::min(sizes.size(), numDivisors));
  sizes.push_back({0, index.totalBytes + 1});
  for (auto [sum, size] : sizes) {
    later.divisor = size;
    if (excess % size != 0)
      addWeightRow(moment, fixedBytes, later);
  }
}

void MomentProgram::addWeightRow(int32_t moment, int64_t fixedBytes,
                                 MomentWeights which) {
  Row row = {{MomentAmount::Kind::Weight, moment, 0, 0,
              static_cast<int32_t>(weights.size()), -1, 0},
             {},
             fixedBytes - capBytes};
  int64_t divisor = which.divisor, remainder = 0;
  std::vector<char> isInSet(problem.tensors.size(), false);
  if (divisor > 0) {
    int64_t excess = fixedBytes - capBytes;
    for (TensorId storage : which.storages) {
      isInSet[storage] = true;
      excess += problem.tensors[storage].bytes;
    }
    remainder = excess % divisor;
    row.atLeast = roundedWeight(excess, divisor, remainder);
  }
  for (size_t storage = 0; storage < problem.tensors.size(); ++storage) {
    int32_t column = heldColumn[moment][storage];
    int64_t bytes = problem.tensors[storage].bytes;
    if (column < 0 || bytes == 0)
      continue;
    int64_t weight = bytes;
    if (isInSet[storage]) {
      weight = roundedWeight(bytes, divisor, remainder);
      row.atLeast -= weight;
    } else if (divisor > 0) {
      weight = -roundedWeight(-bytes, divisor, remainder);
    }
    if (weight != 0)
      row.terms.push_back({column, -weight});
  }
  rows.push_back(std::move(row));
  weights.push_back(std::move(which));
}

int64_t MomentProgram::bytesOf(int32_t column) const {
  assert(column >= 0 && static_cast<size_t>(column) < columns.size());
  const MomentVariable &variable = columns[column].variable;
  return variable.kind == MomentVariable::Kind::Held
             ? problem.tensors[variable.id].bytes
             : 0;
}

} // namespace remat::solver
