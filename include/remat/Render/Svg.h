//===- Svg.h - Plots as SVG -----------------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RENDER_SVG_H
#define REMAT_RENDER_SVG_H

#include <string>
#include <utility>
#include <vector>

namespace remat {

/// One line or set of points of a plot.
struct Series {
  enum class Style {
    Line,  ///< Points joined by straight lines, with a mark on each.
    Curve, ///< Likewise, without marks.
    Steps, ///< A value holds until the next point.
    Points ///< Marks alone.
  };
  std::string name;
  std::vector<std::pair<double, double>> points;
  Style style = Style::Line;
};

/// A plot with linear axes from 0, or with logarithmic ones.
struct Plot {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<Series> series;
  /// A horizontal line, e.g. a cap; drawn if it has a name.
  double level = 0;
  std::string levelName;
  /// Where the x axis begins and ends; from 0 to the last point if equal.
  double xBegin = 0;
  double xEnd = 0;
  /// Both axes go from one power of ten to another; no value may be 0.
  bool isLogarithmic = false;
};

/// The plot as one <svg> element, light or dark as the reader prefers, with its
/// title and a description for screen readers. `id` distinguishes plots of one
/// page.
std::string toSvg(const Plot &plot, const std::string &id);

/// The name of the colour of a series, "s0" to "s5".
std::string seriesClass(size_t index);

/// Round numbers that divide 0 .. `end` into about `count` parts.
std::vector<double> ticks(double begin, double end, int count);

} // namespace remat

#endif // REMAT_RENDER_SVG_H
