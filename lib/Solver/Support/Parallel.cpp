//===- Parallel.cpp - Work on two processors ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Parallel.h"

#include <thread>

namespace remat::solver {

void runTogether(const std::vector<std::vector<Task>> &lists) {
  auto runAll = [](const std::vector<Task> &tasks) {
    for (const Task &task : tasks)
      task();
  };
  if (std::thread::hardware_concurrency() < 2) {
    for (const std::vector<Task> &tasks : lists)
      runAll(tasks);
    return;
  }
  std::vector<std::thread> threads;
  for (size_t i = 1; i < lists.size(); ++i)
    threads.emplace_back(runAll, std::cref(lists[i]));
  runAll(lists[0]);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace remat::solver
