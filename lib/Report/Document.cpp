//===- Document.cpp - Reports as versioned JSON documents -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Report/Document.h"

#include <nlohmann/json.hpp>

using namespace remat;

std::string remat::printDocument(const std::string &kind,
                                 const ReportJson &body, bool singleLine) {
  ReportJson json = {{"schema_version", reportSchemaVersion}, {"kind", kind}};
  json.update(body);
  return json.dump(singleLine ? -1 : 1) + "\n";
}

ReportJson remat::parseDocument(const std::string &kind,
                                const std::string &text) {
  ReportJson json =
      ReportJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object())
    throw ReportError("invalid report; expected a JSON object");
  ReportJson version = json.value("schema_version", ReportJson());
  if (version != reportSchemaVersion)
    throw ReportError("unknown schema version " + version.dump() +
                      " of a report; expected " +
                      std::to_string(reportSchemaVersion));
  ReportJson found = json.value("kind", ReportJson());
  if (found != kind)
    throw ReportError("invalid report of kind " + found.dump() +
                      "; expected \"" + kind + "\"");
  return json;
}
