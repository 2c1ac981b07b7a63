//===- Fields.h - Fields of reports, written and read by one list ---------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type of report lists its fields once, in a function
//
//   template <typename Report, typename Visit>
//   void visitFields(Report &report, Visit &&visit) {
//     visit("cap_bytes", report.capBytes); ...
//
// which is called with a fieldWriter() or a fieldReader().
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_REPORT_FIELDS_H
#define REMAT_LIB_REPORT_FIELDS_H

#include "remat/Report/Document.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace remat {

/// `value` as JSON; null stands for a value that is absent.
template <typename T> ReportJson fieldToJson(const T &value) { return value; }
template <typename T> ReportJson fieldToJson(const std::optional<T> &value) {
  return value ? ReportJson(*value) : ReportJson(nullptr);
}

/// The reverse of fieldToJson(); throws nlohmann's exceptions.
template <typename T> void readField(const ReportJson &json, T &value) {
  json.get_to(value);
}
template <typename T>
void readField(const ReportJson &json, std::optional<T> &value) {
  if (json.is_null())
    value.reset();
  else
    value = json.get<T>();
}

/// A visitor that writes each field that `visitFields` passes to it.
inline auto fieldWriter(ReportJson &json) {
  return [&json](const char *name, const auto &value) {
    json[name] = fieldToJson(value);
  };
}

/// A visitor that reads each field; throws nlohmann's exceptions.
inline auto fieldReader(const ReportJson &json) {
  return [&json](const char *name, auto &value) {
    readField(json.at(name), value);
  };
}

/// The object of `kind` in `text`, which `read` turns into a report. Throws
/// ReportError if a field is missing.
template <typename Read>
auto parseReport(const std::string &kind, const std::string &text, Read read) {
  ReportJson json = parseDocument(kind, text);
  try {
    return read(json);
  } catch (const ReportJson::exception &error) {
    throw ReportError("invalid report of kind '" + kind + "': " + error.what());
  }
}

} // namespace remat

#endif // REMAT_LIB_REPORT_FIELDS_H
