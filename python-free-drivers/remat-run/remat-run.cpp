//===- remat-run.cpp - Measures and sweeps modules ------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Iree/Target.h"
#include "remat/Run/Commands.h"
#include "remat/Run/Process.h"
#include "remat/Support/Version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

using namespace remat::run;
namespace fs = std::filesystem;

static const char *description =
    "Runs training steps with and without recomputation on IREE's runtime and\n"
    "reports memory and time.\n"
    "\n"
    "  remat-run compare model.mlir --memory-cap=50% --html=report.html\n"
    "  remat-run sweep --model=resnet50 --batches=4,8,16 --memory-cap=1.5GB\n"
    "  remat-run frontier --model=transformer --batch=8 --html=frontier.html\n"
    "  remat-run max-batch --model=resnet50 --memory=8GiB\n"
    "  remat-run profile model.mlir --costs-output=costs.json\n"
    "\n"
    "docs/remat-run.md explains the reports.";

namespace {
/// The parsed command line.
struct CommandLine {
  CommonOptions common;
  CompareOptions compare;
  SweepOptions sweep;
  FrontierOptions frontier;
  MaxBatchOptions maxBatch;
  ProfileOptions profile;
  std::string ireeDirectory;
};

/// A directory for intermediate files. It is deleted at the end of its life
/// unless the user named it.
class WorkDirectory {
public:
  explicit WorkDirectory(const std::string &given) : path(given) {
    std::error_code failure;
    if (!given.empty()) {
      fs::create_directories(given, failure);
      if (failure)
        throw RunError("cannot create the directory '" + given +
                       "': " + failure.message());
      path = fs::absolute(given);
      return;
    }
    std::string pattern = fs::temp_directory_path(failure) / "remat-run-XXXXXX";
    if (failure || !mkdtemp(pattern.data()))
      throw RunError("cannot create a directory for temporary files in '" +
                     fs::path(pattern).parent_path().string() +
                     "'; --work=DIR names another one");
    path = pattern;
    temporary = true;
  }
  ~WorkDirectory() {
    std::error_code ignored;
    if (temporary)
      fs::remove_all(path, ignored);
  }
  std::string path;

private:
  bool temporary = false;
};
} // namespace

/// Options of every command.
static void addCommonOptions(CLI::App &app, CommandLine &line) {
  Settings &settings = line.common.settings;
  OutputOptions &outputs = line.common.outputs;
  app.add_option("--model", line.common.source.model,
                 "A model of remat-gen instead of a file");
  app.add_option("--model-option", line.common.source.modelOptions,
                 "An option for remat-gen, e.g. --model-option=--image=64; "
                 "repeatable")
      ->allow_extra_args(false);
  app.add_option("--target", settings.target,
                 "What to compile for: " + std::string(remat::targetForms) +
                     " (default cpu)");
  app.add_option("--device", settings.device,
                 "Where to run: local-task, local-sync or cuda://0 (default "
                 "local-task)");
  app.add_option("--seed", settings.seed,
                 "Seed of the random inputs (default 0)");
  app.add_option("--repetitions", settings.repetitions,
                 "Timed runs of each module (default 5)")
      ->check(CLI::PositiveNumber);
  app.add_option("--timeout", settings.timeoutSeconds,
                 "Seconds after which a single compilation or run is stopped "
                 "(default: none)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--iree-flag", settings.ireeFlags,
                 "A flag for IREE's compiler; repeatable")
      ->allow_extra_args(false);
  app.add_option("--donate", settings.donation,
                 "Arguments whose buffers results take over: auto (those that "
                 "the program marks, default), none, parameters, or argument "
                 "numbers such as 0,1,4")
      ->type_name("WHICH");
  app.add_option("--solver", settings.solver, "Planning algorithm");
  app.add_option("--deadline", settings.deadlineSeconds,
                 "Seconds for each search for a better plan (default: no "
                 "deadline)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--keep-order", settings.keepOrder,
               "Leave the steps in the order that IREE gave them");
  app.add_option("--costs", settings.costsFile,
                 "Plan with the kernel times in this file");
  app.add_option("--iree-bin", line.ireeDirectory,
                 "Directory of IREE's runtime programs");
  app.add_option("--work", settings.workDirectory,
                 "Keep modules, reports and finished rows in this directory");
  app.add_option("--html", outputs.html, "Write the report as one page");
  app.add_option("--csv", outputs.csv, "Write the table as CSV");
  app.add_option("--json", outputs.json, "Write everything as JSON");
  app.add_option("--markdown", outputs.markdown, "Write the table as Markdown");
  app.add_option("--svg", outputs.svgDirectory,
                 "Write the plots as SVG files into this directory");
}

