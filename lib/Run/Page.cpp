//===- Page.cpp - A report as one page ------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Page.h"

#include "PageFiles.h"
#include "remat/Run/MemoryMap.h"
#include "remat/Support/MemorySize.h"

using namespace remat;
using namespace remat::run;
using Json = nlohmann::ordered_json;

Plot remat::run::memoryPlot(const TracedRegion &region,
                            const Analysis &analysis, int64_t capBytes) {
  Plot plot;
  plot.title = "Memory over time";
  plot.xLabel = "time in ms, by the cost model";
  plot.yLabel = "MB";
  if (capBytes > 0) {
    plot.level = capBytes / 1e6;
    plot.levelName = "cap";
  }
  auto add = [&](const char *name, const solver::Timeline &timeline,
                 const solver::Plan &plan) {
    Series series;
    series.name = name;
    series.style = Series::Style::Steps;
    double time = 0;
    for (const solver::Slot &slot : timeline.slots) {
      series.points.push_back({time, (region.outsideBytes + slot.bytes) / 1e6});
      for (int32_t i = slot.begin; i < slot.end; ++i)
        time += region.problem.steps[plan.sequence[i]].cost / 1e6;
    }
    if (!series.points.empty())
      series.points.push_back({time, series.points.back().second});
    plot.series.push_back(std::move(series));
  };
  add("before", analysis.before, originalPlan(region.problem));
  add("after", analysis.after, region.plan);
  return plot;
}

/// "12-40, 55-60" for the slots of live ranges; the last slot is included.
static std::string rangesText(const std::vector<SlotRange> &ranges) {
  std::string text;
  for (const SlotRange &range : ranges)
    text += (text.empty() ? "" : ", ") + std::to_string(range.begin) + "-" +
            std::to_string(range.end - 1);
  return text;
}

static std::string decision(const TensorView &view) {
  if (!view.recomputed())
    return "retained";
  return "recomputed " + std::to_string(view.after.size() - 1) +
         (view.after.size() == 2 ? " time" : " times");
}

Table remat::run::tensorTable(const Analysis &analysis) {
  Table table;
  table.title = "Tensors";
  table.columns = {"Tensor",
                   "Kernel",
                   "Layer",
                   "Kind",
                   "Bytes",
                   "First use forward",
                   "Last use forward",
                   "First use backward",
                   "Last use backward",
                   "Live before",
                   "Live after",
                   "Decision",
                   "Recompute time (ms)"};
  auto use = [](solver::StepId step) {
    return step < 0 ? Cell() : Cell(int64_t(step));
  };
  for (const TensorView &view : analysis.tensors)
    table.rows.push_back(
        {Cell(int64_t(view.tensor)), Cell(view.name), Cell(view.origin),
         Cell(toString(view.role)), Cell(view.bytes), use(view.firstForwardUse),
         use(view.lastForwardUse), use(view.firstBackwardUse),
         use(view.lastBackwardUse), Cell(rangesText({view.before})),
         Cell(rangesText(view.after)), Cell(decision(view)),
         Cell(view.recomputeNanos / 1e6, 3, true)});
  return table;
}

