//===- Document.h - Reports as versioned JSON documents -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every report of the pass, of remat-compile and of remat-run is one JSON
// object that begins with the version of the schema and with its kind.
// docs/report-schema.md describes the fields of each kind.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_REPORT_DOCUMENT_H
#define REMAT_REPORT_DOCUMENT_H

#include <nlohmann/json_fwd.hpp>

#include <stdexcept>
#include <string>

namespace remat {

using ReportJson = nlohmann::ordered_json;

/// The version of docs/report-schema.md that reports are written and read with.
/// It changes with every change of the schema except new fields.
inline constexpr int reportSchemaVersion = 1;

/// A text is not the expected report.
struct ReportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The common fields of every report and then those of `body`, as text: one
/// line per value, or a single line.
std::string printDocument(const std::string &kind, const ReportJson &body,
                          bool singleLine = false);

/// The report of `kind` in `text`; throws ReportError if it is not one, or of
/// another version.
ReportJson parseDocument(const std::string &kind, const std::string &text);

} // namespace remat

#endif // REMAT_REPORT_DOCUMENT_H
