//===- ParallelTest.cpp - Work on two processors --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

using namespace remat::solver;

namespace {

TEST(Parallel, RunsEachListInItsOrder) {
  for (int maxThreads : {0, 1, 2}) {
    std::vector<std::vector<int>> seen(3);
    std::vector<std::vector<Task>> lists(3);
    for (int list = 0; list < 3; ++list)
      for (int i = 0; i < 4; ++i)
        lists[list].push_back([&seen, list, i] { seen[list].push_back(i); });
    runTogether(lists, maxThreads);
    for (const std::vector<int> &each : seen)
      EXPECT_EQ(each, (std::vector<int>{0, 1, 2, 3}));
  }
}

TEST(Parallel, OneThreadIsTheCallers) {
  std::vector<std::thread::id> seen(3);
  std::vector<std::vector<Task>> lists(3);
  for (int list = 0; list < 3; ++list)
    lists[list].push_back(
        [&seen, list] { seen[list] = std::this_thread::get_id(); });
  runTogether(lists, 1);
  for (std::thread::id each : seen)
    EXPECT_EQ(each, std::this_thread::get_id());
}

TEST(Parallel, NoListsAreNothingToDo) { runTogether({}, 0); }

/// An exception on any thread reaches the caller, after the other lists have
/// done their work, and skips the rest of its own list.
TEST(Parallel, AnExceptionReachesTheCaller) {
  for (int thrower : {0, 1}) {
    SCOPED_TRACE(thrower);
    int finished = 0, skipped = 0;
    std::vector<std::vector<Task>> lists(2);
    lists[thrower] = {[] { throw std::runtime_error("out of room"); },
                      [&] { ++skipped; }};
    lists[1 - thrower] = {[&] { ++finished; }};
    try {
      runTogether(lists, 0);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error &error) {
      EXPECT_STREQ(error.what(), "out of room");
    }
    EXPECT_EQ(finished, 1);
    EXPECT_EQ(skipped, 0);
  }
}

/// Of two exceptions, that of the first list wins, whichever came first.
TEST(Parallel, TheExceptionOfTheFirstListWins) {
  std::vector<std::vector<Task>> lists = {
      {[] { throw std::runtime_error("first"); }},
      {[] { throw std::runtime_error("second"); }}};
  for (int i = 0; i < 20; ++i) {
    try {
      runTogether(lists, 0);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error &error) {
      ASSERT_STREQ(error.what(), "first");
    }
  }
}

} // namespace
