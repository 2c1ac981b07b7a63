//===- CompileReport.cpp - What compile() did, in figures -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include <nlohmann/json.hpp>

using namespace remat;
using Json = nlohmann::ordered_json;

/// Adds the figures of `footprint` under names that end in `suffix`, or null.
static void add(Json &json, const std::optional<Footprint> &footprint,
                const std::string &suffix) {
  auto figure = [&](const char *name, int64_t Footprint::*member) {
    json[name + suffix] =
        footprint ? Json((*footprint).*member) : Json(nullptr);
  };
  figure("peak_bytes_", &Footprint::peakBytes);
  figure("transient_bytes_", &Footprint::transientBytes);
  figure("live_bytes_", &Footprint::liveBytes);
  json["packing_bytes_" + suffix] =
      footprint ? Json(footprint->transientBytes - footprint->liveBytes)
                : Json(nullptr);
}

std::string remat::toJson(const CompileReport &report) {
  Json json;
  json["model"] = report.input;
  json["target"] = report.target;
  json["iree_flags"] = report.ireeFlags;
  json["cap_bytes"] = report.capBytes ? Json(*report.capBytes) : Json(nullptr);
  json["cap_met"] = report.capMet;
  json["late_reads"] = report.repair.lateReads.size();
  json["copies"] = report.repair.copies;
  json["copy_bytes"] = report.repair.copyBytes;
  add(json, report.before, "before");
  add(json, report.after, "after");
  json["packing"] = report.ownPacking ? "remat" : "iree";
  const std::optional<Footprint> &fixed = report.after;
  json["input_bytes"] = fixed ? Json(fixed->inputBytes) : Json(nullptr);
  json["output_bytes"] = fixed ? Json(fixed->outputBytes) : Json(nullptr);
  json["constant_bytes"] = fixed ? Json(fixed->constantBytes) : Json(nullptr);
  // The rest of the pass's own report, whose peaks are those of live ranges.
  Json remat = Json::parse(toJson(report.remat));
  for (const char *name :
       {"steps", "recomputed_steps", "reordered", "predicted_overhead_percent",
        "lower_bound_overhead_percent", "bound_assumes_order"})
    json[name] = remat[name];
  json["solver"] = report.remat.regions.empty()
                       ? Json(nullptr)
                       : Json(report.remat.regions.front().solver);
  json["attempts"] = report.attempts;
  json["plan_seconds"] = remat["plan_seconds"];
  json["compile_seconds"] = report.compileSeconds;
  json["regions"] = remat["regions"];
  return json.dump(2) + "\n";
}
