//===- StreamOps.cpp - Reading ops of IREE's stream dialect ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/StreamOps.h"

using namespace remat::ir;

/// Where the operands of one segment of an op begin, and how many there are.
namespace {
struct Segment {
  intptr_t begin = 0;
  intptr_t size = 0;
};
} // namespace

/// Segment `index` of an op with the `operandSegmentSizes` property.
static std::optional<Segment> operandSegment(Op op, intptr_t index) {
  MlirAttribute sizes = op.attribute("operandSegmentSizes");
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      index >= mlirDenseArrayGetNumElements(sizes))
    return std::nullopt;
  Segment segment;
  for (intptr_t i = 0; i < index; ++i)
    segment.begin += mlirDenseI32ArrayGetElement(sizes, i);
  segment.size = mlirDenseI32ArrayGetElement(sizes, index);
  return segment;
}

// Segments of stream.async.dispatch: workload, resource operands, their sizes,
// offsets, ends and lengths, result sizes. Segments of stream.async.concurrent
// and stream.async.execute: resource operands, their sizes, result sizes.
static constexpr intptr_t dispatchOperands = 1;
static constexpr intptr_t dispatchOffsets = 3;
static constexpr intptr_t dispatchEnds = 4;
static constexpr intptr_t dispatchLengths = 5;
static constexpr intptr_t dispatchResultSizes = 6;
static constexpr intptr_t regionOperandSizes = 1;
static constexpr intptr_t regionResultSizes = 2;

bool remat::ir::isStreamResource(MlirType type) {
  return toString(type).rfind("!stream.resource<", 0) == 0;
}

std::string remat::ir::resourceLifetime(MlirType type) {
  std::string text = toString(type);
  size_t open = text.find('<');
  return text.substr(open + 1, text.rfind('>') - open - 1);
}

Value remat::ir::resultSizeOperand(Op op, intptr_t result) {
  // Ops with one result and a fixed place for its size.
  static const struct {
    const char *name;
    intptr_t operand;
  } fixed[] = {
      {"stream.async.alloca", 0},   {"stream.async.constant", 0},
      {"stream.async.splat", 1},    {"stream.async.clone", 2},
      {"stream.async.slice", 4},    {"stream.async.fill", 1},
      {"stream.async.update", 1},   {"stream.async.copy", 1},
      {"stream.async.transfer", 2}, {"stream.async.barrier", 1},
      {"stream.tensor.import", 1},
  };
  std::string_view name = op.name();
  for (const auto &entry : fixed)
    if (name == entry.name)
      return op.numOperands() > entry.operand ? op.operand(entry.operand)
                                              : Value();
  std::optional<Segment> sizes;
  if (name == "stream.async.dispatch")
    sizes = operandSegment(op, dispatchResultSizes);
  else if (name == "stream.async.concurrent" || name == "stream.async.execute")
    sizes = operandSegment(op, regionResultSizes);
  if (!sizes || result >= sizes->size)
    return {};
  return op.operand(sizes->begin + result);
}

std::optional<int64_t> remat::ir::resultSize(Op op, intptr_t result) {
  Value size = resultSizeOperand(op, result);
  return size ? size.constantInt() : std::nullopt;
}

intptr_t remat::ir::tiedOperand(Op op, intptr_t result) {
  MlirAttribute tied = op.attribute("tied_operands");
  if (mlirAttributeIsNull(tied) || !mlirAttributeIsAArray(tied) ||
      result >= mlirArrayAttrGetNumElements(tied))
    return -1;
  int64_t index =
      mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(tied, result));
  if (index < 0)
    return -1;
  // Counted from the first resource operand.
  if (op.is("stream.async.dispatch"))
    if (std::optional<Segment> operands = operandSegment(op, dispatchOperands))
      return operands->begin + index;
  return index;
}

void remat::ir::tieResult(Op dispatch, intptr_t result, intptr_t operand) {
  MlirAttribute tied = dispatch.attribute("tied_operands");
  std::vector<MlirAttribute> elements;
  for (intptr_t i = 0, e = mlirArrayAttrGetNumElements(tied); i < e; ++i)
    elements.push_back(mlirArrayAttrGetElement(tied, i));
  std::optional<Segment> operands = operandSegment(dispatch, dispatchOperands);
  elements[result] =
      mlirIntegerAttrGet(mlirAttributeGetType(elements[result]),
                         operand - (operands ? operands->begin : 0));
  mlirOperationSetAttributeByName(
      dispatch.raw(), toRef("tied_operands"),
      mlirArrayAttrGet(dispatch.context(),
                       static_cast<intptr_t>(elements.size()),
                       elements.data()));
}

std::vector<std::string> remat::ir::dispatchEntryPoints(Op dispatch) {
  std::vector<std::string> names;
  MlirAttribute entryPoints = dispatch.attribute("entry_points");
  if (mlirAttributeIsNull(entryPoints) || !mlirAttributeIsAArray(entryPoints))
    return names;
  for (intptr_t i = 0, e = mlirArrayAttrGetNumElements(entryPoints); i < e; ++i)
    names.push_back(toString(mlirArrayAttrGetElement(entryPoints, i)));
  return names;
}

std::string remat::ir::dispatchEntryPoint(Op dispatch) {
  std::vector<std::string> names = dispatchEntryPoints(dispatch);
  return names.empty() ? std::string() : names.front();
}

std::optional<DispatchSlice> remat::ir::dispatchSlice(Op dispatch,
                                                      intptr_t operand) {
  std::optional<Segment> operands = operandSegment(dispatch, dispatchOperands);
  std::optional<Segment> offsets = operandSegment(dispatch, dispatchOffsets);
  std::optional<Segment> ends = operandSegment(dispatch, dispatchEnds);
  if (!operands || !offsets || !ends || operand < operands->begin ||
      operand >= operands->begin + operands->size)
    return std::nullopt;
  DispatchSlice slice;
  slice.binding = operand - operands->begin;
  std::optional<int64_t> begin =
      dispatch.operand(offsets->begin + slice.binding).constantInt();
  std::optional<int64_t> end =
      dispatch.operand(ends->begin + slice.binding).constantInt();
  if (!begin || !end)
    return std::nullopt;
  slice.begin = *begin;
  slice.end = *end;
  return slice;
}

Value remat::ir::operandSizeOperand(Op execute, intptr_t operand) {
  std::optional<Segment> sizes = operandSegment(execute, regionOperandSizes);
  if (!sizes || operand >= sizes->size)
    return {};
  return execute.operand(sizes->begin + operand);
}

int64_t remat::ir::dispatchBytes(Op dispatch) {
  int64_t bytes = 0;
  if (std::optional<Segment> lengths =
          operandSegment(dispatch, dispatchLengths))
    for (intptr_t i = 0; i < lengths->size; ++i)
      bytes += dispatch.operand(lengths->begin + i).constantInt().value_or(0);
  for (intptr_t i = 0, e = dispatch.numResults(); i < e; ++i)
    if (tiedOperand(dispatch, i) < 0)
      bytes += resultSize(dispatch, i).value_or(0);
  return bytes;
}
