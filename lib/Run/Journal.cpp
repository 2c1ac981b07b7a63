//===- Journal.cpp - Finished rows, to resume from ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Journal.h"

#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

#include <sstream>

using namespace remat;
using namespace remat::run;
using Json = ReportJson;

Journal::Journal(const Settings &settings, bool resume)
    : path(settings.workDirectory + "/rows.jsonl") {
  std::string error;
  std::optional<std::string> text;
  if (resume)
    text = readFile(path, error);
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line);) {
    Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (row.is_object() && row.contains("key") && row.contains("case") &&
        row.value("schema_version", Json()) == reportSchemaVersion)
      rows[row["key"]] = row["case"];
  }
}

std::string Journal::keyOf(const Settings &settings,
                           const ProgramSource &source, int64_t batch,
                           const std::string &memoryCap) {
  Json key = {source.path,
              source.model,
              source.modelOptions,
              batch,
              memoryCap,
              settings.target,
              settings.device,
              settings.seed,
              settings.repetitions,
              settings.ireeFlags,
              settings.solver,
              settings.deadlineSeconds,
              settings.keepOrder,
              settings.costsFile};
  return key.dump();
}

std::optional<CaseReport> Journal::find(const std::string &key) const {
  auto row = rows.find(key);
  if (row == rows.end())
    return std::nullopt;
  try {
    return caseFromJson(row->second);
  } catch (const Json::exception &) {
    return std::nullopt; // a damaged row
  }
}

void Journal::add(const std::string &key, const CaseReport &result) {
  rows[key] = toJson(result);
  std::string text, error;
  for (const auto &[name, row] : rows)
    text += Json({{"schema_version", reportSchemaVersion},
                  {"key", name},
                  {"case", row}})
                .dump() +
            "\n";
  if (!writeFile(path, text, error))
    throw RunError(error);
}
