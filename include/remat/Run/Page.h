//===- Page.h - A report as one page --------------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_RUN_PAGE_H
#define REMAT_RUN_PAGE_H

#include "remat/Render/Svg.h"
#include "remat/Render/Table.h"
#include "remat/Report/Document.h"
#include "remat/Run/Analysis.h"

namespace remat::run {

/// A region to draw.
struct Picture {
  const TracedRegion *region = nullptr;
  /// Of the whole footprint; 0 means none.
  int64_t capBytes = 0;
};

/// A figure in large print.
struct Headline {
  std::string name;
  std::string value;
  /// A sentence in small print below it.
  std::string detail;
  /// A bar below that: a share of the whole, from 0 to 1; negative for none.
  double share = -1;
};

/// What a page shows, in this order.
struct Page {
  /// That of the JSON report, see docs/report-schema.md.
  std::string kind;
  std::string title;
  std::vector<Headline> headlines;
  /// Names and values.
  std::vector<std::pair<std::string, std::string>> summary;
  std::vector<std::string> notes;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::optional<Picture> picture;
  /// The command line that wrote it.
  std::string command;
  /// Offered for download, in addition to the tables; `report` in JSON.
  ReportJson data;
};

/// The page as HTML that needs no other file and no network.
std::string toHtml(const Page &page);

/// Memory over time before and after, with the cap.
Plot memoryPlot(const TracedRegion &region, const Analysis &analysis,
                int64_t capBytes);

/// One row per tensor: its role, when it is used, and the decision about it.
Table tensorTable(const Analysis &analysis);

} // namespace remat::run

#endif // REMAT_RUN_PAGE_H
