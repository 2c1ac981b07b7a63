//===- Overwrites.cpp - Who overwrites what in a region, and who reads it -===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Overwrites.h"

#include "remat/IR/StreamOps.h"

#include <functional>

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {
class OverwriteFinder {
public:
  OverwriteFinder(const RegionProblem &region, const KernelReads &kernels)
      : region(region), problem(region.problem), kernels(kernels),
        contentOf(problem.tensors.size()), writersOf(problem.tensors.size()),
        isYielded(problem.tensors.size(), false) {}

  std::vector<OverwrittenRead> run();

private:
  /// An in-place result, and the operand it overwrites.
  struct Writer {
    StepId step;
    TensorId result;
    intptr_t operand;
  };

  void findContents();
  bool leadsToYield(TensorId content) const;
  const Writer *lastWriter(TensorId content) const;
  bool isLate(const OverwrittenRead &read) const;

  const RegionProblem &region;
  const Problem &problem;
  const KernelReads &kernels;
  /// A tensor that stands for the content of each tensor.
  std::vector<TensorId> contentOf;
  std::vector<std::vector<Writer>> writersOf;
  /// Whether any tensor of the content leaves the region.
  std::vector<bool> isYielded;
};
} // namespace

void OverwriteFinder::findContents() {
  std::vector<bool> isInPlace(problem.tensors.size(), false);
  for (const Step &step : problem.steps)
    for (const InPlace &pair : step.inPlace)
      isInPlace[pair.result] = true;
  for (size_t i = 0; i < contentOf.size(); ++i) {
    auto content = static_cast<TensorId>(i);
    while (!isInPlace[content] && problem.tensors[content].alias >= 0)
      content = problem.tensors[content].alias;
    contentOf[i] = content;
  }
  for (size_t i = 0; i < problem.steps.size(); ++i) {
    const StepSite &site = region.steps[i];
    for (const InPlace &pair : problem.steps[i].inPlace) {
      intptr_t operand = 0;
      for (const TensorUse &use : site.results)
        if (use.tensor == pair.result && tiedOperand(site.op, use.index) >= 0)
          operand =
              kernels.writtenOperand(site.op, tiedOperand(site.op, use.index));
      writersOf[contentOf[pair.operand]].push_back(
          {static_cast<StepId>(i), pair.result, operand});
    }
  }
  for (const TensorUse &use : region.yielded)
    isYielded[contentOf[use.tensor]] = true;
}

/// Whether a chain of writers makes something that leaves the region of what
/// `content` holds.
bool OverwriteFinder::leadsToYield(TensorId content) const {
  if (isYielded[content])
    return true;
  for (const Writer &writer : writersOf[content])
    if (leadsToYield(writer.result))
      return true;
  return false;
}

/// The writer that may write in place: one whose result the caller gets, since
/// that has its place in the caller's buffer; else the last.
const OverwriteFinder::Writer *
OverwriteFinder::lastWriter(TensorId content) const {
  const std::vector<Writer> &writers = writersOf[content];
  if (writers.size() > 1)
    for (size_t i = writers.size(); i-- > 0;)
      if (leadsToYield(writers[i].result))
        return &writers[i];
  return writers.empty() ? nullptr : &writers.back();
}

bool OverwriteFinder::isLate(const OverwrittenRead &read) const {
  if (read.isSecondWriter || read.reader > read.writer)
    return true;
  if (read.reader < read.writer) {
    int32_t group = region.steps[read.reader].group;
    return group >= 0 && group == region.steps[read.writer].group;
  }
  return !read.use.owner.is("stream.async.dispatch") ||
         !kernels.mayOverwrite(read.use.owner, read.use.index, read.written);
}

std::vector<OverwrittenRead> OverwriteFinder::run() {
  findContents();
  std::vector<OverwrittenRead> reads;
  auto add = [&](const TensorUse &use, StepId reader) {
    const Writer *writer = lastWriter(contentOf[use.tensor]);
    if (!writer)
      return;
    OverwrittenRead read{use, reader, writer->step, writer->operand};
    for (const Writer &other : writersOf[contentOf[use.tensor]])
      if (other.step == reader && other.operand == use.index) {
        if (&other == writer)
          return;
        read.isSecondWriter = true;
      }
    read.isLate = isLate(read);
    reads.push_back(read);
  };
  for (size_t i = 0; i < problem.steps.size(); ++i)
    for (const TensorUse &use : region.steps[i].operands)
      add(use, static_cast<StepId>(i));
  for (const TensorUse &use : region.yielded)
    add(use, static_cast<StepId>(problem.steps.size()));
  return reads;
}

std::vector<OverwrittenRead>
ir::findOverwrittenReads(const RegionProblem &region,
                         const KernelReads &kernels) {
  return OverwriteFinder(region, kernels).run();
}
