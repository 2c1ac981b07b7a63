//===- Bounds.cpp - Lower bounds by prices on memory ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one step, the bound as a function of the price is the lowest of straight
// lines, one for each cut: its cost plus price times (bytes held - room). So it
// is concave, and its maximum lies where a rising line meets a falling one:
//
//   bound
//   ^        a '        ' b       Look where the best rising line a and the
//   |       '   '. c .'           best falling line b meet; the cut there gives
//   |      '    /---\             a new line c, or proves that this is the
//   |     '   /       \           maximum.
//   +-----------------------> price
//
//===----------------------------------------------------------------------===//

#include "Bound/Bounds.h"
#include "Bound/CutNetwork.h"
#include "Bound/MomentBound.h"
#include "Support/Deadline.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace remat::solver {
namespace {

/// Wide enough for a price times a number of bytes.
using Wide = __int128;

int64_t ceilDivide(Wide value, int64_t divisor) {
  assert(divisor > 0);
  Wide quotient = value / divisor;
  return static_cast<int64_t>(quotient + (value % divisor > 0));
}

class BoundSearch {
public:
  BoundSearch(const Problem &problem, const BoundOptions &options)
      : problem(problem), options(options), tuning(options.tuning->bound),
        index(problem), scale(CutNetwork::maxCostScale(index)),
        deadline(options.deadlineSeconds) {}

  Certificate run() {
    best.capBytes = options.capBytes;
    best.cost = index.totalCost;
    if (problem.steps.empty())
      return best;
    std::vector<int64_t> unavoidable = index.unavoidableBytes();
    auto highest = std::max_element(unavoidable.begin(), unavoidable.end());
    if (*highest > options.capBytes) {
      proveInfeasible(static_cast<StepId>(highest - unavoidable.begin()));
      return best;
    }
    findCandidates();
    evaluateCandidates();
    if (!candidates.empty())
      improve();
    return best;
  }

  /// Tries to improve a bound found earlier.
  Certificate improve(Certificate start) {
    best = std::move(start);
    if (problem.steps.empty())
      return best;
    findCandidates();
    improve();
    return best;
  }

private:
  const Problem &problem;
  const BoundOptions &options;
  const decltype(Tuning::bound) &tuning;
  ProblemIndex index;
  int64_t scale;
  Deadline deadline;
  Certificate best;
  /// Steps at which something must be dropped, in the order of the schedule.
  std::vector<StepId> candidates;
  /// The index in `candidates` of the one with the highest demand.
  size_t highestDemand = 0;

  /// A cut, as a line over the price.
  struct Line {
    double cost;
    /// Bytes held beyond the room for them.
    double slope;
  };

  bool isDone() const { return best.isInfeasible || deadline.isPast(); }

  void improve() {
    bool isEnough = options.goalCost > 0 && best.cost >= options.goalCost;
    if (options.effort <= 0 || !tuning.moments || isEnough || isDone())
      return;
    MomentOptions moments = {options.effort, options.goalCost,
                             [this] { return isDone(); }};
    if (!candidates.empty())
      moments.firstMoment = candidates[highestDemand];
    moments.tuning = options.tuning;
    improveByMoments(index, moments, best);
  }

  void proveInfeasible(StepId step) {
    if (step < static_cast<StepId>(problem.steps.size())) {
      consider(step);
      return;
    }
    best.isInfeasible = true;
    best.cost = 0;
    MinCutProof proof;
    proof.step = step;
    proof.price = 1;
    proof.costScale = 0;
    best.proof = std::move(proof);
  }

  void findCandidates() {
    std::vector<int64_t> demand = index.demandBytes();
    int64_t highest = 0;
    for (StepId id = 0; id < static_cast<StepId>(demand.size()); ++id) {
      if (demand[id] <= options.capBytes)
        continue;
      if (demand[id] > highest) {
        highest = demand[id];
        highestDemand = candidates.size();
      }
      candidates.push_back(id);
    }
  }

