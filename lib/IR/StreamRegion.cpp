//===- StreamRegion.cpp - Reading the body of a stream.async.execute ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionReader.h"
#include "remat/IR/StreamOps.h"

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {
/// Reads one execute region, op by op.
class StreamRegionReader : RegionReader {
public:
  StreamRegionReader(Op execute, const CostModel &costs, bool needsSizes,
                     const DiagnosticSink &sink)
      : RegionReader(execute, execute.body()), costs(costs),
        needsSizes(needsSizes), sink(sink) {}

  std::optional<RegionProblem> read();

private:
  void readArguments();
  bool readStep(Op op, int32_t group);
  bool readGroup(Op concurrent);
  void markOutside();

  const CostModel &costs;
  bool needsSizes;
  const DiagnosticSink &sink;
};
} // namespace

/// A name by which a report can speak of `op`: the kernel, or the kind of op.
static std::string stepName(Op op) {
  if (op.is("stream.async.dispatch")) {
    std::string entryPoint = dispatchEntryPoint(op);
    return entryPoint.substr(entryPoint.rfind('@') + 1);
  }
  return std::string(op.name());
}

bool StreamRegionReader::readStep(Op op, int32_t group) {
  const OpFamily *family = lookupOp(op.name());
  if (!family || op.dialect() != "stream") {
    sink({Severity::Error,
          op.location(),
          "cannot plan around '" + std::string(op.name()) +
              "': its use of memory is unknown at stream level",
          {}});
    return false;
  }
  Work work =
      op.is("stream.async.dispatch") ? costs.workOfDispatch(op) : Work();
  solver::StepId step = addStep(op, stepName(op), 0, family);
  int64_t movedBytes = 0;
  region.problem.steps[step].group = group;
  region.steps[step].group = group;
  for (intptr_t i = 0, e = op.numOperands(); i < e; ++i) {
    TensorId tensor = tensorOf(op.operand(i));
    if (tensor >= 0)
      addOperand(step, op, i, tensor);
  }
  for (intptr_t i = 0, e = op.numResults(); i < e; ++i) {
    if (!isStreamResource(op.result(i).type()))
      continue;
    std::optional<int64_t> size = resultSize(op, i);
    if (!size && !needsSizes)
      size = 0;
    if (!size) {
      sink({Severity::Error,
            op.location(),
            "the size of result #" + std::to_string(i) + " of '" +
                std::string(op.name()) +
                "' is not a constant; programs with dynamic shapes cannot be "
                "planned, compile for fixed shapes",
            {}});
      return false;
    }
    movedBytes += *size;
    TensorId tensor =
        addTensor(op.result(i), alignSlice(*size), TensorKind::Activation);
    addResult(step, i, tensor);
    intptr_t target = -1;
    if (family->storage == StorageRule::UpdatesFirst ||
        family->storage == StorageRule::View)
      target = 0;
    else if (family->storage == StorageRule::UpdatesTied)
      target = tiedOperand(op, i);
    if (target >= 0)
      addAlias(step, tensor, tensorOf(op.operand(target)),
               /*overwrites=*/family->storage != StorageRule::View);
  }
  if (family->work == WorkRule::Move && !op.is("stream.async.alloca"))
    work.bytes = op.is("stream.async.splat") ? movedBytes : 2 * movedBytes;
  region.problem.steps[step].cost =
      costs.nanosOfKernel(region.problem.steps[step].name, work);
  return true;
}

bool StreamRegionReader::readGroup(Op concurrent) {
  auto group = static_cast<int32_t>(region.groups.size());
  GroupSite site;
  site.op = concurrent;
  std::vector<Value> arguments = argumentsOf(concurrent.body());
  for (size_t i = 0; i < arguments.size(); ++i) {
    TensorId tensor = tensorOf(concurrent.operand(i));
    if (tensor < 0)
      continue;
    bind(arguments[i], tensor);
    site.operands.push_back({concurrent, static_cast<intptr_t>(i), tensor});
  }
  region.groups.push_back(site);
  std::vector<Op> ops = opsOf(concurrent.body());
  Op yield = ops.back();
  ops.pop_back();
  for (Op op : ops) {
    if (!readStep(op, group))
      return false;
    region.groups[group].steps.push_back(
        static_cast<StepId>(region.steps.size()) - 1);
  }
  // From here on the results of the group stand for the values yielded to them.
  for (intptr_t i = 0, e = concurrent.numResults(); i < e; ++i) {
    TensorId tensor = tensorOf(yield.operand(i));
    bind(concurrent.result(i), tensor);
    region.values[tensor] = concurrent.result(i);
    region.groups[group].results.push_back({concurrent, i, tensor});
  }
  return true;
}

