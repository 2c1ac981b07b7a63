//===- ExactState.h - States of the exact search --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_EXACT_EXACTSTATE_H
#define REMAT_LIB_SOLVER_EXACT_EXACTSTATE_H

#include "Index/TensorIndex.h"

#include <functional>

namespace remat::solver {

/// A set of tensors, by their places in the order in which they are made.
class TensorSet {
public:
  static constexpr int capacity = 256;

  void insert(int place) { words[place / 64] |= uint64_t(1) << place % 64; }
  /// The last place, or -1.
  int last() const {
    for (int i = numWords; i-- > 0;)
      if (words[i] != 0)
        return 64 * i + 63 - __builtin_clzll(words[i]);
    return -1;
  }
  TensorSet &operator|=(const TensorSet &other) {
    for (int i = 0; i < numWords; ++i)
      words[i] |= other.words[i];
    return *this;
  }
  TensorSet operator&(const TensorSet &other) const {
    TensorSet both;
    for (int i = 0; i < numWords; ++i)
      both.words[i] = words[i] & other.words[i];
    return both;
  }
  TensorSet without(const TensorSet &other) const {
    TensorSet rest;
    for (int i = 0; i < numWords; ++i)
      rest.words[i] = words[i] & ~other.words[i];
    return rest;
  }

private:
  static constexpr int numWords = capacity / 64;
  uint64_t words[numWords] = {};
};

/// What matters of the executions so far.
struct ExactState {
  /// A storage within one state; numbers mean nothing across states.
  using Storage = uint8_t;
  static constexpr Storage unavailable = 255;

  /// The next step of the schedule.
  int16_t next = 0;
  /// The recomputation that led here, if it might have waited; or -1.
  int16_t last = -1;
  /// The slot that the next execution may join: its group or -1, its steps by
  /// their places in the group, and its memory so far.
  int32_t openGroup = -1;
  uint64_t openSteps = 0;
  int64_t openBytes = 0;
  /// The storage of the newest version of each tensor, if it can be read.
  std::vector<Storage> storageOf;

  /// Equal states have equal keys.
  std::string key() const;
  static ExactState fromKey(const std::string &key);
};

/// How executions lead from state to state within a cap.
class ExactModel {
public:
  /// More tensors, or steps that run as one slot, are too many.
  static constexpr size_t maxTensors = 240;
  static constexpr size_t maxGroup = 12;

  /// Whether something may be dropped; asked with the state after the drop.
  using DropFilter = std::function<bool(const ExactState &)>;
  using StateVisitor = std::function<void(const ExactState &)>;

  /// Plans are of interest if they cost at most `maxSlack` more than the least.
  ExactModel(const Problem &problem, int64_t capBytes, int64_t maxSlack);

  /// Whether a problem is small enough.
  static bool isSmallEnough(const Problem &problem);

  ExactState initial() const;
  bool isGoal(const ExactState &state) const;

  /// Whether it makes sense to execute `step` next.
  bool isOption(const ExactState &state, StepId step) const;

  /// Calls `reach` with all states that the execution of `step` leads to.
  /// `mayDrop` never allows more drops where it does not allow fewer.
  void execute(const ExactState &before, StepId step, const DropFilter &mayDrop,
               const StateVisitor &reach) const;

  /// The tensors that the steps from each one up to `until` read; for the
  /// number of steps, all that is read from then on and the outputs.
  std::vector<TensorSet> readsUntil(StepId until) const;
  /// The tensors that are not available.
  TensorSet missing(const ExactState &state) const;
  /// The least cost to recompute all that is read and missing, in a
  /// state whose next step is `next`; `impossible` if it cannot be.
  int64_t closureCost(TensorSet read, const TensorSet &missing,
                      StepId next) const;
  static constexpr int64_t impossible = int64_t(1) << 60;

private:
  using Storage = ExactState::Storage;

  const Problem &problem;
  const int64_t capBytes;
  const TensorIndex index;
  /// By step its group, steps of none being groups of their own, and its place
  /// there; and the steps of each group.
  std::vector<int32_t> groups;
  std::vector<int> placeInGroup;
  std::vector<std::vector<StepId>> membersOf;
  /// By step: nothing it makes shares storage with something else.
  std::vector<char> isPlain;
  /// By next step and tensor: something may need it.
  std::vector<std::vector<char>> isUseful;
  /// By tensor its place in the order of makers, and by place the maker.
  std::vector<int> placeOf;
  std::vector<StepId> makerAt;
  /// By step: what it reads and makes; and all that is made before it.
  std::vector<TensorSet> operandsOf, resultsOf, madeBefore;

  bool isAlone(StepId step) const {
    return membersOf[groups[step]].size() == 1;
  }
  bool joinsOpenSlot(const ExactState &state, StepId step) const;
  void findSets();
  void findUseful(int64_t maxSlack);
  void normalize(ExactState &state) const;
  int64_t joiningBytes(StepId step) const;
  std::vector<int64_t> roomsToLeave(const ExactState &state) const;
  void apply(ExactState &state, StepId step,
             std::vector<Storage> &touched) const;
  void openSlot(const ExactState &before, ExactState &state,
                const std::vector<Storage> &touched, StepId step,
                const DropFilter &mayDrop, const StateVisitor &reach) const;
  bool couldHaveWaited(const ExactState &before, const ExactState &after,
                       StepId step) const;
};

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_EXACT_EXACTSTATE_H
