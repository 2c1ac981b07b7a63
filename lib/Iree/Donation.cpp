//===- Donation.cpp - Which arguments give their buffers away -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Donation.h"

#include <cstdlib>

using namespace remat;
using namespace remat::ir;

// Attributes of arguments.
static constexpr const char *aliasingOutput = "tf.aliasing_output";
static constexpr const char *bufferDonor = "jax.buffer_donor";
static constexpr const char *abiOutput = "iree.abi.output";

std::optional<Donation> remat::parseDonation(const std::string &text) {
  if (text == "auto")
    return Donation{Donation::Kind::Auto, {}};
  if (text == "none")
    return Donation{Donation::Kind::None, {}};
  if (text == "parameters")
    return Donation{Donation::Kind::Parameters, {}};
  Donation donation{Donation::Kind::Arguments, {}};
  const char *position = text.c_str();
  while (true) {
    char *end = nullptr;
    long number = std::strtol(position, &end, 10);
    if (end == position || number < 0 || (*end && *end != ','))
      return std::nullopt;
    donation.arguments.insert(number);
    if (!*end)
      return donation;
    position = end + 1;
  }
}

namespace {
/// The arguments and results of one function.
class DonatedFunction {
public:
  explicit DonatedFunction(Op function)
      : function(function),
        type(mlirTypeAttrGetValue(function.attribute("function_type"))),
        arguments(
            attributesOf("arg_attrs", mlirFunctionTypeGetNumInputs(type))),
        results(attributesOf("res_attrs", mlirFunctionTypeGetNumResults(type))),
        isTaken(results.size(), false) {}

  std::string apply(const Donation &donation, const std::set<int64_t> &kept);

private:
  /// The attributes of one argument or result, which may be null.
  std::vector<MlirAttribute> attributesOf(const char *name,
                                          intptr_t count) const;
  static std::string_view text(MlirAttribute attributes, const char *name);
  static bool has(MlirAttribute attributes, const char *name);
  bool isMarked(size_t argument) const;
  bool isDonated(size_t argument, const Donation &donation) const;
  intptr_t findResult(size_t argument) const;
  void mark(size_t argument, intptr_t result);

  Op function;
  MlirType type;
  std::vector<MlirAttribute> arguments;
  std::vector<MlirAttribute> results;
  /// Results that have the buffer of an argument.
  std::vector<bool> isTaken;
};
} // namespace

std::vector<MlirAttribute> DonatedFunction::attributesOf(const char *name,
                                                         intptr_t count) const {
  MlirAttribute all = function.attribute(name);
  std::vector<MlirAttribute> attributes(count, mlirAttributeGetNull());
  for (intptr_t i = 0; !mlirAttributeIsNull(all) && i < count; ++i)
    attributes[i] = mlirArrayAttrGetElement(all, i);
  return attributes;
}

bool DonatedFunction::has(MlirAttribute attributes, const char *name) {
  return !mlirAttributeIsNull(attributes) &&
         !mlirAttributeIsNull(
             mlirDictionaryAttrGetElementByName(attributes, toRef(name)));
}

std::string_view DonatedFunction::text(MlirAttribute attributes,
                                       const char *name) {
  if (!has(attributes, name))
    return {};
  MlirAttribute value =
      mlirDictionaryAttrGetElementByName(attributes, toRef(name));
  return mlirAttributeIsAString(value) ? toView(mlirStringAttrGetValue(value))
                                       : std::string_view();
}

bool DonatedFunction::isMarked(size_t argument) const {
  for (const char *name : {aliasingOutput, bufferDonor, abiOutput})
    if (has(arguments[argument], name))
      return true;
  return false;
}

bool DonatedFunction::isDonated(size_t argument,
                                const Donation &donation) const {
  std::string_view kind = text(arguments[argument], "remat.kind");
  switch (donation.kind) {
  case Donation::Kind::Auto:
    return isMarked(argument);
  case Donation::Kind::None:
    return false;
  case Donation::Kind::Parameters:
    return kind == "parameter" || kind == "optimizer-state";
  case Donation::Kind::Arguments:
    return donation.arguments.count(static_cast<int64_t>(argument)) > 0;
  }
  return false;
}

