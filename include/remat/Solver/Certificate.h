//===- Certificate.h - Proofs of lower bounds on the cost -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A certificate claims that no plan within a cap costs less than some amount,
// or that no plan meets the cap at all, and carries the proof. Three proofs
// exist: the schedule itself (every step runs once), a minimum cut at one
// moment of the plan, described here, and inequalities over several moments,
// described in remat/Solver/Moments.h.
//
// A minimum cut bounds the cost of all plans within the cap that execute the
// steps for the first time in the order of the schedule (another order may
// allow a cheaper plan). It considers one moment of such a plan, the first
// execution of one step t, and ignores the cap everywhere else:
//
//  - That slot always holds the operands, results and workspace of t and all
//    inputs that are not donated: the fixed bytes. Other steps of t's group
//    need not be in the slot, because a plan may split groups.
//  - Every tensor made up to t and read by a later step (or an output) either
//    has its storage in that slot or is recomputed after it.
//  - A recomputed step needs its operands, which are held or recomputed.
//  - Each recomputed step costs extra, at least once.
//
// So: choose storages to hold, of at most cap - fixed bytes, such that the
// steps that must be recomputed cost the least. With a price on each byte
// instead of the limit this is a minimum cut, and a flow of some value proves
// that no cut is smaller:
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
// new storage, all makers from the owner of the storage down to it must run: an
// in-place chain is one recipe. Where several tensors of a storage may be
// needed, only the makers that all of them have in common are certain to run.
//
// A price cannot express that a storage is held whole or not at all. Let E be
// the bytes in excess of the cap if everything that is read later is held, g a
// divisor, r = E mod g, and
//
//   f(b) = r * floor(b / g) + min(r, b mod g).
//
// f is nondecreasing and f(a) + f(b) >= f(a + b) (mixed-integer rounding,
// Nemhauser and Wolsey 1990). The bytes dropped minus the bytes held in
// addition are at least E, so the sum of f(bytes) over what is dropped and of
// f(-bytes) over what is held in addition is at least f(E). Prices may be put
// on these weights instead of bytes: with E = 20 and ten storages of 16, two of
// them must be dropped, not 1.25.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_SOLVER_CERTIFICATE_H
#define REMAT_SOLVER_CERTIFICATE_H

#include "remat/Solver/Moments.h"

#include <variant>

namespace remat::solver {

/// What a lower bound on the cost is based on.
enum class BoundKind {
  Schedule,       ///< Every step runs once.
  MinimumCut,     ///< One moment, a price and a flow.
  SeveralMoments, ///< Several moments, see remat/Solver/Moments.h.
  AnyOrder,       ///< The same, for all orders of first executions.
  Exhaustive,     ///< A search through all plans. No certificate is of this
                  ///< kind.
};

/// "schedule", "minimum-cut", "several-moments", "any-order" or "exhaustive".
const char *toString(BoundKind kind);

/// Whether a bound of this kind holds only for plans that execute the steps for
/// the first time in one order; otherwise it holds for all plans.
bool assumesOrder(BoundKind kind);

/// The proof that needs no data: every step runs once.
using ScheduleProof = std::monostate;

/// A step, a price and a flow, in units of cost / `costScale` so that all
/// numbers are integers.
struct MinCutProof {
  /// The step whose first execution is the moment. The number of steps stands
  /// for the last slot of all, which holds the outputs; that proves at most
  /// that the cap cannot be met.
  StepId step = 0;
  /// The price of a byte, times `costScale`. If the scale is 0, steps cost
  /// nothing and the flow counts bytes alone.
  int64_t price = 0;
  int64_t costScale = 1;
  /// The divisor of the rounding, 0 for none.
  int64_t divisor = 0;

  /// Flow from a storage, named by the tensor that owns it, to a step that must
  /// be recomputed if the storage is not held; or from such a step to the
  /// storage of an operand.
  struct Flow {
    TensorId storage;
    StepId step;
    int64_t amount;
  };
  std::vector<Flow> fromStorage;
  std::vector<Flow> toStorage;
};

/// A claim and its proof.
struct Certificate {
  /// The cap that the claim is about.
  int64_t capBytes = 0;
  /// The claim is about plans that execute the steps for the first time in this
  /// order; if it is empty, in that of the schedule.
  std::vector<StepId> order;
  /// No plan meets the cap at all; `cost` is then meaningless.
  bool isInfeasible = false;
  /// No plan within the cap costs less.
  int64_t cost = 0;
  std::variant<ScheduleProof, MinCutProof, MomentProof> proof;

  /// What `proof` holds; for a MomentProof its order decides between
  /// SeveralMoments and AnyOrder. Never Exhaustive.
  BoundKind kind() const;
};

/// Why `certificate` does not prove its claim, or nothing if it does. Shares no
/// code with the search for bounds and trusts nothing in the certificate: it
/// verifies by the definitions above that the flow is one, and computes the
/// bound from it. O(steps * tensors).
std::optional<std::string> checkCertificate(const Problem &problem,
                                            int64_t capBytes,
                                            const Certificate &certificate);

/// Renames the steps in the proof of a certificate: s becomes `names[s]`.
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