/// What escapes the region is allocated outside its slab, for as long as the
/// region runs, and so is everything that shares storage with it. A second
/// version of it would need a place in the slab, so none is made.
void StreamRegionReader::markOutside() {
  Problem &problem = region.problem;
  std::vector<bool> outside(problem.tensors.size(), false);
  std::vector<bool> input(problem.tensors.size(), false);
  for (TensorId tensor : problem.inputs)
    input[tensor] = true;
  for (TensorId tensor : problem.outputs)
    outside[problem.storageRoot(tensor)] = true;
  for (TensorId tensor = 0, e = static_cast<TensorId>(problem.tensors.size());
       tensor < e; ++tensor) {
    TensorId root = problem.storageRoot(tensor);
    if (!outside[root] && !input[root])
      continue;
    problem.tensors[tensor].bytes = 0;
    if (outside[root] && !input[tensor])
      problem.tensors[tensor].kind = TensorKind::Output;
  }
  for (Step &step : problem.steps) {
    for (TensorId result : step.results)
      if (step.mayRecompute() && outside[problem.storageRoot(result)])
        step.noRecompute = "makes an output";
    // An operand that lived outside before and is gone once overwritten.
    for (const InPlace &inPlace : step.inPlace)
      if (input[inPlace.operand])
        problem.tensors[inPlace.operand].kind = TensorKind::Donated;
  }
}

/// Operands that import one buffer of the caller share its storage: IREE
/// imports a donated one twice if its result has another shape.
void StreamRegionReader::readArguments() {
  std::unordered_map<const void *, TensorId> tensorOfBuffer;
  std::vector<Value> arguments = argumentsOf(region.block);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!isStreamResource(arguments[i].type()))
      continue;
    TensorId tensor = addInput(arguments[i], 0, TensorKind::Input);
    Value buffer = region.owner.operand(static_cast<intptr_t>(i));
    if (Op import = buffer.definingOp();
        import && import.is("stream.tensor.import"))
      buffer = import.operand(0);
    auto [known, isNew] = tensorOfBuffer.emplace(buffer.key(), tensor);
    if (!isNew)
      region.problem.tensors[tensor].alias = known->second;
  }
}

std::optional<RegionProblem> StreamRegionReader::read() {
  readArguments();
  std::vector<Op> ops = opsOf(region.block);
  Op yield = ops.back();
  ops.pop_back();
  for (Op op : ops) {
    const OpFamily *family = lookupOp(op.name());
    if (family && family->storage == StorageRule::Constant) {
      if (op.dialect() == "stream")
        addInput(op.result(0), 0, TensorKind::Constant);
      continue;
    }
    if (op.is("stream.async.concurrent") ? !readGroup(op) : !readStep(op, -1))
      return std::nullopt;
  }
  for (intptr_t i = 0, e = yield.numOperands(); i < e; ++i) {
    TensorId tensor = tensorOf(yield.operand(i));
    if (tensor >= 0)
      addYield(yield, i, tensor);
  }
  markOutside();
  return std::move(region);
}

std::optional<RegionProblem> ir::readStreamRegion(Op execute,
                                                  const CostModel &costs,
                                                  const DiagnosticSink &sink) {
  std::optional<RegionProblem> region =
      StreamRegionReader(execute, costs, /*needsSizes=*/true, sink).read();
  if (!region || !checkRegion(*region, sink))
    return std::nullopt;
  return region;
}

std::optional<RegionProblem> ir::readStreamSteps(Op execute,
                                                 const CostModel &costs,
                                                 const DiagnosticSink &sink) {
  return StreamRegionReader(execute, costs, /*needsSizes=*/false, sink).read();
}

std::optional<RegionProblem> ir::readRegion(Op owner, const CostModel &costs,
                                            const DiagnosticSink &sink) {
  return owner.is("stream.async.execute")
             ? readStreamRegion(owner, costs, sink)
             : readTensorFunction(owner, costs, sink);
}

bool ir::checkRegion(const RegionProblem &region, const DiagnosticSink &sink) {
  std::optional<std::string> error = check(region.problem);
  if (!error)
    return true;
  sink({Severity::Error,
        region.owner.location(),
        "cannot plan this region: " + *error,
        {}});
  return false;
}
