//===- Moments.h - Proofs of bounds from several moments of a plan --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The minimum cut of remat/Solver/Certificate.h considers one moment of a plan;
// the proofs defined here consider several, and the stretches between them.
// Where memory is short again later on, what was recomputed must be dropped
// again, which a single moment cannot express.
//
// Given steps t_1 < ... < t_K, moment k is the slot of the first execution of
// t_k; moment K + 1 is the end. A plan that meets the cap and executes the
// steps for the first time in their order gives each of these the value 0 or 1:
//
//   held(k, s)     storage s is in memory at moment k. Always 1 for operands
//                  and results of t_k and inputs that are not donated (for all
//                  inputs if t_k is the first step); 0 if s is made after t_k.
//   runs(k, l, j)  step j <= t_k is executed again in a slot after moment k and
//                  not after moment l. Always 0 if j may not run again then.
//
// and these inequalities hold:
//
//   read    held(k, s) + runs(k, l, maker of c) >= 1 or >= runs(k, l, j)
//           for every tensor a in s that is made up to t_k and read by a step
//           in (t_k, t_l] or, if l is the end, an output; or by step j. c is a
//           or what a is a view of or overwrote, and so on: if s is not held,
//           the whole chain is recomputed. Inputs have no maker.
//   stay    held(k, s) + runs(k, l, maker of s) >= held(l, s)
//           if s is made up to t_k.
//   part    runs(k, m, j) + runs(m, l, j) >= runs(k, l, j)
//   weight  the bytes of all s with held(k, s) and the workspace of t_k are at
//           most the cap.
//   cost    the extra cost of the plan is at least the sum of
//           cost(j) * runs(k, k + 1, j).
//
//   moment      1            2                 3 (end)
//   slots    ...t_1 . . . . t_2 . . . . . . . .|
//                  |runs(1,2)  |    runs(2,3)  |
//                  |      runs(1,3)            |
//
// Stretches that span several others seem redundant, and for values of 0 and 1
// they are. But proofs work with values in between: without these stretches, a
// step could run by half in each of two stretches, for half of its operands
// each.
//
// Any order. Plans may execute the steps for the first time in an order other
// than the schedule's. Even then, at the first execution of t_k everything that
// t_k depends on has been executed, and nothing that depends on t_k has. So
// weaker inequalities hold for all plans: with "t_k or what it depends on"
// instead of "up to t_k" and "what depends on t_k" instead of "after t_k", for
// stretches from a moment to the end only, and without the special case of the
// first step. The moments are then in no order and the stretches overlap, so
// costs are counted once for all stretches, by
//
//   again(j)       step j is executed more than once: again(j) >= runs(k, l, j)
//   cost           the extra cost of the plan is at least the sum of
//                  cost(j) * again(j).
//
// Instead of bytes, weights may be used as in Certificate.h: for a set U of
// storages, with E = fixed bytes + bytes of U - cap > 0 and a divisor g,
//
//   sum over s in U of f(bytes of s) * (1 - held(k, s))
//       + sum over other s of f(-bytes of s) * held(k, s) >= f(E).
//
// The proof is one of linear programming: each inequality gets an amount >= 0.
// The sum of all inequalities, times their amounts, is an inequality
//
//   sum of a_v * v >= b   over the variables v, hence
//   extra cost >= b + sum of min(0, cost_v - a_v)
//
// because no v is above 1. Known variables make the last sum larger; so a
// variable may be split into the cases 0 and 1, each proven on its own, and the
// lowest bound of all cases counts. A case is impossible if the bound is above
// 0 with all costs left out. A sum settles a variable if the other value alone
// would raise the bound to the claim.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_MOMENTS_H
#define REMAT_SOLVER_MOMENTS_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// held(k, s), runs(k, l, j) or again(j). Moments count from 0 here.
struct MomentVariable {
  enum class Kind { Held, Runs, Again };
  Kind kind;
  /// Unused by `Again`.
  int32_t from;
  /// For `Runs`.
  int32_t to = 0;
  /// The storage, named by the tensor that owns it, or the step.
  int32_t id;
};

/// The amount of one inequality in a proof.
struct MomentAmount {
  enum class Kind { Read, Stay, Part, Again, Weight };
  Kind kind;
  int32_t from = 0;
  /// For `Part`: m.
  int32_t middle = 0;
  int32_t to = 0;
  /// `Read`: the tensor c; `Stay`: the storage; `Part`, `Again`: the step;
  /// `Weight`: an index into MomentProof::weights.
  int32_t id = 0;
  /// `Read`: j, or -1 for a first execution or an output.
  StepId reader = -1;
  int64_t amount = 0;
};

/// The weights used instead of bytes at a moment.
struct MomentWeights {
  int32_t moment = 0;
  /// 0 for bytes themselves; `storages` is then empty.
  int64_t divisor = 0;
  /// The set U.
  std::vector<TensorId> storages;
};

/// One node of the tree of cases.
struct MomentCase {
  enum class Kind {
    Split,      ///< Into the cases 0 and 1 of `variable`, whose subtrees follow
                ///< in this order.
    Settle,     ///< The variables that `sum` settles are known in the one
                ///< subtree that follows.
    Bound,      ///< `sum` bounds the cost of the plans of this case.
    Impossible, ///< `sum` shows that there are no plans of this case.
  };
  Kind kind = Kind::Bound;
  MomentVariable variable = {MomentVariable::Kind::Held, 0, 0, 0};
  /// An index into MomentProof::sums.
  int32_t sum = 0;
};

/// Inequalities and their amounts.
using MomentSum = std::vector<MomentAmount>;

/// Which plans a proof is about.
enum class MomentOrder {
  Schedule, ///< First executions are in the order of the schedule.
  Any,      ///< All plans.
};

/// A proof from several moments.
struct MomentProof {
  MomentOrder order = MomentOrder::Schedule;
  /// t_1, ..., t_K.
  std::vector<StepId> moments;
  /// Amounts are in units of 1 / scale, those of weights in units of
  /// 1 / (scale * weightScale), so that all numbers are integers.
  int64_t scale = 1;
  int64_t weightScale = 1;
  std::vector<MomentWeights> weights;
  std::vector<MomentSum> sums;
  /// The tree, in preorder.
  std::vector<MomentCase> cases;
};

} // namespace remat::solver

#endif // REMAT_SOLVER_MOMENTS_H
