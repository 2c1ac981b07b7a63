//===- Compiler.cpp - From a program and a cap to a module that fits ------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Compiler.h"

#include "remat/IR/LateReads.h"
#include "remat/IR/StreamFunction.h"
#include "remat/Iree/DiagnosticRouter.h"
#include "remat/Iree/Phases.h"
#include "remat/Iree/Session.h"
#include "remat/Support/FileIO.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

using namespace remat;
using Clock = std::chrono::steady_clock;

/// Maximum number of planning attempts. One or two are usually enough; a region
/// that still fragments after this many cannot meet the cap.
static constexpr int maxAttempts = 12;

/// The function of an allocated module that needs the most memory.
static const ir::StreamFunction *
largestFunction(const std::vector<ir::StreamFunction> &functions) {
  auto largest = std::max_element(
      functions.begin(), functions.end(),
      [](const ir::StreamFunction &left, const ir::StreamFunction &right) {
        return left.peakBytes() < right.peakBytes();
      });
  return largest == functions.end() ? nullptr : &*largest;
}

/// The largest peak of live ranges after a run of the pass.
static int64_t liveBytesAfter(const RematReport &report) {
  int64_t bytes = 0;
  for (const RegionReport &region : report.regions)
    bytes = std::max(bytes, region.transientBytesAfter);
  return bytes;
}

/// Adds to the slack of each region of an allocated module the bytes by which
/// it exceeds `capBytes`. Regions keep their order through allocation; if their
/// number changed, all regions of the function get the slack.
static void addSlack(std::vector<PackingSlack> &slack,
                     const std::vector<ir::StreamFunction> &functions,
                     const RematReport &planned, int64_t capBytes) {
  for (const ir::StreamFunction &function : functions) {
    std::vector<int64_t> indices;
    for (const RegionReport &region : planned.regions)
      if (region.function == function.name)
        indices.push_back(region.regionIndex);
    for (size_t i = 0; i < function.regions.size(); ++i) {
      int64_t excess = function.regions[i].outsideBytes +
                       function.regions[i].slabBytes - capBytes;
      if (excess <= 0)
        continue;
      bool sameRegions = indices.size() == function.regions.size();
      for (size_t k = 0; k < indices.size(); ++k)
        if (!sameRegions || k == i)
          slack.push_back({function.name, indices[k], excess});
    }
  }
}

namespace {
/// The memory of an allocated module.
struct Measured {
  Footprint footprint;
  FixedMemory fixed;
};

/// One compilation.
class Compilation {
public:
  Compilation(const char *program, const CompileOptions &options,
              const std::vector<std::string> &flags, SourceBuffer source,
              const CompileListener &listener, CompileReport &report)
      : options(options), listener(listener), report(report),
        source(std::move(source)), session(program, flags),
        router(session.context(), [this](const SourceDiagnostic &diagnostic) {
          show(diagnostic);
        }) {}

  std::optional<std::string> run();

private:
  void show(const SourceDiagnostic &diagnostic);
  bool dump(const OwnedModule &module, const char *stage);
  std::optional<Measured> measure(const OwnedModule &allocated,
                                  bool errorIfUnknown);
  bool tryPacker(Packer packer, const OwnedModule &planned,
                 const RematReport &rematReport, OwnedModule &best);
  OwnedModule schedule();
  bool repair(const OwnedModule &async);
  OwnedModule fit(const OwnedModule &async, OwnedModule plain);
  DiagnosticSink quietSink() {
    return [](const Diagnostic &) {};
  }

  const CompileOptions &options;
  const CompileListener &listener;
  CompileReport &report;
  SourceBuffer source;
  IreeSession session;
  DiagnosticRouter router;
  std::vector<ir::StreamFunction> functions;
  RepairReport repairReport;
};
} // namespace

void Compilation::show(const SourceDiagnostic &diagnostic) {
  listener.onMessage(formatDiagnostic(diagnostic, source));
}

/// Writes the IR of `module` after `stage`, if requested.
bool Compilation::dump(const OwnedModule &module, const char *stage) {
  if (options.dumpIrDirectory.empty())
    return true;
  std::error_code failure;
  std::filesystem::create_directories(options.dumpIrDirectory, failure);
  std::string text;
  mlirOperationPrint(
      toOperation(module),
      [](MlirStringRef part, void *user) {
        static_cast<std::string *>(user)->append(part.data, part.length);
      },
      &text);
  std::string error;
  std::string path =
      options.dumpIrDirectory + "/" + std::string(stage) + ".mlir";
  if (writeFile(path, text + "\n", error))
    return true;
  listener.onMessage("error: " + error + "\n");
  return false;
}

