//===- StreamProgram.h - Small programs of stream ops, for tests ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_IR_STREAMPROGRAM_H
#define REMAT_TEST_UNIT_IR_STREAMPROGRAM_H

#include "remat/IR/ProblemBuilder.h"

#include <gtest/gtest.h>

namespace remat::ir {

/// An execute region with the given body, in generic form. Every dispatch
/// reads and writes 64 bytes.
inline std::string programOf(const std::string &body) {
  return R"("func.func"() ({
^bb0(%x: !stream.resource<external>):
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c64 = "arith.constant"() {value = 64 : index} : () -> index
  %y:2 = "stream.async.execute"(%x, %c64, %c64) ({
  ^bb0(%in: !stream.resource<external>):
)" + body +
         R"(  }) {operandSegmentSizes = array<i32: 1, 1, 1, 0>,
      tied_operands = [-1 : index]}
    : (!stream.resource<external>, index, index)
    -> (!stream.resource<external>, !stream.timepoint)
  "func.return"() : () -> ()
}) {sym_name = "f"} : () -> ())";
}

/// A dispatch of kernel `kernel` with one operand.
inline std::string dispatch(const std::string &result,
                            const std::string &kernel,
                            const std::string &operand, const std::string &from,
                            const std::string &to = "transient") {
  return result + R"( = "stream.async.dispatch"()" + operand +
         R"(, %c64, %c0, %c64, %c64, %c64) {entry_points = [@ex::@)" + kernel +
         R"(], operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1>,
      tied_operands = [-1 : index]}
    : (!stream.resource<)" +
         from + R"(>, index, index, index, index, index)
    -> !stream.resource<)" +
         to + ">\n";
}

/// A test of a program whose execute region is read and rewritten.
class StreamProgramTest : public testing::Test {
protected:
  StreamProgramTest() : context(mlirContextCreate()) {
    mlirContextSetAllowUnregisteredDialects(context, true);
  }
  ~StreamProgramTest() override {
    mlirModuleDestroy(module);
    mlirContextDestroy(context);
  }

  RegionProblem read(const std::string &program) {
    module = mlirModuleCreateParse(context, toRef(program));
    EXPECT_FALSE(mlirModuleIsNull(module));
    walk(mlirModuleGetOperation(module), [&](Op op) {
      if (op.is("stream.async.execute"))
        execute = op;
    });
    return readAgain();
  }

  RegionProblem readAgain() {
    CostModel costs(mlirModuleGetOperation(module), "cpu");
    std::optional<RegionProblem> region =
        readStreamRegion(execute, costs, [](const Diagnostic &diagnostic) {
          ADD_FAILURE() << diagnostic.message;
        });
    EXPECT_TRUE(region);
    return std::move(*region);
  }

  /// The kernels in the order in which the body launches them; those of a
  /// concurrent op in brackets.
  std::string launches() const {
    std::string text;
    for (Op op : opsOf(execute.body())) {
      if (op.is("stream.async.concurrent")) {
        text += "[";
        for (Op inner : opsOf(op.body()))
          text += kernelOf(inner);
        text += "]";
      }
      text += kernelOf(op);
    }
    return text;
  }

  /// The whole module in generic form.
  std::string text() const {
    std::string printed;
    mlirOperationPrint(
        mlirModuleGetOperation(module),
        [](MlirStringRef part, void *out) {
          static_cast<std::string *>(out)->append(part.data, part.length);
        },
        &printed);
    return printed;
  }

  MlirContext context;
  MlirModule module{nullptr};
  Op execute;

private:
  static std::string kernelOf(Op op) {
    if (!op.is("stream.async.dispatch"))
      return {};
    std::string text = toString(op.attribute("entry_points"));
    return std::string(1, text[text.rfind('@') + 1]);
  }
};

} // namespace remat::ir

#endif // REMAT_TEST_UNIT_IR_STREAMPROGRAM_H
