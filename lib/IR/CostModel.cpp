//===- CostModel.cpp - What an op costs, from what it means ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/CostModel.h"

#include "remat/IR/StreamOps.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"

#include <algorithm>
#include <cmath>

using namespace remat;
using namespace remat::ir;

/// Operations that a transcendental function stands for: the polynomial and
/// range reduction of a vectorised exp or tanh take about this many.
static constexpr int64_t transcendentalFlops = 16;

const Machine &ir::cpuMachine() {
  // Two to four cores sustain about 20 GB/s from memory; compiled matrix
  // products reach about 50 GFLOP/s; handing a kernel to the workers takes
  // microseconds.
  static const Machine machine = {"cpu", 20, 50, 2000};
  return machine;
}

const Machine &ir::cudaMachine() {
  // An A100 has 1555 GB/s and 19.5 TFLOP/s in f32; generated kernels sustain
  // about four fifths of the bandwidth and half of the arithmetic, and a launch
  // takes about 4 us.
  static const Machine machine = {"cuda", 1250, 10000, 4000};
  return machine;
}

/// Bytes of one element, rounded up to a whole byte as IREE stores it.
static std::optional<int64_t> bytesOfElement(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 8;
  if (mlirTypeIsAInteger(type))
    return (mlirIntegerTypeGetWidth(type) + 7) / 8;
  if (mlirTypeIsAFloat(type))
    return (mlirFloatTypeGetWidth(type) + 7) / 8;
  if (mlirTypeIsAComplex(type)) {
    std::optional<int64_t> part =
        bytesOfElement(mlirComplexTypeGetElementType(type));
    return part ? std::optional<int64_t>(2 * *part) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<int64_t> ir::bytesOfType(MlirType type) {
  if (!mlirTypeIsAShaped(type))
    return 0;
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type))
    return std::nullopt;
  std::optional<int64_t> element =
      bytesOfElement(mlirShapedTypeGetElementType(type));
  if (!element)
    return std::nullopt;
  return elementsOf(type) * *element;
}

int64_t ir::elementsOf(MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
      !mlirShapedTypeHasStaticShape(type))
    return 1;
  int64_t elements = 1;
  for (int64_t i = 0, e = mlirShapedTypeGetRank(type); i < e; ++i)
    elements *= mlirShapedTypeGetDimSize(type, i);
  return elements;
}

/// The operations that one iteration of the body of a structured op does.
static int64_t flopsPerPoint(Op op) {
  int64_t flops = 0;
  for (Op inner : opsOf(op.body())) {
    if (inner.is("linalg.yield"))
      continue;
    const OpFamily *family = lookupOp(inner.name());
    if (!family || family->work == WorkRule::Elementwise)
      flops += 1;
    else if (family->work == WorkRule::Transcendental)
      flops += transcendentalFlops;
  }
  return flops;
}

int64_t ir::structuredFlops(Op op) {
  if (op.dialect() != "linalg" || op.numRegions() == 0 ||
      mlirBlockIsNull(op.body()))
    return 0;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op.raw());
  if (mlirAttributeIsNull(maps) || !mlirAttributeIsAArray(maps))
    return 0;
  // Each loop has the extent of an operand dimension that it indexes directly.
  std::vector<int64_t> extents;
  for (intptr_t i = 0, e = mlirArrayAttrGetNumElements(maps); i < e; ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    extents.resize(mlirAffineMapGetNumDims(map), 0);
    MlirType type = op.operand(i).type();
    if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
        !mlirShapedTypeHasStaticShape(type))
      continue;
    for (intptr_t r = 0, n = mlirAffineMapGetNumResults(map); r < n; ++r) {
      MlirAffineExpr index = mlirAffineMapGetResult(map, r);
      if (mlirAffineExprIsADim(index))
        extents[mlirAffineDimExprGetPosition(index)] =
            mlirShapedTypeGetDimSize(type, r);
    }
  }
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  return points * flopsPerPoint(op);
}

/// The numbers in the first `key = [...]` of an attribute's text, e.g. those of
/// `lhs_contracting_dimensions = [1]`.
static std::vector<int64_t> numbersAfter(const std::string &text,
                                         const std::string &key) {
  std::vector<int64_t> numbers;
  size_t position = text.find(key);
  if (position == std::string::npos)
    return numbers;
  size_t end = text.find(']', position);
  position = text.find('[', position);
  while (position != std::string::npos && position < end) {
    position = text.find_first_of("0123456789", position);
    if (position == std::string::npos || position >= end)
      break;
    numbers.push_back(std::atoll(text.c_str() + position));
    position = text.find_first_not_of("0123456789", position);
  }
  return numbers;
}

/// 2 * result elements * contracted elements.
static int64_t contractionFlops(Op op) {
  MlirType left = op.operand(0).type();
  int64_t rank = mlirShapedTypeGetRank(left);
  std::vector<int64_t> contracted;
  MlirAttribute numbers = op.attribute("dot_dimension_numbers");
  if (!mlirAttributeIsNull(numbers))
    contracted = numbersAfter(toString(numbers), "lhs_contracting_dimensions");
  else
    contracted = {rank - 1}; // stablehlo.dot, tosa.matmul: the last one
  int64_t depth = 1;
  for (int64_t dimension : contracted)
    if (dimension < rank)
      depth *= mlirShapedTypeGetDimSize(left, dimension);
  return 2 * elementsOf(op.result(0).type()) * depth;
}