  /// Evaluates the candidate of the highest demand and others at even
  /// distances, then closer and closer on both sides of the best.
  void evaluateCandidates() {
    std::vector<size_t> seen;
    size_t bestPlace = highestDemand;
    auto evaluate = [&](size_t place) {
      if (isDone() || static_cast<int>(seen.size()) >= options.maxSteps ||
          std::find(seen.begin(), seen.end(), place) != seen.end())
        return false;
      seen.push_back(place);
      if (consider(candidates[place]))
        bestPlace = place;
      return true;
    };
    if (candidates.empty())
      return;
    evaluate(highestDemand);
    size_t numEven = std::max<size_t>(1, options.maxSteps / 2);
    for (size_t i = 0; i < numEven; ++i)
      evaluate((2 * i + 1) * candidates.size() / (2 * numEven));
    for (bool changed = true; changed;) {
      size_t below = 0, above = candidates.size() - 1;
      for (size_t place : seen) {
        if (place < bestPlace)
          below = std::max(below, place);
        if (place > bestPlace)
          above = std::min(above, place);
      }
      size_t middle = bestPlace;
      changed = evaluate(below + (middle - below) / 2);
      changed |= evaluate(middle + (above - middle + 1) / 2);
    }
  }

  /// Takes over the bound that the last cut of `stage` proves, if it is better.
  bool note(const CutNetwork &stage, int64_t value, int64_t price) {
    Wide scaled = Wide(value) - Wide(price) * stage.room();
    int64_t cost = index.totalCost + ceilDivide(scaled, scale);
    if (cost <= best.cost)
      return false;
    best.cost = cost;
    best.proof = stage.proof();
    return true;
  }

  /// Finds the best price for one step; true if that gives a better bound.
  bool consider(StepId step) {
    CutNetwork stage(index, step);
    int64_t excess = stage.fixedBytes + stage.readLaterBytes - options.capBytes;
    stage.setRounding(excess, 0);
    // If steps cost nothing, the cut holds as little as possible.
    if (stage.minCut(1, 0) > stage.room()) {
      best.isInfeasible = true;
      best.cost = 0;
      best.proof = stage.proof();
      return true;
    }
    if (excess <= 0)
      return false;
    bool isBetter = findPrice(stage);
    for (int64_t divisor :
         stage.divisors(tuning.rounding ? tuning.maxDivisors : 0)) {
      if (excess % divisor == 0)
        continue;
      stage.setRounding(excess, divisor);
      isBetter |= findPrice(stage);
    }
    return isBetter;
  }

  bool findPrice(CutNetwork &stage) {
    double room = static_cast<double>(stage.room());
    auto lastLine = [&] {
      return Line{static_cast<double>(stage.repeatedCost()),
                  static_cast<double>(stage.heldWeight()) - room};
    };
    stage.minCut(1, 0);
    Line falling = lastLine();
    // If memory costs nothing, the cut holds everything that is read later.
    stage.minCut(0, scale);
    Line rising = lastLine();
    bool isBetter = false;
    for (int i = 0; i < tuning.maxCuts && rising.slope > 0 &&
                    falling.slope <= 0 && !isDone();
         ++i) {
      double price =
          (falling.cost - rising.cost) / (rising.slope - falling.slope);
      double atMost = rising.cost + price * rising.slope;
      if (static_cast<double>(index.totalCost) + std::ceil(atMost - 1e-6) <=
          static_cast<double>(best.cost))
        break;
      int64_t scaledPrice = std::llround(price * static_cast<double>(scale));
      int64_t value = stage.minCut(scaledPrice, scale);
      isBetter |= note(stage, value, scaledPrice);
      Line line = lastLine();
      // At this price no cut is below the two lines that meet here.
      if (line.cost + price * line.slope >= atMost * (1 - 1e-9))
        break;
      (line.slope > 0 ? rising : falling) = line;
    }
    return isBetter;
  }
};

} // namespace

Certificate lowerBound(const Problem &problem, const BoundOptions &options) {
  return BoundSearch(problem, options).run();
}

Certificate improveBound(const Problem &problem, const BoundOptions &options,
                         Certificate start) {
  return BoundSearch(problem, options).improve(std::move(start));
}

} // namespace remat::solver
