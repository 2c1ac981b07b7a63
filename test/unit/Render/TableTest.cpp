//===- TableTest.cpp - One table, four formats ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Render/Table.h"

#include <gtest/gtest.h>

using namespace remat;

static Table example() {
  Table table;
  table.title = "T <1>";
  table.columns = {"Name", "Final Peak Memory (GB)", "Time"};
  table.rows = {{Cell("a|b,\"c\""), Cell(1.23456, 2), Cell(10.0, 1, true)},
                {Cell("d"), Cell(), Cell(-0.001, 1)}};
  return table;
}

TEST(Table, Text) {
  EXPECT_EQ(toText(example()), "T <1>\n"
                               "          Final Peak\n"
                               "Name     Memory (GB)   Time\n"
                               "-------  -----------  -----\n"
                               "a|b,\"c\"         1.23  ~10.0\n"
                               "d                  -    0.0\n");
}

TEST(Table, Markdown) {
  EXPECT_EQ(toMarkdown(example()), "| Name | Final Peak Memory (GB) | Time |\n"
                                   "|--|--:|--:|\n"
                                   "| a\\|b,\"c\" | 1.23 | ~10.0 |\n"
                                   "| d | - | 0.0 |\n");
}

TEST(Table, Csv) {
  EXPECT_EQ(toCsv(example()), "Name,Final Peak Memory (GB),Time\r\n"
                              "\"a|b,\"\"c\"\"\",1.23,10.0\r\n"
                              "d,,0.0\r\n");
}

TEST(Table, JsonHasFullPrecisionAndNamesPredictions) {
  nlohmann::ordered_json json = toJson(example());
  EXPECT_EQ(json[0]["Final Peak Memory (GB)"], 1.23456);
  EXPECT_EQ(json[0]["predicted"], nlohmann::ordered_json({"Time"}));
  EXPECT_TRUE(json[1]["Final Peak Memory (GB)"].is_null());
  EXPECT_TRUE(json[1]["predicted"].empty());
}

TEST(Table, HtmlIsEscaped) {
  std::string html = toHtml(example(), "t");
  EXPECT_NE(html.find("<caption>T &lt;1&gt;</caption>"), std::string::npos);
  EXPECT_NE(html.find("a|b,&quot;c&quot;</td>"), std::string::npos);
  EXPECT_NE(html.find("data-key=\"1.23456\">1.23</td>"), std::string::npos);
}
