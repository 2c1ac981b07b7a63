//===- RuntimeOutput.cpp - What IREE's runtime programs print -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/RuntimeOutput.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

using namespace remat::run;
using Json = nlohmann::json;

std::optional<int64_t> remat::run::parseAllocatorPeak(const std::string &text) {
  const std::string key = "DEVICE_LOCAL:";
  size_t position = text.find(key);
  if (position == std::string::npos)
    return std::nullopt;
  char *end = nullptr;
  int64_t bytes = std::strtoll(text.c_str() + position + key.size(), &end, 10);
  return std::string(end).rfind("B peak", 0) == 0 ? std::optional(bytes)
                                                  : std::nullopt;
}

/// The objects of a text with one JSON object per line; other lines are
/// ignored.
static std::vector<Json> parseLines(const std::string &text) {
  std::vector<Json> objects;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (object.is_object())
      objects.push_back(std::move(object));
  }
  return objects;
}

std::optional<int64_t>
remat::run::parseQueuePeak(const std::string &jsonLines) {
  int64_t held = 0, peak = 0;
  bool any = false;
  for (const Json &event : parseLines(jsonLines)) {
    std::string type = event.value("event_type", "");
    int64_t length = event.value("length", int64_t(0));
    if (type == "queue_alloca")
      held += length;
    else if (type == "queue_dealloca")
      held -= length;
    else
      continue;
    any = true;
    peak = std::max(peak, held);
  }
  return any ? std::optional(peak) : std::nullopt;
}

std::vector<StepTime> remat::run::parseBenchmark(const std::string &json) {
  std::vector<StepTime> times;
  Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains("benchmarks"))
    return times;
  static const std::map<std::string, double> units = {
      {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  for (const Json &run : root["benchmarks"]) {
    auto unit = units.find(run.value("time_unit", ""));
    if (run.value("run_type", "") == "iteration" && unit != units.end() &&
        run.contains("real_time"))
      times.push_back({run["real_time"].get<double>() * unit->second,
                       run.value("cpu_time", 0.0) * unit->second});
  }
  return times;
}

std::vector<KernelTime>
remat::run::parseKernelTimes(const std::string &jsonLines) {
  std::map<std::string, KernelTime> kernels;
  for (const Json &row : parseLines(jsonLines)) {
    // Kernels are timed by the host on the CPU and by the device on a GPU.
    std::string type = row.value("row_type", "");
    if ((type != "host_execution_function" && type != "dispatch_function") ||
        !row.contains("function_name") || !row["function_name"].is_string())
      continue;
    KernelTime &kernel = kernels[row["function_name"].get<std::string>()];
    kernel.launches += row.value("sample_count", int64_t(0));
    kernel.totalNanos += row.value("total_duration_ns", int64_t(0));
  }
  std::vector<KernelTime> sorted;
  for (auto &[name, kernel] : kernels) {
    kernel.name = name;
    sorted.push_back(kernel);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const KernelTime &left, const KernelTime &right) {
                     return left.totalNanos > right.totalNanos;
                   });
  return sorted;
}
