//===- Simulator.h - Memory and cost of decisions -------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands decisions of a gap encoding into the sequence they stand for, and
// tells its memory and cost, exactly. All searches over decisions spend most of
// their time here.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_SEARCH_SIMULATOR_H
#define REMAT_LIB_SOLVER_SEARCH_SIMULATOR_H

#include "Search/GapEncoding.h"

#include <algorithm>
#include <utility>

namespace remat::solver {

/// Memory and cost of a vector of decisions. A window is what runs from the end
/// of one slot of the schedule to the end of the next: the recomputations for
/// it, then the slot itself. One more window follows the last slot, for outputs
/// that have to be recomputed.
struct Outcome {
  int64_t cost = 0;
  int64_t peakBytes = 0;
  /// The highest memory in each window.
  std::vector<int64_t> windowBytes;
  std::vector<StepId> sequence;

  /// How far the windows are above `capBytes`, all together.
  int64_t excess(int64_t capBytes) const;
};

/// New values for some decisions.
using Changes = std::vector<std::pair<int32_t, int16_t>>;

/// Expands decisions into sequences, exactly as validate() would measure them.
/// Keeps its buffers between runs. O(executions) each.
///
/// A search tries many small changes of one vector of decisions. setBase()
/// makes notes along its run; tryChanges() starts from the last note before the
/// first execution that the changes touch, and stops at the first after which
/// all is as in the base.
class Simulator {
public:
  explicit Simulator(const GapEncoding &encoding);

  /// The outcome of `decisions`; valid until the next run.
  const Outcome &run(const Decisions &decisions);

  /// The same, and makes `decisions` the base of tryChanges().
  const Outcome &setBase(const Decisions &decisions);

  /// The outcome of the base with `changes`, but for the sequence.
  const Outcome &tryChanges(const Changes &changes);

  /// The outcome of the last of these calls.
  const Outcome &lastOutcome() const { return outcome; }

  /// The window in which the storage that a gap's tensor had at the start of
  /// the gap is last needed, in the last run() or setBase().
  int32_t lastWindowOf(int32_t gap) const;

  /// The first window after its beginning in which the tensor of `gap` is read
  /// or made, in the last setBase(); the number of slots if there is none.
  int32_t firstTouchOf(int32_t gap) const { return firstTouch[gap]; }

  /// The executions in all sequences so far: the measure of work that
  /// deterministic budgets are given in.
  int64_t numExecutions = 0;

private:
  /// A piece of memory: live in the slots [begin, end] of the sequence.
  struct Storage {
    Storage(int64_t bytes, int32_t begin, int32_t end)
        : bytes(bytes), begin(begin), end(end) {}
    int64_t bytes;
    int32_t begin;
    int32_t end;
  };

  struct TensorState {
    /// The storage of its newest version.
    int32_t storage = -1;
    /// In a gap that was not retained: how many more demands make the tensor
    /// for the moment only. -1 outside.
    int16_t momentsLeft = -1;
    bool isAvailable = false;
  };

  /// All that the executions so far leave between two windows.
  struct State {
    int64_t cost = 0;
    int64_t numExecutions = 0;
    std::vector<Storage> storages;
    std::vector<TensorState> tensors;
    /// Slots of the sequence.
    std::vector<int64_t> slotWorkspace;
    int32_t openGroup = -1;
    /// The last slot in which each step ran.
    std::vector<int32_t> lastSlotOf;
    /// The first slot of each window.
    std::vector<int32_t> windowBegin;
  };

  const GapEncoding &encoding;
  const Problem &problem;
  Outcome outcome;
  State state;

  /// Tensors that were made for the moment in this window.
  std::vector<TensorId> momentary;
  /// Whether groups are split in this window.
  bool isSplitting = false;
  std::vector<int64_t> slotChange;
  /// The last window of each gap, as lastWindowOf() tells it.
  std::vector<int32_t> storageAtGap;
  std::vector<int32_t> lastWindowOfStorage;

  /// Whether the run is more than a trial: with its sequence and live ranges.
  bool isRecording = true;
  /// Whether the run is the base: with its states and touches.
  bool isBase = false;
  Decisions base;
  /// The states before every `stride`th window.
  std::vector<State> notes;
  int32_t stride = 1;
  /// For each note, the tensors whose state there matters later on.
  std::vector<std::vector<TensorId>> mattersAt;
  /// Whether the first execution of each window joins the slot before it.
  std::vector<char> joinsBack;
  /// What the base comes to.
  State baseEnd;
  /// The gap that each tensor is in, and the first window in which each gap's
  /// tensor is read or made.
  std::vector<int32_t> currentGap;
  std::vector<int32_t> firstTouch;
  /// The first and the last window in which each tensor is read or made.
  std::vector<int32_t> firstTouchOfTensor;
  std::vector<int32_t> lastTouchOfTensor;
  /// In a trial, the window after which no change is outstanding.
  int32_t lastChange = 0;
  /// The storage of a trial for each of the base, while they are compared.
  std::vector<int32_t> counterpart;

  /// A step that is being recomputed, and the operand it waits for.
  struct Pending {
    StepId step;
    int32_t nextOperand;
  };
  std::vector<Pending> pending;
  /// Which results of a separating step were available before it.
  std::vector<char> wasAvailable;

  void reset();
  /// Runs the windows from `window` on, and measures all.
  void runFrom(int32_t window, const Decisions &decisions);
  int32_t currentSlot() const {
    return static_cast<int32_t>(state.slotWorkspace.size()) - 1;
  }
  int32_t currentWindow() const {
    return static_cast<int32_t>(state.windowBegin.size()) - 1;
  }
  /// Whether `step`, run next, would run in the current slot.
  bool wouldJoin(StepId step) const {
    int32_t group = encoding.compact[step].group;
    return group >= 0 && group == state.openGroup &&
           state.lastSlotOf[step] != currentSlot();
  }
  /// Notes that the tensor is read or made.
  void touch(TensorId tensor) {
    int32_t window = currentWindow();
    if (int32_t gap = currentGap[tensor]; gap >= 0 && firstTouch[gap] > window)
      firstTouch[gap] = window;
    firstTouchOfTensor[tensor] = std::min(firstTouchOfTensor[tensor], window);
    lastTouchOfTensor[tensor] = window;
  }
  int32_t firstEffect(int32_t gap) const;
  /// Whether what follows the note before `slot` follows in this trial too.
  bool isAsInBase(int32_t slot);
  /// Takes the rest of the run over from the base.
  void finishAsBase(const State &note);
  void findWhatMatters();
  void runSlot(int32_t slot);
  void demand(TensorId tensor);
  void execute(StepId step, bool isFirst);
  void separate();
  void beginGaps(int32_t slot, const Decisions &decisions);
  void endWindow();
  void measure();
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_SEARCH_SIMULATOR_H
