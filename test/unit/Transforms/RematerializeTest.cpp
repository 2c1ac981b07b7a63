//===- RematerializeTest.cpp - The pass as a function ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Transforms/Rematerialize.h"

#include <gtest/gtest.h>

using namespace remat;
using namespace remat::ir;

namespace {

/// %h (4 KiB) is read early and again at the end, past a peak of 32 KiB
/// (%h with two tensors of 12 KiB, and %x); recomputed, it is not live there.
const char *const program = R"("func.func"() ({
^bb0(%x: tensor<1024xf32>):
  %h = "math.exp"(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %wide = "tensor.concat"(%h, %h, %h) {dim = 0 : i64}
    : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = "math.absf"(%wide) : (tensor<3072xf32>) -> tensor<3072xf32>
  %part = "tensor.extract_slice"(%more) {static_offsets = array<i64: 0>,
    static_sizes = array<i64: 1024>, static_strides = array<i64: 1>,
    operandSegmentSizes = array<i32: 1, 0, 0, 0>}
    : (tensor<3072xf32>) -> tensor<1024xf32>
  %sum = "arith.addf"(%part, %h)
    : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  "func.return"(%sum) : (tensor<1024xf32>) -> ()
}) {sym_name = "main"} : () -> ())";

class Rematerialize : public testing::Test {
protected:
  Rematerialize() : context(mlirContextCreate()) {
    mlirContextSetAllowUnregisteredDialects(context, true);
    module = mlirModuleCreateParse(context, toRef(program));
    options.memoryCap = "90%";
  }
  ~Rematerialize() override {
    mlirModuleDestroy(module);
    mlirContextDestroy(context);
  }

  bool run() {
    return rematerialize(
        mlirModuleGetOperation(module), options,
        [this](const Diagnostic &diagnostic) {
          messages.push_back(diagnostic.message);
        },
        report);
  }

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
  MlirModule module;
  RematOptions options;
  RematReport report;
  std::vector<std::string> messages;
};

TEST_F(Rematerialize, RecomputesToMeetTheCap) {
  ASSERT_FALSE(mlirModuleIsNull(module));
  std::string original = text();
  EXPECT_TRUE(run());
  EXPECT_TRUE(messages.empty());
  EXPECT_EQ(report.totalRecomputedSteps(), 1);
  EXPECT_NE(text(), original);
}

TEST_F(Rematerialize, AReportThatCannotBeWrittenLeavesTheIRUnchanged) {
  std::string original = text();
  options.report = "/proc/no/report.json";
  EXPECT_FALSE(run());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0],
            "cannot write '/proc/no/report.json': No such file or directory");
  EXPECT_EQ(text(), original);
  EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module)));
}

} // namespace
