//===- WorkingPlan.cpp - A plan under construction ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/WorkingPlan.h"

#include <cassert>

namespace remat::solver {

WorkingPlan::WorkingPlan(const GapEncoding &encoding, Simulator &simulator)
    : simulator(simulator), placeOf(encoding.numDecisions(), -1) {}

void WorkingPlan::start(const Decisions &decisions, int64_t capBytes) {
  assert(decisions.size() == placeOf.size() && "decisions of another problem");
  cap = capBytes;
  current = decisions;
  rebase();
}

void WorkingPlan::rebase() {
  for (auto [at, decision] : changed)
    placeOf[at] = -1;
  changed.clear();
  base = current;
  measured = PlanMeasures(simulator.setBase(base), cap);
}

void WorkingPlan::undo() {
  for (auto [at, decision] : changed) {
    current[at] = base[at];
    placeOf[at] = -1;
  }
  changed.clear();
}

bool WorkingPlan::isBase() const {
  return std::all_of(changed.begin(), changed.end(), [&](auto change) {
    return change.second == base[change.first];
  });
}

void WorkingPlan::change(int32_t at, int16_t decision) {
  assert(decision >= retain && "an overflowed decision");
  current[at] = decision;
  if (placeOf[at] < 0) {
    placeOf[at] = static_cast<int32_t>(changed.size());
    changed.emplace_back(at, decision);
  }
  changed[placeOf[at]].second = decision;
}

void WorkingPlan::change(const Changes &more) {
  for (auto [at, decision] : more)
    change(at, decision);
}

void WorkingPlan::measure() { measured = PlanMeasures(simulate({}), cap); }

const Outcome &WorkingPlan::simulate(const Changes &more) {
  size_t size = changed.size();
  changed.insert(changed.end(), more.begin(), more.end());
  const Outcome &outcome = simulator.tryChanges(changed);
  changed.resize(size);
  return outcome;
}

void WorkingPlan::apply(const Changes &more, PlanMeasures after) {
  change(more);
  measured = std::move(after);
}

} // namespace remat::solver
