//===- Table.h - One table, four formats ----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RENDER_TABLE_H
#define REMAT_RENDER_TABLE_H

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace remat {

/// A value of a table: a number with the digits to print, a text, or nothing.
struct Cell {
  nlohmann::json value;
  int digits = 0;
  /// A prediction; shown with a "~" before it.
  bool predicted = false;

  Cell() = default;
  Cell(std::string text) : value(std::move(text)) {}
  Cell(const char *text) : value(text) {}
  Cell(int64_t number) : value(number) {}
  Cell(double number, int digits, bool predicted = false)
      : value(number), digits(digits), predicted(predicted) {}

  /// For people: rounded, and marked if predicted.
  std::string text() const;
  /// For programs: rounded, not marked.
  std::string plainText() const;
};

/// Rows of cells below names.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Aligned for a terminal; long names of columns are broken into lines.
std::string toText(const Table &table);
/// For Markdown.
std::string toMarkdown(const Table &table);
/// CSV as in RFC 4180, without marks.
std::string toCsv(const Table &table);
/// An array of objects, in full precision; each has under "predicted" the names
/// of the columns whose values were predicted and not measured.
nlohmann::ordered_json toJson(const Table &table);
/// As a <table> whose rows can be sorted by the script of the page.
std::string toHtml(const Table &table, const std::string &id);

/// `text` with the special characters of HTML escaped.
std::string escapeHtml(const std::string &text);

} // namespace remat

#endif // REMAT_RENDER_TABLE_H