/// `--execute=never|auto|always`.
static void addExecute(CLI::App &app, Execute &execute) {
  static const std::map<std::string, Execute> words = {
      {"never", Execute::Never},
      {"auto", Execute::Auto},
      {"always", Execute::Always}};
  app.add_option_function<std::string>(
         "--execute",
         [&execute](const std::string &word) { execute = words.at(word); },
         "Whether to run the modules: never (exact memory, predicted time), "
         "auto or always")
      ->check(CLI::IsMember({"never", "auto", "always"}));
}

/// `--calibrate=FILE`.
static void addCalibration(CLI::App &app, std::string &file) {
  app.add_option("--calibrate", file,
                 "Predict times by the measured cases in this report, which "
                 "--json wrote");
}

/// `--resume`.
static void addResume(CLI::App &app, bool &resume) {
  app.add_flag("--resume", resume, "Reuse the finished rows in --work");
}

static void addCommands(CLI::App &app, CommandLine &line) {
  ProgramSource &source = line.common.source;
  auto add = [&](const char *name, const char *summary) {
    CLI::App *command = app.add_subcommand(name, summary);
    addCommonOptions(*command, line);
    return command;
  };
  auto addProgram = [&](CLI::App *command, int64_t &batch) {
    command->add_option("program", source.path,
                        "StableHLO, or any other input of IREE");
    command->add_option("--batch", batch, "Batch of the model")
        ->check(CLI::PositiveNumber);
  };

  CLI::App *compare =
      add("compare", "Measure one program with and without recomputation, or "
                     "two modules");
  addProgram(compare, line.compare.batch);
  compare->add_option("other", line.compare.otherModule,
                      "A second module, if PROGRAM is a module too");
  compare->add_option("--memory-cap", line.compare.memoryCap,
                      "Peak device memory allowed (default 50%)");
  compare->add_flag(
      "--best-effort", line.compare.bestEffort,
      "If the cap cannot be met, continue with the lowest peak found");
  addExecute(*compare, line.compare.execute);
  addCalibration(*compare, line.compare.calibrationFile);

  CLI::App *sweep =
      add("sweep", "Compare one program at several batches, in a table of "
                   "sixteen columns");
  sweep->add_option("--input", source.path,
                    "Files instead of a model; {batch} stands for the batch");
  sweep->add_option("--batches", line.sweep.batches, "Batches, with commas")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->required();
  CLI::Option *caps =
      sweep
          ->add_option("--memory-cap", line.sweep.memoryCaps,
                       "Peak device memory allowed; one for all batches, or "
                       "one for each, with commas")
          ->delimiter(',');
  sweep
      ->add_option("--against", line.sweep.against,
                   "Instead of a cap: plan with this solver (blocks, segments, "
                   "greedy), and then with --solver in the memory of that plan")
      ->excludes(caps);
  addCalibration(*sweep, line.sweep.calibrationFile);
  addExecute(*sweep, line.sweep.execute);
  sweep
      ->add_option("--budget", line.sweep.budgetSeconds,
                   "With --execute=auto, run the cases that take at most this "
                   "many seconds to measure (default 60)")
      ->check(CLI::NonNegativeNumber);
  addResume(*sweep, line.sweep.resume);

  CLI::App *frontier = add(
      "frontier", "Plan one program under many caps, and compare simple rules");
  addProgram(frontier, line.frontier.batch);
  frontier
      ->add_option("--points", line.frontier.points,
                   "Number of caps (default 16)")
      ->check(CLI::PositiveNumber);

  CLI::App *maxBatch = add("max-batch", "Find the largest batch that fits");
  maxBatch->add_option("--input", source.path,
                       "Files instead of a model; {batch} stands for the "
                       "batch");
  maxBatch
      ->add_option("--memory", line.maxBatch.memory,
                   "Size of the device's memory")
      ->required();
  maxBatch
      ->add_option("--first-batch", line.maxBatch.firstBatch,
                   "Batch to start from (default 8)")
      ->check(CLI::PositiveNumber);
  addCalibration(*maxBatch, line.maxBatch.calibrationFile);
  addResume(*maxBatch, line.maxBatch.resume);

  CLI::App *profile = add("profile", "Time every kernel; classify tensors");
  addProgram(profile, line.profile.batch);
  profile->add_option("--memory-cap", line.profile.memoryCap,
                      "Also plan for this cap, with modelled and with measured "
                      "costs");
  profile->add_option("--costs-output", line.profile.costsOutput,
                      "Write the times for remat-compile --costs=");
}

