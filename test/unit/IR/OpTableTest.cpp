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

TEST(OpTable, EffectsHappenOnce) {
  for (const DialectTable &table : opTables())
    for (const OpFamily &family : table.families)
      EXPECT_TRUE(!family.hasEffects || family.never)
          << table.dialect << ": " << family.names;
}

TEST(OpTable, KnowsWhatItLists) {
  const OpFamily *dispatch = lookupOp("stream.async.dispatch");
  ASSERT_NE(dispatch, nullptr);
  EXPECT_EQ(dispatch->never, nullptr);
  const OpFamily *random = lookupOp("stablehlo.rng");
  ASSERT_NE(random, nullptr);
  EXPECT_STREQ(random->never, "random numbers");
  EXPECT_TRUE(random->hasEffects);
  EXPECT_FALSE(dispatch->hasEffects);
  EXPECT_EQ(lookupOp("other.op"), nullptr);
  EXPECT_EQ(lookupOp("dispatch"), nullptr);
}

// Every op that must not run twice, by the reason that diagnostics give. A row
// that goes missing in a table makes its op recomputable, or unknown.
TEST(OpTable, SaysWhatIsNeverRecomputed) {
  const struct {
    const char *name;
    const char *reason;
  } rows[] = {
      {"stream.async.transfer", "moves data between devices"},
      {"stream.async.collective", "collective"},
      {"stream.async.call", "calls a function of unknown effects"},
      {"stream.async.barrier", "fence"},
      {"stream.async.parameter.load", "reads a file"},
      {"stream.async.parameter.read", "reads a file"},
      {"stream.async.parameter.write", "writes a file"},
      {"stablehlo.optimization_barrier", "fence"},
      {"stablehlo.rng", "random numbers"},
      {"stablehlo.rng_bit_generator", "random numbers"},
      {"stablehlo.all_gather", "collective"},
      {"stablehlo.all_reduce", "collective"},
      {"stablehlo.all_to_all", "collective"},
      {"stablehlo.collective_broadcast", "collective"},
      {"stablehlo.collective_permute", "collective"},
      {"stablehlo.partition_id", "collective"},
      {"stablehlo.reduce_scatter", "collective"},
      {"stablehlo.replica_id", "collective"},
      {"stablehlo.infeed", "talks to the host"},
      {"stablehlo.outfeed", "talks to the host"},
      {"stablehlo.recv", "talks to the host"},
      {"stablehlo.send", "talks to the host"},
      {"stablehlo.custom_call", "calls a function of unknown effects"},
      {"stablehlo.case", "control flow"},
      {"stablehlo.if", "control flow"},
      {"stablehlo.while", "control flow"},
      {"linalg.fill_rng_2d", "random numbers"},
      {"tosa.custom", "calls a function of unknown effects"},
      {"tosa.variable", "state"},
      {"tosa.variable_read", "state"},
      {"tosa.variable_write", "state"},
      {"tosa.cond_if", "control flow"},
      {"tosa.while_loop", "control flow"},
  };
  for (const auto &row : rows) {
    const OpFamily *family = lookupOp(row.name);
    ASSERT_NE(family, nullptr) << row.name;
    EXPECT_STREQ(family->never, row.reason) << row.name;
  }
}
