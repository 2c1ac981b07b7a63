//===- SvgTest.cpp - Plots ------------------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Render/Svg.h"

#include <gtest/gtest.h>

using namespace remat;

TEST(Svg, Ticks) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks(0, 1, 2), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(ticks(3, 3, 5), (std::vector<double>{3}));
}

static size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

// Two points of one series, and a cap; the description has them for readers who
// cannot see the plot.
TEST(Svg, PlotHasMarksLegendLevelAndDescription) {
  Plot plot;
  plot.title = "A < B";
  plot.xLabel = "batch";
  plot.yLabel = "GB";
  plot.series = {{"with", {{1, 2}, {2, 4}}, Series::Style::Line}};
  plot.level = 3;
  plot.levelName = "cap";
  std::string svg = toSvg(plot, "p");
  EXPECT_EQ(count(svg, "class=\"mark\""), 2u);
  EXPECT_EQ(count(svg, "class=\"level\""), 1u);
  EXPECT_EQ(count(svg, ">with</text>"), 1u);
  EXPECT_NE(svg.find("A &lt; B</title>"), std::string::npos);
  EXPECT_NE(svg.find("with: from 2 at 1 to 4 at 2."), std::string::npos);
}

// A curve of memory is a line and the area below it.
TEST(Svg, StepsAreFilled) {
  Plot plot;
  plot.series = {{"after", {{0, 2}, {1, 4}}, Series::Style::Steps}};
  std::string svg = toSvg(plot, "p");
  EXPECT_EQ(count(svg, "class=\"line\""), 1u);
  EXPECT_EQ(count(svg, "class=\"area\""), 1u);
  EXPECT_EQ(count(svg, "class=\"mark\""), 0u);
}

// Names that do not fit into one row make the picture higher; they do not
// overlap.
TEST(Svg, LegendOfSeveralRows) {
  Plot plot;
  for (int i = 0; i < 6; ++i)
    plot.series.push_back(
        {"a name of thirty characters, " + std::to_string(i), {}});
  EXPECT_NE(toSvg(plot, "p").find("viewBox=\"0 0 640.00 416.00\""),
            std::string::npos);
}

// From 200 to 20,000 the axis goes from 100 to 100,000; equal factors are equal
// distances.
TEST(Svg, LogarithmicAxes) {
  Plot plot;
  plot.isLogarithmic = true;
  plot.series = {{"chain", {{200, 0.5}, {20000, 5}}, Series::Style::Line}};
  std::string svg = toSvg(plot, "p");
  for (const char *mark :
       {">100<", ">1000<", ">10000<", ">100000<", ">0.1<", ">1<", ">10<"})
    EXPECT_EQ(count(svg, mark), 1u) << mark;
  EXPECT_EQ(count(svg, ">0<"), 0u);
}

TEST(Svg, EmptyPlot) { EXPECT_EQ(count(toSvg(Plot(), "p"), "</svg>"), 1u); }
