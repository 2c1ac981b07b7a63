//===- ProblemTextTest.cpp - The parser and the printer -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseForTest.h"

#include <limits>

using namespace remat::solver;

namespace {

/// "line: error" of a text without its header line, which is line 1.
std::string fault(const std::string &lines) {
  ParsedProblem parsed = parseProblem("remat-problem 1\n" + lines);
  EXPECT_FALSE(parsed.problem);
  return std::to_string(parsed.line) + ": " + parsed.error;
}

TEST(ParseProblem, ReadsEveryKey) {
  ParsedProblem parsed = parseProblem(
      "# a comment before the header\n"
      "remat-problem 1 # and behind it\n"
      "\n"
      "step 7 cost=1500 workspace=64 recompute=no:rng name=\"a \\\"b\\\" #c\" "
      "in=40,41 out=42 inplace=42:41 group=3\r\n"
      "input 40,41\n"
      "output 42\n"
      "tensor 40 kind=parameter bytes=16\n"
      "tensor 41 bytes=32 kind=donated alias=-1\n"
      "tensor 42 bytes=32 kind=output alias=41");
  ASSERT_TRUE(parsed.problem) << parsed.line << parsed.error;
  const Problem &problem = *parsed.problem;
  ASSERT_EQ(problem.tensors.size(), 3u);
  EXPECT_EQ(problem.tensors[0].label, 40);
  EXPECT_EQ(problem.tensors[0].bytes, 16);
  EXPECT_EQ(problem.tensors[0].kind, TensorKind::Parameter);
  EXPECT_EQ(problem.tensors[1].alias, -1);
  EXPECT_EQ(problem.tensors[2].alias, 1);
  ASSERT_EQ(problem.steps.size(), 1u);
  const Step &step = problem.steps[0];
  EXPECT_EQ(step.label, 7);
  EXPECT_EQ(step.cost, 1500);
  EXPECT_EQ(step.workspaceBytes, 64);
  EXPECT_EQ(step.noRecompute, "rng");
  EXPECT_EQ(step.name, "a \"b\" #c");
  EXPECT_EQ(step.operands, (std::vector<TensorId>{0, 1}));
  EXPECT_EQ(step.results, (std::vector<TensorId>{2}));
  ASSERT_EQ(step.inPlace.size(), 1u);
  EXPECT_EQ(step.inPlace[0].result, 2);
  EXPECT_EQ(step.inPlace[0].operand, 1);
  EXPECT_EQ(step.group, 3);
  EXPECT_EQ(problem.inputs, (std::vector<TensorId>{0, 1}));
  EXPECT_EQ(problem.outputs, (std::vector<TensorId>{2}));
}

TEST(ParseProblem, FillsInDefaults) {
  Problem problem = parseForTest("tensor 0 bytes=1\nstep 0 in= out=0\n");
  EXPECT_EQ(problem.tensors[0].kind, TensorKind::Activation);
  EXPECT_EQ(problem.tensors[0].alias, -1);
  EXPECT_EQ(problem.steps[0].cost, 0);
  EXPECT_EQ(problem.steps[0].group, -1);
  EXPECT_TRUE(problem.steps[0].mayRecompute());
}

/// The order of the step lines is the schedule, whatever their ids are.
TEST(ParseProblem, StepOrderIsTheSchedule) {
  Problem problem = parseForTest("step 9 out=5\nstep 2 in=5\n"
                                 "tensor 5 bytes=1\n");
  EXPECT_EQ(problem.steps[0].label, 9);
  EXPECT_EQ(problem.steps[1].label, 2);
}

TEST(ParseProblem, InPlaceImpliesTheAlias) {
  Problem problem = parseForTest("tensor 0 bytes=4\ntensor 1 bytes=4\n"
                                 "step 0 out=0\n"
                                 "step 1 in=0 out=1 inplace=1:0\n");
  EXPECT_EQ(problem.tensors[1].alias, 0);
}

TEST(ParseProblem, ListsMayGoOnInFurtherLines) {
  Problem problem = parseForTest("tensor 0 bytes=4\ntensor 1 bytes=4\n"
                                 "input 0\ninput 1\n");
  EXPECT_EQ(problem.inputs, (std::vector<TensorId>{0, 1}));
}

TEST(ParseProblem, QuotesReasonsOfSeveralWords) {
  Problem problem = parseForTest("step 0 recompute=no:\"has side effects\"\n");
  EXPECT_EQ(problem.steps[0].noRecompute, "has side effects");
}

TEST(ParseProblem, HeaderErrors) {
  ParsedProblem parsed = parseProblem("");
  EXPECT_EQ(parsed.line, 0);
  EXPECT_EQ(parsed.error, "the text is empty; expected 'remat-problem 1'");
  parsed = parseProblem("# c\nremat-problem 2\n");
  EXPECT_EQ(parsed.line, 2);
  EXPECT_EQ(parsed.error, "expected the first line to be 'remat-problem 1'");
}

TEST(ParseProblem, LineErrors) {
  EXPECT_EQ(fault("tenser 0"),
            "2: expected 'tensor', 'step', 'input' or 'output', got 'tenser'");
  EXPECT_EQ(fault("bytes=3"), "2: expected 'tensor', 'step', 'input' or "
                              "'output', got 'bytes=3'");
  EXPECT_EQ(fault("tensor"), "2: expected an id after 'tensor'");
  EXPECT_EQ(fault("\nstep cost=1"), "3: expected an id after 'step'");
  EXPECT_EQ(fault("step 0x1"), "2: expected the id of a step to be a decimal "
                               "number, got '0x1'");
  EXPECT_EQ(fault("step 0 cost"), "2: expected key=value, got 'cost'");
  EXPECT_EQ(fault("step 0 cost=1 cost=2"), "2: the key 'cost' is given twice");
  EXPECT_EQ(fault("input"), "2: expected ids separated by commas after "
                            "'input'");
  EXPECT_EQ(fault("output 1, 2"), "2: expected ids separated by commas after "
                                  "'output'");
  EXPECT_EQ(fault("output 1,"), "2: expected an id of 'output' to be a decimal "
                                "number, got ''");
}

TEST(ParseProblem, TensorErrors) {
  EXPECT_EQ(fault("tensor 0 bytes=1\ntensor 0 bytes=1"),
            "3: tensor 0 is declared twice");
  EXPECT_EQ(fault("tensor 0"), "2: tensor 0 lacks its bytes=");
  EXPECT_EQ(fault("tensor 0 bytes=-1"),
            "2: expected bytes to be a decimal number, got '-1'");
  EXPECT_EQ(fault("tensor 0 bytes=9223372036854775808"),
            "2: bytes '9223372036854775808' is too large");
  EXPECT_EQ(fault("tensor 0 bytes=1 kind=weight"),
            "2: unknown kind 'weight'; known are parameter, input, constant, "
            "activation, gradient, optimizer-state, output, donated");
  EXPECT_EQ(fault("tensor 0 bytes=1 alias=-2"),
            "2: expected alias to be a decimal number, got '-2'");
  EXPECT_EQ(fault("tensor 0 bytes=1 size=3"),
            "2: unknown key 'size' of a tensor; known are bytes, kind and "
            "alias");
  EXPECT_EQ(fault("tensor 0 bytes=1 alias=4"), "2: tensor 4 is not declared");
}

TEST(ParseProblem, StepErrors) {
  EXPECT_EQ(fault("step 0\nstep 0"), "3: step 0 is declared twice");
  EXPECT_EQ(fault("step 0 colour=1"),
            "2: unknown key 'colour' of a step; known are cost, workspace, "
            "recompute, effects, name, in, out, inplace and group");
  EXPECT_EQ(fault("step 0 cost=1.5"),
            "2: expected cost to be a decimal number, got '1.5'");
  EXPECT_EQ(fault("step 0 recompute=no"),
            "2: expected recompute=yes or recompute=no:reason, got 'no'");
  EXPECT_EQ(fault("step 0 recompute=no:"),
            "2: expected recompute=yes or recompute=no:reason, got 'no:'");
  EXPECT_EQ(fault("step 0 inplace=1"),
            "2: expected inplace=result:operand, got '1'");
  EXPECT_EQ(fault("step 0 inplace=1:x"),
            "2: expected an id in 'inplace' to be a decimal number, got 'x'");
  EXPECT_EQ(fault("step 0 group=3000000000"),
            "2: group '3000000000' is too large");
  EXPECT_EQ(fault("step 0 in=3"), "2: tensor 3 is not declared");
  EXPECT_EQ(fault("step 0 out=3"), "2: tensor 3 is not declared");
  EXPECT_EQ(fault("input 3"), "2: tensor 3 is not declared");
}

TEST(ParseProblem, NumbersOutOfRange) {
  // 64 bits hold 2^63 - 1. All sizes, workspaces and costs together are at most
  // 2^56.
  constexpr const char *largest = "9223372036854775807";
  constexpr const char *tooLarge = "9223372036854775808";
  using std::string;
  EXPECT_EQ(fault("tensor 0 bytes=" + string(tooLarge)),
            "2: bytes '9223372036854775808' is too large");
  EXPECT_EQ(fault("tensor 0 bytes=" + string(largest)),
            "0: the sizes of the tensors add up to more than 2^56 bytes");
  EXPECT_EQ(fault("step 0 cost=" + string(tooLarge)),
            "2: cost '9223372036854775808' is too large");
  EXPECT_EQ(fault("step 0 cost=" + string(largest)),
            "0: the costs of the steps add up to more than 2^56");
  EXPECT_EQ(fault("step 0 cost=72057594037927936\nstep 1 cost=1"),
            "0: the costs of the steps add up to more than 2^56");
  EXPECT_EQ(fault("step 0 workspace=" + string(largest) +
                  "\nstep 1 workspace=" + largest),
            "0: the workspaces of the steps add up to more than 2^56 bytes");
  EXPECT_EQ(fault("step 0 group=2147483648"),
            "2: group '2147483648' is too large");
  // Labels are any number of 64 bits.
  Problem problem =
      parseForTest("tensor " + string(largest) +
                   " bytes=72057594037927936\ninput " + largest + "\n");
  EXPECT_EQ(problem.tensors[0].label, std::numeric_limits<int64_t>::max());
}

TEST(ParseProblem, QuoteErrors) {
  EXPECT_EQ(fault("step 0 name=\"a"), "2: a quoted string is not closed");
  EXPECT_EQ(fault("step 0 name=\"a\\q\""),
            "2: unknown escape in a quoted string; use \\\", \\\\, \\n, \\t or "
            "\\xHH");
  EXPECT_EQ(fault("step 0 name=\"a\"b"),
            "2: unexpected text after a closing quote");
  EXPECT_EQ(fault("step 0 name=a\"b\""),
            "2: unexpected quote; only values of keys are quoted");
  EXPECT_EQ(fault("step \"0\""),
            "2: unexpected quote; only values of keys are quoted");
}

TEST(ParseProblem, ContradictingAlias) {
  EXPECT_EQ(fault("tensor 0 bytes=4\ntensor 1 bytes=4 alias=-1\n"
                  "step 0 out=0\nstep 1 in=0 out=1 inplace=1:0\n"),
            "5: inplace=1:0 contradicts alias=-1 of tensor 1");
}

TEST(ParseProblem, FailsWhatCheckFails) {
  EXPECT_EQ(fault("tensor 0 bytes=4\nstep 0 in=0\nstep 1 out=0"),
            "0: step 0 reads tensor 0 before it is made");
}

TEST(PrintProblem, LeavesOutDefaults) {
  std::string text = "remat-problem 1\n"
                     "tensor 3 bytes=4 kind=input\n"
                     "tensor 1 bytes=4\n"
                     "tensor 2 bytes=4 alias=1\n"
                     "step 5 in=3 out=1\n"
                     "step 4 cost=2 workspace=8 recompute=no:rng "
                     "name=\"x\" in=1 out=2 inplace=2:1 group=0\n"
                     "input 3\n"
                     "output 2\n";
  ParsedProblem parsed = parseProblem(text);
  ASSERT_TRUE(parsed.problem) << parsed.error;
  EXPECT_EQ(printProblem(*parsed.problem), text);
}

TEST(PrintProblem, EscapesWhatTheParserReadsBack) {
  Problem problem;
  Step &step = problem.steps.emplace_back();
  step.name = "\"\\\n\t\r\x01 \xc3\xa9#=";
  step.noRecompute = "two words";
  ParsedProblem parsed = parseProblem(printProblem(problem));
  ASSERT_TRUE(parsed.problem) << parsed.error;
  EXPECT_EQ(parsed.problem->steps[0].name, step.name);
  EXPECT_EQ(parsed.problem->steps[0].noRecompute, step.noRecompute);
}

} // namespace
