//===- LateReadsTest.cpp - Reads of memory that is overwritten by then ----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels have one letter. Unless a test says otherwise, nobody knows where in
// its operands a kernel reads.
//
//===----------------------------------------------------------------------===//

#include "remat/IR/LateReads.h"
#include "StreamProgram.h"

using namespace remat;
using namespace remat::ir;

namespace {

std::string repeated(const std::string &text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += (i ? ", " : "") + text;
  return all;
}

/// A launch of `kernel` whose result overwrites operand `tied`, if there is
/// one.
std::string launch(const std::string &result, const std::string &kernel,
                   const std::vector<std::string> &operands, int tied = -1,
                   const std::string &to = "external") {
  size_t n = operands.size();
  std::string list;
  for (const std::string &operand : operands)
    list += operand + ", ";
  std::string count = std::to_string(n);
  return result + " = \"stream.async.dispatch\"(" + list + repeated("%c64", n) +
         ", " + repeated("%c0", n) + ", " + repeated("%c64", 2 * n + 1) +
         ") {entry_points = [@ex::@" + kernel +
         "], operandSegmentSizes = array<i32: 0, " + repeated(count, 5) +
         ", 1>, tied_operands = [" + std::to_string(tied) + " : index]} : (" +
         repeated("!stream.resource<external>", n) + ", " +
         repeated("index", 4 * n + 1) + ") -> !stream.resource<" + to + ">\n";
}

std::string yield(const std::vector<std::string> &values) {
  std::string list;
  for (const std::string &value : values)
    list += value + ", ";
  return "\"stream.yield\"(" + list + repeated("%c64", values.size()) +
         ") : (" + repeated("!stream.resource<external>", values.size()) +
         ", " + repeated("index", values.size()) + ") -> ()\n";
}

/// An execute region with the arguments %a and %b, which come from two buffers
/// of the caller, or from one if `sharesBuffer`. Kernels e and t read %a, the
/// first element by element, the second transposed.
std::string donatedProgram(const std::string &body, size_t numResults,
                           bool sharesBuffer = false) {
  auto kernel = [](const std::string &name, const std::string &map) {
    return R"("func.func"() ({
^bb0(%x: !stream.binding, %y: !stream.binding):
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %from = "stream.binding.subspan"(%x, %c0) : (!stream.binding, index)
    -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>
  %to = "stream.binding.subspan"(%y, %c0) : (!stream.binding, index)
    -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>
  %v = "iree_tensor_ext.dispatch.tensor.load"(%from)
    : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4x4xf32>>)
    -> tensor<4x4xf32>
  %out = "tensor.empty"() : () -> tensor<4x4xf32>
  %w = "linalg.generic"(%v, %out) ({}) {indexing_maps = [)" +
           map + R"(, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]}
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%w, %to)
    : (tensor<4x4xf32>,
       !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x4xf32>>) -> ()
  "func.return"() : () -> ()
}) {sym_name = ")" +
           name + "\"} : () -> ()\n";
  };
  std::string second = sharesBuffer ? "%x" : "%y";
  std::string sizes = std::to_string(numResults);
  return "\"stream.executable\"() ({\n" +
         kernel("e", "affine_map<(i, j) -> (i, j)>") +
         kernel("t", "affine_map<(i, j) -> (j, i)>") +
         R"(}) {sym_name = "ex"} : () -> ()
"func.func"() ({
^bb0(%x: !hal.buffer_view, %y: !hal.buffer_view):
  %c0 = "arith.constant"() {value = 0 : index} : () -> index
  %c64 = "arith.constant"() {value = 64 : index} : () -> index
  %0 = "stream.tensor.import"(%x, %c64) : (!hal.buffer_view, index)
    -> !stream.resource<external>
  %1 = "stream.tensor.import"()" +
         second + R"(, %c64) : (!hal.buffer_view, index)
    -> !stream.resource<external>
  %r:)" + std::to_string(numResults + 1) +
         " = \"stream.async.execute\"(%0, %1, %c64, %c64, " +
         repeated("%c64", numResults) + R"() ({
  ^bb0(%a: !stream.resource<external>, %b: !stream.resource<external>):
)" + body +
         "}) {operandSegmentSizes = array<i32: 2, 2, " + sizes +
         ", 0>, tied_operands = [" + repeated("-1 : index", numResults) +
         "]} : (!stream.resource<external>, !stream.resource<external>, "
         "index, index, " +
         repeated("index", numResults) + ") -> (" +
         repeated("!stream.resource<external>", numResults) +
         R"(, !stream.timepoint)
  "func.return"() : () -> ()
}) {sym_name = "f"} : () -> ())";
}

