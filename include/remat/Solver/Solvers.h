//===- Solvers.h - The planning algorithms --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A solver is a planner, or several, that offer plans for a checked Problem.
// What lib/Solver declares of each says its objective, when it fails and how
// long it takes. All are deterministic: the same problem, cap and seed give the
// same plan; a deadline only cuts off improvement. No planner is trusted:
// solve() passes the plan it chooses through validate(), and computes all that
// it says of the plan itself.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_SOLVERS_H
#define REMAT_SOLVER_SOLVERS_H

#include "remat/Solver/Certificate.h"
#include "remat/Solver/Tuning.h"

#include <string_view>

namespace remat::solver {

struct SolverOptions {
  /// Peak bytes allowed, inclusive.
  int64_t capBytes = 0;
  /// Wall-clock seconds after which improvement stops; 0 means no deadline.
  double deadlineSeconds = 0;
  /// Seed of solvers that make random choices.
  uint64_t seed = 0;
  /// Threads to use, 0 for as many as there are processors. Without a deadline
  /// they change nothing but the time.
  int maxThreads = 0;
  /// How work is shared out, for measurements. Must live as long as the call.
  const Tuning *tuning = &Tuning::defaults();
  /// Executes the steps for the first time in the order of the schedule, with
  /// solvers that may do otherwise too.
  bool keepOrder = false;
};

enum class SolveStatus {
  Ok,         ///< `plan` meets the cap.
  Infeasible, ///< No plan within the cap was found (or, if `proven`, exists).
  Deadline,   ///< The deadline passed before a plan within the cap was found.
};

/// "ok", "infeasible" or "deadline".
const char *toString(SolveStatus status);

/// What solve() says of a problem, a cap and the best plan that was offered.
struct SolverResult {
  SolveStatus status = SolveStatus::Infeasible;
  /// The best plan: the cheapest within the cap if there is one, otherwise the
  /// one of the lowest peak that was found. Always valid.
  Plan plan;
  /// Whether it executes the steps for the first time in another order than
  /// that of the schedule.
  bool isReordered = false;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  /// The lowest peak that was found; equals `peakBytes` unless status is Ok.
  int64_t lowestPeakBytes = 0;
  /// Whether an exhaustive search found no lower one.
  bool isLowestPeakProven = false;
  /// The steps of `plan` that run in its peak slot.
  std::vector<StepId> stepsAtPeak;
  /// No plan within the cap costs less, if there is one at all; under the
  /// assumption of `boundKind`.
  std::optional<int64_t> lowerBoundCost;
  BoundKind boundKind = BoundKind::Schedule;
  /// The proof of the bound, or that no plan meets the cap. An exhaustive bound
  /// may be higher than what it proves.
  Certificate certificate;
  /// No plan in the order of this one has a lower peak.
  int64_t floorBytes = 0;
  /// Whether `status` and `cost` are the best there is: the bound is reached or
  /// nothing meets the cap, under the assumption of `boundKind`.
  bool proven = false;
  std::string solver;
  /// The planner that the plan comes from, one of several in a portfolio; empty
  /// for the schedule itself.
  std::string member;
  double seconds = 0;
};

/// One solver, for lists.
struct SolverInfo {
  std::string name;
  std::string summary;
  /// Whether its plans may be in another order than the schedule.
  bool mayReorder = false;
};

/// All solvers, in the order in which help texts list them.
const std::vector<SolverInfo> &allSolvers();

/// Runs the solver called `name`, chooses the best of the plans that it offers,
/// validates it, and finds bounds for it. Returns nothing if there is no such
/// solver. If the original schedule meets the cap it is the plan. A plan that
/// is not valid is an error of the solver and ends the program.
std::optional<SolverResult> solve(const Problem &problem, std::string_view name,
                                  const SolverOptions &options);

/// No plan has a lower peak: the most bytes that one step needs together with
/// what cannot be recomputed, or that are there in the end. O(steps).
int64_t floorBytes(const Problem &problem);

/// The name of the solver that is used where the user names none.
constexpr const char *defaultSolver = "auto";

} // namespace remat::solver

#endif // REMAT_SOLVER_SOLVERS_H
