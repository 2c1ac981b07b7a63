//===- Moments.h - Bounds from several moments of a plan ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What remat/Solver/Certificate.h says of one moment of a plan, said of several
// and of the stretches between them. Where memory is short later on too, what
// was made again has to be given up again, which one moment does not see.
//
// Given steps t_1 < ... < t_K, moment k is the slot of the first execution of
// t_k; moment K + 1 is the end. A plan that meets the cap and executes the
// steps for the first time in their order gives each of these the value 0 or 1:
//
//   held(k, s)     storage s is there at moment k. Always 1 for operands and
//                  results of t_k and inputs that are not donated (all inputs
//                  if t_k is the first step); 0 if s is made after t_k.
//   runs(k, l, j)  step j <= t_k is executed again in a slot after moment k, up
//                  to and with moment l. Always 0 if j may not run again then.
//
// and these hold:
//
//   read    held(k, s) + runs(k, l, maker of c) >= 1 or >= runs(k, l, j)
//           for every tensor a in s that is made up to t_k and read by a step
//           in (t_k, t_l] or, if l is the end, an output; or by step j. c is a,
//           or what a is a view of or overwrote, and so on: if s is not there
//           the whole chain is made again. Inputs have no maker.
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
// Stretches of more than one part seem to say nothing new, and of zeros and
// ones they do not. But proofs work with numbers in between, and with
// fractions a step could be half run here and half there for half of its
// operands each.
//
// Any order. Plans may execute the steps for the first time in another order
// than the schedule's. Of these, too, it is certain that at the first execution
// of t_k all that t_k depends on was executed before, and all that depends on
// it was not. So there are weaker inequalities that hold for all plans: with
// "t_k or what it depends on" in place of "up to t_k" and "what depends on t_k"
// in place of "after t_k", for stretches from a moment to the end only, and
// without the words on the first step. The moments are then in no order, and
// the stretches overlap; so costs are counted once for all, by
//
//   again(j)       step j is executed more than once: again(j) >= runs(k, l, j)
//   cost           the extra cost of the plan is at least the sum of
//                  cost(j) * again(j).
//
// In place of bytes, weights may be used as in Certificate.h: for a set U of
// storages, with E = fixed bytes + bytes of U - cap > 0 and a divisor g,
//
//   sum over s in U of f(bytes of s) * (1 - held(k, s))
//       + sum over other s of f(-bytes of s) * held(k, s) >= f(E).
//
// The proof. A linear program: to each inequality an amount >= 0. The sum of
// all, times their amounts, is an inequality
//
//   sum of a_v * v >= b   over the variables v, hence
//   extra cost >= b + sum of min(0, cost_v - a_v)
//
// as no v is above 1. Where variables are known the last sum knows more; so a
// variable may be split into the cases 0 and 1, each case on its own, and the
// least of all cases counts. A case is impossible if that is above 0 with all
// costs left out. And a variable is settled by a sum if its other value alone
// would lift the bound up to the claim.
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
  /// Not for `Again`.
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

/// Which weights stand in for bytes at a moment.
struct MomentWeights {
  int32_t moment = 0;
  /// 0 for bytes themselves, then `storages` is empty.
  int64_t divisor = 0;
  /// The set U.
  std::vector<TensorId> storages;
};

/// One node of the tree of cases.
struct MomentCase {
  enum class Kind {
    Split,      ///< Into the cases 0 and 1 of `variable`. They follow in this
                ///< order, each with all that belongs to it.
    Settle,     ///< What `sum` settles is known in the one case that follows.
    Bound,      ///< `sum` shows what plans of this case cost.
    Impossible, ///< `sum` shows that no plan is of this case.
  };
  Kind kind = Kind::Bound;
  MomentVariable variable = {MomentVariable::Kind::Held, 0, 0, 0};
  /// An index into MomentProof::sums.
  int32_t sum = 0;
};

/// Inequalities and their amounts.
using MomentSum = std::vector<MomentAmount>;

/// Which plans a proof speaks of.
enum class MomentOrder {
  Schedule, ///< First executions are in the order of the schedule.
  Any,      ///< All plans.
};

struct MomentProof {
  MomentOrder order = MomentOrder::Schedule;
  /// t_1, ..., t_K.
  std::vector<StepId> moments;
  /// Amounts are in units of 1 / scale, those of weights in units of
  /// 1 / (scale * weightScale), to keep to integers.
  int64_t scale = 1;
  int64_t weightScale = 1;
  std::vector<MomentWeights> weights;
  std::vector<MomentSum> sums;
  /// The tree, from its root.
  std::vector<MomentCase> cases;
};

} // namespace remat::solver

#endif // REMAT_SOLVER_MOMENTS_H
