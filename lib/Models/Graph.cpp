//===- Graph.cpp - Shape inference of the graph builder -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Graph.h"

#include <algorithm>
#include <cmath>

namespace remat::models {

/// Whether `dim` is in `dims`.
static bool contains(const std::vector<int64_t> &dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

/// The extent of a dimension of `extent` elements with `interior` elements
/// between neighbours.
static int64_t dilated(int64_t extent, int64_t interior) {
  return extent == 0 ? 0 : (extent - 1) * (interior + 1) + 1;
}

void Graph::fail(const std::string &message) const {
  throw ModelError(scope().empty() ? message : scope() + ": " + message);
}

Value Graph::append(Opcode code, std::vector<Value> operands, Type type,
                    Attr attr) {
  for (int64_t extent : type.shape)
    if (extent <= 0)
      fail(std::string(toString(code)) + " would give a tensor of shape " +
           toString(type.shape));
  opList.push_back({code, std::move(operands), std::move(attr), std::move(type),
                    currentScope});
  return {static_cast<int32_t>(opList.size()) - 1};
}

void Graph::setScope(const std::string &path) {
  auto [entry, isNew] =
      scopeIds.try_emplace(path, static_cast<int32_t>(scopeList.size()));
  if (isNew)
    scopeList.push_back(path);
  currentScope = entry->second;
}

ScopeGuard::ScopeGuard(Graph &graph, const std::string &name)
    : graph(graph), outer(graph.scope()) {
  graph.setScope(outer.empty() ? name : outer + "." + name);
}

Value Graph::argument(const std::string &name, Type type,
                      const std::string &kind) {
  Value value = append(Opcode::Argument, {}, std::move(type));
  argumentList.push_back({name, value, kind});
  return value;
}

void Graph::result(const std::string &name, Value value,
                   const std::string &kind) {
  resultList.push_back({name, value, kind});
}

void Graph::donateArguments() {
  for (Port &argument : argumentList)
    for (size_t i = 0; i < resultList.size(); ++i)
      if (resultList[i].name == argument.name &&
          resultList[i].kind == argument.kind &&
          type(resultList[i].value) == type(argument.value))
        argument.donatedTo = static_cast<int>(i);
}

Value Graph::constant(double element, Type type) {
  auto [entry, isNew] = constants.try_emplace({type.str(), element}, Value());
  if (isNew)
    entry->second =
        append(Opcode::Constant, {}, std::move(type), ConstantAttr{{element}});
  return entry->second;
}

Value Graph::constantList(std::vector<double> elements, DType dtype) {
  Type type{dtype, {static_cast<int64_t>(elements.size())}};
  return append(Opcode::Constant, {}, type, ConstantAttr{std::move(elements)});
}

Value Graph::iota(Type type, int64_t dim) {
  return append(Opcode::Iota, {}, std::move(type), DimsAttr{{dim}});
}

Value Graph::convert(Value operand, DType dtype) {
  if (type(operand).dtype == dtype)
    return operand;
  return append(Opcode::Convert, {operand}, {dtype, shape(operand)});
}

Value Graph::unary(Opcode code, Value a) { return append(code, {a}, type(a)); }

Value Graph::binary(Opcode code, Value a, Value b) {
  if (type(a) != type(b))
    fail(std::string(toString(code)) + " of " + type(a).str() + " and " +
         type(b).str());
  return append(code, {a, b}, type(a));
}

Value Graph::addNumber(Value a, double number) {
  return add(a, constant(number, type(a)));
}

Value Graph::scale(Value a, double number) {
  return multiply(a, constant(number, type(a)));
}

Value Graph::compare(Direction direction, Value a, Value b) {
  if (type(a) != type(b))
    fail("compare of " + type(a).str() + " and " + type(b).str());
  return append(Opcode::Compare, {a, b}, {DType::I1, shape(a)},
                CompareAttr{direction});
}

Value Graph::select(Value mask, Value onTrue, Value onFalse) {
  if (type(onTrue) != type(onFalse) || shape(mask) != shape(onTrue))
    fail("select of " + type(onTrue).str() + " and " + type(onFalse).str() +
         " by " + type(mask).str());
  return append(Opcode::Select, {mask, onTrue, onFalse}, type(onTrue));
}

Value Graph::broadcast(Value operand, const Shape &shape,
                       std::vector<int64_t> dims) {
  const Shape &from = this->shape(operand);
  bool fits = dims.size() == from.size();
  for (size_t i = 0; fits && i < dims.size(); ++i)
    fits = from[i] == shape[dims[i]];
  if (!fits)
    fail("broadcast of " + type(operand).str() + " to " + toString(shape));
  return append(Opcode::Broadcast, {operand}, {type(operand).dtype, shape},
                DimsAttr{std::move(dims)});
}

Value Graph::reshape(Value operand, const Shape &shape) {
  if (this->shape(operand) == shape)
    return operand;
  Type to{type(operand).dtype, shape};
  if (to.elements() != type(operand).elements())
    fail("reshape of " + type(operand).str() + " to " + toString(shape));
  return append(Opcode::Reshape, {operand}, to);
}

Value Graph::transpose(Value operand, std::vector<int64_t> permutation) {
  if (permutation.size() != shape(operand).size())
    fail("transpose of " + type(operand).str() + " with a permutation of " +
         std::to_string(permutation.size()) + " dimensions");
  Type to{type(operand).dtype, {}};
  for (int64_t dim : permutation)
    to.shape.push_back(shape(operand)[dim]);
  return append(Opcode::Transpose, {operand}, to,
                DimsAttr{std::move(permutation)});
}

Value Graph::slice(Value operand, SliceAttr attr) {
  Type to = type(operand);
  for (size_t i = 0; i < to.shape.size(); ++i) {
    if (attr.starts[i] < 0 || attr.limits[i] > to.shape[i])
      fail("slice beyond the " + std::to_string(to.shape[i]) +
           " elements of dimension " + std::to_string(i));
    to.shape[i] = (attr.limits[i] - attr.starts[i] + attr.strides[i] - 1) /
                  attr.strides[i];
  }
  if (to == type(operand))
    return operand;
  return append(Opcode::Slice, {operand}, to, std::move(attr));
}

Value Graph::pad(Value operand, double element, PadAttr attr) {
  Type to = type(operand);
  for (size_t i = 0; i < to.shape.size(); ++i)
    to.shape[i] =
        dilated(to.shape[i], attr.interior[i]) + attr.low[i] + attr.high[i];
  if (to == type(operand))
    return operand;
  return append(Opcode::Pad, {operand, constant(element, {to.dtype, {}})}, to,
                std::move(attr));
}

Value Graph::concatenate(std::vector<Value> operands, int64_t dim) {
  if (operands.size() == 1)
    return operands.front();
  Type to = type(operands.front());
  to.shape[dim] = 0;
  for (Value operand : operands) {
    // Everything but the extent of `dim` must agree with the operands so far.
    Type joined = type(operand);
    int64_t extent = dim < joined.rank() ? joined.shape[dim] : 0;
    if (extent != 0)
      joined.shape[dim] = to.shape[dim];
    if (joined != to)
      fail("concatenation of " + type(operands.front()).str() + " and " +
           type(operand).str());
    to.shape[dim] += extent;
  }
  return append(Opcode::Concatenate, std::move(operands), to, DimsAttr{{dim}});
}

Value Graph::reduce(Opcode code, Value operand, std::vector<int64_t> dims) {
  Type to{type(operand).dtype, {}};
  for (int64_t i = 0; i < type(operand).rank(); ++i)
    if (!contains(dims, i))
      to.shape.push_back(shape(operand)[i]);
  double neutral = code == Opcode::ReduceAdd ? 0 : -HUGE_VAL;
  return append(code, {operand, constant(neutral, {to.dtype, {}})}, to,
                DimsAttr{std::move(dims)});
}

Value Graph::reduceAdd(Value operand, std::vector<int64_t> dims) {
  return reduce(Opcode::ReduceAdd, operand, std::move(dims));
}

Value Graph::reduceMax(Value operand, std::vector<int64_t> dims) {
  return reduce(Opcode::ReduceMax, operand, std::move(dims));
}

Value Graph::dot(Value lhs, Value rhs, DotAttr attr,
                 std::optional<DType> resultType) {
  const Type &a = type(lhs), &b = type(rhs);
  bool fits = a.dtype == b.dtype &&
              attr.lhsBatch.size() == attr.rhsBatch.size() &&
              attr.lhsContract.size() == attr.rhsContract.size();
  for (size_t i = 0; fits && i < attr.lhsBatch.size(); ++i)
    fits = a.shape[attr.lhsBatch[i]] == b.shape[attr.rhsBatch[i]];
  for (size_t i = 0; fits && i < attr.lhsContract.size(); ++i)
    fits = a.shape[attr.lhsContract[i]] == b.shape[attr.rhsContract[i]];
  if (!fits)
    fail("dot product of " + a.str() + " and " + b.str());
  Type to{resultType.value_or(a.dtype), {}};
  for (int64_t dim : attr.lhsBatch)
    to.shape.push_back(a.shape[dim]);
  for (int64_t i = 0; i < a.rank(); ++i)
    if (!contains(attr.lhsBatch, i) && !contains(attr.lhsContract, i))
      to.shape.push_back(a.shape[i]);
  for (int64_t i = 0; i < b.rank(); ++i)
    if (!contains(attr.rhsBatch, i) && !contains(attr.rhsContract, i))
      to.shape.push_back(b.shape[i]);
  return append(Opcode::Dot, {lhs, rhs}, to, std::move(attr));
}

Value Graph::convolution(Value image, Value kernel, ConvAttr attr,
                         std::optional<DType> resultType) {
  const Type &a = type(image), &b = type(kernel);
  if (a.rank() != 4 || b.rank() != 4 || a.dtype != b.dtype ||
      a.shape[attr.image.second] != b.shape[attr.kernel.first])
    fail("convolution of " + a.str() + " with " + b.str());
  Type to{resultType.value_or(a.dtype), Shape(4)};
  to.shape[attr.result.first] = a.shape[attr.image.first];
  to.shape[attr.result.second] = b.shape[attr.kernel.second];
  for (int i = 0; i < 2; ++i) {
    int64_t extent = a.shape[attr.image.spatial[i]];
    int64_t window =
        dilated(b.shape[attr.kernel.spatial[i]], attr.kernelDilation[i] - 1);
    int64_t room = dilated(extent, attr.imageDilation[i] - 1) + attr.low[i] +
                   attr.high[i] - window;
    if (room < 0)
      fail("an image extent of " + std::to_string(extent) +
           " is smaller than the window of " + std::to_string(window) +
           "; use a larger image");
    to.shape[attr.result.spatial[i]] = room / attr.stride[i] + 1;
  }
  return append(Opcode::Convolution, {image, kernel}, to, attr);
}

Value Graph::gatherRows(Value table, Value index) {
  if (type(table).rank() != 2)
    fail("rows of " + type(table).str());
  Type to{type(table).dtype, shape(index)};
  to.shape.push_back(shape(table)[1]);
  return append(Opcode::GatherRows, {table, index}, to);
}

Value Graph::scatterAddRows(Value operand, Value index, Value update) {
  Shape rows = shape(index);
  rows.push_back(shape(operand)[1]);
  if (type(operand).rank() != 2 || shape(update) != rows)
    fail("scatter of " + type(update).str() + " into " + type(operand).str());
  return append(Opcode::ScatterAddRows, {operand, index, update},
                type(operand));
}

double Graph::flops(Value value) const {
  const Op &op = opList[value.id];
  auto elements = [&](size_t operand) {
    return static_cast<double>(type(op.operands[operand]).elements());
  };
  double results = static_cast<double>(op.type.elements());
  switch (op.code) {
  case Opcode::Dot: {
    double perResult = 1;
    for (int64_t dim : std::get<DotAttr>(op.attr).lhsContract)
      perResult *= static_cast<double>(shape(op.operands[0])[dim]);
    return 2 * results * perResult;
  }
  case Opcode::Convolution: {
    const ConvDims &kernel = std::get<ConvAttr>(op.attr).kernel;
    double outputs = static_cast<double>(shape(op.operands[1])[kernel.second]);
    return 2 * results * elements(1) / outputs;
  }
  case Opcode::ReduceAdd:
  case Opcode::ReduceMax:
    return elements(0);
  case Opcode::ScatterAddRows:
    return elements(2);
  case Opcode::Argument:
  case Opcode::Constant:
  case Opcode::Iota:
  case Opcode::Convert:
  case Opcode::Broadcast:
  case Opcode::Reshape:
  case Opcode::Transpose:
  case Opcode::Slice:
  case Opcode::Pad:
  case Opcode::Concatenate:
  case Opcode::GatherRows:
    return 0;
  default:
    return results;
  }
}

const char *toString(Opcode code) {
  switch (code) {
  case Opcode::Argument:
    return "argument";
  case Opcode::Constant:
    return "constant";
  case Opcode::Iota:
    return "iota";
  case Opcode::Convert:
    return "convert";
  case Opcode::Negate:
    return "negate";
  case Opcode::Exponential:
    return "exponential";
  case Opcode::Log:
    return "log";
  case Opcode::Tanh:
    return "tanh";
  case Opcode::Rsqrt:
    return "rsqrt";
  case Opcode::Sqrt:
    return "sqrt";
  case Opcode::Add:
    return "add";
  case Opcode::Subtract:
    return "subtract";
  case Opcode::Multiply:
    return "multiply";
  case Opcode::Divide:
    return "divide";
  case Opcode::Maximum:
    return "maximum";
  case Opcode::And:
    return "and";
  case Opcode::Xor:
    return "xor";
  case Opcode::ShiftRightLogical:
    return "shift_right_logical";
  case Opcode::Compare:
    return "compare";
  case Opcode::Select:
    return "select";
  case Opcode::Broadcast:
    return "broadcast_in_dim";
  case Opcode::Reshape:
    return "reshape";
  case Opcode::Transpose:
    return "transpose";
  case Opcode::Slice:
    return "slice";
  case Opcode::Pad:
    return "pad";
  case Opcode::Concatenate:
    return "concatenate";
  case Opcode::ReduceAdd:
  case Opcode::ReduceMax:
    return "reduce";
  case Opcode::Dot:
    return "dot_general";
  case Opcode::Convolution:
    return "convolution";
  case Opcode::GatherRows:
    return "gather";
  case Opcode::ScatterAddRows:
    return "scatter";
  }
  return "";
}

} // namespace remat::models