class LateReads : public StreamProgramTest {
protected:
  /// Repairs `program`, which must then be one that the planner takes.
  LateReadRepair repaired(const std::string &program) {
    module = mlirModuleCreateParse(context, toRef(program));
    EXPECT_FALSE(mlirModuleIsNull(module));
    walk(mlirModuleGetOperation(module), [&](Op op) {
      if (op.is("stream.async.execute"))
        execute = op;
    });
    auto fail = [](const Diagnostic &diagnostic) {
      ADD_FAILURE() << diagnostic.message;
    };
    std::optional<LateReadRepair> repair =
        repairLateReads(mlirModuleGetOperation(module), fail);
    EXPECT_TRUE(repair);
    readAgain();
    std::optional<std::vector<LateRead>> left =
        findLateReads(mlirModuleGetOperation(module), fail);
    EXPECT_TRUE(left && left->empty());
    return *repair;
  }

  /// The op that launches `kernel`.
  Op launchOf(const std::string &kernel) const {
    Op found;
    walk(execute, [&](Op op) {
      if (op.is("stream.async.dispatch") &&
          toString(op.attribute("entry_points")) == "[@ex::@" + kernel + "]")
        found = op;
    });
    return found;
  }
};

TEST_F(LateReads, ReadersRunBeforeTheStepThatOverwrites) {
  LateReadRepair repair = repaired(donatedProgram(
      launch("%h", "f", {"%a"}) + launch("%u", "u", {"%h", "%a"}, 1) +
          launch("%g", "r", {"%a"}) + launch("%v", "s", {"%g"}) +
          yield({"%u", "%v"}),
      2));
  EXPECT_EQ(launches(), "frus");
  ASSERT_EQ(repair.lateReads.size(), 1u);
  EXPECT_EQ(repair.lateReads[0].text(),
            "argument #0 is overwritten by 'u' before 'r' reads it");
  EXPECT_EQ(repair.copies, 0);
}

TEST_F(LateReads, NothingChangesWhereThereAreNone) {
  std::string program =
      donatedProgram(launch("%h", "f", {"%a"}) +
                         launch("%u", "u", {"%h", "%a"}, 1) + yield({"%u"}),
                     1);
  MlirModule parsed = mlirModuleCreateParse(context, toRef(program));
  std::string before =
      printToString([&](MlirStringCallback callback, void *user) {
        mlirOperationPrint(mlirModuleGetOperation(parsed), callback, user);
      });
  mlirModuleDestroy(parsed);
  LateReadRepair repair = repaired(program);
  EXPECT_FALSE(repair.changedAnything());
  EXPECT_EQ(text(), before);
}

/// r reads the old value and what took its place: it cannot run before u.
TEST_F(LateReads, ADependenceForbidsTheOrder) {
  LateReadRepair repair = repaired(donatedProgram(
      launch("%h", "f", {"%a"}) + launch("%u", "u", {"%h", "%a"}, 1) +
          launch("%v", "r", {"%a", "%u"}) + yield({"%u", "%v"}),
      2));
  EXPECT_EQ(launches(), "fur");
  EXPECT_EQ(repair.copies, 1);
  EXPECT_EQ(repair.copyBytes, 64);
  Op copy = launchOf("r").operand(0).definingOp();
  ASSERT_TRUE(copy && copy.is("stream.async.clone"));
  EXPECT_TRUE(copy.operand(0) == argumentsOf(execute.body())[0]);
  EXPECT_TRUE(copy.next() == launchOf("u"));
}

/// p overwrites %a and reads %b, q overwrites %b and reads %a: whichever comes
/// first, the other needs a copy. One is enough.
TEST_F(LateReads, TwoStepsThatOverwriteWhatTheOtherReads) {
  LateReadRepair repair = repaired(donatedProgram(
      launch("%p", "p", {"%b", "%a"}, 1) + launch("%q", "q", {"%a", "%b"}, 1) +
          yield({"%p", "%q"}),
      2));
  EXPECT_EQ(repair.copies, 1);
}