/// 2 * result elements * filter elements / output channels.
static int64_t convolutionFlops(Op op) {
  MlirType filter = op.operand(1).type();
  int64_t rank = mlirShapedTypeGetRank(filter);
  int64_t channelDimension = 0; // tosa: OHWI
  MlirAttribute numbers = op.attribute("dimension_numbers");
  if (!mlirAttributeIsNull(numbers)) {
    // #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, or, spelled
    // out, kernel_output_feature_dimension = 3.
    std::string text = toString(numbers);
    size_t kernel = text.find("]x[");
    size_t raw = text.find("kernel_output_feature_dimension = ");
    if (kernel != std::string::npos) {
      size_t end = text.find('o', kernel);
      channelDimension =
          std::count(text.begin() + kernel + 3, text.begin() + end, ',');
    } else if (raw != std::string::npos) {
      channelDimension =
          std::atoll(text.c_str() + raw +
                     sizeof("kernel_output_feature_dimension = ") - 1);
    }
  }
  int64_t channels = channelDimension < rank
                         ? mlirShapedTypeGetDimSize(filter, channelDimension)
                         : 1;
  return 2 * elementsOf(op.result(0).type()) * elementsOf(filter) /
         std::max<int64_t>(channels, 1);
}

/// Whether the module around `root` is compiled for CUDA, by the attributes of
/// its devices.
static bool targetsCuda(Op module) {
  for (Op op : opsOf(module.body()))
    if (op.is("util.global")) {
      MlirAttribute value = op.attribute("initial_value");
      if (!mlirAttributeIsNull(value) &&
          toString(value).find("#hal.device.target<\"cuda\"") !=
              std::string::npos)
        return true;
    }
  return false;
}

CostModel::CostModel(Op root, const std::string &targetName,
                     KernelCosts measured)
    : measured(std::move(measured)) {
  Op module = root;
  while (Op parent = module.parent())
    module = parent;
  bool cuda =
      targetName == "cuda" ||
      (targetName == "auto" && module.numRegions() == 1 && targetsCuda(module));
  target = cuda ? &cudaMachine() : &cpuMachine();
  for (Op executable : opsOf(module.body())) {
    if (!executable.is("stream.executable"))
      continue;
    walk(executable, [&](Op function) {
      if (!function.is("func.func"))
        return;
      int64_t flops = 0;
      walk(function, [&](Op op) { flops += structuredFlops(op); });
      kernelFlops["@" + std::string(executable.symbolName()) + "::@" +
                  std::string(function.symbolName())] = flops;
    });
  }
}

Work CostModel::workOf(Op op, const OpFamily &family) const {
  Work work;
  if (family.storage == StorageRule::View ||
      family.storage == StorageRule::PassThrough ||
      family.storage == StorageRule::Nothing ||
      family.storage == StorageRule::Constant)
    return work;
  int64_t operandElements = 0, resultElements = 0;
  std::vector<Value> read;
  for (intptr_t i = 0, e = op.numOperands(); i < e; ++i) {
    if (std::find(read.begin(), read.end(), op.operand(i)) != read.end())
      continue;
    read.push_back(op.operand(i));
    MlirType type = op.operand(i).type();
    work.bytes += bytesOfType(type).value_or(0);
    operandElements += elementsOf(type);
  }
  for (intptr_t i = 0, e = op.numResults(); i < e; ++i) {
    MlirType type = op.result(i).type();
    work.bytes += bytesOfType(type).value_or(0);
    resultElements += elementsOf(type);
  }
  switch (family.work) {
  case WorkRule::Move:
  case WorkRule::Kernel:
    break;
  case WorkRule::Elementwise:
    work.flops = resultElements;
    break;
  case WorkRule::Transcendental:
    work.flops = transcendentalFlops * resultElements;
    break;
  case WorkRule::Reduction:
    work.flops = operandElements;
    break;
  case WorkRule::Contraction:
    work.flops = contractionFlops(op);
    break;
  case WorkRule::Convolution:
    work.flops = convolutionFlops(op);
    break;
  case WorkRule::Structured:
    work.flops = structuredFlops(op);
    break;
  }
  return work;
}

Work CostModel::workOfDispatch(Op dispatch) const {
  Work work;
  work.bytes = dispatchBytes(dispatch);
  auto kernel = kernelFlops.find(dispatchEntryPoint(dispatch));
  if (kernel != kernelFlops.end())
    work.flops = kernel->second;
  return work;
}

int64_t CostModel::nanos(const Work &work) const {
  if (work.bytes == 0 && work.flops == 0)
    return 0;
  double move = work.bytes / target->bytesPerNano;
  double compute = work.flops / target->flopsPerNano;
  return std::llround(measured.modelScale *
                      (target->launchNanos + std::max(move, compute)));
}

int64_t CostModel::nanosOfKernel(const std::string &kernel,
                                 const Work &work) const {
  auto time = measured.nanos.find(kernel);
  return time == measured.nanos.end() ? nanos(work) : time->second;
}
