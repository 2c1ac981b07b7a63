//===- PipelineTextTest.cpp - Tests of the pipeline parser ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/PipelineText.h"

#include <gtest/gtest.h>

using namespace remat;

static PipelineElement parse(const std::string &text) {
  PipelineError error;
  std::optional<PipelineElement> pipeline = parsePipelineText(text, error);
  EXPECT_TRUE(pipeline) << text << ": " << error.message;
  return pipeline.value_or(PipelineElement());
}

/// The error for `text`, with its position: "5: message".
static std::string errorOf(const std::string &text) {
  PipelineError error;
  EXPECT_FALSE(parsePipelineText(text, error)) << text;
  return std::to_string(error.offset) + ": " + error.message;
}

TEST(PipelineText, TakesPassesInTheirOrder) {
  PipelineElement pipeline = parse("builtin.module(inline,cse)");
  EXPECT_EQ(pipeline.name, "builtin.module");
  EXPECT_TRUE(pipeline.isNested);
  ASSERT_EQ(pipeline.nested.size(), 2u);
  EXPECT_EQ(pipeline.nested[0].name, "inline");
  EXPECT_EQ(pipeline.nested[0].offset, 15u);
  EXPECT_EQ(pipeline.nested[1].name, "cse");
  EXPECT_FALSE(pipeline.nested[1].isNested);
}

TEST(PipelineText, NestsToAnyDepth) {
  PipelineElement pipeline = parse("a(b(c(),d),e)");
  ASSERT_EQ(pipeline.nested.size(), 2u);
  ASSERT_EQ(pipeline.nested[0].nested.size(), 2u);
  EXPECT_TRUE(pipeline.nested[0].nested[0].isNested);
  EXPECT_TRUE(pipeline.nested[0].nested[0].nested.empty());
  EXPECT_FALSE(pipeline.nested[0].nested[1].isNested);
}

TEST(PipelineText, KeepsOptionsAsWritten) {
  EXPECT_EQ(parse("m(p{a=1 b=x,y})").nested[0].options, "a=1 b=x,y");
  EXPECT_EQ(parse("m(p{})").nested[0].options, "");
  // Pipelines are options of some passes.
  EXPECT_EQ(parse("m(p{pipeline=f(q{a=1},r)},s)").nested[0].options,
            "pipeline=f(q{a=1},r)");
}

TEST(PipelineText, QuotesHideBraces) {
  PipelineElement pipeline = parse("m(p{file=\"a}b\"},q{file='{'})");
  ASSERT_EQ(pipeline.nested.size(), 2u);
  EXPECT_EQ(pipeline.nested[0].options, "file=\"a}b\"");
  EXPECT_EQ(pipeline.nested[1].options, "file='{'");
  EXPECT_EQ(parse("m(p{it's})").nested[0].options, "it's");
}

TEST(PipelineText, PassesOverWhiteSpaceAroundNames) {
  EXPECT_EQ(parse(" m ( a ,\n\tb {x=1 } ) ").text(), "m(a,b{x=1 })");
}

TEST(PipelineText, TextParsesToTheSame) {
  for (const char *text :
       {"m()", "m(a)", "m(a{b=c},f(g{h={i}},any()),j)", "func.func(cse)"})
    EXPECT_EQ(parse(text).text(), text);
}

TEST(PipelineText, NamesThePlaceOfAnError) {
  EXPECT_EQ(errorOf(""), "0: expected a pass name");
  EXPECT_EQ(errorOf("m(a,)"), "4: expected a pass name");
  EXPECT_EQ(errorOf("m(,a)"), "2: expected a pass name");
  EXPECT_EQ(errorOf("m(a"), "1: unmatched '('");
  EXPECT_EQ(errorOf("m(f(a)"), "1: unmatched '('");
  EXPECT_EQ(errorOf("m(a b)"), "4: expected ',' or ')'");
  EXPECT_EQ(errorOf("m(a{b=1)"), "3: unmatched '{'");
  EXPECT_EQ(errorOf("m(a{b}c)"), "6: expected ',' or ')'");
  EXPECT_EQ(errorOf("m(a))"), "4: expected the end of the pipeline");
  EXPECT_EQ(errorOf("m(a),n(b)"), "4: expected the end of the pipeline");
  EXPECT_EQ(errorOf("cse"), "0: expected the op that the pipeline runs on "
                            "around the passes, such as 'builtin.module(cse)'");
}

TEST(PipelineText, BoundsTheDepthOfNesting) {
  auto nest = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i)
      text += "m(";
    return text + std::string(depth, ')');
  };
  EXPECT_EQ(parse(nest(100)).text(), nest(100));
  EXPECT_EQ(errorOf(nest(101)), "201: nested deeper than 100");
  EXPECT_EQ(errorOf(nest(1000000)), "201: nested deeper than 100");
}

TEST(PipelineText, FormatsErrorsWithACaret) {
  PipelineError error{"expected a pass name", 4};
  EXPECT_EQ(error.format("m(a,\n)"), "in the pass pipeline, column 5: "
                                     "expected a pass name\n"
                                     "  m(a, )\n"
                                     "      ^");
}
