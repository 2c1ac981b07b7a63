//===- Graph.h - Builder of StableHLO functions ---------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function as a list of operations in the order of execution. Each method
// of Graph appends one operation, infers the type of its only result and
// returns a handle. The operations are a small part of StableHLO and mean what
// its specification says; attributes are kept as data, so that a graph can be
// printed (printModule), counted (describe) or interpreted (the tests).
//
//   Graph graph;
//   Value x = graph.argument("x", {DType::F32, {8, 4}}, "input");
//   Value w = graph.argument("w", {DType::F32, {4, 4}}, "parameter");
//   graph.result("y", graph.tanh(graph.dot(x, w, {{}, {}, {1}, {0}})),
//   "output"); std::string text = printModule(graph, "example");
//
// Operands whose shapes do not match are a ModelError that names the layer.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_MODELS_GRAPH_H
#define REMAT_MODELS_GRAPH_H

#include "remat/Models/Type.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace remat::models {

/// Handle of the result of an operation: its index in Graph::ops(). A default
/// constructed Value is no value.
struct Value {
  int32_t id = -1;

  explicit operator bool() const { return id >= 0; }
  bool operator==(Value other) const { return id == other.id; }
  bool operator!=(Value other) const { return id != other.id; }
  bool operator<(Value other) const { return id < other.id; }
};

/// The operations; see StableHLO's specification, except for the last two.
enum class Opcode {
  Argument,
  Constant,
  Iota,
  // Elementwise, one operand.
  Convert,
  Negate,
  Exponential,
  Log,
  Tanh,
  Rsqrt,
  Sqrt,
  // Elementwise, two operands of one type.
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  And,
  Xor,
  ShiftRightLogical,
  // Elementwise, with an i1 result or operand.
  Compare,
  Select,
  // Data movement.
  Broadcast,
  Reshape,
  Transpose,
  Slice,
  Pad,
  Concatenate,
  // Reductions and products.
  ReduceAdd,
  ReduceMax,
  Dot,
  Convolution,
  // stablehlo.gather of whole rows: result[i..., :] = table[index[i...], :].
  GatherRows,
  // stablehlo.scatter: operand[index[i...], :] += update[i..., :].
  ScatterAddRows,
};

/// The name of an operation in StableHLO, e.g. "dot_general".
const char *toString(Opcode code);

/// Value of a constant: one element for all (a splat), or all elements.
struct ConstantAttr {
  std::vector<double> elements;
};

/// One list of dimensions: of the result (broadcast, iota, concatenate) or of
/// the operand (transpose, reductions).
struct DimsAttr {
  std::vector<int64_t> dims;
};

enum class Direction { EQ, NE, LT, LE, GT, GE };

struct CompareAttr {
  Direction direction;
};

struct SliceAttr {
  std::vector<int64_t> starts, limits, strides;
};

struct PadAttr {
  std::vector<int64_t> low, high, interior;
};

/// Batching and contracting dimensions of the two operands of a dot product.
struct DotAttr {
  std::vector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
};

/// The places of the four dimensions of a two-dimensional convolution operand:
/// (batch, feature) of image and result, (input, output feature) of a kernel.
struct ConvDims {
  int64_t first, second;
  std::array<int64_t, 2> spatial;
};

/// One number per spatial dimension.
using Pair = std::array<int64_t, 2>;

struct ConvAttr {
  ConvDims image, kernel, result;
  Pair stride = {1, 1}, low = {0, 0}, high = {0, 0};
  Pair imageDilation = {1, 1}, kernelDilation = {1, 1};
};

using Attr = std::variant<std::monostate, ConstantAttr, DimsAttr, CompareAttr,
                          SliceAttr, PadAttr, DotAttr, ConvAttr>;

/// One operation with its one result.
struct Op {
  Opcode code;
  std::vector<Value> operands;
  Attr attr;
  Type type;
  int32_t scope; ///< Index in Graph::scopes().
};

/// An argument or a result of the function. `kind` is its role in a training
/// step, one of the names of solver::TensorKind.
struct Port {
  std::string name;
  Value value;
  std::string kind;
  /// Of an argument: the number of the result that takes over its buffer, or
  /// -1.
  int donatedTo = -1;
};

class Graph {
public:
  /// Appends an argument of the function.
  Value argument(const std::string &name, Type type, const std::string &kind);

  /// Appends `value` to the results of the function.
  void result(const std::string &name, Value value, const std::string &kind);

  /// Lets every argument give its buffer to the result of its name, kind and
  /// type, if there is one.
  void donateArguments();

  /// A tensor all of whose elements are `element`. Equal constants are one.
  Value constant(double element, Type type);

  /// A tensor of rank one.
  Value constantList(std::vector<double> elements, DType dtype);

  /// result[..., i, ...] = i, where i is the index in dimension `dim`.
  Value iota(Type type, int64_t dim);

  /// `operand` itself if it has that element type already.
  Value convert(Value operand, DType dtype);

