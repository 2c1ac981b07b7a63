//===- Rewrite.h - Regions rewritten by plans, all or none ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_REWRITE_H
#define REMAT_IR_REWRITE_H

#include "remat/IR/ProblemBuilder.h"
#include "remat/Solver/Timeline.h"

namespace remat::ir {

/// Rewrites regions by plans, all or none: at the end of its life every region
/// is as it was before apply(), unless commit() was called. Ops of a region
/// that was put back are copies; nothing may hold on to the originals.
///
///   Rewrite rewrite(costs);
///   for (...)
///     if (!rewrite.apply(region, plan, {plan.peakBytes, plan.cost}, sink))
///       return false; // all regions are as they were
///   rewrite.commit();
class Rewrite {
public:
  /// Regions are read again, after they were rewritten, with `costs`.
  explicit Rewrite(const CostModel &costs) : costs(costs) {}
  ~Rewrite();
  Rewrite(const Rewrite &) = delete;
  Rewrite &operator=(const Rewrite &) = delete;

  /// What a plan says of its region.
  struct Promise {
    int64_t peakBytes = 0; ///< The region needs no more.
    int64_t cost = 0;      ///< Its steps cost exactly that.
  };

  /// Applies `plan` to `region`, which does not describe the IR any more
  /// afterwards, reads what stands there now, and returns its time line.
  /// Nothing after an error was reported to `sink`: the IR does not keep
  /// `promise`, or cannot be read.
  std::optional<solver::Timeline> apply(RegionProblem &region,
                                        const solver::Plan &plan,
                                        const Promise &promise,
                                        const DiagnosticSink &sink);

  /// Keeps what was done until now.
  void commit();

private:
  /// An op whose only region was rewritten, and a copy of it from before.
  struct Backup {
    Op owner;
    Op copy;
  };

  const CostModel &costs;
  std::vector<Backup> backups;
};

} // namespace remat::ir

#endif // REMAT_IR_REWRITE_H
