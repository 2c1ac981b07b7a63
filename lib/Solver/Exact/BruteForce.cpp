//===- BruteForce.cpp - The oracle: exhaustive search ---------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dijkstra's algorithm over states. A state says which step of the schedule is
// next, which tensors are available, and in which storages they live. An edge
// executes one step: the next of the schedule, or an old one again.
//
// What is available may stay so for nothing, and more is never worse than less;
// so storages are evicted only where an execution would not fit otherwise, and
// then as few as possible. In a slot of several steps a storage cannot be
// evicted half-way, so the first step of such a slot tries every subset.
//
//===----------------------------------------------------------------------===//

#include "Exact/BruteForce.h"

#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace remat::solver {
namespace {

/// A storage within one state; numbers mean nothing across states.
using Storage = int8_t;
constexpr Storage unavailable = -1;

struct State {
  /// The storage of the newest version of each tensor, if it can be read.
  std::vector<Storage> storageOf;
  /// The next step of the schedule.
  int32_t next = 0;
  /// The slot that the next execution may join: its group (or -1), its steps,
  /// and its memory so far.
  int32_t openGroup = -1;
  uint64_t openSteps = 0;
  int64_t openBytes = 0;

  /// Equal states have equal keys.
  std::string key() const {
    std::string text(storageOf.begin(), storageOf.end());
    auto append = [&](auto value) {
      text.append(reinterpret_cast<const char *>(&value), sizeof(value));
    };
    append(next);
    append(openGroup);
    append(openSteps);
    append(openBytes);
    return text;
  }
};

/// A state as it was first reached at its cost.
struct Node {
  State state;
  int64_t cost;
  size_t parent;
  StepId step;
};

constexpr size_t noParent = static_cast<size_t>(-1);

class Search {
public:
  Search(const Problem &problem, double deadlineSeconds)
      : problem(problem), deadline(deadlineSeconds) {
    std::vector<char> isPermanentRoot(problem.tensors.size(), false);
    for (TensorId input : problem.inputs)
      if (problem.tensors[input].kind != TensorKind::Donated)
        isPermanentRoot[problem.storageRoot(input)] = true;
    initial.storageOf.assign(problem.tensors.size(), unavailable);
    // Storages that never go come first and are counted once for all.
    for (bool permanent : {true, false}) {
      for (TensorId input : problem.inputs) {
        if (problem.tensors[input].alias >= 0 ||
            isPermanentRoot[input] != permanent)
          continue;
        initial.storageOf[input] = numInputStorages++;
        if (permanent) {
          ++numPermanent;
          permanentBytes += problem.tensors[input].bytes;
        }
      }
    }
    for (TensorId input : problem.inputs)
      initial.storageOf[input] = initial.storageOf[problem.storageRoot(input)];
    for (const Step &step : problem.steps)
      if (step.group >= 0)
        ++groupSizes[step.group];
  }

  /// The cheapest plan within `capBytes`, or nothing if there is none or the
  /// deadline passed.
  std::optional<Plan> run(int64_t capBytes) {
    cap = capBytes;
    nodes.clear();
    bestCost.clear();
    queue = {};
    reach(initial, 0, noParent, -1);
    while (!queue.empty()) {
      if (pastDeadline())
        return std::nullopt;
      size_t at = queue.top().second;
      queue.pop();
      // A cheaper way to the same state was found after this one was queued.
      if (nodes[at].cost > bestCost[nodes[at].state.key()])
        continue;
      if (isGoal(nodes[at].state))
        return planTo(at);
      expand(at);
    }
    return std::nullopt;
  }

  bool timedOut() const { return hasTimedOut; }

private:
  const Problem &problem;
  Deadline deadline;
  bool hasTimedOut = false;
  uint64_t numPops = 0;

  State initial;
  Storage numInputStorages = 0;
  Storage numPermanent = 0;
  int64_t permanentBytes = 0;
  std::unordered_map<int32_t, int> groupSizes;

  int64_t cap = 0;
  std::vector<Node> nodes;
  std::unordered_map<std::string, int64_t> bestCost;
  /// Cost and index of a node; the index breaks ties by age.
  using Entry = std::pair<int64_t, size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;

  bool pastDeadline() {
    if (++numPops % 256 == 0)
      hasTimedOut = deadline.isPast();
    return hasTimedOut;
  }

  bool isGoal(const State &state) const {
    return state.next == static_cast<int32_t>(problem.steps.size()) &&
           std::all_of(problem.outputs.begin(), problem.outputs.end(),
                       [&](TensorId output) {
                         return state.storageOf[output] != unavailable;
                       });
  }

  Plan planTo(size_t at) const {
    Plan plan;
    for (; nodes[at].parent != noParent; at = nodes[at].parent)
      plan.sequence.push_back(nodes[at].step);
    std::reverse(plan.sequence.begin(), plan.sequence.end());
    return plan;
  }

