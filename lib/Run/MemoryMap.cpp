//===- MemoryMap.cpp - Tensors in memory over time, as SVG --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/MemoryMap.h"

#include "remat/Solver/Packing.h"

#include <algorithm>
#include <cstdio>

using namespace remat;
using namespace remat::run;

// The size of a map in units of its view box, which is stretched to the page.
static constexpr double mapWidth = 960, mapHeight = 300;

/// Limit of the search for a packing below the cap, for the picture alone; the
/// compiler's own search is longer.
static constexpr int packingRounds = 100;

static std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

MemoryLayout remat::run::layOutMemory(const Analysis &analysis, bool after,
                                      int64_t targetBytes) {
  MemoryLayout layout;
  layout.after = after;
  std::vector<solver::PackItem> items;
  for (size_t i = 0; i < analysis.tensors.size(); ++i) {
    const TensorView &view = analysis.tensors[i];
    std::vector<SlotRange> ranges =
        after ? view.after : std::vector<SlotRange>{view.before};
    for (size_t version = 0; version < ranges.size(); ++version) {
      layout.ranges.push_back({i, version, ranges[version], 0});
      items.push_back({ranges[version].begin, ranges[version].end, view.bytes});
    }
  }
  solver::Packing packing = solver::pack(items, targetBytes, packingRounds);
  for (size_t i = 0; i < layout.ranges.size(); ++i)
    layout.ranges[i].offset = packing.offsets[i];
  layout.totalBytes = packing.totalBytes;
  std::stable_sort(layout.ranges.begin(), layout.ranges.end(),
                   [](const PlacedRange &left, const PlacedRange &right) {
                     return left.range.begin < right.range.begin;
                   });
  return layout;
}

/// The class of a rectangle, which gives its colour.
static std::string classOf(const TensorView &view, size_t version) {
  if (view.role == Role::Activation && view.recomputed())
    return version ? "again" : "dropped";
  return view.role == Role::Activation ? "kept" : toString(view.role);
}

std::string remat::run::memoryMap(const Analysis &analysis,
                                  const MemoryLayout &layout,
                                  const MapOptions &options) {
  const solver::Timeline &timeline =
      layout.after ? analysis.after : analysis.before;
  double slots = std::max<size_t>(timeline.slots.size(), 1);
  double scale = mapHeight / std::max<int64_t>(options.scaleBytes, 1);
  std::string text =
      "<div class=\"map-frame\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "class=\"map\" role=\"group\" tabindex=\"0\" "
      "preserveAspectRatio=\"none\" viewBox=\"0 0 " +
      number(mapWidth) + " " + number(mapHeight) +
      "\" aria-label=\"Memory map " + (layout.after ? "after" : "before") +
      ": " + std::to_string(analysis.tensors.size()) + " tensors over " +
      std::to_string(timeline.slots.size()) +
      " slots; the arrow keys go from tensor to tensor, the table of tensors "
      "holds the same\" id=\"" +
      options.id + "\">\n";
  for (const PlacedRange &placed : layout.ranges) {
    const TensorView &view = analysis.tensors[placed.tensor];
    double barHeight = view.bytes * scale;
    // Rectangles too flat to be visible are in the table only.
    if (barHeight < 0.15)
      continue;
    text +=
        "<rect class=\"" + classOf(view, layout.after ? placed.version : 0) +
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
  // Outside the picture, whose own text would be stretched with it.
  if (capShown)
    text += "<span class=\"cap-label\" style=\"top:" +
            number(100 * capY / mapHeight) + "%\">cap</span>\n";
  return text +
         "</div>\n<p class=\"axis\" aria-hidden=\"true\"><span>slot 0"
         "</span><span>time &rarr;</span><span>slot " +
         std::to_string(timeline.slots.size()) + "</span></p>\n";
}