/// The result that takes over the buffer of `argument`, or -1.
intptr_t DonatedFunction::findResult(size_t argument) const {
  for (const char *name : {aliasingOutput, abiOutput})
    if (has(arguments[argument], name))
      return mlirIntegerAttrGetValueInt(
          mlirDictionaryAttrGetElementByName(arguments[argument], toRef(name)));
  std::string_view wanted = text(arguments[argument], "remat.name");
  intptr_t first = -1;
  for (size_t i = results.size(); i-- > 0;) {
    auto result = static_cast<intptr_t>(i);
    if (isTaken[i] || !mlirTypeEqual(mlirFunctionTypeGetInput(
                                         type, static_cast<intptr_t>(argument)),
                                     mlirFunctionTypeGetResult(type, result)))
      continue;
    if (!wanted.empty() && text(results[i], "remat.name") == wanted)
      return result;
    first = result;
  }
  return first;
}

/// Replaces the marks of `argument`; a negative result removes them.
void DonatedFunction::mark(size_t argument, intptr_t result) {
  std::vector<MlirNamedAttribute> attributes;
  MlirAttribute old = arguments[argument];
  intptr_t count =
      mlirAttributeIsNull(old) ? 0 : mlirDictionaryAttrGetNumElements(old);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute = mlirDictionaryAttrGetElement(old, i);
    std::string_view name = toView(mlirIdentifierStr(attribute.name));
    if (name != aliasingOutput && name != bufferDonor && name != abiOutput)
      attributes.push_back(attribute);
  }
  MlirContext context = function.context();
  if (result >= 0)
    attributes.push_back(mlirNamedAttributeGet(
        mlirIdentifierGet(context, toRef(aliasingOutput)),
        mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), result)));
  arguments[argument] = mlirDictionaryAttrGet(
      context, static_cast<intptr_t>(attributes.size()), attributes.data());
}

std::string DonatedFunction::apply(const Donation &donation,
                                   const std::set<int64_t> &kept) {
  for (int64_t number : donation.arguments)
    if (number >= static_cast<int64_t>(arguments.size()))
      return "cannot donate argument #" + std::to_string(number) +
             ": function '" + std::string(function.symbolName()) + "' has " +
             std::to_string(arguments.size()) + " arguments";
  bool changes = false;
  // Results that the program names are taken first.
  for (bool isNamed : {true, false})
    for (size_t i = 0; i < arguments.size(); ++i) {
      bool named =
          has(arguments[i], aliasingOutput) || has(arguments[i], abiOutput);
      if (named != isNamed)
        continue;
      bool isKept = kept.count(static_cast<int64_t>(i)) > 0;
      if (isKept || !isDonated(i, donation)) {
        changes |= isMarked(i);
        if (isMarked(i))
          mark(i, -1);
        continue;
      }
      intptr_t result = findResult(i);
      if (result < 0 && donation.kind == Donation::Kind::Arguments)
        return "cannot donate argument #" + std::to_string(i) +
               ": no result of its type is left to take over its buffer";
      if (result >= 0 && result < static_cast<intptr_t>(results.size()))
        isTaken[result] = true;
      if (!isNamed) {
        mark(i, result);
        changes = true;
      }
    }
  if (!changes)
    return {};
  for (MlirAttribute &attributes : arguments)
    if (mlirAttributeIsNull(attributes))
      attributes = mlirDictionaryAttrGet(function.context(), 0, nullptr);
  mlirOperationSetAttributeByName(
      function.raw(), toRef("arg_attrs"),
      mlirArrayAttrGet(function.context(),
                       static_cast<intptr_t>(arguments.size()),
                       arguments.data()));
  return {};
}

std::string remat::applyDonation(Op module, const Donation &donation,
                                 const std::set<int64_t> &kept) {
  for (Op op : opsOf(module.body())) {
    // What other functions call has no buffers of the caller.
    if (!op.is("func.func") || mlirBlockIsNull(op.body()) ||
        op.stringAttribute("sym_visibility") == "private")
      continue;
    std::string error = DonatedFunction(op).apply(donation, kept);
    if (!error.empty())
      return error;
  }
  return {};
}
