//===- Table.cpp - One table, four formats --------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Render/Table.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

using namespace remat;
using Json = nlohmann::ordered_json;

std::string Cell::plainText() const {
  if (value.is_null())
    return "";
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_number_float()) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.*f", digits, value.get<double>());
    // No "-0.00".
    bool isZero =
        std::string(text).find_first_not_of("-0.") == std::string::npos;
    return isZero && text[0] == '-' ? text + 1 : text;
  }
  return value.dump();
}

std::string Cell::text() const {
  if (value.is_null())
    return "-";
  return (predicted ? "~" : "") + plainText();
}

/// Splits the name of a column into lines of about ten characters.
static std::vector<std::string> wrap(const std::string &name) {
  std::vector<std::string> lines(1);
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + word.size() >= 11)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

/// `text` in a field of `width` characters; "~" and "-" count as one, and all
/// other text that we print is ASCII.
static std::string pad(const std::string &text, size_t width, bool right) {
  std::string blanks(width > text.size() ? width - text.size() : 0, ' ');
  return right ? blanks + text : text + blanks;
}

static bool isNumeric(const Table &table, size_t column) {
  for (const std::vector<Cell> &row : table.rows)
    if (row[column].value.is_string())
      return false;
  return true;
}

std::string remat::toText(const Table &table) {
  std::vector<std::vector<std::string>> headings;
  size_t headingLines = 0;
  std::vector<size_t> widths;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    headings.push_back(wrap(table.columns[column]));
    headingLines = std::max(headingLines, headings.back().size());
    size_t width = 0;
    for (const std::string &line : headings.back())
      width = std::max(width, line.size());
    for (const std::vector<Cell> &row : table.rows)
      width = std::max(width, row[column].text().size());
    widths.push_back(width);
  }
  std::string text = table.title.empty() ? "" : table.title + "\n";
  auto addLine = [&](auto cellText) {
    std::string line;
    for (size_t column = 0; column < widths.size(); ++column)
      line += (column ? "  " : "") +
              pad(cellText(column), widths[column], isNumeric(table, column));
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  for (size_t i = 0; i < headingLines; ++i)
    addLine([&](size_t column) {
      size_t skipped = headingLines - headings[column].size();
      return i < skipped ? std::string() : headings[column][i - skipped];
    });
  addLine([&](size_t column) { return std::string(widths[column], '-'); });
  for (const std::vector<Cell> &row : table.rows)
    addLine([&](size_t column) { return row[column].text(); });
  return text;
}

std::string remat::toMarkdown(const Table &table) {
  std::string text, rule;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    text += "| " + table.columns[column] + " ";
    rule += isNumeric(table, column) ? "|--:" : "|--";
  }
  text += "|\n" + rule + "|\n";
  for (const std::vector<Cell> &row : table.rows) {
    for (const Cell &cell : row) {
      std::string shown = cell.text();
      for (size_t at = 0; (at = shown.find('|', at)) != std::string::npos;
           at += 2)
        shown.insert(at, "\\");
      text += "| " + shown + " ";
    }
    text += "|\n";
  }
  return text;
}

static std::string csvField(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char character : text)
    quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + "\"";
}

std::string remat::toCsv(const Table &table) {
  std::string text;
  for (size_t column = 0; column < table.columns.size(); ++column)
    text += (column ? "," : "") + csvField(table.columns[column]);
  text += "\r\n";
  for (const std::vector<Cell> &row : table.rows) {
    for (size_t column = 0; column < row.size(); ++column)
      text += (column ? "," : "") + csvField(row[column].plainText());
    text += "\r\n";
  }
  return text;
}

Json remat::toJson(const Table &table) {
  Json rows = Json::array();
  for (const std::vector<Cell> &row : table.rows) {
    Json object;
    Json predicted = Json::array();
    for (size_t column = 0; column < row.size(); ++column) {
      object[table.columns[column]] = row[column].value;
      if (row[column].predicted)
        predicted.push_back(table.columns[column]);
    }
    object["predicted"] = predicted;
    rows.push_back(object);
  }
  return rows;
}

std::string remat::escapeHtml(const std::string &text) {
  std::string result;
  for (char character : text) {
    switch (character) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += character;
    }
  }
  return result;
}

std::string remat::toHtml(const Table &table, const std::string &id) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"" +
                     escapeHtml(table.title) + "\">\n<table id=\"" + id +
                     "\">\n<caption>" + escapeHtml(table.title) +
                     "</caption>\n<thead><tr>";
  for (size_t column = 0; column < table.columns.size(); ++column)
    text += std::string("<th scope=\"col\"") +
            (isNumeric(table, column) ? " class=\"number\"" : "") +
            "><button type=\"button\">" + escapeHtml(table.columns[column]) +
            "</button></th>";
  text += "</tr></thead>\n<tbody>\n";
  for (size_t row = 0; row < table.rows.size(); ++row) {
    text += "<tr data-row=\"" + std::to_string(row) + "\">";
    for (size_t column = 0; column < table.columns.size(); ++column) {
      const Cell &cell = table.rows[row][column];
      std::string key = cell.value.is_null()     ? ""
                        : cell.value.is_string() ? cell.value.get<std::string>()
                                                 : cell.value.dump();
      text += std::string("<td") +
              (isNumeric(table, column) ? " class=\"number\"" : "") +
              " data-key=\"" + escapeHtml(key) + "\">" +
              escapeHtml(cell.text()) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n</div>\n";
}
