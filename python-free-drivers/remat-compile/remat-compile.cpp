//===- remat-compile.cpp - Compiles within a memory cap -------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Compiler.h"
#include "remat/Iree/KernelCostsFile.h"
#include "remat/Iree/Program.h"
#include "remat/Iree/Session.h"
#include "remat/Solver/Solvers.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/Version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <unistd.h>

using namespace remat;

namespace {
/// A line on a terminal that shows the current stage; nothing elsewhere, unless
/// verbose.
class Progress {
public:
  Progress(bool verbose) : verbose(verbose), live(isatty(2) && !verbose) {}
  ~Progress() { clear(); }

  void stage(const std::string &text) {
    if (verbose)
      std::fprintf(stderr, "remat-compile: %s\n", text.c_str());
    if (live)
      std::fprintf(stderr, "\r\033[K%s ...", text.c_str());
  }
  void detail(const std::string &text) {
    if (verbose)
      std::fprintf(stderr, "remat-compile:   %s\n", text.c_str());
  }
  void message(const std::string &text) {
    clear();
    std::fputs(text.c_str(), stderr);
  }
  void clear() {
    if (live)
      std::fputs("\r\033[K", stderr);
  }

private:
  bool verbose;
  bool live;
};
} // namespace

/// The last line of the summary: the module written, or the time of planning.
static std::string outcomeLine(const CompileReport &report,
                               const std::string &output, bool planOnly,
                               size_t size) {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.1f s", report.compileSeconds);
  if (planOnly)
    return "planned in " + std::string(seconds) + ", no code generated\n";
  return "wrote " + output + " (" + formatBytes(size) + ") in " + seconds +
         "\n";
}

static const char *description =
    "Compiles a training step with IREE so that it fits a memory cap.\n"
    "\n"
    "  remat-compile model.mlir --memory-cap=1.5GiB -o model.vmfb\n"
    "  remat-compile model.mlir --memory-cap=50% --target=cuda:sm_80 -o "
    "m.vmfb\n"
    "  remat-compile model.mlir --no-remat --report=plain.json -o plain.vmfb\n"
    "\n"
    "Tensors that do not fit are recomputed instead of retained; the\n"
    "results are bit-identical. The cap bounds the whole device footprint as\n"
    "IREE's runtime counts it: inputs, outputs, constants and transients.";