  Value negate(Value a) { return unary(Opcode::Negate, a); }
  Value exponential(Value a) { return unary(Opcode::Exponential, a); }
  Value log(Value a) { return unary(Opcode::Log, a); }
  Value tanh(Value a) { return unary(Opcode::Tanh, a); }
  Value rsqrt(Value a) { return unary(Opcode::Rsqrt, a); }
  Value sqrt(Value a) { return unary(Opcode::Sqrt, a); }
  Value add(Value a, Value b) { return binary(Opcode::Add, a, b); }
  Value subtract(Value a, Value b) { return binary(Opcode::Subtract, a, b); }
  Value multiply(Value a, Value b) { return binary(Opcode::Multiply, a, b); }
  Value divide(Value a, Value b) { return binary(Opcode::Divide, a, b); }
  Value maximum(Value a, Value b) { return binary(Opcode::Maximum, a, b); }
  Value bitAnd(Value a, Value b) { return binary(Opcode::And, a, b); }
  Value bitXor(Value a, Value b) { return binary(Opcode::Xor, a, b); }
  Value shiftRight(Value a, Value b) {
    return binary(Opcode::ShiftRightLogical, a, b);
  }

  /// `a` + `number` and `a` * `number`, elementwise.
  Value addNumber(Value a, double number);
  Value scale(Value a, double number);

  Value compare(Direction direction, Value a, Value b);
  Value select(Value mask, Value onTrue, Value onFalse);

  /// Dimension i of `operand` becomes dimension `dims`[i] of the result.
  Value broadcast(Value operand, const Shape &shape, std::vector<int64_t> dims);
  Value reshape(Value operand, const Shape &shape);
  Value transpose(Value operand, std::vector<int64_t> permutation);
  Value slice(Value operand, SliceAttr attr);
  Value pad(Value operand, double element, PadAttr attr);
  Value concatenate(std::vector<Value> operands, int64_t dim);

  /// Sum or maximum over `dims`, which the result lacks.
  Value reduceAdd(Value operand, std::vector<int64_t> dims);
  Value reduceMax(Value operand, std::vector<int64_t> dims);

  /// Products, accumulated in and given as `resultType`, or the type of the
  /// operands.
  Value dot(Value lhs, Value rhs, DotAttr attr,
            std::optional<DType> resultType = std::nullopt);
  Value convolution(Value image, Value kernel, ConvAttr attr,
                    std::optional<DType> resultType = std::nullopt);
  Value gatherRows(Value table, Value index);
  Value scatterAddRows(Value operand, Value index, Value update);

  const Op &op(Value value) const { return opList[value.id]; }
  const Type &type(Value value) const { return opList[value.id].type; }
  const Shape &shape(Value value) const { return opList[value.id].type.shape; }
  const std::deque<Op> &ops() const { return opList; }
  const std::vector<Port> &arguments() const { return argumentList; }
  const std::vector<Port> &results() const { return resultList; }

  /// The layer paths that operations are tagged with, e.g. "layer3.5.conv2".
  const std::vector<std::string> &scopes() const { return scopeList; }

  /// The path of the operations that are appended from now on.
  const std::string &scope() const { return scopeList[currentScope]; }
  void setScope(const std::string &path);

  /// Floating-point operations of one execution of `value`'s operation: two
  /// for each multiplication in a product or convolution (padding included),
  /// one per element of an elementwise operation or of a reduction's operand.
  double flops(Value value) const;

private:
  Value append(Opcode code, std::vector<Value> operands, Type type,
               Attr attr = {});
  Value unary(Opcode code, Value a);
  Value binary(Opcode code, Value a, Value b);
  Value reduce(Opcode code, Value operand, std::vector<int64_t> dims);
  [[noreturn]] void fail(const std::string &message) const;

  /// A deque, because references to types that were handed out must stay valid.
  std::deque<Op> opList;
  std::vector<Port> argumentList, resultList;
  std::vector<std::string> scopeList = {""};
  std::map<std::string, int32_t> scopeIds = {{"", 0}};
  std::map<std::pair<std::string, double>, Value> constants;
  int32_t currentScope = 0;
};

/// Tags what is appended during its lifetime with the path of the enclosing
/// scope, a dot and `name`.
class ScopeGuard {
public:
  ScopeGuard(Graph &graph, const std::string &name);
  ~ScopeGuard() { graph.setScope(outer); }
  ScopeGuard(const ScopeGuard &) = delete;
  ScopeGuard &operator=(const ScopeGuard &) = delete;

private:
  Graph &graph;
  std::string outer;
};

/// The module `name` with `graph` as its function @main, in StableHLO's pretty
/// form. Each line of `header` becomes a comment at the top. Operations that
/// no result needs are left out; the rest keep their order. The same graph
/// gives the same bytes.
std::string printModule(const Graph &graph, const std::string &name,
                        const std::string &header = "");

} // namespace remat::models

#endif // REMAT_MODELS_GRAPH_H
