//===- Printer.cpp - StableHLO text of a graph ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Graph.h"

#include <cmath>
#include <cstdio>
#include <set>

namespace remat::models {

using Ints = std::vector<int64_t>;

/// "0, 1, 2".
static std::string join(const Ints &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

static std::string list(const Ints &numbers) {
  return "[" + join(numbers) + "]";
}

static std::string list(const Pair &pair) {
  return list(Ints(pair.begin(), pair.end()));
}

/// "[[1, 1], [0, 2]]" of the padding below and above each dimension.
static std::string pairs(const Ints &low, const Ints &high) {
  std::string text;
  for (size_t i = 0; i < low.size(); ++i)
    text += (i ? ", " : "") + list(Ints{low[i], high[i]});
  return "[" + text + "]";
}

/// A number as a literal of element type `dtype`. MLIR wants a point in each
/// floating-point literal and the bit pattern of an infinity.
static std::string literal(double number, DType dtype) {
  if (!isFloat(dtype))
    return std::to_string(static_cast<int64_t>(number));
  if (std::isinf(number)) {
    bool negative = number < 0;
    if (dtype == DType::F16)
      return negative ? "0xFC00" : "0x7C00";
    if (dtype == DType::BF16)
      return negative ? "0xFF80" : "0x7F80";
    return negative ? "0xFF800000" : "0x7F800000";
  }
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", number);
  std::string text = buffer;
  if (text.find('.') == std::string::npos) {
    size_t exponent = text.find('e');
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}

static const char *toString(Direction direction) {
  static const char *const words[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  return words[static_cast<int>(direction)];
}

/// "[b, 0, 1, f]" of dimensions called `first`, `second` and by number.
static std::string dimNames(const ConvDims &dims, char first, char second) {
  std::array<char, 4> names;
  names[dims.first] = first;
  names[dims.second] = second;
  names[dims.spatial[0]] = '0';
  names[dims.spatial[1]] = '1';
  std::string text;
  for (char name : names)
    text += (text.empty() ? "" : ", ") + std::string(1, name);
  return "[" + text + "]";
}

/// The window of a convolution; what has its default value is left out.
static std::string windowText(const ConvAttr &attr) {
  const Pair ones = {1, 1}, zeros = {0, 0};
  std::string text;
  auto add = [&](const std::string &part) {
    text += (text.empty() ? "" : ", ") + part;
  };
  if (attr.stride != ones)
    add("stride = " + list(attr.stride));
  if (attr.low != zeros || attr.high != zeros)
    add("pad = " + pairs({attr.low.begin(), attr.low.end()},
                         {attr.high.begin(), attr.high.end()}));
  if (attr.imageDilation != ones)
    add("lhs_dilate = " + list(attr.imageDilation));
  if (attr.kernelDilation != ones)
    add("rhs_dilate = " + list(attr.kernelDilation));
  return "{" + text + "}";
}

namespace {

/// Prints one graph. SSA names are argument names and running numbers.
class Printer {
public:
  explicit Printer(const Graph &graph);
  std::string print(const std::string &name, const std::string &header);

private:
  /// Marks the values that the results need, and names them.
  void nameNeededValues();
  /// "dense<...>" of a constant.
  std::string denseText(const Op &op) const;
  /// The region of a reduction that adds, for ops without a short form.
  std::string addRegion(DType dtype) const;
  /// What follows "%name = " for `op`.
  std::string body(const Op &op) const;
  /// "(types of operands) -> type".
  std::string signature(const Op &op) const;
  std::string operandNames(const Op &op) const;
  std::string port(const Port &port, const std::string &prefix) const;

  const std::string &nameOf(Value value) const { return names[value.id]; }

  const Graph &graph;
  /// By value; empty for values that no result needs.
  std::vector<std::string> names;
};

} // namespace

Printer::Printer(const Graph &graph) : graph(graph), names(graph.ops().size()) {
  nameNeededValues();
}

void Printer::nameNeededValues() {
  std::vector<bool> needed(graph.ops().size());
  for (const Port &result : graph.results())
    needed[result.value.id] = true;
  for (size_t i = needed.size(); i-- > 0;)
    if (needed[i])
      for (Value operand : graph.ops()[i].operands)
        needed[operand.id] = true;
  int64_t next = 0;
  for (size_t i = 0; i < needed.size(); ++i)
    if (needed[i] && graph.ops()[i].code != Opcode::Argument)
      names[i] = "%" + std::to_string(next++);
  for (const Port &argument : graph.arguments())
    names[argument.value.id] = "%" + argument.name;
}

std::string Printer::operandNames(const Op &op) const {
  std::string text;
  for (Value operand : op.operands)
    text += (text.empty() ? "" : ", ") + nameOf(operand);
  return text;
}

std::string Printer::signature(const Op &op) const {
  std::string text;
  for (Value operand : op.operands)
    text += (text.empty() ? "" : ", ") + graph.type(operand).str();
  return "(" + text + ") -> " + op.type.str();
}

std::string Printer::denseText(const Op &op) const {
  const auto &elements = std::get<ConstantAttr>(op.attr).elements;
  if (elements.size() == 1)
    return "dense<" + literal(elements[0], op.type.dtype) + ">";
  std::string text;
  for (double element : elements)
    text += (text.empty() ? "" : ", ") + literal(element, op.type.dtype);
  return "dense<[" + text + "]>";
}

std::string Printer::addRegion(DType dtype) const {
  std::string scalar = Type{dtype, {}}.str();
  return "({\n  ^bb0(%a: " + scalar + ", %b: " + scalar +
         "):\n    %sum = stablehlo.add %a, %b : " + scalar +
         "\n    stablehlo.return %sum : " + scalar + "\n  })";
}

std::string Printer::body(const Op &op) const {
  const std::string name = std::string("stablehlo.") + toString(op.code);
  const std::string type = op.type.str();
  auto dims = [&] { return std::get<DimsAttr>(op.attr).dims; };
  switch (op.code) {
  case Opcode::Argument:
    return "";
  case Opcode::Constant:
    return name + " " + denseText(op) + " : " + type;
  case Opcode::Iota:
    return name + " dim = " + std::to_string(dims()[0]) + " : " + type;
  case Opcode::Compare:
    return name + " " + toString(std::get<CompareAttr>(op.attr).direction) +
           ", " + operandNames(op) + " : " + signature(op);
  case Opcode::Select:
    return name + " " + operandNames(op) + " : " +
           graph.type(op.operands[0]).str() + ", " + type;
  case Opcode::Convert:
  case Opcode::Reshape:
    return name + " " + operandNames(op) + " : " + signature(op);
  case Opcode::Broadcast:
  case Opcode::Transpose:
    return name + " " + operandNames(op) + ", dims = " + list(dims()) + " : " +
           signature(op);
  case Opcode::Slice: {
    const auto &attr = std::get<SliceAttr>(op.attr);
    std::string ranges;
    for (size_t i = 0; i < attr.starts.size(); ++i) {
      ranges += (i ? ", " : "") + std::to_string(attr.starts[i]) + ":" +
                std::to_string(attr.limits[i]);
      if (attr.strides[i] != 1)
        ranges += ":" + std::to_string(attr.strides[i]);
    }
    return name + " " + operandNames(op) + " [" + ranges +
           "] : " + signature(op);
  }
  case Opcode::Pad: {
    const auto &attr = std::get<PadAttr>(op.attr);
    return name + " " + operandNames(op) + ", low = " + list(attr.low) +
           ", high = " + list(attr.high) +
           ", interior = " + list(attr.interior) + " : " + signature(op);
  }
  case Opcode::Concatenate:
    return name + " " + operandNames(op) +
           ", dim = " + std::to_string(dims()[0]) + " : " + signature(op);
  case Opcode::ReduceAdd:
  case Opcode::ReduceMax:
    return name + "(" + nameOf(op.operands[0]) +
           " init: " + nameOf(op.operands[1]) + ") applies stablehlo." +
           (op.code == Opcode::ReduceAdd ? "add" : "maximum") +
           " across dimensions = " + list(dims()) + " : " + signature(op);
  case Opcode::Dot: {
    const auto &attr = std::get<DotAttr>(op.attr);
    std::string batching;
    if (!attr.lhsBatch.empty())
      batching = "batching_dims = " + list(attr.lhsBatch) + " x " +
                 list(attr.rhsBatch) + ", ";
    return name + " " + operandNames(op) + ", " + batching +
           "contracting_dims = " + list(attr.lhsContract) + " x " +
           list(attr.rhsContract) + " : " + signature(op);
  }
  case Opcode::Convolution: {
    const auto &attr = std::get<ConvAttr>(op.attr);
    return name + "(" + operandNames(op) +
           ") dim_numbers = " + dimNames(attr.image, 'b', 'f') + "x" +
           dimNames(attr.kernel, 'i', 'o') + "->" +
           dimNames(attr.result, 'b', 'f') + ", window = " + windowText(attr) +
           " {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : " +
           signature(op);
  }
  case Opcode::GatherRows: {
    std::string rank = std::to_string(op.type.rank() - 1);
    return "\"" + name + "\"(" + operandNames(op) +
           ") <{dimension_numbers = #stablehlo.gather<offset_dims = [" + rank +
           "], collapsed_slice_dims = [0], start_index_map = [0], "
           "index_vector_dim = " +
           rank + ">, slice_sizes = array<i64: 1, " +
           std::to_string(op.type.shape.back()) + ">}> : " + signature(op);
  }
  case Opcode::ScatterAddRows: {
    std::string rank = std::to_string(graph.type(op.operands[1]).rank());
    return "\"" + name + "\"(" + operandNames(op) +
           ") <{scatter_dimension_numbers = #stablehlo.scatter<"
           "update_window_dims = [" +
           rank +
           "], inserted_window_dims = [0], scatter_dims_to_operand_dims = "
           "[0], index_vector_dim = " +
           rank + ">}> " + addRegion(op.type.dtype) + " : " + signature(op);
  }
  default:
    return name + " " + operandNames(op) + " : " + type;
  }
}

std::string Printer::port(const Port &port, const std::string &prefix) const {
  return "    " + prefix + graph.type(port.value).str() + " {remat.kind = \"" +
         port.kind + "\", remat.name = \"" + port.name + "\"" +
         (port.donatedTo < 0 ? ""
                             : ", tf.aliasing_output = " +
                                   std::to_string(port.donatedTo) + " : i32") +
         "}";
}

std::string Printer::print(const std::string &name, const std::string &header) {
  std::string text;
  for (size_t begin = 0; begin < header.size();) {
    size_t end = std::min(header.find('\n', begin), header.size());
    std::string line = header.substr(begin, end - begin);
    text += line.empty() ? "//\n" : "// " + line + "\n";
    begin = end + 1;
  }

  // Locations are defined ahead, once per layer, to keep the lines short.
  std::set<int32_t> usedScopes;
  for (size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty())
      usedScopes.insert(graph.ops()[i].scope);
  for (int32_t scope : usedScopes)
    if (scope != 0)
      text += "#l" + std::to_string(scope) + " = loc(\"" +
              graph.scopes()[scope] + "\")\n";

  text += "\nmodule @" + name + " {\nfunc.func @main(\n";
  const char *separator = "";
  for (const Port &argument : graph.arguments()) {
    text += separator + port(argument, "%" + argument.name + ": ");
    separator = ",\n";
  }
  text += "\n  ) -> (\n";
  separator = "";
  for (const Port &result : graph.results()) {
    text += separator + port(result, "");
    separator = ",\n";
  }
  text += "\n  ) {\n";

  int32_t scope = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const Op &op = graph.ops()[i];
    if (names[i].empty() || op.code == Opcode::Argument)
      continue;
    // Constants are shared between layers: they belong to none.
    bool isShared = op.code == Opcode::Constant;
    if (!isShared && op.scope != scope) {
      scope = op.scope;
      text += "\n  // " + graph.scopes()[scope] + "\n";
    }
    text += "  " + names[i] + " = " + body(op);
    if (!isShared && scope != 0)
      text += " loc(#l" + std::to_string(scope) + ")";
    text += "\n";
  }

  std::string values, types;
  for (const Port &result : graph.results()) {
    values += (values.empty() ? "" : ", ") + nameOf(result.value);
    types += (types.empty() ? "" : ", ") + graph.type(result.value).str();
  }
  return text + "\n  return " + values + "\n      : " + types + "\n}\n}\n";
}

std::string printModule(const Graph &graph, const std::string &name,
                        const std::string &header) {
  return Printer(graph).print(name, header);
}

} // namespace remat::models
