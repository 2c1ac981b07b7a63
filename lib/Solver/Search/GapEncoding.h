//===- GapEncoding.h - Plans as one number per gap ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The representation in which heuristic solvers search. The touches of a tensor
// are the slots of the schedule that make or read it. Between two touches, and
// after the last, lies a gap:
//
//   slot      0   1   2   3   4   5   6
//   touches   T   .   T   .   .   T   .       a tensor made in slot 0, read in
//   gaps       [--0--] [----1----] [-2 …      slots 2 and 5
//
// A decision for a gap is `retain` (the tensor stays) or a number k >= 0: the
// tensor goes at the start of the gap; the first k times that a recomputation
// in the gap demands it, it is recomputed for that moment only; the next demand
// (or the touch that ends the gap) recomputes it to stay until the gap ends.
// k = 0 everywhere is checkpointing by segments; larger k gives nested plans.
//
// One more decision for each slot of the schedule says whether groups are split
// there: recomputations and the steps of the slot then run one at a time,
// each just after what it takes, and where two of a group would still follow
// each other, a cheap step runs again in between for this purpose alone.
//
// Every vector of decisions is a correct plan: whatever is missing before a
// slot is recomputed just before it, together with all that this takes. So a
// search only has to look at memory and cost, which `Simulator` tells exactly.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_GAPENCODING_H
#define REMAT_LIB_SOLVER_SEARCH_GAPENCODING_H

#include "Index/TensorIndex.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace remat::solver {

/// The decision to keep a tensor through a gap, or a group together.
constexpr int16_t retain = -1;

/// The decision to recompute a tensor for the moment as often as that is
/// demanded.
constexpr int16_t alwaysForTheMoment = std::numeric_limits<int16_t>::max();

/// `decision`, which is to drop, with `number` more recomputations for the
/// moment; at most `alwaysForTheMoment`.
constexpr int16_t moreMoments(int16_t decision, int64_t number) {
  return static_cast<int16_t>(
      std::min<int64_t>(decision + number, alwaysForTheMoment));
}

/// One decision per gap of a GapEncoding, then one per window.
using Decisions = std::vector<int16_t>;

/// The time between two touches of a tensor.
struct Gap {
  TensorId tensor;
  /// The slots of the schedule that touch the tensor before and after the gap;
  /// `endSlot` is the number of slots for the gap after the last touch.
  int32_t beginSlot;
  int32_t endSlot;
};

/// The gaps of a problem, and what can be recomputed at all.
class GapEncoding : public TensorIndex {
public:
  explicit GapEncoding(const Problem &problem);

  /// The slots of the schedule, as half-open ranges of steps.
  struct StepRange {
    StepId begin, end;
  };
  std::vector<StepRange> slots;
  /// The slot of each step.
  std::vector<int32_t> slotOf;
  /// The last slot before which a tensor can be recomputed: the number of slots
  /// if nothing that this takes is ever overwritten, -1 if there is none. Gaps
  /// that end later do not exist: the tensor stays.
  std::vector<int32_t> regenerableUntil;
  /// Whether a tensor has any gap.
  std::vector<char> canRegenerate;
  /// A step without its names, its lists as ranges of `lists`: simulations
  /// pass over all steps, and memory is what holds them up.
  struct CompactStep {
    int64_t cost, workspaceBytes;
    int32_t group;
    int32_t operandsBegin, operandsEnd;
    int32_t resultsBegin, resultsEnd;
    bool hasInPlace;
  };
  std::vector<CompactStep> compact;
  std::vector<TensorId> lists;
  /// The same for tensors.
  struct CompactTensor {
    int64_t bytes;
    TensorId alias;
  };
  std::vector<CompactTensor> compactTensors;

  /// The gaps of all tensors that can be regenerated, by tensor and time. Those
  /// of a tensor are the first ones between its touches, and the one after the
  /// last touch if that comes early enough.
  std::vector<Gap> gaps;
  /// gaps[firstGap[t]] to gaps[firstGap[t + 1]] are those of tensor t.
  std::vector<int32_t> firstGap;
  /// The gaps that begin in each slot: gapsByBegin[firstBegun[s]] to
  /// gapsByBegin[firstBegun[s + 1]].
  struct BegunGap {
    /// -1 if the tensor stays from here on without a choice.
    int32_t gap;
    TensorId tensor;
    int32_t slot;
    /// Whether the slot overwrites the tensor.
    bool isOverwritten;
  };
  std::vector<BegunGap> gapsByBegin;
  std::vector<int32_t> firstBegun;

  /// Steps that can end a slot by running again, the cheapest first. A few are
  /// enough.
  std::vector<StepId> separators;
  /// Whether one of them reads a tensor.
  std::vector<char> isReadBySeparator;

  /// Whether the slot in which a gap begins overwrites the tensor.
  bool isOverwrittenAtBegin(const Gap &gap) const {
    StepId writer = overwriter[gap.tensor];
    return writer >= 0 && slotOf[writer] == gap.beginSlot;
  }

  /// The place of the decision whether `window` splits groups.
  int32_t splitOf(int32_t window) const {
    return static_cast<int32_t>(gaps.size()) + window;
  }
  bool hasGroups() const { return slots.size() < problem.steps.size(); }

  /// The gap of `tensor` that contains the time just after `slot`, or -1.
  int32_t gapAfter(TensorId tensor, int32_t slot) const;

  /// How many decisions a plan takes.
  int32_t numDecisions() const {
    return static_cast<int32_t>(gaps.size() + slots.size() + 1);
  }

  /// The decisions of the schedule itself.
  Decisions retainAll() const { return Decisions(numDecisions(), retain); }

  /// `decisions` with all groups split in their own slots.
  Decisions splitAllGroups(Decisions decisions) const;

private:
  /// The slots that make or read each tensor, and whether it is an output.
  std::vector<std::vector<int32_t>> touches;
  std::vector<char> isOutput;

  void makeCompact();
  void findSlots();
  void findTouches();
  void findRegenerable();
  int32_t regenerableUntilOf(const Step &step) const;
  bool hasGap(TensorId tensor, size_t touch) const;
  void findGaps();
  void sortByBegin();
  void findSeparators();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_GAPENCODING_H
