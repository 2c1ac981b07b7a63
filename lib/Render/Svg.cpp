//===- Svg.cpp - Plots as SVG ---------------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Render/Svg.h"

#include "remat/Render/Table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace remat;

// Outer size and margins of a plot, in units of its view box.
static constexpr double width = 640, height = 380;
static constexpr double left = 70, right = 16, top = 34, bottom = 78;

std::string remat::seriesClass(size_t index) {
  return "s" + std::to_string(index % 6);
}

/// Colours that are distinguishable on white and on black, also without red and
/// green; lines differ in their dashes too.
static const char *style =
    "<style>"
    "svg{--ink:#1b1f24;--soft:#d5dae0;--s0:#0b62c4;--s1:#c2410c;--s2:#0f766e;"
    "--s3:#7c3aed;--s4:#a16207;--s5:#475569;--level:#b91c1c;"
    "font:13px system-ui,sans-serif}"
    "@media(prefers-color-scheme:dark){svg{--ink:#e6e9ed;--soft:#3a424c;"
    "--s0:#6cb2ff;--s1:#fb923c;--s2:#5eead4;--s3:#c4b5fd;--s4:#facc15;"
    "--s5:#94a3b8;--level:#f87171}}"
    "text{fill:var(--ink)}.axis{stroke:var(--ink)}.grid{stroke:var(--soft)}"
    ".level{stroke:var(--level);stroke-width:1.5;stroke-dasharray:7 4}"
    ".line{fill:none;stroke-width:2}.area{stroke:none;opacity:.12}"
    "</style>";

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

/// A label of an axis, with as few digits as identify the value.
static std::string label(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

std::vector<double> remat::ticks(double begin, double end, int count) {
  std::vector<double> values;
  if (!(end > begin))
    return {begin};
  double raw = (end - begin) / count;
  double power = std::pow(10, std::floor(std::log10(raw)));
  double step = power;
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = power * factor;
    if (step >= raw * 0.999)
      break;
  }
  for (double value = std::ceil(begin / step) * step;
       value <= end + step * 1e-6; value += step)
    values.push_back(value);
  return values;
}

static std::string openSvg(const std::string &title,
                           const std::string &description,
                           const std::string &id, double viewWidth,
                           double viewHeight) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 "
         "0 " +
         number(viewWidth) + " " + number(viewHeight) +
         "\" aria-labelledby=\"" + id + "-t " + id + "-d\">\n<title id=\"" +
         id + "-t\">" + escapeHtml(title) + "</title>\n<desc id=\"" + id +
         "-d\">" + escapeHtml(description) + "</desc>\n" + style + "\n";
}

static std::string line(double x1, double y1, double x2, double y2,
                        const char *kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + number(x1) +
         "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
         number(y2) + "\"/>\n";
}

static std::string textAt(double x, double y, const char *anchor,
                          const std::string &content,
                          const std::string &more = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) +
         "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         escapeHtml(content) + "</text>\n";
}

namespace {
/// Maps values to positions.
struct Scale {
  double xBegin, xEnd, yBegin, yEnd;
  bool isLogarithmic;

  /// The position of a value between two others, from 0 to 1.
  double share(double value, double begin, double end) const {
    return isLogarithmic ? std::log(value / begin) / std::log(end / begin)
                         : (value - begin) / (end - begin);
  }
  double x(double value) const {
    return left + share(value, xBegin, xEnd) * (width - left - right);
  }
  double y(double value) const {
    return height - bottom -
           share(value, yBegin, yEnd) * (height - top - bottom);
  }
  std::vector<double> marks(double begin, double end, int count) const {
    if (!isLogarithmic)
      return ticks(begin, end, count);
    std::vector<double> powers;
    for (double value = begin; value < end * 1.01; value *= 10)
      powers.push_back(value);
    return powers;
  }
};
} // namespace

/// From the power of ten below all points to that above them.
static Scale logarithmicScaleOf(const Plot &plot) {
  double low[2] = {1, 1}, high[2] = {10, 10};
  bool isFirst = true;
  for (const Series &series : plot.series)
    for (const auto &[x, y] : series.points) {
      for (auto [axis, value] : {std::pair(0, x), std::pair(1, y)}) {
        double below = std::pow(10, std::floor(std::log10(value)));
        double above = std::pow(10, std::ceil(std::log10(value)));
        low[axis] = isFirst ? below : std::min(low[axis], below);
        high[axis] = std::max(isFirst ? below * 10 : high[axis], above);
      }
      isFirst = false;
    }
  return {low[0], high[0], low[1], high[1], /*isLogarithmic=*/true};
}

static Scale scaleOf(const Plot &plot) {
  if (plot.isLogarithmic)
    return logarithmicScaleOf(plot);
  Scale scale = {plot.xBegin, plot.xEnd, 0,
                 plot.levelName.empty() ? 0 : plot.level,
                 /*isLogarithmic=*/false};
  bool automatic = plot.xBegin == plot.xEnd;
  if (automatic)
    scale.xBegin = scale.xEnd = 0;
  for (const Series &series : plot.series)
    for (const auto &[x, y] : series.points) {
      if (automatic)
        scale.xEnd = std::max(scale.xEnd, x);
      scale.yEnd = std::max(scale.yEnd, y);
    }
  scale.yEnd = scale.yEnd > 0 ? scale.yEnd * 1.06 : 1;
  if (scale.xEnd <= scale.xBegin)
    scale.xEnd = scale.xBegin + 1;
  return scale;
}