int rematMain(int argc, char **argv) {
  CompileOptions options;
  std::string donation = "auto", output, reportFile, traceFile, costsFile;
  bool verbose = false;
  CLI::App app(description, "remat-compile");
  app.add_flag_callback(
      "--version",
      [] {
        throw CLI::CallForVersion(
            versionText("remat-compile", ireeCompilerVersionText()), 0);
      },
      "Print the version");
  auto option = [&](const char *name, auto &value, const char *type,
                    const std::string &help) {
    return app.add_option(name, value, help)->type_name(type);
  };
  option("input", options.input, "FILE",
         "StableHLO, or any other input of IREE, as text or bytecode; - is "
         "standard input")
      ->required();
  option("-o,--output", output, "FILE",
         "The module to write; - is standard output");
  option("--memory-cap", options.remat.memoryCap, "SIZE",
         std::string("Peak device memory allowed, as a size or a share of the "
                     "original peak: ") +
             memoryCapForms + " (default: no cap, nothing is recomputed)");
  options.remat.bestEffortSpelling = "--best-effort";
  app.add_flag("--best-effort", options.remat.bestEffort,
               "If the cap cannot be met, continue with the lowest peak found");
  option("--donate", donation, "WHICH",
         std::string("Arguments whose buffers results take over: ") +
             donationForms +
             "; auto means those that the program marks, parameters those of "
             "remat.kind parameter or optimizer-state (default auto)");
  app.add_flag("--no-remat", options.noRemat,
               "Compile without recomputation: the same bytes as from "
               "iree-compile, and the same wrong results where it overwrites "
               "donated memory before the last reader (a warning says so)");
  app.add_flag("--plan-only", options.planOnly,
               "Stop after memory allocation: report figures, write no module");
  option("--target", options.target, "TARGET",
         std::string(targetForms) +
             ". cpu:im2col compiles convolutions as matrix products, which "
             "speeds up programs whose convolutions are slow and takes more "
             "memory (default cpu; cuda means sm_80)");
  option("--iree-flag", options.ireeFlags, "FLAG",
         "A flag for IREE's compiler, e.g. "
         "--iree-flag=--iree-opt-data-tiling; repeatable")
      ->allow_extra_args(false);
  option("--solver", options.remat.solver, "NAME",
         "Planning algorithm; remat-solve --list-solvers lists them");
  app.add_flag("--keep-order", options.remat.keepOrder,
               "Leave the steps in the order that IREE gave them");
  option("--deadline", options.remat.deadlineSeconds, "SECONDS",
         "Stop the search for a better plan after this time (default: no "
         "deadline)")
      ->check(CLI::NonNegativeNumber);
  option("--costs", costsFile, "FILE",
         "Plan with the kernel times in this file, written by remat-run "
         "profile");
  option("--report", reportFile, "FILE",
         "Write a report to this file, as JSON");
  option("--trace", traceFile, "FILE",
         "Write the planned regions, step by step, to this file, as JSON");
  option("--dump-ir", options.dumpIrDirectory, "DIR",
         "Write the IR of each stage into this directory");
  app.add_flag("--verbose", verbose, "Print each stage as it begins");
  app.footer("Exit code: 0 if the module was written; 1 if the cap cannot be "
             "met or the input\nis bad, and nothing is written; 2 if the "
             "command line is wrong.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.planOnly != output.empty()) {
    std::fprintf(stderr, "remat-compile: error: specify either -o FILE or "
                         "--plan-only\n");
    return 2;
  }
  if (std::optional<Donation> parsed = parseDonation(donation)) {
    options.donation = *parsed;
  } else {
    std::fprintf(stderr,
                 "remat-compile: error: invalid donation '%s'; expected %s\n",
                 donation.c_str(), donationForms);
    return 2;
  }
  if (options.noRemat && !options.remat.memoryCap.empty()) {
    std::fprintf(stderr, "remat-compile: error: --no-remat cannot meet a "
                         "--memory-cap; specify one of them\n");
    return 2;
  }
  if (!options.remat.memoryCap.empty() &&
      !parseMemoryCap(options.remat.memoryCap)) {
    std::fprintf(stderr,
                 "remat-compile: error: invalid memory cap '%s'; expected %s\n",
                 options.remat.memoryCap.c_str(), memoryCapForms);
    return 2;
  }

  std::string error;
  for (const std::string &file : {output, reportFile, traceFile}) {
    if (!file.empty() && !canWriteFile(file, error)) {
      std::fprintf(stderr, "remat-compile: error: %s\n", error.c_str());
      return 1;
    }
  }
  if (!costsFile.empty()) {
    std::optional<ir::KernelCosts> costs = loadKernelCosts(costsFile, error);
    if (!costs) {
      std::fprintf(stderr, "remat-compile: error: %s\n", error.c_str());
      return 1;
    }
    options.remat.kernelCosts = *costs;
  }
  options.remat.trace = !traceFile.empty();

  Progress progress(verbose);
  CompileListener listener;
  listener.onStage = [&](const std::string &text) { progress.stage(text); };
  listener.onDetail = [&](const std::string &text) { progress.detail(text); };
  listener.onMessage = [&](const std::string &text) { progress.message(text); };
  CompileReport report;
  std::optional<std::string> module =
      compile("remat-compile", options, listener, report);
  progress.clear();
  if (!module)
    return 1;
  if ((!options.planOnly && !writeFile(output, *module, error)) ||
      (!reportFile.empty() &&
       !writeFile(reportFile, printReport(report), error)) ||
      (!traceFile.empty() &&
       !writeFile(traceFile, printTrace(report.remat.traces), error))) {
    std::fprintf(stderr, "remat-compile: error: %s\n", error.c_str());
    return 1;
  }
  std::string text =
      summarize(report) +
      outcomeLine(report, output, options.planOnly, module->size());
  std::fputs(text.c_str(), output == "-" ? stderr : stdout);
  return 0;
}
