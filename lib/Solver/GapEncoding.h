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
// in the gap demands it, it is made again for that moment only; the next demand
// (or the touch that ends the gap) makes it again to stay until the gap ends.
// k = 0 everywhere is checkpointing by segments; larger k gives nested plans.
//
// One more decision for each slot of the schedule says whether groups are torn
// apart there: recomputations and the steps of the slot then run one at a time,
// each just after what it takes, and where two of a group would still follow
// each other, a cheap step runs again in between for this purpose alone.
//
// Every vector of decisions is a correct plan: whatever is missing before a
// slot is recomputed just before it, together with all that this takes. So a
// search only has to look at memory and cost, which `Simulator` tells exactly.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_GAPENCODING_H
#define REMAT_LIB_SOLVER_GAPENCODING_H

#include "remat/Solver/Problem.h"

namespace remat::solver {

/// The decision to keep a tensor through a gap, or a group together.
constexpr int16_t retain = -1;

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
class GapEncoding {
public:
  explicit GapEncoding(const Problem &problem);

  const Problem &problem;

  /// The slots of the schedule, as half-open ranges of steps.
  struct StepRange {
    StepId begin, end;
  };
  std::vector<StepRange> slots;
  /// The slot of each step.
  std::vector<int32_t> slotOf;
  /// The step that makes each tensor, -1 for inputs.
  std::vector<StepId> maker;
  /// Whether a tensor can be made again after it is gone. If not, it has no
  /// gaps and stays.
  std::vector<char> canRegenerate;
  /// The tensors that share the storage of each root, the root included.
  std::vector<std::vector<TensorId>> sharers;
  /// The step that overwrites each tensor in the schedule, or -1.
  std::vector<StepId> overwriter;

  /// The gaps of all tensors that can be regenerated, by tensor and time.
  std::vector<Gap> gaps;
  /// gaps[firstGap[t]] to gaps[firstGap[t + 1]] are those of tensor t.
  std::vector<int32_t> firstGap;
  /// The gaps that start in each slot.
  std::vector<std::vector<int32_t>> gapsBegunIn;

  /// Steps that can end a slot by running again, the cheapest first. A few are
  /// enough.
  std::vector<StepId> separators;

  /// The place of the decision whether `window` tears groups apart.
  int32_t tearOf(int32_t window) const {
    return static_cast<int32_t>(gaps.size()) + window;
  }
  bool hasGroups() const { return slots.size() < problem.steps.size(); }

  /// The gap of `tensor` that contains the time just after `slot`, or -1.
  int32_t gapAfter(TensorId tensor, int32_t slot) const;

  /// The decisions of the schedule itself.
  Decisions retainAll() const {
    return Decisions(gaps.size() + slots.size() + 1, retain);
  }

private:
  void findSlots();
  void findMakers();
  void findRegenerable();
  void findGaps();
  void findSeparators();
};

/// Memory and cost of a vector of decisions. A window is what runs from the end
/// of one slot of the schedule to the end of the next: the recomputations for
/// it, then the slot itself. One more window follows the last slot, for outputs
/// that have to be made again.
struct Outcome {
  int64_t cost = 0;
  int64_t peakBytes = 0;
  /// The highest memory in each window.
  std::vector<int64_t> windowBytes;
  std::vector<StepId> sequence;

  /// How far the windows are above `capBytes`, all together.
  int64_t excess(int64_t capBytes) const;
};

/// Expands decisions into sequences, exactly as validate() would judge them.
/// Keeps its buffers between runs. O(executions) each.
class Simulator {
public:
  explicit Simulator(const GapEncoding &encoding);

  /// The outcome of `decisions`; valid until the next run.
  const Outcome &run(const Decisions &decisions);

  /// The window in which the storage that a gap's tensor had at the start of
  /// the gap is last needed, in the last run.
  int32_t lastWindowOf(int32_t gap) const;

  /// The executions in all sequences so far: the measure of work that
  /// deterministic budgets are given in.
  int64_t numExecutions = 0;

private:
  /// A piece of memory: live in the slots [begin, end] of the sequence.
  struct Storage {
    int64_t bytes;
    int32_t begin;
    int32_t end;
  };

  const GapEncoding &encoding;
  const Problem &problem;
  Outcome outcome;

  std::vector<Storage> storages;
  /// The storage of the newest version of each tensor.
  std::vector<int32_t> storageOf;
  std::vector<char> isAvailable;
  /// In a gap that was not retained: how many more demands make the tensor for
  /// the moment only. -1 outside.
  std::vector<int16_t> momentsLeft;
  /// Tensors that were made for the moment in this window.
  std::vector<TensorId> momentary;
  /// The storage at the start of each gap.
  std::vector<int32_t> storageAtGap;

  /// Slots of the sequence.
  std::vector<int64_t> slotWorkspace;
  std::vector<int64_t> slotChange;
  int32_t openGroup = -1;
  /// Whether groups are torn apart in this window.
  bool isTearing = false;
  /// The last slot in which each step ran.
  std::vector<int32_t> lastSlotOf;
  /// The first slot of each window.
  std::vector<int32_t> windowBegin;
  /// The window of each slot.
  std::vector<int32_t> windowOfSlot;

  /// A step that is being recomputed, and the operand it waits for.
  struct Pending {
    StepId step;
    size_t nextOperand;
  };
  std::vector<Pending> pending;
  /// Which results of a separating step were available before it.
  std::vector<char> wasAvailable;

  void reset();
  int32_t currentSlot() const {
    return static_cast<int32_t>(slotWorkspace.size()) - 1;
  }
  /// Whether `step`, run next, would run in the current slot.
  bool wouldJoin(StepId step) const {
    int32_t group = problem.steps[step].group;
    return group >= 0 && group == openGroup &&
           lastSlotOf[step] != currentSlot();
  }
  void runSlot(int32_t slot);
  void demand(TensorId tensor);
  void execute(StepId step, bool isFirst);
  void separate();
  void beginGaps(int32_t slot, const Decisions &decisions);
  void endWindow();
  void measure();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_GAPENCODING_H
