//===- MemoryMap.cpp - Tensors in memory over time, as SVG --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryMap.h"

#include <algorithm>
#include <cstdio>

using namespace remat;
using namespace remat::run;

// The size of a map in units of its view box, which is stretched to the page.
static constexpr double mapWidth = 960, mapHeight = 300;

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

namespace {
/// A live range with a place in memory.
struct Placed {
  size_t tensor;
  size_t version;
  SlotRange range;
  int64_t offset;
};
} // namespace

/// First fit in the order of size, for the picture only. O(n^2).
static std::vector<Placed> place(const Analysis &analysis, bool after) {
  std::vector<Placed> ranges;
  for (size_t i = 0; i < analysis.tensors.size(); ++i) {
    const TensorView &view = analysis.tensors[i];
    if (!after)
      ranges.push_back({i, 0, view.before, 0});
    for (size_t version = 0; after && version < view.after.size(); ++version)
      ranges.push_back({i, version, view.after[version], 0});
  }
  auto bytes = [&](const Placed &placed) {
    return analysis.tensors[placed.tensor].bytes;
  };
  std::stable_sort(ranges.begin(), ranges.end(),
                   [&](const Placed &left, const Placed &right) {
                     return bytes(left) > bytes(right);
                   });
  for (size_t i = 0; i < ranges.size(); ++i) {
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (size_t k = 0; k < i; ++k)
      if (ranges[k].range.begin < ranges[i].range.end &&
          ranges[i].range.begin < ranges[k].range.end)
        taken.push_back(
            {ranges[k].offset, ranges[k].offset + bytes(ranges[k])});
    std::sort(taken.begin(), taken.end());
    int64_t offset = 0;
    for (const auto &[begin, end] : taken) {
      if (begin >= offset + bytes(ranges[i]))
        break;
      offset = std::max(offset, end);
    }
    ranges[i].offset = offset;
  }
  return ranges;
}

int64_t remat::run::memoryMapBytes(const Analysis &analysis, bool after) {
  int64_t highest = 0;
  for (const Placed &placed : place(analysis, after))
    highest = std::max(highest,
                       placed.offset + analysis.tensors[placed.tensor].bytes);
  return highest;
}

/// The class of a rectangle, which gives its colour.
static std::string classOf(const TensorView &view, size_t version) {
  if (view.role == Role::Activation && view.recomputed())
    return version ? "again" : "dropped";
  return view.role == Role::Activation ? "kept" : toString(view.role);
}

std::string remat::run::memoryMap(const Analysis &analysis,
                                  const MapOptions &options) {
  const solver::Timeline &timeline =
      options.after ? analysis.after : analysis.before;
  double slots = std::max<size_t>(timeline.slots.size(), 1);
  double scale = mapHeight / std::max<int64_t>(options.scaleBytes, 1);
  std::string text =
      "<div class=\"map-frame\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "class=\"map\" role=\"group\" tabindex=\"0\" "
      "preserveAspectRatio=\"none\" viewBox=\"0 0 " +
      number(mapWidth) + " " + number(mapHeight) +
      "\" aria-label=\"Memory map " + (options.after ? "after" : "before") +
      ": " + std::to_string(analysis.tensors.size()) + " tensors over " +
      std::to_string(timeline.slots.size()) +
      " slots; the arrow keys go from tensor to tensor, the table of tensors "
      "holds the same\" id=\"" +
      options.id + "\">\n";
  std::vector<Placed> ranges = place(analysis, options.after);
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const Placed &left, const Placed &right) {
                     return left.range.begin < right.range.begin;
                   });
  for (const Placed &placed : ranges) {
    const TensorView &view = analysis.tensors[placed.tensor];
    double barHeight = view.bytes * scale;
    // What is too flat to be seen is in the table only.
    if (barHeight < 0.15)
      continue;
    text +=
        "<rect class=\"" + classOf(view, options.after ? placed.version : 0) +
        "\" data-tensor=\"" + std::to_string(placed.tensor) +
        "\" data-version=\"" + std::to_string(placed.version) + "\" x=\"" +
        number(placed.range.begin / slots * mapWidth) + "\" y=\"" +
        number(mapHeight - placed.offset * scale - barHeight) + "\" width=\"" +
        number((placed.range.end - placed.range.begin) / slots * mapWidth) +
        "\" height=\"" + number(barHeight) + "\"/>\n";
  }
  bool capShown =
      options.capBytes > 0 && options.capBytes <= options.scaleBytes;
  double capY = mapHeight - options.capBytes * scale;
  if (capShown)
    text += "<line class=\"cap\" x1=\"0\" x2=\"" + number(mapWidth) +
            "\" y1=\"" + number(capY) + "\" y2=\"" + number(capY) + "\"/>\n";
  text += "</svg>\n";
  // Beside the picture, whose own text would be stretched with it.
  if (capShown)
    text += "<span class=\"cap-label\" style=\"top:" +
            number(100 * capY / mapHeight) + "%\">cap</span>\n";
  return text +
         "</div>\n<p class=\"axis\" aria-hidden=\"true\"><span>slot 0"
         "</span><span>time &rarr;</span><span>slot " +
         std::to_string(timeline.slots.size()) + "</span></p>\n";
}
