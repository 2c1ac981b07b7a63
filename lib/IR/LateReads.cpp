//===- LateReads.cpp - Overwritten memory means what its values say -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/LateReads.h"

#include "OverwriteOrder.h"
#include "remat/IR/ApplyPlan.h"
#include "remat/IR/StreamOps.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

std::string LateRead::text() const {
  if (isSameStep)
    return value + " is overwritten by '" + writer +
           "', which reads it at other places than it writes";
  if (isSecondWriter)
    return value + " is overwritten by '" + writer + "' and by '" + reader +
           "'";
  return value + " is overwritten by '" + writer + "' before " +
         (reader.empty() ? "the caller gets it" : "'" + reader + "' reads it");
}

namespace {
/// One execute region.
class RegionRepair {
public:
  RegionRepair(Op execute, std::string function, int64_t regionIndex,
               const CostModel &costs, const KernelReads &kernels,
               const DiagnosticSink &sink)
      : execute(execute), function(std::move(function)),
        regionIndex(regionIndex), costs(costs), kernels(kernels), sink(sink) {}

  /// False after an error was reported.
  bool find(std::vector<LateRead> &lateReads);
  bool repair(LateReadRepair &result);

private:
  bool read();
  LateRead describe(const OverwrittenRead &read) const;
  std::string describeValue(TensorId tensor) const;
  bool dissolveGroupsForCopies(LateReadRepair &result);
  void copy(const std::vector<OverwrittenRead> &toCopy, LateReadRepair &result);
  void apply(Plan plan, LateReadRepair &result);
  bool hasLateReads() const;
  void repairOnce(LateReadRepair &result);

  Op execute;
  std::string function;
  int64_t regionIndex;
  const CostModel &costs;
  const KernelReads &kernels;
  const DiagnosticSink &sink;
  RegionProblem region;
  std::vector<OverwrittenRead> reads;
};
} // namespace

bool RegionRepair::read() {
  std::optional<RegionProblem> steps = readStreamSteps(execute, costs, sink);
  if (!steps)
    return false;
  region = std::move(*steps);
  reads = findOverwrittenReads(region, kernels);
  return true;
}

std::string RegionRepair::describeValue(TensorId tensor) const {
  const Problem &problem = region.problem;
  for (size_t i = 0; i < problem.steps.size(); ++i)
    for (const TensorUse &use : region.steps[i].results)
      if (use.tensor == tensor)
        return "the result of '" + problem.steps[i].name + "'";
  intptr_t operand = mlirBlockArgumentGetArgNumber(region.values[tensor].raw());
  Op import = execute.operand(operand).definingOp();
  if (!import || !import.is("stream.tensor.import") ||
      !mlirValueIsABlockArgument(import.operand(0).raw()))
    return "operand #" + std::to_string(operand) + " of the region";
  return "argument #" +
         std::to_string(mlirBlockArgumentGetArgNumber(import.operand(0).raw()));
}

LateRead RegionRepair::describe(const OverwrittenRead &read) const {
  const Problem &problem = region.problem;
  bool isEnd = read.reader == static_cast<StepId>(problem.steps.size());
  return {function,
          regionIndex,
          describeValue(read.use.tensor),
          problem.steps[read.writer].name,
          isEnd ? std::string() : problem.steps[read.reader].name,
          read.reader == read.writer,
          read.isSecondWriter,
          read.use.owner.location()};
}

bool RegionRepair::find(std::vector<LateRead> &lateReads) {
  if (!read())
    return false;
  for (const OverwrittenRead &read : reads)
    if (read.isLate)
      lateReads.push_back(describe(read));
  return true;
}

void RegionRepair::apply(Plan plan, LateReadRepair &result) {
  result.dissolvedGroups += applyPlan(region, plan).dissolvedGroups;
}

/// Copies are made outside of groups, and so run what reads and overwrites
/// them. Returns whether any group had to be dissolved.
bool RegionRepair::dissolveGroupsForCopies(LateReadRepair &result) {
  bool dissolves = false;
  for (const OverwrittenRead &read : reads) {
    if (!read.needsCopy(region.problem))
      continue;
    for (StepId step : {read.reader, read.writer}) {
      if (step == static_cast<StepId>(region.steps.size()) ||
          region.steps[step].group < 0)
        continue;
      region.groups[region.steps[step].group].mustDissolve = true;
      dissolves = true;
    }
  }
  if (dissolves)
    apply(originalPlan(region.problem), result);
  return dissolves;
}

/// The operand that holds the size of `value`, a resource in `execute`.
static Value sizeOf(Op execute, Value value) {
  if (Op definition = value.definingOp())
    return resultSizeOperand(definition, value.resultNumber());
  return operandSizeOperand(execute,
                            mlirBlockArgumentGetArgNumber(value.raw()));
}

/// The operand of `op` whose memory result `result` is in, or -1.
static intptr_t overwrittenOperand(Op op, intptr_t result) {
  const OpFamily *family = lookupOp(op.name());
  return family && family->storage == StorageRule::UpdatesFirst
             ? 0
             : tiedOperand(op, result);
}

/// Gives the in-place chain that begins with `value` the type of transients.
static void makeTransient(Value value, MlirType transient) {
  if (mlirTypeEqual(value.type(), transient))
    return;
  mlirValueSetType(value.raw(), transient);
  for (Op user : value.users())
    for (intptr_t i = 0, e = user.numResults(); i < e; ++i) {
      intptr_t tied = overwrittenOperand(user, i);
      if (tied >= 0 && user.operand(tied) == value)
        makeTransient(user.result(i), transient);
    }
}