  void reach(State state, int64_t cost, size_t parent, StepId step) {
    renumber(state);
    auto [entry, isNew] = bestCost.emplace(state.key(), cost);
    if (!isNew && entry->second <= cost)
      return;
    entry->second = cost;
    queue.push({cost, nodes.size()});
    nodes.push_back({std::move(state), cost, parent, step});
  }

  /// Numbers the storages in the order in which tensors refer to them.
  void renumber(State &state) const {
    std::vector<Storage> newNumber(2 * problem.tensors.size() + 1, -1);
    Storage count = numPermanent;
    for (Storage &storage : state.storageOf) {
      if (storage < numPermanent)
        continue;
      if (newNumber[storage] < 0)
        newNumber[storage] = count++;
      storage = newNumber[storage];
    }
  }

  void expand(size_t at) {
    StepId next = nodes[at].state.next;
    for (StepId step = 0; step <= next; ++step) {
      if (step == static_cast<StepId>(problem.steps.size()))
        break;
      // A reference to the node would not survive the growth of `nodes`.
      State state = nodes[at].state;
      if (!canRun(state, step) || (step < next && !isUseful(state, step)))
        continue;
      execute(at, std::move(state), step);
    }
  }

  bool canRun(const State &state, StepId step) const {
    for (TensorId operand : problem.steps[step].operands)
      if (state.storageOf[operand] == unavailable)
        return false;
    return step == state.next || problem.steps[step].mayRecompute();
  }

  /// Whether `step` would run in the open slot.
  bool joinsOpenSlot(const State &state, StepId step) const {
    return state.openGroup >= 0 &&
           problem.steps[step].group == state.openGroup &&
           !(state.openSteps >> step & 1);
  }

  /// Running a step again helps if a result is missing, if a result gets a
  /// storage of its own that it had to share before, or if it ends a slot that
  /// the next step would have joined.
  bool isUseful(const State &state, StepId step) const {
    for (TensorId result : problem.steps[step].results) {
      Storage storage = state.storageOf[result];
      if (storage == unavailable ||
          std::count(state.storageOf.begin(), state.storageOf.end(), storage) >
              1)
        return true;
    }
    return state.openGroup >= 0 && !joinsOpenSlot(state, step);
  }

  /// Reaches all states that the execution of `step` in `state` leads to.
  void execute(size_t parent, State state, StepId id) {
    const Step &step = problem.steps[id];
    const State before = state;
    uint64_t bit = uint64_t(1) << id;
    bool isGrouped = step.group >= 0 && groupSizes.at(step.group) > 1;
    bool joins =
        isGrouped && step.group == state.openGroup && !(state.openSteps & bit);

    // Apply the step; `touched` collects what its slot must hold.
    std::vector<Storage> touched;
    int64_t newBytes = 0;
    for (TensorId operand : step.operands)
      touched.push_back(state.storageOf[operand]);
    for (const InPlace &pair : step.inPlace) {
      Storage storage = state.storageOf[pair.operand];
      // Only the result can be read in this storage from now on; it takes its
      // place below.
      for (Storage &other : state.storageOf)
        if (other == storage)
          other = unavailable;
      state.storageOf[pair.result] = storage;
    }
    Storage fresh = static_cast<Storage>(problem.tensors.size());
    for (TensorId result : step.results) {
      TensorId alias = problem.tensors[result].alias;
      if (alias < 0) {
        state.storageOf[result] = fresh;
        touched.push_back(fresh++);
        newBytes += problem.tensors[result].bytes;
      } else if (!isInPlace(step, result)) {
        state.storageOf[result] = state.storageOf[alias];
      }
    }
    state.next += id == state.next;
    int64_t cost = nodes[parent].cost + step.cost;

    if (joins) {
      state.openBytes += newBytes + step.workspaceBytes;
      state.openSteps |= bit;
      if (state.openBytes <= cap)
        reach(std::move(state), cost, parent, id);
      return;
    }
    state.openGroup = isGrouped ? step.group : -1;
    state.openSteps = isGrouped ? bit : 0;
    giveUp(state, touched, before, isGrouped, cost, parent, id);
  }

  static bool isInPlace(const Step &step, TensorId result) {
    return std::any_of(
        step.inPlace.begin(), step.inPlace.end(),
        [&](const InPlace &pair) { return pair.result == result; });
  }

