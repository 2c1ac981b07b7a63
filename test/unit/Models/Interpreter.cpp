//===- Interpreter.cpp - Executes a graph, slowly and obviously -----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace remat::models {

/// Calls `visit` with each index of a tensor of `shape`, in row-major order.
static void forEachIndex(const Shape &shape,
                         const std::function<void(const Shape &)> &visit) {
  Shape index(shape.size(), 0);
  for (int64_t left = Type{DType::F32, shape}.elements(); left > 0; --left) {
    visit(index);
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i])
        break;
      index[i] = 0;
    }
  }
}

/// The position of `index` in row-major order.
static size_t offset(const Shape &shape, const Shape &index) {
  size_t place = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    place = place * shape[i] + index[i];
  return place;
}

/// `number` as an element of type i32, modulo 2^32.
static double wrap(uint64_t number) {
  return static_cast<int32_t>(static_cast<uint32_t>(number));
}

static uint32_t word(double element) {
  return static_cast<uint32_t>(static_cast<int32_t>(element));
}

namespace {

class Interpreter {
public:
  Interpreter(const Graph &graph) : graph(graph) {}
  Elements run(const Op &op);

  const Graph &graph;
  std::vector<Elements> values;

private:
  const Elements &in(const Op &op, size_t i) {
    return values[op.operands[i].id];
  }
  const Shape &shape(const Op &op, size_t i) {
    return graph.shape(op.operands[i]);
  }
  Elements elementwise(const Op &op);
  Elements move(const Op &op);
  Elements reduce(const Op &op);
  Elements dot(const Op &op);
  Elements convolution(const Op &op);
  Elements rows(const Op &op);
};

} // namespace

static double apply(Opcode code, double a, double b, bool isWord) {
  switch (code) {
  case Opcode::Negate:
    return -a;
  case Opcode::Exponential:
    return std::exp(a);
  case Opcode::Log:
    return std::log(a);
  case Opcode::Tanh:
    return std::tanh(a);
  case Opcode::Rsqrt:
    return 1 / std::sqrt(a);
  case Opcode::Sqrt:
    return std::sqrt(a);
  case Opcode::Add:
    return isWord ? wrap(uint64_t(word(a)) + word(b)) : a + b;
  case Opcode::Subtract:
    return a - b;
  case Opcode::Multiply:
    return isWord ? wrap(uint64_t(word(a)) * word(b)) : a * b;
  case Opcode::Divide:
    return a / b;
  case Opcode::Maximum:
    return std::max(a, b);
  case Opcode::And:
    return wrap(word(a) & word(b));
  case Opcode::Xor:
    return wrap(word(a) ^ word(b));
  case Opcode::ShiftRightLogical:
    return wrap(word(a) >> word(b));
  default:
    return a;
  }
}

static bool holds(Direction direction, double a, double b) {
  switch (direction) {
  case Direction::EQ:
    return a == b;
  case Direction::NE:
    return a != b;
  case Direction::LT:
    return a < b;
  case Direction::LE:
    return a <= b;
  case Direction::GT:
    return a > b;
  case Direction::GE:
    return a >= b;
  }
  return false;
}

Elements Interpreter::elementwise(const Op &op) {
  Elements out(op.type.elements());
  for (size_t i = 0; i < out.size(); ++i) {
    double a = in(op, 0)[i];
    double b = op.operands.size() > 1 ? in(op, 1)[i] : 0;
    if (op.code == Opcode::Compare)
      out[i] = holds(std::get<CompareAttr>(op.attr).direction, a, b);
    else if (op.code == Opcode::Select)
      out[i] = a ? b : in(op, 2)[i];
    else
      out[i] = apply(op.code, a, b, op.type.dtype == DType::I32);
  }
  return out;
}

Elements Interpreter::move(const Op &op) {
  const Elements &from = in(op, 0);
  const Shape &source = shape(op, 0);
  Elements out(op.type.elements());
  switch (op.code) {
  case Opcode::Reshape:
    return from;
  case Opcode::Broadcast:
  case Opcode::Transpose:
  case Opcode::Slice:
    forEachIndex(op.type.shape, [&](const Shape &index) {
      Shape at(source.size());
      for (size_t i = 0; i < source.size(); ++i) {
        if (op.code == Opcode::Broadcast)
          at[i] = index[std::get<DimsAttr>(op.attr).dims[i]];
        else if (op.code == Opcode::Transpose)
          at[std::get<DimsAttr>(op.attr).dims[i]] = index[i];
        else
          at[i] = std::get<SliceAttr>(op.attr).starts[i] +
                  index[i] * std::get<SliceAttr>(op.attr).strides[i];
      }
      out[offset(op.type.shape, index)] = from[offset(source, at)];
    });
    return out;
  case Opcode::Pad: {
    const auto &attr = std::get<PadAttr>(op.attr);
    std::fill(out.begin(), out.end(), in(op, 1)[0]);
    forEachIndex(source, [&](const Shape &index) {
      Shape at(source.size());
      for (size_t i = 0; i < source.size(); ++i)
        at[i] = attr.low[i] + index[i] * (attr.interior[i] + 1);
      out[offset(op.type.shape, at)] = from[offset(source, index)];
    });
    return out;
  }
  default: { // Concatenate
    int64_t dim = std::get<DimsAttr>(op.attr).dims[0], start = 0;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      forEachIndex(shape(op, i), [&](const Shape &index) {
        Shape at = index;
        at[dim] += start;
        out[offset(op.type.shape, at)] = in(op, i)[offset(shape(op, i), index)];
      });
      start += shape(op, i)[dim];
    }
    return out;
  }
  }
}