/// JSON that is safe inside a <script>.
static std::string scriptJson(const Json &json) {
  std::string text = json.dump();
  for (size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.insert(at + 1, "\\");
  return text;
}

/// The memory maps, with a field that describes the tensor under the pointer.
static std::string drawPicture(const TracedRegion &region,
                               const Analysis &analysis, int64_t capBytes) {
  int64_t cap = capBytes > 0 ? capBytes - region.outsideBytes : 0;
  MemoryLayout before =
      layOutMemory(analysis, false, analysis.before.peakBytes);
  MemoryLayout after =
      layOutMemory(analysis, true, std::max(cap, analysis.after.peakBytes));
  int64_t scale = std::max(before.totalBytes, after.totalBytes);
  std::string text =
      "<section aria-labelledby=\"map-title\">\n<h2 id=\"map-title\">Where "
      "memory goes</h2>\n<p>Transient tensors over the slots of the schedule: "
      "width is lifetime, height is bytes; " +
      formatBytes(region.outsideBytes) +
      " more are held throughout. Point at a tensor, tap it, or use "
      "the arrow keys.</p>\n<ul class=\"legend\">"
      "<li><span class=\"kept\"></span>activation, retained</li>"
      "<li><span class=\"dropped\"></span>activation, dropped early</li>"
      "<li><span class=\"again\"></span>recomputed</li>"
      "<li><span class=\"gradient\"></span>backward value</li>"
      "<li><span class=\"workspace\"></span>other forward value</li>"
      "</ul>\n<p id=\"detail\" role=\"status\" aria-live=\"polite\">No tensor "
      "chosen.</p>\n";
  auto add = [&](const char *name, int64_t peakBytes,
                 const MemoryLayout &layout, const MapOptions &options) {
    text += "<h3>" + std::string(name) + ": " +
            formatBytes(region.outsideBytes + peakBytes) +
            " by live ranges</h3>\n" + memoryMap(analysis, layout, options);
  };
  add("Before", analysis.before.peakBytes, before, {cap, scale, "map-before"});
  add("After", analysis.after.peakBytes, after, {cap, scale, "map-after"});
  return text + "</section>\n";
}

static std::string drawHeadlines(const std::vector<Headline> &headlines) {
  if (headlines.empty())
    return {};
  std::string text = "<dl class=\"headlines\">\n";
  for (const Headline &line : headlines) {
    text += "<div><dt>" + escapeHtml(line.name) + "</dt><dd>" +
            escapeHtml(line.value) + "</dd><dd class=\"note\">" +
            escapeHtml(line.detail) + "</dd>";
    if (line.share >= 0)
      text += "<dd class=\"bar\" aria-hidden=\"true\"><span style=\"width:" +
              Cell(100 * std::min(line.share, 1.0), 1).text() +
              "%\"></span></dd>";
    text += "</div>\n";
  }
  return text + "</dl>\n";
}

static std::string
drawSummary(const std::vector<std::pair<std::string, std::string>> &summary) {
  std::string text = "<dl class=\"summary\">\n";
  for (const auto &[name, value] : summary)
    text += "<div><dt>" + escapeHtml(name) + "</dt><dd>" + escapeHtml(value) +
            "</dd></div>\n";
  return text + "</dl>\n";
}

/// The plots side by side. Their legends are repeated as text, which stays
/// readable where a plot is shrunk.
static std::string drawPlots(const std::vector<Plot> &plots) {
  if (plots.empty())
    return {};
  std::string text = "<div class=\"plots\">\n";
  for (size_t i = 0; i < plots.size(); ++i) {
    text += "<figure>\n" + toSvg(plots[i], "plot-" + std::to_string(i)) +
            "<figcaption><ul class=\"legend\">";
    for (size_t k = 0; k < plots[i].series.size(); ++k)
      text += "<li><span class=\"" + seriesClass(k) + "\"></span>" +
              escapeHtml(plots[i].series[k].name) + "</li>";
    text += "</ul></figcaption>\n</figure>\n";
  }
  return text + "</div>\n";
}

static std::string drawTable(const Table &table, const std::string &id) {
  return "<section>\n" + toHtml(table, id) +
         "<p class=\"download\"><button type=\"button\" data-csv=\"" + id +
         "\">Download as CSV</button></p>\n</section>\n";
}

static std::string drawNotes(const std::vector<std::string> &notes) {
  if (notes.empty())
    return {};
  std::string text = "<section class=\"notes\">\n<h2>Notes</h2>\n<ul>\n";
  for (const std::string &note : notes)
    text += "<li>" + escapeHtml(note) + "</li>\n";
  return text + "</ul>\n</section>\n";
}

std::string remat::run::toHtml(const Page &page) {
  std::vector<Table> tables = page.tables;
  std::vector<Plot> plots = page.plots;
  std::string picture;
  if (page.picture) {
    const TracedRegion &region = *page.picture->region;
    Analysis analysis = analyze(region);
    plots.push_back(memoryPlot(region, analysis, page.picture->capBytes));
    picture = drawPicture(region, analysis, page.picture->capBytes);
    tables.push_back(tensorTable(analysis));
  }
  Json data;
  data["title"] = page.title;
  for (const auto &[name, value] : page.summary)
    data["summary"][name] = value;
  data["report"] = page.data;
  std::vector<std::string> drawn;
  for (size_t i = 0; i < tables.size(); ++i) {
    std::string id = "table-" + std::to_string(i);
    data["tables"][id] = {{"title", tables[i].title},
                          {"columns", tables[i].columns},
                          {"rows", toJson(tables[i])},
                          {"csv", toCsv(tables[i])}};
    drawn.push_back(drawTable(tables[i], id));
  }

  std::string text =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      escapeHtml(page.title) + "</title>\n<style>\n" + pageStyle +
      "</style>\n</head>\n<body>\n<main>\n<h1>" + escapeHtml(page.title) +
      "</h1>\n" + drawHeadlines(page.headlines) + drawSummary(page.summary);
  // Tables, then pictures; the long table of tensors belongs to the last one.
  for (size_t i = 0; i < page.tables.size(); ++i)
    text += drawn[i];
  text += drawPlots(plots) + picture;
  if (!picture.empty())
    text += drawn.back();
  text += drawNotes(page.notes);
  if (!page.command.empty())
    text += "<p class=\"command\">Made by <code>" + escapeHtml(page.command) +
            "</code></p>\n";
  return text +
         "<p class=\"download\"><button type=\"button\" "
         "id=\"download-json\">Download all of it as JSON</button></p>\n"
         "</main>\n<script type=\"application/json\" id=\"data\">" +
         scriptJson(data) + "</script>\n<script>\n" + pageScript +
         "</script>\n</body>\n</html>\n";
}
