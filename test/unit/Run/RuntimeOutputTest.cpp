//===- RuntimeOutputTest.cpp - Outputs as IREE's programs print them ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/RuntimeOutput.h"

#include <gtest/gtest.h>

using namespace remat::run;

// As iree-run-module 3.13.0 prints it.
TEST(RuntimeOutput, AllocatorPeak) {
  std::string text =
      "EXEC @main\nDevice: local-sync\n"
      "[[ iree_hal_allocator_t memory statistics ]]\n"
      "  HOST_LOCAL:     17826880B peak /     17826880B allocated /     "
      "17826880B freed /            0B live\n"
      "DEVICE_LOCAL:     86016128B peak /     86016128B allocated /     "
      "86016128B freed /            0B live\n";
  EXPECT_EQ(parseAllocatorPeak(text), 86016128);
  EXPECT_EQ(parseAllocatorPeak("EXEC @main\n"), std::nullopt);
  EXPECT_EQ(parseAllocatorPeak("DEVICE_LOCAL: nothing"), std::nullopt);
}

// Lines of iree-profile memory, shortened: 10 + 70 bytes are held, 70 are
// freed, 20 allocated; other events and summaries do not count.
TEST(RuntimeOutput, QueuePeak) {
  std::string lines =
      "{\"type\":\"memory_event\",\"event_type\":\"pool_reserve\","
      "\"length\":10}\n"
      "{\"type\":\"memory_event\",\"event_type\":\"queue_alloca\","
      "\"length\":10}\n"
      "{\"type\":\"memory_event\",\"event_type\":\"queue_alloca\","
      "\"length\":70}\n"
      "{\"type\":\"memory_event\",\"event_type\":\"queue_dealloca\","
      "\"length\":70}\n"
      "{\"type\":\"memory_event\",\"event_type\":\"queue_alloca\","
      "\"length\":20}\n"
      "{\"type\":\"memory_summary\",\"total_events\":5}\n";
  EXPECT_EQ(parseQueuePeak(lines), 80);
  EXPECT_EQ(parseQueuePeak("{\"type\":\"memory_summary\"}\n"), std::nullopt);
}

TEST(RuntimeOutput, BenchmarkLeavesOutAggregates) {
  std::string json =
      "{\"benchmarks\": ["
      "{\"run_type\": \"iteration\", \"real_time\": 8.5e+02, \"cpu_time\": "
      "1.5e+03, \"time_unit\": \"ms\"},"
      "{\"run_type\": \"iteration\", \"real_time\": 250, \"time_unit\": "
      "\"us\"},"
      "{\"run_type\": \"aggregate\", \"real_time\": 1, \"time_unit\": "
      "\"ms\"}]}";
  std::vector<StepTime> times = parseBenchmark(json);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_DOUBLE_EQ(times[0].seconds, 0.85);
  EXPECT_DOUBLE_EQ(times[0].cpuSeconds, 1.5);
  EXPECT_DOUBLE_EQ(times[1].seconds, 0.00025);
  EXPECT_TRUE(parseBenchmark("no JSON").empty());
}

// One kernel in two rows (two devices) counts as one; the most expensive is
// first.
TEST(RuntimeOutput, KernelTimes) {
  std::string lines =
      "{\"type\":\"statistics_row\",\"row_type\":\"host_execution_function\","
      "\"function_name\":\"a\",\"sample_count\":2,\"total_duration_ns\":10}\n"
      "{\"type\":\"statistics_row\",\"row_type\":\"host_execution_function\","
      "\"function_name\":\"a\",\"sample_count\":1,\"total_duration_ns\":5}\n"
      "{\"type\":\"statistics_row\",\"row_type\":\"dispatch_function\","
      "\"function_name\":\"b\",\"sample_count\":1,\"total_duration_ns\":40}\n"
      "{\"type\":\"statistics_row\","
      "\"row_type\":\"host_execution_command_operation\","
      "\"function_name\":\"a\",\"sample_count\":1,\"total_duration_ns\":9}\n";
  std::vector<KernelTime> kernels = parseKernelTimes(lines);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "b");
  EXPECT_EQ(kernels[1].launches, 3);
  EXPECT_EQ(kernels[1].totalNanos, 15);
}