/// Side by side, the reader may come too late.
TEST_F(LateReads, AGroupOfReaderAndWriterIsDissolved) {
  LateReadRepair repair = repaired(donatedProgram(
      R"(%g:2 = "stream.async.concurrent"(%a, %c64, %c64, %c64) ({
    ^bb0(%i: !stream.resource<external>):
)" + launch("%r", "r", {"%i"}) +
          launch("%u", "u", {"%i"}, 0) + yield({"%r", "%u"}) +
          R"(}) {operandSegmentSizes = array<i32: 1, 1, 2>,
        tied_operands = [-1 : index, 0 : index]}
      : (!stream.resource<external>, index, index, index)
      -> (!stream.resource<external>, !stream.resource<external>)
)" + yield({"%g#0", "%g#1"}),
      2));
  EXPECT_EQ(launches(), "ru");
  EXPECT_EQ(repair.dissolvedGroups, 1);
  EXPECT_EQ(repair.copies, 0);
}

/// The caller gets the old value too.
TEST_F(LateReads, WhatLeavesTheRegionIsCopied) {
  LateReadRepair repair = repaired(
      donatedProgram(launch("%u", "u", {"%a"}, 0) + yield({"%u", "%a"}), 2));
  EXPECT_EQ(repair.copies, 1);
  EXPECT_EQ(repair.lateReads[0].text(),
            "argument #0 is overwritten by 'u' before the caller gets it");
  Op copy = opsOf(execute.body()).back().operand(1).definingOp();
  ASSERT_TRUE(copy && copy.is("stream.async.clone"));
  EXPECT_EQ(toString(copy.result(0).type()), "!stream.resource<external>");
}

TEST_F(LateReads, AKernelMayOverwriteWhatItReadsElementByElement) {
  LateReadRepair repair = repaired(
      donatedProgram(launch("%u", "e", {"%a", "%a"}, 1) + yield({"%u"}), 1));
  EXPECT_FALSE(repair.changedAnything());
}

/// The parser of IREE's text ties results to the first operand of their value.
TEST_F(LateReads, TheWrittenBindingCountsNotTheTiedOne) {
  LateReadRepair repair = repaired(
      donatedProgram(launch("%u", "e", {"%a", "%a"}, 0) + yield({"%u"}), 1));
  EXPECT_FALSE(repair.changedAnything());
}

TEST_F(LateReads, AKernelMustNotOverwriteWhatItTransposes) {
  for (int tied : {0, 1}) {
    LateReadRepair repair = repaired(donatedProgram(
        launch("%u", "t", {"%a", "%a"}, tied) + yield({"%u"}), 1));
    ASSERT_EQ(repair.lateReads.size(), 1u);
    EXPECT_EQ(repair.lateReads[0].text(),
              "argument #0 is overwritten by 't', which reads it at other "
              "places than it writes");
    EXPECT_EQ(repair.copies, 1);
    Op transpose = launchOf("t");
    EXPECT_TRUE(transpose.operand(0).definingOp().is("stream.async.clone"));
    EXPECT_TRUE(transpose.operand(1) == argumentsOf(execute.body())[0]);
    EXPECT_EQ(toString(transpose.attribute("tied_operands")), "[1 : index]");
    mlirModuleDestroy(module);
    module = {nullptr};
  }
}

/// IREE imports a donated buffer twice if its result has another shape.
TEST_F(LateReads, TwoImportsOfOneBufferAreOneMemory) {
  std::string body = launch("%u", "u", {"%a"}, 0) + launch("%r", "r", {"%b"}) +
                     yield({"%u", "%r"});
  EXPECT_FALSE(repaired(donatedProgram(body, 2)).changedAnything());
  mlirModuleDestroy(module);
  LateReadRepair repair =
      repaired(donatedProgram(body, 2, /*sharesBuffer=*/true));
  EXPECT_EQ(launches(), "ru");
  EXPECT_EQ(repair.lateReads.size(), 1u);
}

/// p and q both make something of %a in its place; the caller gets what p made.
TEST_F(LateReads, OnlyOneStepOverwritesAValue) {
  LateReadRepair repair = repaired(donatedProgram(
      launch("%p", "p", {"%a"}, 0) + launch("%q", "q", {"%a"}, 0) +
          launch("%s", "s", {"%q"}) + yield({"%p", "%s"}),
      2));
  EXPECT_EQ(repair.copies, 1);
  Op copy = launchOf("q").operand(0).definingOp();
  ASSERT_TRUE(copy && copy.is("stream.async.clone"));
  EXPECT_EQ(toString(launchOf("q").result(0).type()),
            "!stream.resource<transient>");
}

} // namespace
