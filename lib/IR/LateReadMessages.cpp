//===- LateReadMessages.cpp - What to say about late reads ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/IR/LateReads.h"

#include <algorithm>

using namespace remat;
using namespace remat::ir;

/// So many late reads are listed one by one.
static constexpr size_t maxNotes = 8;

/// "1 read", "3 reads".
static std::string counted(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static void addNotes(Diagnostic &diagnostic,
                     const std::vector<LateRead> &lateReads) {
  for (size_t i = 0; i < std::min(maxNotes, lateReads.size()); ++i)
    diagnostic.note(lateReads[i].location, lateReads[i].text());
}

Diagnostic ir::describeRepair(Op root, const LateReadRepair &repair) {
  std::string message =
      "repaired " + counted(repair.lateReads.size(), "read") +
      " of donated or overwritten memory that the schedule placed too late: ";
  message += repair.copies == 0
                 ? "every reader now runs before the step that overwrites"
                 : "kept " + std::to_string(repair.copies) +
                       (repair.copies == 1 ? " copy (" : " copies (") +
                       std::to_string(repair.copyBytes) +
                       " bytes) of old values, since no order of the steps "
                       "avoids that";
  Diagnostic remark{Severity::Remark, root.location(), message, {}};
  addNotes(remark, repair.lateReads);
  return remark;
}

Diagnostic ir::warnOfLateReads(Op root, const std::vector<LateRead> &lateReads,
                               const std::string &remedy) {
  Diagnostic warning{Severity::Warning,
                     root.location(),
                     "the results will be wrong: IREE's schedule has " +
                         counted(lateReads.size(), "read") +
                         " of donated or overwritten memory that " +
                         (lateReads.size() == 1 ? "comes" : "come") +
                         " too late; " + remedy,
                     {}};
  addNotes(warning, lateReads);
  return warning;
}
