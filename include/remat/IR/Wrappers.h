//===- Wrappers.h - Typed handles over the MLIR C API ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Value types of one pointer each, with the few queries the bridge needs. They
// own nothing: IR belongs to its module.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_WRAPPERS_H
#define REMAT_IR_WRAPPERS_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace remat::ir {

inline std::string_view toView(MlirStringRef text) {
  return {text.data, text.length};
}
inline MlirStringRef toRef(std::string_view text) {
  return mlirStringRefCreate(text.data(), text.size());
}

/// Collects what one of the C API's print functions prints.
template <typename PrintFn> std::string printToString(PrintFn print) {
  std::string text;
  print(
      [](MlirStringRef part, void *user) {
        static_cast<std::string *>(user)->append(part.data, part.length);
      },
      &text);
  return text;
}

inline std::string toString(MlirType type) {
  return printToString([&](MlirStringCallback callback, void *user) {
    mlirTypePrint(type, callback, user);
  });
}
inline std::string toString(MlirAttribute attribute) {
  return printToString([&](MlirStringCallback callback, void *user) {
    mlirAttributePrint(attribute, callback, user);
  });
}

class Op;

/// An SSA value.
class Value {
public:
  Value() : value{nullptr} {}
  Value(MlirValue value) : value(value) {}

  explicit operator bool() const { return value.ptr; }
  bool operator==(Value other) const { return value.ptr == other.value.ptr; }
  bool operator!=(Value other) const { return !(*this == other); }

  MlirValue raw() const { return value; }
  const void *key() const { return value.ptr; }
  MlirType type() const { return mlirValueGetType(value); }

  /// The op that makes this value; null for block arguments.
  inline Op definingOp() const;
  /// Which result of definingOp() this is.
  intptr_t resultNumber() const { return mlirOpResultGetResultNumber(value); }

  /// The ops that read this value, once for each operand that does.
  inline std::vector<Op> users() const;

  /// The value of an `arith.constant` of integer or index type.
  inline std::optional<int64_t> constantInt() const;

private:
  MlirValue value;
};

/// An operation; may be null.
class Op {
public:
  Op() : op{nullptr} {}
  Op(MlirOperation op) : op(op) {}

  explicit operator bool() const { return op.ptr; }
  bool operator==(Op other) const { return op.ptr == other.op.ptr; }
  bool operator!=(Op other) const { return !(*this == other); }

  MlirOperation raw() const { return op; }
  const void *key() const { return op.ptr; }

  std::string_view name() const {
    return toView(mlirIdentifierStr(mlirOperationGetName(op)));
  }
  bool is(std::string_view opName) const { return name() == opName; }
  /// The part of the name before the first dot.
  std::string_view dialect() const {
    std::string_view text = name();
    return text.substr(0, text.find('.'));
  }
  MlirLocation location() const { return mlirOperationGetLocation(op); }
  MlirContext context() const { return mlirOperationGetContext(op); }

  intptr_t numOperands() const { return mlirOperationGetNumOperands(op); }
  Value operand(intptr_t index) const {
    return mlirOperationGetOperand(op, index);
  }
  void setOperand(intptr_t index, Value value) const {
    mlirOperationSetOperand(op, index, value.raw());
  }
  intptr_t numResults() const { return mlirOperationGetNumResults(op); }
  Value result(intptr_t index) const {
    return mlirOperationGetResult(op, index);
  }

  /// The attribute called `attributeName`, or null.
  MlirAttribute attribute(std::string_view attributeName) const {
    return mlirOperationGetAttributeByName(op, toRef(attributeName));
  }
  /// The string attribute called `attributeName`, or an empty text.
  std::string_view stringAttribute(std::string_view attributeName) const {
    MlirAttribute attr = attribute(attributeName);
    if (mlirAttributeIsNull(attr) || !mlirAttributeIsAString(attr))
      return {};
    return toView(mlirStringAttrGetValue(attr));
  }
  std::string_view symbolName() const { return stringAttribute("sym_name"); }

  intptr_t numRegions() const { return mlirOperationGetNumRegions(op); }
  /// The first block of region `index`; null if the region is empty.
  MlirBlock body(intptr_t index = 0) const {
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
  }
  Op parent() const { return mlirOperationGetParentOperation(op); }
  MlirBlock block() const { return mlirOperationGetBlock(op); }
  Op next() const { return mlirOperationGetNextInBlock(op); }
  /// Whether this op is `ancestor` or nested below it.
  bool isWithin(Op ancestor) const {
    for (Op current = *this; current; current = current.parent())
      if (current == ancestor)
        return true;
    return false;
  }

private:
  MlirOperation op;
};

inline Op Value::definingOp() const {
  if (!mlirValueIsAOpResult(value))
    return {};
  return mlirOpResultGetOwner(value);
}

inline std::vector<Op> Value::users() const {
  std::vector<Op> result;
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    result.push_back(mlirOpOperandGetOwner(use));
  return result;
}

inline std::optional<int64_t> Value::constantInt() const {
  Op definition = definingOp();
  if (!definition || !definition.is("arith.constant"))
    return std::nullopt;
  MlirAttribute attr = definition.attribute("value");
  if (mlirAttributeIsNull(attr) || !mlirAttributeIsAInteger(attr))
    return std::nullopt;
  MlirType type = mlirAttributeGetType(attr);
  if (mlirTypeIsAIndex(type))
    return mlirIntegerAttrGetValueInt(attr);
  if (mlirIntegerTypeIsSignless(type))
    return mlirIntegerAttrGetValueInt(attr);
  return std::nullopt;
}

/// The ops of `block` in order, the terminator included.
inline std::vector<Op> opsOf(MlirBlock block) {
  std::vector<Op> result;
  if (mlirBlockIsNull(block))
    return result;
  for (Op op = mlirBlockGetFirstOperation(block); op; op = op.next())
    result.push_back(op);
  return result;
}

/// The arguments of `block`.
inline std::vector<Value> argumentsOf(MlirBlock block) {
  std::vector<Value> result;
  for (intptr_t i = 0, e = mlirBlockGetNumArguments(block); i < e; ++i)
    result.push_back(mlirBlockGetArgument(block, i));
  return result;
}

/// Calls `visit` on `root` and all ops below it, outer ops first.
inline void walk(Op root, const std::function<void(Op)> &visit) {
  mlirOperationWalk(
      root.raw(),
      [](MlirOperation op, void *user) {
        (*static_cast<const std::function<void(Op)> *>(user))(op);
        return MlirWalkResultAdvance;
      },
      const_cast<std::function<void(Op)> *>(&visit), MlirWalkPreOrder);
}

} // namespace remat::ir

#endif // REMAT_IR_WRAPPERS_H
