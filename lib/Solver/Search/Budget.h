//===- Budget.h - How much a search may do ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_BUDGET_H
#define REMAT_LIB_SOLVER_SEARCH_BUDGET_H

#include "Search/Simulator.h"
#include "Support/Deadline.h"

#include <algorithm>
#include <limits>

namespace remat::solver {

/// When to stop: after a number of simulated executions, which is the same on
/// every machine, or at a wall-clock deadline, whichever comes first. Only a
/// BudgetScope limits the executions.
class Budget {
public:
  /// No deadline if `deadlineSeconds` is 0.
  Budget(const Simulator &simulator, double deadlineSeconds)
      : simulator(simulator), deadline(deadlineSeconds) {}

  /// Whether the work that is allowed is done or the deadline has passed.
  bool isSpent() {
    pastDeadline = pastDeadline || deadline.isPast();
    return pastDeadline || simulator.numExecutions >= endExecution;
  }
  /// Whether isSpent() has seen the deadline pass.
  bool isPastDeadline() const { return pastDeadline; }
  /// Wall-clock seconds since the budget was made.
  double secondsPassed() const { return deadline.secondsPassed(); }
  /// How many more executions are allowed.
  int64_t executionsLeft() const {
    return std::max<int64_t>(0, endExecution - simulator.numExecutions);
  }

private:
  friend class BudgetScope;

  const Simulator &simulator;
  Deadline deadline;
  /// The count of the simulator at which the work ends.
  int64_t endExecution = std::numeric_limits<int64_t>::max();
  bool pastDeadline = false;
};

/// Allows a number of executions from now on for as long as it lives. What was
/// allowed before holds again afterwards, and limits this scope as well.
class [[nodiscard]] BudgetScope {
public:
  BudgetScope(Budget &budget, int64_t executions)
      : budget(budget), outerEnd(budget.endExecution) {
    budget.endExecution =
        std::min(outerEnd, budget.simulator.numExecutions + executions);
  }
  ~BudgetScope() { budget.endExecution = outerEnd; }
  BudgetScope(const BudgetScope &) = delete;
  BudgetScope &operator=(const BudgetScope &) = delete;

private:
  Budget &budget;
  int64_t outerEnd;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_BUDGET_H
