//===- Certificate.h - Proofs of what no plan can do ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lower bound on the cost of all plans within a cap that execute the steps
// for the first time in the order of the schedule (another order may allow a
// cheaper plan). It looks at one moment of such a plan, the first execution of
// one step t, and lets go of the cap everywhere else:
//
//  - What that slot holds for sure is the operands, results and workspace of t
//    and all inputs that are not donated: the fixed bytes. Other steps of t's
//    group need not be in the slot, as a plan may tear groups apart.
//  - Every tensor made up to t and read by a later step (or an output) either
//    has its storage there in that slot, or is made again after it.
//  - A step that runs again needs its operands, which are there or made again.
//  - Each step that runs again after t costs extra, once at least.
//
// So: choose storages to hold, of cap - fixed bytes at most, so that the steps
// that have to run again cost the least. With a price on each byte in place of
// the limit this is a minimum cut, and a flow of some value proves that no cut
// is smaller:
//
//   source ---> storage --(price * bytes)--> its makers --(cost)--> sink
//               read later                        |
//               storage --(price * bytes)--> ...  |  (operands; no limit)
//                  ^------------------------------+
//
//   extra cost >= flow - price * (cap - fixed)
//               = flow + price * (E - bytes read later, not fixed)
//
// A storage stands for all tensors that live in it. To have one of them in a
// new storage, all makers from the owner of the storage down to it have to run:
// an in-place chain is one recipe. Where several tensors of a storage may be
// asked for, only makers that all of them have in common are certain.
//
// A price can not tell that storages go as a whole or not at all. With E bytes
// too many if all that is read later is held, and a divisor g, let r = E mod g
// and
//
//   f(b) = r * floor(b / g) + min(r, b mod g).
//
// f grows and f(a) + f(b) >= f(a + b) (mixed-integer rounding, Nemhauser and
// Wolsey 1990). Bytes dropped less bytes held in addition are E at least, so
// the sum of f(bytes) over what is dropped and of f(-bytes) over what is held
// in addition is f(E) at least. Prices may be put on these weights in place of
// bytes: with E = 20 and ten storages of 16, two of them have to go, not 1.25.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_CERTIFICATE_H
#define REMAT_SOLVER_CERTIFICATE_H

#include "remat/Solver/Moments.h"

namespace remat::solver {

/// What stands behind a lower bound on the cost.
enum class BoundKind {
  Schedule,       ///< Every step runs once.
  MinimumCut,     ///< One moment, a price and a flow.
  SeveralMoments, ///< Several moments, see remat/Solver/Moments.h.
  AnyOrder,       ///< The same, for all orders of first executions.
  Exhaustive,     ///< A search through all plans; there is no certificate.
};

/// "schedule", "minimum-cut", "several-moments", "any-order" or "exhaustive".
const char *toString(BoundKind kind);

/// Whether the bound speaks only of plans that execute the steps for the first
/// time in the order of the schedule; otherwise it speaks of all.
bool assumesOrder(BoundKind kind);

/// The proof of a bound.
struct Certificate {
  /// The cap it speaks of.
  int64_t capBytes = 0;
  /// It speaks of plans that execute the steps for the first time in this
  /// order; if it is empty, in that of the schedule.
  std::vector<StepId> order;
  /// No plan meets the cap at all; then `cost` means nothing.
  bool isInfeasible = false;
  /// No plan within the cap costs less.
  int64_t cost = 0;
  /// What the proof is made of: nothing, or what follows.
  BoundKind kind = BoundKind::Schedule;

  /// `MinimumCut`: a step, a price and a flow, in units of cost / `costScale`,
  /// to keep to integers. The step whose first execution is looked at; the
  /// number of steps stands for the last slot of all, which holds the outputs.
  /// That proves at most that the cap can not be met.
  StepId step = 0;
  /// The price of a byte, times `costScale`. If the scale is 0, steps cost
  /// nothing, and the flow speaks of bytes alone.
  int64_t price = 0;
  int64_t costScale = 1;
  /// The divisor of the rounding, 0 for none.
  int64_t divisor = 0;

  /// Flow from a storage, named by the tensor that owns it, to a step that has
  /// to run again if the storage is not held; or from such a step to the
  /// storage of an operand.
  struct Flow {
    TensorId storage;
    StepId step;
    int64_t amount;
  };
  std::vector<Flow> fromStorage;
  std::vector<Flow> toStorage;

  /// `SeveralMoments` and `AnyOrder`.
  MomentProof moments;
};

/// Why `certificate` does not prove what it claims, or nothing if it does.
/// Shares no code with lowerBound() and believes nothing of what it says: it
/// checks by the definitions above that the flow is one, and computes the bound
/// from it. O(steps * tensors).
std::optional<std::string> checkCertificate(const Problem &problem,
                                            int64_t capBytes,
                                            const Certificate &certificate);

/// Gives the steps in a certificate other names: `names[s]` for s.
void renameSteps(Certificate &certificate, const std::vector<StepId> &names);

/// The text form of a certificate, in which tensors and steps go by their
/// labels; docs/problem-format.md describes it.
std::string printCertificate(const Problem &problem,
                             const Certificate &certificate);

/// A certificate, or the first error of its text, with its line.
struct ParsedCertificate {
  std::optional<Certificate> certificate;
  /// 1-based; 0 if the error concerns the text as a whole.
  int64_t line = 0;
  std::string error;
};

/// Parses `text` strictly.
ParsedCertificate parseCertificate(const Problem &problem,
                                   const std::string &text);

} // namespace remat::solver

#endif // REMAT_SOLVER_CERTIFICATE_H