  /// Opens a slot for step `id`, whose effect is already in `state`, with every
  /// (or every largest) set of other storages besides those it touches.
  void giveUp(const State &state, std::vector<Storage> touched,
              const State &before, bool everySubset, int64_t cost,
              size_t parent, StepId id) {
    // The bytes of each storage that is needed or may be kept.
    std::vector<int64_t> bytes(2 * problem.tensors.size() + 1, -1);
    for (const State *which : {&before, &state})
      for (TensorId tensor = 0;
           tensor < static_cast<TensorId>(problem.tensors.size()); ++tensor)
        if (Storage storage = which->storageOf[tensor]; storage >= 0)
          bytes[storage] = problem.tensors[problem.storageRoot(tensor)].bytes;

    int64_t needed = permanentBytes + problem.steps[id].workspaceBytes;
    std::vector<char> isNeeded(bytes.size(), false);
    // Donated inputs are there in the first slot, needed or not.
    bool isFirst = nodes[parent].parent == noParent;
    if (isFirst)
      touched.insert(touched.end(), before.storageOf.begin(),
                     before.storageOf.end());
    for (Storage storage : touched) {
      if (storage < numPermanent || isNeeded[storage])
        continue;
      isNeeded[storage] = true;
      needed += bytes[storage];
    }
    if (needed > cap)
      return;
    std::vector<Storage> optional;
    for (Storage storage : state.storageOf)
      if (storage >= numPermanent && !isNeeded[storage] &&
          std::find(optional.begin(), optional.end(), storage) ==
              optional.end())
        optional.push_back(storage);

    for (uint64_t kept = 0; kept < uint64_t(1) << optional.size(); ++kept) {
      int64_t total = needed;
      for (size_t i = 0; i < optional.size(); ++i)
        if (kept >> i & 1)
          total += bytes[optional[i]];
      if (total > cap)
        continue;
      bool isLargest = true;
      for (size_t i = 0; i < optional.size(); ++i)
        if (!(kept >> i & 1) && total + bytes[optional[i]] <= cap)
          isLargest = false;
      if (!isLargest && !everySubset)
        continue;
      State reached = state;
      for (size_t i = 0; i < optional.size(); ++i)
        if (!(kept >> i & 1))
          std::replace(reached.storageOf.begin(), reached.storageOf.end(),
                       optional[i], unavailable);
      reached.openBytes = everySubset ? total : 0;
      reach(std::move(reached), cost, parent, id);
    }
  }
};

} // namespace

/// Whether `step` reads what `maker` makes.
static bool readsResultOf(const Step &step, const Step &maker) {
  for (TensorId operand : step.operands)
    if (std::find(maker.results.begin(), maker.results.end(), operand) !=
        maker.results.end())
      return true;
  return false;
}

/// Moves every recomputation of `plan` to just before what needs it, as far as
/// the plan stays valid and its peak does not rise. The search leaves them
/// wherever they fit; people expect them there.
static Plan delayRecomputations(const Problem &problem, Plan plan) {
  std::vector<StepId> &sequence = plan.sequence;
  int64_t peakBytes = validate(problem, plan).peakBytes;
  auto isBetweenStepsOfAGroup = [&](size_t place) {
    if (place == 0 || place + 1 == sequence.size())
      return false;
    int32_t group = problem.steps[sequence[place - 1]].group;
    return group >= 0 && group == problem.steps[sequence[place + 1]].group;
  };
  for (size_t i = sequence.size(); i-- > 0;) {
    auto begin = sequence.begin();
    if (std::find(begin, begin + i, sequence[i]) == begin + i)
      continue; // the first execution
    std::vector<StepId> best = sequence;
    for (size_t place = i; place + 1 < sequence.size() &&
                           !readsResultOf(problem.steps[sequence[place + 1]],
                                          problem.steps[sequence[place]]);
         ++place) {
      std::swap(sequence[place], sequence[place + 1]);
      Validation moved = validate(problem, plan);
      if (moved.valid() && moved.peakBytes <= peakBytes &&
          !isBetweenStepsOfAGroup(place + 1))
        best = sequence;
    }
    sequence = best;
  }
  return plan;
}

bool isSmallEnoughForBruteForce(const Problem &problem) {
  return problem.steps.size() <= bruteForceMaxSteps &&
         problem.tensors.size() <= bruteForceMaxTensors;
}

void searchExhaustively(PlannerContext &context) {
  const Problem &problem = context.problem;
  if (!isSmallEnoughForBruteForce(problem))
    return;
  auto offer = [&](Plan plan) {
    context.offer(delayRecomputations(problem, std::move(plan)), "brute-force");
  };
  Search search(problem, context.options.deadlineSeconds);
  if (std::optional<Plan> plan = search.run(context.options.capBytes)) {
    offer(std::move(*plan));
    context.findings.lowerBoundCost = context.best()->cost;
    return;
  }
  // The lowest cap that can be met, by bisection: `low` cannot, `high` can.
  Plan lowest = originalPlan(problem);
  int64_t originalPeak = computeTimeline(problem, lowest).peakBytes;
  int64_t low = std::min(context.options.capBytes, originalPeak),
          high = originalPeak;
  while (!search.timedOut() && high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (std::optional<Plan> plan = search.run(middle)) {
      high = middle;
      lowest = std::move(*plan);
    } else {
      low = middle;
    }
  }
  offer(std::move(lowest));
  if (search.timedOut())
    return;
  context.findings.isInfeasible = true;
  context.findings.lowestPeakBytes = context.lowest()->peakBytes;
}

} // namespace remat::solver
