//===- Output.cpp - Reports to files --------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Commands.h"

#include "remat/Run/Process.h"
#include "remat/Support/FileIO.h"

#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace remat;
using namespace remat::run;
namespace fs = std::filesystem;

void remat::run::checkOutputs(const OutputOptions &outputs) {
  for (const std::string &path :
       {outputs.html, outputs.csv, outputs.json, outputs.markdown}) {
    if (path.empty() || path == "-")
      continue;
    fs::path directory = fs::path(path).parent_path();
    std::string where = directory.empty() ? "." : directory.string();
    if (access(where.c_str(), W_OK) != 0)
      throw RunError("cannot write '" + path + "': " + std::strerror(errno));
  }
}

/// "Latency against batch" as a file name.
static std::string fileName(const std::string &title) {
  std::string name;
  for (char character : title)
    if (std::isalnum(static_cast<unsigned char>(character)))
      name += static_cast<char>(std::tolower(character));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return name;
}

static void write(const std::string &path, const std::string &text) {
  std::string error;
  if (!path.empty() && !writeFile(path, text, error))
    throw RunError(error);
}

void remat::run::writeOutputs(const OutputOptions &outputs, const Page &page,
                              const Table &main, const std::string &command) {
  write(outputs.csv, toCsv(main));
  std::string markdown = "# " + page.title + "\n\nMade by `" + command +
                         "`\n\n" + toMarkdown(main);
  for (const std::string &note : page.notes)
    markdown += "\n- " + note;
  write(outputs.markdown, markdown + "\n");
  ReportJson summary = ReportJson::object();
  for (const auto &[name, value] : page.summary)
    summary[name] = value;
  ReportJson json = {{"title", page.title},  {"command", command},
                     {"summary", summary},   {"notes", page.notes},
                     {"rows", toJson(main)}, {"report", page.data}};
  write(outputs.json, printDocument(page.kind, json));
  Page whole = page;
  whole.command = command;
  write(outputs.html, toHtml(whole));
  if (outputs.svgDirectory.empty())
    return;
  std::error_code failure;
  fs::create_directories(outputs.svgDirectory, failure);
  std::vector<Plot> plots = page.plots;
  if (page.picture)
    plots.push_back(memoryPlot(*page.picture->region,
                               analyze(*page.picture->region),
                               page.picture->capBytes));
  for (const Plot &plot : plots)
    write(outputs.svgDirectory + "/" + fileName(plot.title) + ".svg",
          toSvg(plot, "plot"));
}

std::vector<TracedRegion> remat::run::loadTrace(const Settings &settings,
                                                const std::string &name) {
  std::string error;
  std::optional<std::string> text =
      readFile(settings.workDirectory + "/" + name, error);
  if (!text)
    throw RunError(error);
  return parseTrace(*text);
}
