//===- SignatureTest.cpp - Signatures in the forms that occur -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Signature.h"

#include <gtest/gtest.h>

using namespace remat::run;

static Signature parse(const std::string &text) {
  std::string error;
  std::optional<Signature> signature = parseSignature(text, error);
  EXPECT_TRUE(signature) << error;
  return signature.value_or(Signature());
}

TEST(Signature, KindsAndNamesFromAttributes) {
  Signature signature = parse(
      "// func.func @comment(%x: tensor<9xf32>)\n"
      "module @m {\nfunc.func @main(\n"
      "    %images: tensor<4x8x8x3xbf16> {remat.kind = \"input\", remat.name = "
      "\"images\"},\n"
      "    %fc.weight: tensor<3x2xf32> {remat.kind = \"parameter\", remat.name "
      "= \"fc.weight (all)\"}\n"
      "  ) -> (\n    tensor<3x2xf32> {remat.kind = \"parameter\", remat.name = "
      "\"fc.weight\"},\n    tensor<f32> {remat.kind = \"output\", remat.name = "
      "\"loss\"}\n  ) {\n  %0 = other : tensor<7xf32>\n}\n}\n");
  EXPECT_EQ(signature.function, "main");
  ASSERT_EQ(signature.arguments.size(), 2u);
  EXPECT_EQ(signature.arguments[0].type, "4x8x8x3xbf16");
  EXPECT_EQ(signature.arguments[0].bytes, 4 * 8 * 8 * 3 * 2);
  EXPECT_EQ(signature.arguments[1].kind, "parameter");
  EXPECT_EQ(signature.arguments[1].name, "fc.weight (all)");
  ASSERT_EQ(signature.results.size(), 2u);
  EXPECT_EQ(signature.results[1].type, "f32");
  EXPECT_EQ(signature.results[1].elements, 1);
  EXPECT_EQ(signature.argumentBytes(), 1536 + 24);
}

// An argument whose type is that of a result counts as a parameter.
TEST(Signature, KindsAreGuessedWithoutAttributes) {
  Signature signature =
      parse("func.func private @helper(%a: tensor<2xf32>) -> tensor<2xf32>\n"
            "func.func @step(%x: tensor<5xi32>, %w: tensor<2xf32>) -> "
            "(tensor<2xf32>, tensor<f32>) {\n");
  EXPECT_EQ(signature.function, "step");
  EXPECT_EQ(signature.arguments[0].kind, "input");
  EXPECT_EQ(signature.arguments[0].name, "x");
  EXPECT_EQ(signature.arguments[1].kind, "parameter");
  EXPECT_EQ(signature.arguments[1].name, "w");
  EXPECT_EQ(signature.results[0].kind, "parameter");
  EXPECT_EQ(signature.results[1].kind, "output");
}

TEST(Signature, DeclarationOfModule) {
  Signature signature =
      parse("sync func @main(%input0: tensor<8x4xf16>) -> (%output0: "
            "tensor<i1>)\n");
  EXPECT_EQ(signature.function, "main");
  EXPECT_EQ(signature.arguments[0].bytes, 64);
  EXPECT_EQ(signature.results[0].bytes, 1);
}

TEST(Signature, SingleResultWithoutParentheses) {
  Signature signature =
      parse("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {\n");
  EXPECT_EQ(signature.results.size(), 1u);
}

TEST(Signature, Errors) {
  std::string error;
  EXPECT_FALSE(parseSignature("module {}", error));
  EXPECT_EQ(error, "no public function");
  EXPECT_FALSE(parseSignature("func.func @f(%x: tensor<?xf32>) {", error));
  EXPECT_NE(error.find("unsupported tensor<?xf32>"), std::string::npos);
  EXPECT_FALSE(parseSignature("func.func @f(%x: tensor<3xcomplex>) {", error));
}
