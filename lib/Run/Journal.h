//===- Journal.h - Finished rows, to resume from --------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_RUN_JOURNAL_H
#define REMAT_LIB_RUN_JOURNAL_H

#include "remat/Run/Commands.h"

#include <map>

namespace remat::run {

/// Finished cases, in the file rows.jsonl of the work directory: one line of
/// JSON each, with the version of the schema, under a key of everything that
/// the case depends on except the programs and the machine.
class Journal {
public:
  /// Without `resume`, existing rows are discarded.
  Journal(const Settings &settings, bool resume);

  static std::string keyOf(const Settings &settings,
                           const ProgramSource &source, int64_t batch,
                           const std::string &memoryCap);

  /// The case with that key, if there is one.
  std::optional<CaseReport> find(const std::string &key) const;

  /// Adds a case; throws RunError if the file cannot be written.
  void add(const std::string &key, const CaseReport &result);

private:
  std::string path;
  std::map<std::string, ReportJson> rows;
};

} // namespace remat::run

#endif // REMAT_LIB_RUN_JOURNAL_H