static std::string drawAxes(const Plot &plot, const Scale &scale) {
  std::string text;
  double base = height - bottom;
  for (double value : scale.marks(scale.yBegin, scale.yEnd, 5)) {
    text += line(left, scale.y(value), width - right, scale.y(value), "grid");
    text += textAt(left - 6, scale.y(value) + 4, "end", label(value));
  }
  for (double value : scale.marks(scale.xBegin, scale.xEnd, 7)) {
    text += line(scale.x(value), base, scale.x(value), base + 5, "axis");
    text += textAt(scale.x(value), base + 19, "middle", label(value));
  }
  text += line(left, base, width - right, base, "axis");
  text += line(left, top, left, base, "axis");
  text += textAt((left + width - right) / 2, base + 38, "middle", plot.xLabel);
  text += textAt(0, 0, "middle", plot.yLabel,
                 " transform=\"translate(16 " + number((top + base) / 2) +
                     ") rotate(-90)\"");
  return text;
}

/// The line of a series as the data of an SVG path.
static std::string pathOf(const Series &series, const Scale &scale) {
  std::string path;
  for (size_t i = 0; i < series.points.size(); ++i) {
    const auto &[x, y] = series.points[i];
    if (i && series.style == Series::Style::Steps)
      path += "H" + number(scale.x(x));
    path += (i ? "L" : "M") + number(scale.x(x)) + " " + number(scale.y(y));
  }
  return path;
}

/// A mark around (x, y); the shapes differ as the colours do.
static std::string markPath(size_t index, double x, double y) {
  static const char *const shapes[] = {
      "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", // circle
      "m-3 -3h6v6h-6z",                                // square
      "m0 -4.5l4.5 8h-9z",                             // triangle
      "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",           // diamond
      "m0 4.5l4.5 -8h-9z",                             // triangle upside down
      "m-4 -1.5h8v3h-8z"};                             // bar
  return "M" + number(x) + " " + number(y) + shapes[index % 6];
}

static std::string drawSeries(const Series &series, size_t index,
                              const Scale &scale) {
  static const char *const dashes[] = {"",         "9 4", "2 3",
                                       "12 3 2 3", "5 5", "1 4"};
  std::string color = "var(--" + seriesClass(index) + ")";
  std::string text;
  if (series.style != Series::Style::Points && !series.points.empty()) {
    std::string path = pathOf(series, scale);
    text += "<path class=\"line\" style=\"stroke:" + color +
            "\" stroke-dasharray=\"" + dashes[index % 6] + "\" d=\"" + path +
            "\"/>\n";
    // The area below a curve of memory is filled.
    if (series.style == Series::Style::Steps)
      text += "<path class=\"area\" style=\"fill:" + color + "\" d=\"" + path +
              "V" + number(height - bottom) + "H" +
              number(scale.x(series.points.front().first)) + "Z\"/>\n";
  }
  // Marks would hide a curve of many points.
  if (series.style == Series::Style::Steps ||
      series.style == Series::Style::Curve || series.points.size() > 64)
    return text;
  for (const auto &[x, y] : series.points)
    text += "<path class=\"mark\" style=\"fill:" + color + "\" d=\"" +
            markPath(index, scale.x(x), scale.y(y)) + "\"><title>" +
            escapeHtml(series.name) + ": " + label(x) + ", " + label(y) +
            "</title></path>\n";
  return text;
}

/// The names of the series below the plot; `bottomEdge` moves down if one row
/// is not enough for them.
static std::string drawLegend(const Plot &plot, double &bottomEdge) {
  std::string text = "<g class=\"legend\">\n";
  double x = left;
  for (size_t i = 0; i < plot.series.size(); ++i) {
    // Characters are about 7 units wide.
    double needed = 30 + 7.0 * plot.series[i].name.size();
    if (x > left && x + needed > width) {
      x = left;
      bottomEdge += 18;
    }
    double y = bottomEdge - 12;
    text += "<path style=\"fill:var(--" + seriesClass(i) + ")\" d=\"" +
            markPath(i, x + 7, y - 4) + "\"/>\n" +
            textAt(x + 19, y, "start", plot.series[i].name);
    x += needed;
  }
  return text + "</g>\n";
}

std::string remat::toSvg(const Plot &plot, const std::string &id) {
  Scale scale = scaleOf(plot);
  std::string description = plot.yLabel + " against " + plot.xLabel + ".";
  for (const Series &series : plot.series)
    if (!series.points.empty())
      description += " " + series.name + ": from " +
                     label(series.points.front().second) + " at " +
                     label(series.points.front().first) + " to " +
                     label(series.points.back().second) + " at " +
                     label(series.points.back().first) + ".";
  double bottomEdge = height;
  std::string legend = drawLegend(plot, bottomEdge);
  std::string text = openSvg(plot.title, description, id, width, bottomEdge);
  text += textAt(width / 2, 18, "middle", plot.title, " font-weight=\"600\"");
  text += drawAxes(plot, scale);
  if (!plot.levelName.empty()) {
    text += line(left, scale.y(plot.level), width - right, scale.y(plot.level),
                 "level");
    text += textAt(width - right - 4, scale.y(plot.level) - 5, "end",
                   plot.levelName);
  }
  for (size_t i = 0; i < plot.series.size(); ++i)
    text += drawSeries(plot.series[i], i, scale);
  return text + legend + "</svg>\n";
}