Elements Interpreter::reduce(const Op &op) {
  const Shape &source = shape(op, 0);
  Elements out(op.type.elements(), in(op, 1)[0]);
  const auto &dims = std::get<DimsAttr>(op.attr).dims;
  forEachIndex(source, [&](const Shape &index) {
    Shape at;
    for (size_t i = 0; i < source.size(); ++i)
      if (!std::count(dims.begin(), dims.end(), static_cast<int64_t>(i)))
        at.push_back(index[i]);
    double &sum = out[offset(op.type.shape, at)];
    double element = in(op, 0)[offset(source, index)];
    sum = op.code == Opcode::ReduceAdd ? sum + element : std::max(sum, element);
  });
  return out;
}

Elements Interpreter::dot(const Op &op) {
  const auto &attr = std::get<DotAttr>(op.attr);
  Elements out(op.type.elements());
  Shape contracted;
  for (int64_t dim : attr.lhsContract)
    contracted.push_back(shape(op, 0)[dim]);
  forEachIndex(op.type.shape, [&](const Shape &index) {
    Shape a(shape(op, 0).size(), -1), b(shape(op, 1).size(), -1);
    size_t next = 0;
    for (size_t i = 0; i < attr.lhsBatch.size(); ++i)
      a[attr.lhsBatch[i]] = b[attr.rhsBatch[i]] = index[next++];
    for (int64_t dim : attr.lhsContract)
      a[dim] = 0;
    for (int64_t dim : attr.rhsContract)
      b[dim] = 0;
    for (int64_t &at : a)
      if (at < 0)
        at = index[next++];
    for (int64_t &at : b)
      if (at < 0)
        at = index[next++];
    double sum = 0;
    forEachIndex(contracted, [&](const Shape &inner) {
      for (size_t i = 0; i < inner.size(); ++i)
        a[attr.lhsContract[i]] = b[attr.rhsContract[i]] = inner[i];
      sum += in(op, 0)[offset(shape(op, 0), a)] *
             in(op, 1)[offset(shape(op, 1), b)];
    });
    out[offset(op.type.shape, index)] = sum;
  });
  return out;
}

Elements Interpreter::convolution(const Op &op) {
  const auto &attr = std::get<ConvAttr>(op.attr);
  const Shape &image = shape(op, 0), &kernel = shape(op, 1);
  Elements out(op.type.elements());
  forEachIndex(op.type.shape, [&](const Shape &index) {
    double sum = 0;
    forEachIndex(kernel, [&](const Shape &tap) {
      if (tap[attr.kernel.second] != index[attr.result.second])
        return;
      Shape at(4);
      at[attr.image.first] = index[attr.result.first];
      at[attr.image.second] = tap[attr.kernel.first];
      for (int i = 0; i < 2; ++i) {
        int64_t place = index[attr.result.spatial[i]] * attr.stride[i] +
                        tap[attr.kernel.spatial[i]] * attr.kernelDilation[i] -
                        attr.low[i];
        if (place < 0 || place % attr.imageDilation[i] != 0)
          return;
        place /= attr.imageDilation[i];
        if (place >= image[attr.image.spatial[i]])
          return;
        at[attr.image.spatial[i]] = place;
      }
      sum += in(op, 0)[offset(image, at)] * in(op, 1)[offset(kernel, tap)];
    });
    out[offset(op.type.shape, index)] = sum;
  });
  return out;
}

Elements Interpreter::rows(const Op &op) {
  bool gathers = op.code == Opcode::GatherRows;
  size_t width = shape(op, 0)[1];
  const Elements &index = in(op, 1);
  Elements out = gathers ? Elements(op.type.elements()) : in(op, 0);
  for (size_t i = 0; i < index.size(); ++i)
    for (size_t j = 0; j < width; ++j) {
      size_t row = static_cast<size_t>(index[i]);
      if (gathers)
        out[i * width + j] = in(op, 0)[row * width + j];
      else
        out[row * width + j] += in(op, 2)[i * width + j];
    }
  return out;
}

Elements Interpreter::run(const Op &op) {
  switch (op.code) {
  case Opcode::Constant: {
    const auto &elements = std::get<ConstantAttr>(op.attr).elements;
    return elements.size() == 1 ? Elements(op.type.elements(), elements[0])
                                : elements;
  }
  case Opcode::Iota: {
    Elements out;
    forEachIndex(op.type.shape, [&](const Shape &index) {
      out.push_back(index[std::get<DimsAttr>(op.attr).dims[0]]);
    });
    return out;
  }
  case Opcode::Broadcast:
  case Opcode::Reshape:
  case Opcode::Transpose:
  case Opcode::Slice:
  case Opcode::Pad:
  case Opcode::Concatenate:
    return move(op);
  case Opcode::ReduceAdd:
  case Opcode::ReduceMax:
    return reduce(op);
  case Opcode::Dot:
    return dot(op);
  case Opcode::Convolution:
    return convolution(op);
  case Opcode::GatherRows:
  case Opcode::ScatterAddRows:
    return rows(op);
  default:
    return elementwise(op);
  }
}

std::vector<Elements> interpret(const Graph &graph,
                                const std::vector<Elements> &arguments) {
  Interpreter interpreter(graph);
  size_t nextArgument = 0;
  // Arguments are numbered by port, operations by their position.
  std::vector<Elements> given(graph.ops().size());
  for (const Port &argument : graph.arguments())
    given[argument.value.id] = arguments[nextArgument++];
  for (size_t i = 0; i < graph.ops().size(); ++i) {
    const Op &op = graph.ops()[i];
    interpreter.values.push_back(
        op.code == Opcode::Argument ? given[i] : interpreter.run(op));
  }
  std::vector<Elements> results;
  for (const Port &result : graph.results())
    results.push_back(interpreter.values[result.value.id]);
  return results;
}

} // namespace remat::models
