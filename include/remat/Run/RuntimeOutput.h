//===- RuntimeOutput.h - What IREE's runtime programs print ---------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_RUNTIMEOUTPUT_H
#define REMAT_RUN_RUNTIMEOUTPUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat::run {

/// The peak of device memory in the allocator statistics that
/// `iree-run-module --print_statistics` prints. On local-sync it counts inputs,
/// outputs and transients, not constants, which stay in the module file.
std::optional<int64_t> parseAllocatorPeak(const std::string &text);

/// The most bytes that queue allocations (outputs and transients) held at one
/// time, from `iree-profile memory --format=jsonl`.
std::optional<int64_t> parseQueuePeak(const std::string &jsonLines);

/// The time of one step: on the clock, and of all processors together.
struct StepTime {
  double seconds = 0;
  double cpuSeconds = 0;
};

/// The times of each repetition, from the JSON that
/// `iree-benchmark-module --benchmark_format=json` prints; aggregates are left
/// out. Empty if there are none.
std::vector<StepTime> parseBenchmark(const std::string &json);

/// One kernel in a profile.
struct KernelTime {
  std::string name;
  int64_t launches = 0;
  int64_t totalNanos = 0;
};

/// The kernels in `iree-profile statistics --format=jsonl`, most expensive
/// first.
std::vector<KernelTime> parseKernelTimes(const std::string &jsonLines);

} // namespace remat::run

#endif // REMAT_RUN_RUNTIMEOUTPUT_H
