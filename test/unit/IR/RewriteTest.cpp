//===- RewriteTest.cpp - Regions are rewritten all or none ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamProgram.h"

#include "remat/IR/Rewrite.h"
#include "remat/Solver/Validate.h"

using namespace remat;
using namespace remat::ir;
using namespace remat::solver;

namespace {

/// Three kernels in a row; the plan recomputes the first two.
class RewriteTest : public StreamProgramTest {
protected:
  RewriteTest()
      : region(read(programOf(
            dispatch("%a", "a", "%in", "external") +
            dispatch("%b", "b", "%a", "transient") +
            dispatch("%c", "c", "%b", "transient", "external") +
            R"(    "stream.yield"(%c, %c64) : (!stream.resource<external>,
      index) -> ()
)"))),
        original(text()), validation(validate(region.problem, plan)),
        costs(mlirModuleGetOperation(module), "cpu") {}

  DiagnosticSink sink() {
    return [this](const Diagnostic &diagnostic) {
      messages.push_back(diagnostic.message);
    };
  }

  RegionProblem region;
  const Plan plan{{0, 1, 0, 1, 2}};
  std::string original;
  Validation validation;
  CostModel costs;
  std::vector<std::string> messages;
};

TEST_F(RewriteTest, KeepsWhatWasCommitted) {
  ASSERT_TRUE(validation.valid()) << validation.error;
  {
    Rewrite rewrite(costs);
    std::optional<Timeline> timeline = rewrite.apply(
        region, plan, {validation.peakBytes, validation.cost}, sink());
    ASSERT_TRUE(timeline);
    EXPECT_EQ(timeline->peakBytes, validation.peakBytes);
    rewrite.commit();
  }
  EXPECT_EQ(launches(), "ababc");
  EXPECT_TRUE(messages.empty());
}

TEST_F(RewriteTest, WithoutCommitEveryRegionIsAsItWas) {
  {
    Rewrite rewrite(costs);
    ASSERT_TRUE(rewrite.apply(region, plan,
                              {validation.peakBytes, validation.cost}, sink()));
    EXPECT_EQ(launches(), "ababc");
  }
  EXPECT_EQ(launches(), "abc");
  EXPECT_EQ(text(), original);
  EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module)));
}

// A plan whose claimed cost differs from that of its IR is an internal error;
// the user's program stays as it was.
TEST_F(RewriteTest, ABrokenPromiseIsAnErrorAndChangesNothing) {
  {
    Rewrite rewrite(costs);
    EXPECT_FALSE(rewrite.apply(
        region, plan, {validation.peakBytes, validation.cost - 1}, sink()));
  }
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].find("the rewritten region does not follow its plan"),
            0u);
  EXPECT_EQ(text(), original);
  // It can be read and rewritten again.
  RegionProblem again = readAgain();
  Rewrite rewrite(costs);
  EXPECT_TRUE(rewrite.apply(again, plan,
                            {validation.peakBytes, validation.cost}, sink()));
  rewrite.commit();
  EXPECT_EQ(launches(), "ababc");
}

} // namespace
