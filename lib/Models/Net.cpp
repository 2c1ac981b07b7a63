//===- Net.cpp - Tape, backward pass and optimizers -----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Models/Net.h"

#include <algorithm>
#include <cmath>

namespace remat::models {

// The usual settings of the optimizers.
static constexpr double momentumDecay = 0.9;
static constexpr double adamBeta1 = 0.9;
static constexpr double adamBeta2 = 0.999;
static constexpr double adamEpsilon = 1e-8;

Value Net::input(const std::string &name, Type type) {
  return graph.argument(name, std::move(type), "input");
}

Value Net::seedInput() {
  if (!seed)
    seed = input("seed", {DType::I32, {}});
  return seed;
}

void Net::createScalars() {
  if (options.forwardOnly || options.optimizer == Optimizer::None)
    return;
  learningRate = input("learning_rate", {DType::F32, {}});
  if (options.optimizer == Optimizer::Adam)
    step = graph.argument("step", {DType::F32, {}}, "optimizer-state");
}

Value Net::parameter(const std::string &name, Shape shape, DType dtype) {
  if (parameterList.empty())
    createScalars();
  const std::string &path = graph.scope();
  std::string fullName = path.empty() ? name : path + "." + name;
  if (sharesParameters) {
    for (const Port &made : parameterList)
      if (made.name == fullName)
        return made.value;
    throw ModelError("parameter '" + fullName + "' is not in the first slice");
  }
  Value value =
      graph.argument(fullName, {dtype, std::move(shape)}, "parameter");
  parameterIds[value] = parameterList.size();
  parameterList.push_back({fullName, value, "parameter"});
  if (!options.forwardOnly)
    wanted.insert(value);
  return value;
}

int64_t Net::parameterCount() const {
  int64_t count = 0;
  for (const Port &parameter : parameterList)
    count += graph.type(parameter.value).elements();
  return count;
}

Value Net::record(Value result, const std::vector<Value> &operands, Rule rule) {
  // A layer that does nothing, such as a pooling with a window of 1.
  if (std::find(operands.begin(), operands.end(), result) != operands.end())
    return result;
  activationList.push_back({graph.scope(), result});
  bool isWanted = false;
  for (Value operand : operands) {
    isWanted |= wants(operand);
    if (parameterIds.count(operand))
      ++uses[operand];
  }
  if (isWanted) {
    wanted.insert(result);
    tape.push_back({result, std::move(rule), graph.scope()});
  }
  return result;
}

void Net::contribute(Value value, Value gradient) {
  auto id = parameterIds.find(value);
  if (id == parameterIds.end()) {
    Value &sum = gradients[value];
    sum = sum ? graph.add(sum, gradient) : gradient;
    return;
  }
  std::vector<Value> &parts = parameterGradients[value];
  parts.push_back(gradient);
  if (--uses[value] == 0 && !options.updatesLast)
    update(parameterList[id->second], sumOfParts(parts));
}

// A reduction of all parts concatenated, not a chain of additions: IREE would
// fuse an addition with the op that defines its first operand, and so delay
// that gradient, and keep its operands alive, until the next gradient is
// available.
Value Net::sumOfParts(std::vector<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  Shape shape = graph.shape(parts.front());
  shape.insert(shape.begin(), 1);
  for (Value &part : parts)
    part = graph.reshape(part, shape);
  Value all = graph.convert(graph.concatenate(parts, 0), DType::F32);
  return graph.convert(graph.reduceAdd(all, {0}),
                       graph.type(parts.front()).dtype);
}

void Net::createStates() {
  std::vector<std::string> names;
  if (options.optimizer == Optimizer::Momentum)
    names = {"momentum"};
  else if (options.optimizer == Optimizer::Adam)
    names = {"mean", "variance"};
  slots.resize(parameterList.size());
  for (size_t i = 0; i < slots.size(); ++i)
    for (const std::string &name : names) {
      std::string fullName = parameterList[i].name + "." + name;
      Type type{DType::F32, graph.shape(parameterList[i].value)};
      Value state = graph.argument(fullName, type, "optimizer-state");
      slots[i].states.push_back({fullName, state, "optimizer-state"});
    }
}

void Net::update(const Port &parameter, Value gradient) {
  Slots &slot = slots[parameterIds[parameter.value]];
  if (options.optimizer == Optimizer::None) {
    slot.newValue = gradient;
    return;
  }
  ScopeGuard scope(graph, "update");
  const Shape &shape = graph.shape(parameter.value);
  auto spread = [&](Value scalar) {
    return graph.broadcast(scalar, shape, {});
  };
  Value change = graph.convert(gradient, DType::F32);
  if (options.optimizer == Optimizer::Momentum) {
    Value old = graph.scale(slot.states[0].value, momentumDecay);
    change = graph.add(old, change);
    slot.newStates = {change};
  } else if (options.optimizer == Optimizer::Adam) {
    if (!correction1) {
      // 1 / (1 - beta^t), where t counts this step.
      Value count = graph.addNumber(step, 1);
      auto correction = [&](double beta) {
        Value power = graph.exponential(graph.scale(count, std::log(beta)));
        Value rest = graph.addNumber(graph.negate(power), 1);
        return graph.divide(graph.constant(1, {DType::F32, {}}), rest);
      };
      correction1 = correction(adamBeta1);
      correction2 = correction(adamBeta2);
      step = count;
    }
    auto average = [&](Value old, Value fresh, double beta) {
      return graph.add(graph.scale(old, beta), graph.scale(fresh, 1 - beta));
    };
    Value mean = average(slot.states[0].value, change, adamBeta1);
    Value square = graph.multiply(change, change);
    Value variance = average(slot.states[1].value, square, adamBeta2);
    slot.newStates = {mean, variance};
    Value root = graph.sqrt(graph.multiply(variance, spread(correction2)));
    change = graph.divide(graph.multiply(mean, spread(correction1)),
                          graph.addNumber(root, adamEpsilon));
  }
  Value old = graph.convert(parameter.value, DType::F32);
  Value next =
      graph.subtract(old, graph.multiply(change, spread(learningRate)));
  slot.newValue = graph.convert(next, graph.type(parameter.value).dtype);
}

void Net::minimize(Value loss) {
  if (options.forwardOnly) {
    graph.result("loss", loss, "output");
    return;
  }
  createStates();
  std::string outer = graph.scope();
  gradients[loss] = graph.constant(1, graph.type(loss));
  for (size_t i = tape.size(); i-- > 0;) {
    auto gradient = gradients.find(tape[i].result);
    if (gradient == gradients.end())
      continue;
    Value value = gradient->second;
    gradients.erase(gradient);
    graph.setScope(tape[i].path);
    ScopeGuard scope(graph, "backward");
    tape[i].rule(value);
  }
  graph.setScope(outer);
  for (const Port &parameter : parameterList)
    if (options.updatesLast && parameterGradients.count(parameter.value))
      update(parameter, sumOfParts(parameterGradients[parameter.value]));

  bool isGradient = options.optimizer == Optimizer::None;
  for (size_t i = 0; i < slots.size(); ++i) {
    const Port &parameter = parameterList[i];
    if (!slots[i].newValue)
      throw ModelError("parameter '" + parameter.name +
                       "' has no influence on the loss");
    graph.result(parameter.name, slots[i].newValue,
                 isGradient ? "gradient" : "parameter");
  }
  for (const Slots &slot : slots)
    for (size_t i = 0; i < slot.states.size(); ++i)
      graph.result(slot.states[i].name, slot.newStates[i], "optimizer-state");
  if (options.optimizer == Optimizer::Adam)
    graph.result("step", step, "optimizer-state");
  graph.result("loss", loss, "output");
  if (options.donate)
    graph.donateArguments();
}

} // namespace remat::models