/// An error about the combination of options, or an empty string.
static std::string usageError(const CommandLine &line,
                              const std::string &name) {
  const ProgramSource &source = line.common.source;
  if (source.path.empty() == source.model.empty())
    return "specify either a program or --model=NAME";
  if (name == "compare" && line.compare.batch && !source.path.empty())
    return "--batch requires --model=NAME";
  if ((name == "sweep" || name == "max-batch") && !source.path.empty() &&
      source.path.find("{batch}") == std::string::npos)
    return "--input must contain {batch}";
  if (name == "sweep" && line.sweep.memoryCaps.size() > 1 &&
      line.sweep.memoryCaps.size() != line.sweep.batches.size())
    return "specify one --memory-cap, or one for each of --batches";
  if (name == "sweep" && line.sweep.memoryCaps.empty() &&
      line.sweep.against.empty())
    return "specify either --memory-cap=SIZE or --against=SOLVER";
  if ((line.sweep.resume || line.maxBatch.resume) &&
      line.common.settings.workDirectory.empty())
    return "--resume requires the --work=DIR of the earlier run";
  return {};
}

static int run(CommandLine &line, const std::string &name) {
  handleInterrupts();
  WorkDirectory work(line.common.settings.workDirectory);
  line.common.settings.workDirectory = work.path;
  line.common.settings.programs = findPrograms(line.ireeDirectory);
  if (name == "compare")
    return runCompare(line.common, line.compare);
  if (name == "sweep")
    return runSweep(line.common, line.sweep);
  if (name == "frontier")
    return runFrontier(line.common, line.frontier);
  if (name == "max-batch")
    return runMaxBatch(line.common, line.maxBatch);
  return runProfile(line.common, line.profile);
}

int main(int argc, char **argv) {
  CommandLine line;
  CLI::App app(description, "remat-run");
  app.set_version_flag(
      "--version",
      remat::versionText("remat-run", std::string("for IREE runtime ") +
                                          remat::pinnedIreeVersion()));
  app.require_subcommand(1);
  addCommands(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  line.common.command = "remat-run";
  for (int i = 1; i < argc; ++i)
    line.common.command += " " + std::string(argv[i]);
  std::string name = app.get_subcommands().front()->get_name();
  std::string misuse = usageError(line, name);
  if (!misuse.empty()) {
    std::fprintf(stderr, "remat-run: error: %s\n", misuse.c_str());
    return 2;
  }
  try {
    return run(line, name);
  } catch (const Interrupted &) {
    std::fprintf(stderr, "remat-run: interrupted\n");
    return 130;
  } catch (const RunError &error) {
    std::fprintf(stderr, "remat-run: error: %s\n", error.what());
    return 1;
  } catch (const nlohmann::json::exception &error) {
    std::fprintf(stderr, "remat-run: error: invalid report: %s\n",
                 error.what());
    return 1;
  }
}
