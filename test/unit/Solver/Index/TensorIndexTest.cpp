//===- TensorIndexTest.cpp - Who makes, shares and overwrites tensors -----===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Index/TensorIndex.h"
#include "ParseForTest.h"

using namespace remat::solver;

namespace {

/// Tensor 2 is a view of 1; step 2 overwrites 1, and with it the view, by 3;
/// step 3 makes a view of the result, which nothing overwrites.
TEST(TensorIndex, KnowsStorages) {
  Problem problem = parseForTest("tensor 0 bytes=8 kind=donated\n"
                                 "tensor 1 bytes=8\n"
                                 "tensor 2 bytes=8 alias=1\n"
                                 "tensor 3 bytes=8 alias=1\n"
                                 "tensor 4 bytes=8 alias=3\n"
                                 "tensor 5 bytes=8 kind=parameter\n"
                                 "input 0,5\n"
                                 "step 0 in=0,5 out=1\nstep 1 in=1 out=2\n"
                                 "step 2 in=1 out=3 inplace=3:1\n"
                                 "step 3 in=3 out=4\noutput 4\n");
  ASSERT_EQ(check(problem), std::nullopt);
  TensorIndex index(problem);
  EXPECT_EQ(index.maker, (std::vector<StepId>{-1, 0, 1, 2, 3, -1}));
  EXPECT_EQ(index.storageOf, (std::vector<TensorId>{0, 1, 1, 1, 1, 5}));
  EXPECT_EQ(index.members[1], (std::vector<TensorId>{1, 2, 3, 4}));
  EXPECT_EQ(index.overwriter, (std::vector<StepId>{-1, 2, 2, -1, -1, -1}));
  EXPECT_TRUE(index.sharesStorage(4));
  EXPECT_FALSE(index.sharesStorage(0));
  EXPECT_TRUE(index.isPermanent[5]);
  EXPECT_FALSE(index.isPermanent[0]);
}

} // namespace
