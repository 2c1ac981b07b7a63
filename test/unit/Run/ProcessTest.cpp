//===- ProcessTest.cpp - Programs end, one way or another -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Process.h"
#include "remat/Run/Progress.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace remat::run;

TEST(Process, OutputErrorAndExitCode) {
  ProcessResult result =
      runProcess({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.error, "err\n");
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(lastLines(result), "err");
}

TEST(Process, MoreOutputThanAPipeHolds) {
  ProcessResult result =
      runProcess({"/bin/sh", "-c", "head -c 1000000 /dev/zero"});
  EXPECT_EQ(result.output.size(), 1000000u);
  EXPECT_TRUE(result.succeeded());
}

TEST(Process, ProgramThatIsNotThere) {
  EXPECT_THROW(runProcess({"/no/such/program"}), RunError);
}

// The shell's own child is in the group too and would hold the pipe open.
TEST(Process, TimeLimitEndsTheWholeGroup) {
  ProcessResult result = runProcess({"/bin/sh", "-c", "sleep 60; true"}, 0.3);
  EXPECT_TRUE(result.timedOut);
  EXPECT_LT(result.seconds, 30);
  EXPECT_EQ(result.exitCode, 128 + SIGKILL);
  EXPECT_NE(lastLines(result).find("timed out"), std::string::npos);
}

TEST(Process, WaitingIsToldAboutOnceASecond) {
  int calls = 0;
  setWaitCallback([&] { ++calls; });
  runProcess({"/bin/sleep", "1.5"});
  setWaitCallback({});
  EXPECT_EQ(calls, 1);
}

// Two of five cases took 20 s; the third runs for 4 s.
TEST(Progress, Estimate) {
  EXPECT_DOUBLE_EQ(estimateSeconds(2, 5, 20, 24), 26);
  EXPECT_DOUBLE_EQ(estimateSeconds(4, 5, 40, 70), 0);
  EXPECT_EQ(formatDuration(59.4), "59 s");
  EXPECT_EQ(formatDuration(185), "3 min 05 s");
  EXPECT_EQ(formatDuration(3720), "1 h 02 min");
}

TEST(Process, LastLines) {
  ProcessResult result;
  result.error = "a\nb\nc\n";
  EXPECT_EQ(lastLines(result, 2), "b\nc");
  EXPECT_EQ(lastLines(result, 9), "a\nb\nc");
}

// In a process of its own: the interrupt stays set.
TEST(ProcessDeathTest, InterruptEndsTheProgram) {
  auto interruptSoon = [] {
    handleInterrupts();
    std::thread([pid = getpid()] {
      usleep(300000);
      kill(pid, SIGINT);
    }).detach();
    try {
      runProcess({"/bin/sh", "-c", "sleep 60; true"});
    } catch (const Interrupted &) {
      _exit(7);
    }
    _exit(1);
  };
  EXPECT_EXIT(interruptSoon(), testing::ExitedWithCode(7), "");
}
