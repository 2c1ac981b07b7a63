//===- Solvers.h - The planning algorithms --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every solver takes a checked Problem and Options and returns a Result. All
// are deterministic: the same problem, cap, seed and iteration budget give the
// same plan; a deadline only cuts off improvement. No solver is trusted:
// solve() passes every plan through validate() before it returns it.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_SOLVERS_H
#define REMAT_SOLVER_SOLVERS_H

#include "remat/Solver/Certificate.h"

#include <string_view>

namespace remat::solver {

struct SolverOptions {
  /// Peak bytes allowed, inclusive.
  int64_t capBytes = 0;
  /// Wall-clock seconds after which improvement stops; 0 means no deadline.
  double deadlineSeconds = 0;
  /// Seed of solvers that make random choices.
  uint64_t seed = 0;
  /// A cost below which there is no plan, if known: a solver may stop there.
  /// solve() fills it in.
  int64_t lowerBoundCost = 0;
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

struct SolverResult {
  SolveStatus status = SolveStatus::Infeasible;
  /// The best plan: the cheapest within the cap if there is one, otherwise the
  /// one of the lowest peak that was found. Always valid.
  Plan plan;
  /// Whether it executes the steps for the first time in another order than
  /// that of the schedule. solve() fills it in.
  bool isReordered = false;
  int64_t peakBytes = 0;
  int64_t cost = 0;
  /// The lowest peak that was found; equals `peakBytes` unless status is Ok.
  int64_t lowestPeakBytes = 0;
  /// That there is no lower one was found by search.
  bool isLowestPeakProven = false;
  /// The steps of `plan` that run in its peak slot.
  std::vector<StepId> stepsAtPeak;
  /// No plan within the cap costs less, if there is one at all; under the
  /// assumption of `boundKind`. A solver may fill in what it found by search.
  std::optional<int64_t> lowerBoundCost;
  BoundKind boundKind = BoundKind::Schedule;
  /// The proof of the bound, or that no plan meets the cap. solve() fills it
  /// in; an exhaustive bound may be higher than what it proves.
  Certificate certificate;
  /// No plan in the order of this one has a lower peak. solve() fills it in.
  int64_t floorBytes = 0;
  /// Whether `status` and `cost` are the best there is: the bound is reached or
  /// nothing meets the cap, under the assumption of `boundKind`.
  bool proven = false;
  std::string solver;
  /// The member of a portfolio that the plan comes from; empty if the solver is
  /// none.
  std::string member;
  double seconds = 0;
};

/// One algorithm, for lists and look-up by name.
struct SolverInfo {
  const char *name;
  const char *summary;
  SolverResult (*run)(const Problem &, const SolverOptions &);
  /// Whether its plans may be in another order than the schedule.
  bool mayReorder = false;
};

/// All solvers, in the order in which help texts list them.
const std::vector<SolverInfo> &allSolvers();

/// Runs the solver called `name`, validates its plan and fills in peak, cost,
/// steps at the peak, bounds, name and seconds. Returns nothing if there is no
/// such solver. If the original schedule meets the cap it is the plan. A plan
/// that is not valid is an error of the solver and ends the program.
std::optional<SolverResult> solve(const Problem &problem, std::string_view name,
                                  const SolverOptions &options);

/// No plan has a lower peak: the most bytes that one step needs together with
/// what can not be made again, or that are there in the end. O(steps).
int64_t floorBytes(const Problem &problem);

/// The name of the solver that is used where the user names none.
constexpr const char *defaultSolver = "auto";

/// Exhaustive search over the sequences in which the steps are executed for the
/// first time in the order of the schedule; recomputations stand anywhere.
/// Objective: least cost within the cap, or the lowest peak where no such
/// sequence meets the cap (then the least cost at that peak). Optimal, and
/// proves infeasibility, under that order; `proven` and `lowerBoundCost` claim
/// no more. Another order of the schedule may allow a better plan.
/// Fails: above `bruteForceMaxSteps` steps or `bruteForceMaxTensors` tensors it
/// gives up (Infeasible, not proven), past the deadline too (Deadline).
/// Complexity: exponential; for tests and tiny problems only.
SolverResult solveBruteForce(const Problem &problem,
                             const SolverOptions &options);
constexpr size_t bruteForceMaxSteps = 12;
constexpr size_t bruteForceMaxTensors = 40;

/// Best-first search over the same sequences as brute force, with lower bounds
/// for the rest of the way, from the plan of the portfolio: for small problems,
/// some dozen steps of a network with a chain in it.
/// Objective: least cost within the cap. Optimal under the order of the
/// schedule if `proven`, and proves that nothing meets the cap, but not which
/// peak is the lowest.
/// Fails: out of time (Deadline) or room it returns the best plan so far, and
/// as `lowerBoundCost` what the search has shown until then. Above
/// `exactMaxSteps` steps, 240 tensors or 12 steps in one group it does nothing
/// beyond the portfolio. Complexity: exponential; at most `exactMaxStates`
/// states of a few hundred bytes each.
SolverResult solveExact(const Problem &problem, const SolverOptions &options);
constexpr size_t exactMaxSteps = 240;
constexpr size_t exactMaxStates = 1'000'000;

/// Minimum cuts, as behind the lower bound, at rising prices of memory: each
/// says what to hold at the step of the highest memory, and then at others that
/// are still above the cap. The last plan above the cap and the first within it
/// are joined by components of their difference, then repaired and pruned.
/// First executions keep the order of the schedule.
/// Objective: least cost within the cap; heuristic, best at mild caps, where
/// what is kept across the peak decides.
/// Fails: Infeasible with the lowest peak found, or Deadline. Knows no nested
/// recomputation but what repair adds: weak at very low caps. Complexity: some
/// hundred maximum flows and a fixed number of simulated executions.
SolverResult solveMinCut(const Problem &problem, const SolverOptions &options);

/// Dynamic programming over the chain of blocks that the schedule forms up to
/// its peak, with partial retention (Pareto sets of choices for each block),
/// sweeps over many blocks and nested recomputation, then repair, pruning and
/// neighbourhood search of single tensors under an exact simulation. First
/// executions keep the order of the schedule.
/// Objective: least cost within the cap; heuristic.
/// Fails: Infeasible, never proven, with the lowest peak it found; Deadline if
/// that passed first. Complexity: O(blocks^3) with at most 100 blocks, and a
/// fixed number of simulated executions: a second or two for most problems that
/// do not fit at once, some seconds for thousands of steps.
SolverResult solveDynamicProgramming(const Problem &problem,
                                     const SolverOptions &options);

/// Checkpointing by segments of the forward pass (what runs up to the peak):
/// what leads from one segment to the next is kept, all else is made again.
/// Tries equal segments, the square root of the number of slots among them, and
/// thresholds on bytes; the cheapest that fits, or that of the lowest peak.
/// A baseline. Fails: often Infeasible at low caps. Complexity: about a hundred
/// simulations.
SolverResult solveSegments(const Problem &problem,
                           const SolverOptions &options);

/// One checkpoint for each block: keeps the tensor at each narrow place of the
/// forward pass and makes all else again, whatever the cap.
/// A baseline. Fails: Infeasible if that does not fit, or if there are no
/// narrow places. Complexity: a few simulations.
SolverResult solveBlocks(const Problem &problem, const SolverOptions &options);

/// XLA's rule: at the highest place, recompute the tensor that saves the most
/// bytes there for the cost it adds, until the plan fits.
/// A baseline; close to the best at mild caps. Fails: Infeasible where no
/// single tensor helps, which it does not get around. Complexity: up to 64
/// simulations for each tensor that is dropped, within a fixed number.
SolverResult solveGreedy(const Problem &problem, const SolverOptions &options);

/// Plans from minimum cuts under prices on memory, repaired and pruned, then
/// large-neighbourhood search from the best of them.
/// Objective: least cost within the cap; heuristic.
/// Fails: as dp. Complexity: a fixed number of simulated executions.
SolverResult solveNeighbourhoods(const Problem &problem,
                                 const SolverOptions &options);

/// Re-ordering alone: steps that free memory run as soon as they can, steps
/// that take it as late as they can, and around the peak dynamic programming
/// finds the best order of a few. Nothing runs twice.
/// Objective: the first order that meets the cap, or that of the lowest peak
/// found; never above the schedule. A baseline. Fails: Infeasible wherever
/// something has to be recomputed. Complexity: O(n log n), a second for 100,000
/// steps.
SolverResult solveOrder(const Problem &problem, const SolverOptions &options);

/// The default: solvePortfolio() on the schedule or, where its lower bound or a
/// little work on each shows that this promises more, on another order of the
/// steps; on a second one if that little work was better there than all the
/// work on the first. Where re-ordering alone meets the cap nothing is
/// recomputed. Problems that brute-force can plan are planned on all orders.
/// Fails: as dp. Complexity: that of the portfolio, once or twice, and a tenth
/// of it.
SolverResult solveInAnyOrder(const Problem &problem,
                             const SolverOptions &options);

/// The portfolio: all the members above but `order`, each as it works alone;
/// then the chain DP crosses the best plans, and their neighbourhoods are
/// searched.
/// Where nothing fits, the lowest peak is sought. SolverResult::member says
/// whose plan won. In one order of the steps, never worse than its members.
/// Uses two threads where there are two processors, which changes nothing but
/// the time. Tiny problems go to brute-force and come back optimal; those of up
/// to 100 steps go through up to 70,000 states of the exact search at the end.
/// Fails: as dp. Complexity: the sum of its members.
SolverResult solvePortfolio(const Problem &problem,
                            const SolverOptions &options);

} // namespace remat::solver

#endif // REMAT_SOLVER_SOLVERS_H
