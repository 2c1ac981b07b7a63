//===- OpTableTest.cpp - The op tables are well formed --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/OpTable.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

using namespace remat::ir;

TEST(OpTable, ListsNoOpTwice) {
  std::set<std::string> seen;
  for (const DialectTable &table : opTables())
    for (const OpFamily &family : table.families) {
      std::istringstream names(family.names);
      for (std::string name; names >> name;)
        EXPECT_TRUE(seen.insert(table.dialect + ("." + name)).second)
            << table.dialect << "." << name;
    }
}

TEST(OpTable, KnowsWhatItLists) {
  const OpFamily *dispatch = lookupOp("stream.async.dispatch");
  ASSERT_NE(dispatch, nullptr);
  EXPECT_EQ(dispatch->never, nullptr);
  const OpFamily *random = lookupOp("stablehlo.rng");
  ASSERT_NE(random, nullptr);
  EXPECT_STREQ(random->never, "random numbers");
  EXPECT_EQ(lookupOp("other.op"), nullptr);
  EXPECT_EQ(lookupOp("dispatch"), nullptr);
}