/// Reads the memory that IREE allocated; keeps the figures for addSlack, whose
/// ops live as long as the module.
std::optional<Measured> Compilation::measure(const OwnedModule &allocated,
                                             bool errorIfUnknown) {
  std::optional<std::vector<ir::StreamFunction>> read = ir::readStreamFunctions(
      toOperation(allocated), errorIfUnknown ? router.sink() : quietSink());
  if (!read)
    return std::nullopt;
  functions = std::move(*read);
  Measured measured;
  if (const ir::StreamFunction *largest = largestFunction(functions)) {
    measured.footprint.peakBytes = largest->peakBytes();
    measured.footprint.transientBytes = largest->largestSlabBytes();
    measured.fixed = {largest->inputBytes, largest->donatedBytes,
                      largest->outputBytes, largest->constantBytes};
  }
  return measured;
}

/// Allocates `planned`. If that needs less than everything before, it becomes
/// `best` and the subject of the report. False after an error.
bool Compilation::tryPacker(Packer packer, const OwnedModule &planned,
                            const RematReport &rematReport, OwnedModule &best) {
  bool own = packer == Packer::Remat;
  listener.onStage(own ? "packing" : "allocating");
  OwnedModule allocated = runToAllocated(session.get(), clone(planned), packer);
  if (!allocated)
    return false;
  std::optional<Measured> measured = measure(allocated, true);
  if (!measured)
    return false;
  Footprint &footprint = measured->footprint;
  footprint.liveBytes = liveBytesAfter(rematReport);
  listener.onDetail("attempt " + std::to_string(report.attempts) +
                    ": live ranges " + std::to_string(footprint.liveBytes) +
                    " bytes, slab as packed by " + (own ? "us " : "IREE ") +
                    std::to_string(footprint.transientBytes) + " bytes, peak " +
                    std::to_string(footprint.peakBytes) + " bytes, cap " +
                    std::to_string(*report.capBytes) + " bytes");
  if (footprint.peakBytes >= report.after->peakBytes)
    return true;
  best = std::move(allocated);
  report.after = footprint;
  report.fixed = measured->fixed;
  report.remat = rematReport;
  report.ownPacking = own;
  report.capMet = footprint.peakBytes <= *report.capBytes;
  return true;
}

/// From the source to stream.async. Arguments that are donated but needed after
/// the region that overwrites them are not donated, unless the module is to be
/// IREE's own.
OwnedModule Compilation::schedule() {
  std::set<int64_t> kept;
  while (true) {
    listener.onStage("parsing");
    OwnedModule module = own(session.parse(source));
    if (!module)
      return {};
    std::string error =
        applyDonation(toOperation(module), options.donation, kept);
    if (!error.empty()) {
      listener.onMessage("error: " + error + "\n");
      return {};
    }
    listener.onStage("compiling to scheduled form");
    OwnedModule async = runToAsync(session.get(), std::move(module));
    if (!async)
      return {};
    size_t keptBefore = kept.size();
    for (const ir::LostArgument &lost :
         ir::findLostArguments(toOperation(async)))
      if (kept.insert(lost.argument).second)
        router.sink()(
            {options.noRemat ? Severity::Warning : Severity::Remark,
             lost.location,
             "argument #" + std::to_string(lost.argument) +
                 " is donated, but its old value is needed after "
                 "the update" +
                 (options.noRemat ? ": the results will be wrong; compile "
                                    "without --no-remat to repair that"
                                  : "; it is not donated"),
             {}});
    if (options.noRemat || kept.size() == keptBefore)
      return async;
  }
}

/// Repairs the late reads of `async`, or warns about them with --no-remat.
/// False after an error.
bool Compilation::repair(const OwnedModule &async) {
  if (options.noRemat) {
    std::optional<std::vector<ir::LateRead>> lateReads =
        ir::findLateReads(toOperation(async), quietSink());
    if (lateReads && !lateReads->empty())
      router.sink()(ir::warnOfLateReads(
          toOperation(async), *lateReads,
          "compile without --no-remat, which repairs that"));
    return true;
  }
  std::optional<ir::LateReadRepair> repaired =
      ir::repairLateReads(toOperation(async), router.sink());
  if (!repaired)
    return false;
  repairReport = {static_cast<int64_t>(repaired->lateReads.size()),
                  repaired->copies, repaired->copyBytes};
  if (!repaired->changedAnything())
    return true;
  router.sink()(ir::describeRepair(toOperation(async), *repaired));
  return dump(async, "1-repaired");
}

