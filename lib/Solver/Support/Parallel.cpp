//===- Parallel.cpp - Work on two processors ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Parallel.h"

#include <exception>
#include <system_error>
#include <thread>

namespace remat::solver {

void runTogether(const std::vector<std::vector<Task>> &lists, int maxThreads) {
  std::vector<std::exception_ptr> failures(lists.size());
  auto runAll = [&](size_t list) {
    try {
      for (const Task &task : lists[list])
        task();
    } catch (...) {
      failures[list] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  size_t numStarted = 0;
  if (maxThreads != 1 && std::thread::hardware_concurrency() >= 2) {
    try {
      for (size_t i = 1; i < lists.size(); ++i) {
        threads.emplace_back(runAll, i);
        ++numStarted;
      }
    } catch (const std::system_error &) {
      // No more threads: the lists that have none are run here.
    }
  }
  if (!lists.empty())
    runAll(0);
  for (size_t i = numStarted + 1; i < lists.size(); ++i)
    runAll(i);
  for (std::thread &thread : threads)
    thread.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace remat::solver
