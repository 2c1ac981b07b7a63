//===- Compiled.cpp - Programs through remat-gen and remat-compile --------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Compiled.h"

#include "remat/Run/Process.h"
#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Timeline.h"
#include "remat/Solver/Validate.h"
#include "remat/Support/FileIO.h"

using namespace remat;
using namespace remat::run;

static std::string load(const std::string &path) {
  std::string error;
  std::optional<std::string> text = readFile(path, error);
  if (!text)
    throw RunError(error);
  return *text;
}

std::vector<TracedRegion> remat::run::parseTrace(const std::string &text) {
  std::vector<TracedRegion> regions;
  std::vector<RegionTrace> traces;
  try {
    traces = parseTraceReport(text);
  } catch (const ReportError &error) {
    throw RunError(std::string("invalid trace: ") + error.what());
  }
  for (RegionTrace &trace : traces) {
    solver::ParsedProblem parsed = solver::parseProblem(trace.problem);
    if (!parsed.problem)
      throw RunError("invalid trace: line " + std::to_string(parsed.line) +
                     " of a problem: " + parsed.error);
    size_t steps = parsed.problem->steps.size();
    if (trace.origins.size() != steps || trace.movedBytes.size() != steps)
      throw RunError("invalid trace: it does not describe every step");
    regions.push_back({trace.function,
                       trace.regionIndex,
                       trace.outsideBytes,
                       std::move(*parsed.problem),
                       {std::move(trace.sequence)},
                       std::move(trace.origins),
                       std::move(trace.movedBytes)});
  }
  return regions;
}

const TracedRegion &
remat::run::largestRegion(const std::vector<TracedRegion> &regions) {
  const TracedRegion *largest = nullptr;
  int64_t largestBytes = -1;
  for (const TracedRegion &region : regions) {
    int64_t bytes =
        region.outsideBytes +
        computeTimeline(region.problem, originalPlan(region.problem)).peakBytes;
    if (bytes > largestBytes) {
      largest = &region;
      largestBytes = bytes;
    }
  }
  if (!largest)
    throw RunError("the program has no region to plan");
  return *largest;
}

Compiled remat::run::compileProgram(const Settings &settings,
                                    const CompileRequest &request) {
  std::string base = settings.workDirectory + "/" + request.name;
  std::vector<std::string> command = {
      use(settings.programs.rematCompile), request.input,
      "--target=" + settings.target, "--report=" + base + ".json",
      "--trace=" + base + ".trace.json"};
  Compiled compiled;
  if (request.planOnly) {
    command.push_back("--plan-only");
  } else {
    compiled.module = base + ".vmfb";
    command.insert(command.end(), {"-o", compiled.module});
  }
  if (!request.memoryCap.empty())
    command.push_back("--memory-cap=" + request.memoryCap);
  if (request.bestEffort)
    command.push_back("--best-effort");
  for (const std::string &flag : settings.ireeFlags)
    command.push_back("--iree-flag=" + flag);
  if (settings.donation != "auto")
    command.push_back("--donate=" + settings.donation);
  if (!settings.solver.empty())
    command.push_back("--solver=" + settings.solver);
  if (settings.deadlineSeconds > 0)
    command.push_back("--deadline=" + std::to_string(settings.deadlineSeconds));
  if (settings.keepOrder)
    command.push_back("--keep-order");
  if (!settings.costsFile.empty())
    command.push_back("--costs=" + settings.costsFile);
  ProcessResult result = runProcess(command, settings.timeoutSeconds);
  if (!result.succeeded())
    throw RunError("remat-compile cannot compile '" + request.input + "':\n" +
                   lastLines(result, 12));
  try {
    compiled.report = parseCompileReport(load(base + ".json"));
  } catch (const ReportError &error) {
    throw RunError(std::string("remat-compile: ") + error.what());
  }
  if (!compiled.report.before)
    throw RunError("cannot measure the memory of '" + request.input +
                   "'; expected static shapes");
  compiled.regions = parseTrace(load(base + ".trace.json"));
  return compiled;
}

std::string ProgramSource::title() const {
  if (path.empty())
    return model;
  std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

std::string remat::run::obtainProgram(const Settings &settings,
                                      const ProgramSource &source,
                                      int64_t batch) {
  if (!source.path.empty()) {
    std::string path = source.path;
    const std::string mark = "{batch}";
    size_t position = path.find(mark);
    if (position != std::string::npos)
      path.replace(position, mark.size(), std::to_string(batch));
    return path;
  }
  std::string path = settings.workDirectory + "/" + source.model +
                     (batch ? "_b" + std::to_string(batch) : "") + ".mlir";
  std::vector<std::string> command = {use(settings.programs.rematGen),
                                      source.model, "-o", path};
  if (batch)
    command.push_back("--batch=" + std::to_string(batch));
  command.insert(command.end(), source.modelOptions.begin(),
                 source.modelOptions.end());
  ProcessResult result = runProcess(command, settings.timeoutSeconds);
  if (!result.succeeded())
    throw RunError("remat-gen cannot write '" + source.model + "':\n" +
                   lastLines(result));
  return path;
}

std::optional<Signature> remat::run::readSignature(const std::string &path) {
  std::string text = load(path);
  // Bytecode begins with "ML\xefR".
  if (text.compare(0, 2, "ML") == 0)
    return std::nullopt;
  std::string error;
  return parseSignature(text, error);
}

Signature remat::run::moduleSignature(const Settings &settings,
                                      const std::string &module) {
  ProcessResult result =
      runProcess({use(settings.programs.ireeDumpModule), module});
  const std::string key = "iree.abi.declaration: ";
  size_t position = result.output.find(key);
  if (!result.succeeded() || position == std::string::npos)
    throw RunError("cannot read the signature of '" + module +
                   "': " + lastLines(result, 2));
  std::string error;
  std::optional<Signature> signature =
      parseSignature(result.output.substr(position + key.size()), error);
  if (!signature)
    throw RunError("'" + module + "': " + error);
  return *signature;
}