/// Plans `async` until its allocation meets the cap. `plain` is the same
/// module, allocated without recomputation.
OwnedModule Compilation::fit(const OwnedModule &async, OwnedModule plain) {
  std::optional<MemoryCap> cap = parseMemoryCap(options.remat.memoryCap);
  if (!cap) {
    listener.onMessage("error: invalid memory cap '" + options.remat.memoryCap +
                       "'; expected " + memoryCapForms + "\n");
    return {};
  }
  int64_t capBytes = cap->resolve(report.before->peakBytes);
  report.capBytes = capBytes;
  report.after = report.before;
  report.capMet = report.before->peakBytes <= capBytes;
  if (report.capMet)
    return plain;

  RematOptions planOptions = options.remat;
  planOptions.memoryCap = std::to_string(capBytes);
  planOptions.target = machineOfTarget(options.target);
  planOptions.report.clear();
  OwnedModule best = std::move(plain);
  std::vector<PackingSlack> slack;
  bool planMetCap = true;
  while (!report.capMet && planMetCap && report.attempts < maxAttempts) {
    ++report.attempts;
    listener.onStage("planning, attempt " + std::to_string(report.attempts));
    OwnedModule planned = clone(async);
    RematReport rematReport;
    // A plan for less than the cap may not exist. The error is then that the
    // earlier plans did not pack into the cap; it is reported below.
    bool again = report.attempts > 1;
    bool success =
        rematerialize(toOperation(planned), planOptions,
                      again ? quietSink() : router.sink(), rematReport, slack);
    report.planSeconds += rematReport.totalPlanSeconds();
    if (!success && again)
      break;
    if (!success || !dump(planned, "3-rematerialized"))
      return {};
    for (const RegionReport &region : rematReport.regions)
      planMetCap &= region.capMet;
    if (!tryPacker(Packer::Iree, planned, rematReport, best))
      return {};
    if (!report.capMet && !tryPacker(Packer::Remat, planned, rematReport, best))
      return {};
    addSlack(slack, functions, rematReport, capBytes);
  }
  if (report.capMet || options.remat.bestEffort)
    return best;
  listener.onMessage(
      "error: cannot meet the cap of " + std::to_string(capBytes) +
      " bytes: the plans meet it, but packing their tensors takes more; the "
      "lowest peak found in " +
      std::to_string(report.attempts) + " attempts is " +
      std::to_string(report.after->peakBytes) +
      " bytes; raise the cap to that, or use " +
      options.remat.bestEffortSpelling + "\n");
  return {};
}

std::optional<std::string> Compilation::run() {
  Clock::time_point begin = Clock::now();
  OwnedModule async = schedule();
  if (!async || !dump(async, "1-scheduled") || !repair(async))
    return std::nullopt;

  // A run without recomputation first: it resolves a cap given as a share, and
  // recomputation is compared with it.
  listener.onStage("allocating");
  OwnedModule allocated =
      runToAllocated(session.get(), clone(async), Packer::Iree);
  if (!allocated || !dump(allocated, "2-allocated-plain"))
    return std::nullopt;
  bool isCapped = !options.remat.memoryCap.empty();
  if (std::optional<Measured> measured = measure(allocated, isCapped)) {
    report.before = measured->footprint;
    report.fixed = measured->fixed;
  }
  if (!report.before && isCapped)
    return std::nullopt;
  RematOptions survey;
  survey.target = machineOfTarget(options.target);
  survey.solver = options.remat.solver;
  survey.kernelCosts = options.remat.kernelCosts;
  survey.trace = options.remat.trace;
  bool surveyed =
      rematerialize(toOperation(async), survey,
                    isCapped ? router.sink() : quietSink(), report.remat);
  if (!surveyed && isCapped)
    return std::nullopt;
  if (report.before && surveyed)
    report.before->liveBytes = liveBytesAfter(report.remat);
  report.after = report.before;

  if (isCapped) {
    allocated = fit(async, std::move(allocated));
    if (!allocated || !dump(allocated, "4-allocated"))
      return std::nullopt;
  }
  report.remat.repair = repairReport;
  std::string error;
  std::optional<std::string> bytes = std::string();
  if (!options.planOnly) {
    listener.onStage("generating code");
    bytes = runToBytecode(session.get(), std::move(allocated), error);
  }
  if (!error.empty())
    listener.onMessage("error: " + error + "\n");
  report.compileSeconds =
      std::chrono::duration<double>(Clock::now() - begin).count();
  return bytes;
}

std::optional<std::string> remat::compile(const char *program,
                                          const CompileOptions &options,
                                          const CompileListener &listener,
                                          CompileReport &report) {
  report.model = options.input;
  report.target = options.target;
  std::optional<std::vector<std::string>> flags =
      flagsForTarget(options.target, options.ireeFlags);
  if (!flags) {
    listener.onMessage("error: unknown target '" + options.target +
                       "'; expected " + targetForms + "\n");
    return std::nullopt;
  }
  report.ireeFlags = *flags;
  for (const std::string &flag : *flags)
    listener.onDetail("IREE flag " + flag);
  std::string error;
  std::optional<std::string> text = readFile(options.input, error);
  if (!text) {
    listener.onMessage("error: " + error + "\n");
    return std::nullopt;
  }
  return Compilation(program, options, *flags, {options.input, *text}, listener,
                     report)
      .run();
}