/// Lets each read of `toCopy` read a copy of its tensor, made just before the
/// step that overwrites it.
void RegionRepair::copy(const std::vector<OverwrittenRead> &toCopy,
                        LateReadRepair &result) {
  MlirType transient =
      mlirTypeParseGet(execute.context(), toRef("!stream.resource<transient>"));
  std::unordered_map<TensorId, Value> copies;
  for (const OverwrittenRead &read : toCopy) {
    Value original = region.values[read.use.tensor];
    bool isEnd = read.reader == static_cast<StepId>(region.steps.size());
    Value &copied = copies[read.use.tensor];
    // What leaves the region has a place of its own there, and each second
    // writer overwrites its copy.
    if (!copied || isEnd || read.isSecondWriter) {
      Op writer = region.steps[read.writer].op;
      MlirOperationState state = mlirOperationStateGet(
          toRef("stream.async.clone"),
          mlirLocationNameGet(writer.context(), toRef("remat"),
                              writer.location()));
      Value size = sizeOf(execute, original);
      MlirValue operands[] = {original.raw(), size.raw(), size.raw()};
      MlirType type = isEnd ? original.type() : transient;
      mlirOperationStateAddOperands(&state, 3, operands);
      mlirOperationStateAddResults(&state, 1, &type);
      Op clone = mlirOperationCreate(&state);
      Op anchor = writer;
      if (read.isSecondWriter)
        anchor = read.use.owner;
      else if (int32_t group = region.steps[read.writer].group; group >= 0)
        anchor = region.groups[group].op;
      mlirBlockInsertOwnedOperationBefore(region.block, anchor.raw(),
                                          clone.raw());
      ++result.copies;
      result.copyBytes += size.constantInt().value_or(0);
      copied = clone.result(0);
    }
    Op reader = read.use.owner;
    reader.setOperand(read.use.index, copied);
    for (intptr_t i = 0, e = isEnd ? 0 : reader.numResults(); i < e; ++i)
      if (overwrittenOperand(reader, i) == read.use.index) {
        if (read.isSecondWriter)
          makeTransient(reader.result(i), transient);
        else
          tieResult(reader, i, read.written);
      }
  }
}

bool RegionRepair::hasLateReads() const {
  return std::any_of(reads.begin(), reads.end(),
                     [](const OverwrittenRead &read) { return read.isLate; });
}

/// Dissolves a group, makes copies, or, if neither has to be, puts the steps
/// into an order without late reads.
void RegionRepair::repairOnce(LateReadRepair &result) {
  std::vector<OverwrittenRead> toCopy;
  for (const OverwrittenRead &read : reads) {
    if (read.needsCopy(region.problem)) {
      toCopy.push_back(read);
      continue;
    }
    int32_t group = region.steps[read.reader].group;
    if (read.isLate && group >= 0 && group == region.steps[read.writer].group)
      region.groups[group].mustDissolve = true;
  }
  if (!toCopy.empty()) {
    if (!dissolveGroupsForCopies(result))
      copy(toCopy, result);
    return;
  }
  OverwriteOrder order = findOverwriteOrder(region, reads);
  if (!order.steps.empty())
    return apply({std::move(order.steps)}, result);
  for (int32_t group : order.groups)
    region.groups[group].mustDissolve = true;
  if (!order.groups.empty())
    return apply(originalPlan(region.problem), result);
  for (size_t index : order.reads)
    toCopy.push_back(reads[index]);
  copy(toCopy, result);
}

bool RegionRepair::repair(LateReadRepair &result) {
  if (!find(result.lateReads))
    return false;
  while (hasLateReads()) {
    repairOnce(result);
    if (!read())
      return false;
  }
  return true;
}

/// Calls `visit` on every execute region below `root`, with its function and
/// its number in it, until one returns false; returns whether none did.
static bool forEachRegion(
    Op root,
    const std::function<bool(Op, const std::string &, int64_t)> &visit) {
  std::vector<Op> functions;
  walk(root, [&](Op op) {
    if (op.is("util.func") || op.is("func.func"))
      functions.push_back(op);
  });
  for (Op function : functions) {
    std::vector<Op> regions;
    walk(function, [&](Op op) {
      if (op.is("stream.async.execute"))
        regions.push_back(op);
    });
    for (size_t i = 0; i < regions.size(); ++i)
      if (!visit(regions[i], std::string(function.symbolName()),
                 static_cast<int64_t>(i)))
        return false;
  }
  return true;
}

std::optional<std::vector<LateRead>>
ir::findLateReads(Op root, const DiagnosticSink &sink) {
  CostModel costs(root, "cpu");
  KernelReads kernels(root);
  std::vector<LateRead> lateReads;
  auto find = [&](Op execute, const std::string &function, int64_t index) {
    return RegionRepair(execute, function, index, costs, kernels, sink)
        .find(lateReads);
  };
  if (!forEachRegion(root, find))
    return std::nullopt;
  return lateReads;
}

std::optional<LateReadRepair> ir::repairLateReads(Op root,
                                                  const DiagnosticSink &sink) {
  for (const LostArgument &lost : findLostArguments(root)) {
    sink({Severity::Error,
          lost.location,
          "argument #" + std::to_string(lost.argument) + " of function '" +
              lost.function +
              "' is overwritten and read after that, outside of the region "
              "that overwrites it; do not donate it",
          {}});
    return std::nullopt;
  }
  CostModel costs(root, "cpu");
  KernelReads kernels(root);
  LateReadRepair result;
  auto repair = [&](Op execute, const std::string &function, int64_t index) {
    return RegionRepair(execute, function, index, costs, kernels, sink)
        .repair(result);
  };
  if (!forEachRegion(root, repair))
    return std::nullopt;
  return result;
}
