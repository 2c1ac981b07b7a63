//===- LateReads.h - Overwritten memory means what its values say ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of an execute region may write its result over one of its operands: an
// update of a parameter whose buffer the caller donated, say. The operand is a
// value like any other, so whoever reads it means what was there before. IREE
// 3.13 does not see to that: it lets results move into donated buffers without
// looking at who else reads those. A read is late if
//
//   after          it is scheduled after the step that overwrites the value,
//   side by side   it is in the same stream.async.concurrent, or
//   same kernel    the step that overwrites the value reads it at other places
//                  than it writes (a transpose in place, a matrix product).
//
//   step      forward     update          gradient        return
//   w         read        overwritten     read: late      w'
//
// Such a region computes something else than its program. The repair runs every
// reader before the step that overwrites; where a dependence forbids that (or
// the reader is the kernel itself, or the caller) the old value is copied into
// memory of its own first.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_LATEREADS_H
#define REMAT_IR_LATEREADS_H

#include "remat/IR/Diagnostic.h"
#include "remat/IR/Wrappers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace remat::ir {

/// One read of a value that is, or may be, overwritten by then.
struct LateRead {
  /// The function and its execute region, counted from 0.
  std::string function;
  int64_t regionIndex = 0;
  /// What is read, e.g. "argument #3".
  std::string value;
  /// The steps, by the names of their kernels; no reader where the value leaves
  /// the region.
  std::string writer;
  std::string reader;
  /// Whether they are one step, or both write over the value.
  bool isSameStep = false;
  bool isSecondWriter = false;
  /// Where the reader is.
  MlirLocation location;

  /// "argument #3 is overwritten by 'a' and then read by 'b'".
  std::string text() const;
};

/// What repairLateReads found and did.
struct LateReadRepair {
  std::vector<LateRead> lateReads;
  /// Old values that were copied, since no order of the steps avoids it.
  int64_t copies = 0;
  int64_t copyBytes = 0;
  /// stream.async.concurrent ops that were dissolved.
  int64_t dissolvedGroups = 0;

  bool changedAnything() const { return !lateReads.empty(); }
};

/// Finds the late reads of all execute regions below `root`, in the order of
/// the schedule, and leaves the IR alone. Nothing after an error was reported:
/// an op whose use of memory is unknown.
std::optional<std::vector<LateRead>> findLateReads(Op root,
                                                   const DiagnosticSink &sink);

/// A donated argument whose old value is read outside of the region that
/// overwrites it, or that two results of a region take over: no order of steps
/// repairs that, only a program that does not donate it.
struct LostArgument {
  std::string function;
  int64_t argument = 0;
  MlirLocation location;
};

/// Finds them in all functions below `root`, each once.
std::vector<LostArgument> findLostArguments(Op root);

/// Finds late reads and makes the regions compute what their values say.
/// Nothing is changed where there are none. Nothing, after an error was
/// reported, also if there are lost arguments.
std::optional<LateReadRepair> repairLateReads(Op root,
                                              const DiagnosticSink &sink);

/// The remark about `repair`, for which there was reason: how many reads were
/// late, what was done about them, and a note for each of the first.
Diagnostic describeRepair(Op root, const LateReadRepair &repair);

/// The warning about late reads, at least one, that stay as they are. `remedy`
/// says what to do about them.
Diagnostic warnOfLateReads(Op root, const std::vector<LateRead> &lateReads,
                           const std::string &remedy);

} // namespace remat::ir

#endif // REMAT_IR_LATEREADS_H
