//===- CommandLine.cpp - The command line of remat-opt --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "remat/Iree/Session.h"
#include "remat/Support/Version.h"
#include "remat/Transforms/PassTable.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>

using namespace remat;

static constexpr const char *description =
    "Runs passes on MLIR: ours, and all that IREE registers, in any order.\n"
    "Reads StableHLO and every other dialect of IREE, as text or bytecode.\n";

static constexpr const char *examples = R"(
Examples:
  remat-opt model.mlir --cse --canonicalize
      runs passes in the order of their flags and prints the result
  remat-opt model.mlir --rematerialize=memory-cap=50% -o small.mlir
      halves the peak memory of a function of tensors
  remat-opt flow.mlir -o planned.mlir --pass-pipeline='builtin.module(
      iree-stream-tensor-transformation-pipeline,
      iree-stream-async-transformation-pipeline,
      rematerialize{memory-cap=1.5GiB})'
      schedules with IREE, then recomputes what the cap leaves no room for
  remat-opt test.mlir --split-input-file --verify-diagnostics --cse
      compares what is reported with the expected-error comments of the input

A pass given as a flag runs on the module. If it is restricted to another op,
such as func.func, it runs on all of those directly below the module. In
--pass-pipeline the nesting is written out. Passes that generate code (those of
IREE's hal dialect) find no target here; remat-compile runs them.

Exit code: 0; 1 after an error in the input or a pass; 2 after an error on the
command line. After an error nothing is written.
)";

/// Options of MLIR that IREE's library accepts on its command line,
/// since they set the defaults of printing and of the context.
static constexpr const char *forwardedOptions[] = {
    "mlir-print-op-generic",
    "mlir-print-debuginfo",
    "mlir-pretty-debuginfo",
    "mlir-print-local-scope",
    "mlir-print-skip-regions",
    "mlir-print-value-users",
    "mlir-print-unique-ssa-ids",
    "mlir-print-assume-verified",
    "mlir-use-nameloc-as-prefix",
    "mlir-elide-elementsattrs-if-larger",
    "mlir-elide-resource-strings-if-larger",
    "mlir-print-elementsattrs-with-hex-if-larger",
    "mlir-print-op-on-diagnostic",
    "mlir-print-stacktrace-on-diagnostic",
};

std::string remat::describePasses() {
  std::string text;
  for (const PassEntry &entry : allPasses()) {
    text +=
        std::string("  --") + entry.name + "\n      " + entry.summary + "\n";
    for (const PassOption &option : entry.options) {
      text += std::string("        ") + option.name;
      if (*option.defaultValue)
        text += std::string(" [") + option.defaultValue + "]";
      text += std::string("\n            ") + option.help + "\n";
    }
  }
  return text;
}

/// LLVM's tools take one dash or two; CLI11 takes `-cse` for `-c -s -e`.
static std::string normalizeDashes(const std::string &argument) {
  if (argument.compare(0, 3, "-o=") == 0)
    return "--output=" + argument.substr(3);
  bool oneDash = argument.size() > 2 && argument[0] == '-' &&
                 std::isalpha(static_cast<unsigned char>(argument[1]));
  return oneDash ? "-" + argument : argument;
}

/// Sorts the arguments that CLI11 leaves over into options for IREE and passes.
/// Returns an error, or an empty string.
static std::string classify(const std::vector<std::string> &leftOver,
                            OptOptions &options) {
  for (const std::string &argument : leftOver) {
    if (argument.size() < 3 || argument.compare(0, 2, "--") != 0)
      return "unexpected argument '" + argument +
             "'; expected at most one input file";
    size_t equals = argument.find('=');
    std::string name =
        argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (std::find(std::begin(forwardedOptions), std::end(forwardedOptions),
                  name) != std::end(forwardedOptions)) {
      options.ireeFlags.push_back(argument);
      continue;
    }
    PipelineElement pass;
    pass.name = name;
    if (equals != std::string::npos)
      pass.options = argument.substr(equals + 1);
    options.passFlags.push_back(std::move(pass));
  }
  if (options.pipeline && !options.passFlags.empty())
    return "'--" + options.passFlags.front().name +
           "' cannot be combined with --pass-pipeline; write all passes into "
           "the pipeline";
  return {};
}

static int reportUsage(const std::string &message) {
  std::cerr << "remat-opt: error: " << message
            << "\nrun 'remat-opt --help' for the options\n";
  return 2;
}

std::optional<OptOptions> remat::parseCommandLine(int argc, char **argv,
                                                  int &exitCode) {
  OptOptions options;
  CLI::App app(description, "remat-opt");
  app.allow_extras();
  app.get_formatter()->column_width(42);
  app.add_option("input", options.input,
                 "File to read; '-' or nothing is standard input")
      ->type_name("FILE");
  app.add_option("-o,--output", options.output,
                 "File to write; '-' or nothing is standard output")
      ->type_name("FILE");

  std::string group = "Passes";
  std::string pipeline;
  CLI::Option *pipelineOption =
      app.add_option("--pass-pipeline", pipeline,
                     "Passes to run, e.g. "
                     "'builtin.module(func.func(cse),rematerialize{memory-cap="
                     "50%})'")
          ->type_name("TEXT")
          ->group(group);
  app.add_flag("--verify-each", options.verifyEach,
               "Verify the IR after each pass; on unless =false")
      ->group(group);
  app.add_flag("--list-passes", options.listPasses,
               "List our passes and IREE's")
      ->group(group);
  app.add_option("--iree-flag", options.ireeFlags,
                 "Flag for IREE's own command line, e.g. "
                 "--iree-flag=--iree-opt-level=O2; may be repeated")
      ->group(group)
      ->type_name("FLAG")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_flag("--mlir-disable-threading", options.disableThreading,
               "Run passes on one thread")
      ->group(group);

  group = "Input and output";
  app.add_flag("--split-input-file", options.splitInputFile,
               "Process the pieces between lines '// -----' separately")
      ->group(group);
  app.add_flag("--allow-unregistered-dialect", options.allowUnregisteredDialect,
               "Accept ops of dialects that are not registered")
      ->group(group);
  std::string verify;
  app.add_flag("--verify-diagnostics", verify,
               "Compare diagnostics with the expected-error, -warning, -remark "
               "and -note comments; =only-expected ignores others")
      ->group(group);
  app.add_flag("--emit-bytecode", options.emitBytecode,
               "Write bytecode instead of text")
      ->group(group);
  app.add_flag("--show-dialects", options.showDialects,
               "List the dialects that can be read")
      ->group(group);

  group = "Printing and timing (on standard error)";
  app.add_flag("--mlir-print-ir-before-all", options.printBeforeAll,
               "Print the IR before each pass")
      ->group(group);
  app.add_flag("--mlir-print-ir-after-all", options.printAfterAll,
               "Print the IR after each pass")
      ->group(group);
  app.add_flag("--mlir-print-ir-after-change", options.printAfterChange,
               "Print the IR after each pass that changed it")
      ->group(group);
  app.add_flag("--mlir-print-ir-after-failure", options.printAfterFailure,
               "Print the IR after a pass that failed")
      ->group(group);
  app.add_flag("--mlir-print-ir-module-scope", options.printModuleScope,
               "Print the whole module, whatever the pass runs on")
      ->group(group);
  app.add_option("--mlir-print-ir-tree-dir", options.printTreeDir,
                 "Print into files of this directory instead")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--mlir-timing", options.timing, "Print the time of each pass")
      ->group(group);

  app.add_flag_callback(
      "--version",
      [] {
        throw CLI::CallForVersion(
            versionText("remat-opt", ireeCompilerVersionText()), 0);
      },
      "Print the version");
  std::string forwarded;
  for (const char *option : forwardedOptions)
    forwarded += std::string("  --") + option + "\n";
  app.footer(
      "\nMLIR's options for printing ops are accepted; write values after "
      "'=':\n" +
      forwarded + "\nOur passes and their options [default]:\n" +
      describePasses() + examples);

  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) // CLI11 takes them last to first.
    arguments.push_back(normalizeDashes(argv[i]));
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success &answered) {
    exitCode = app.exit(answered);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    exitCode = reportUsage(error.what());
    return std::nullopt;
  }

  if (pipelineOption->count())
    options.pipeline = pipeline;
  std::string wrong;
  if (verify == "true" || verify == "all")
    options.verifyDiagnostics = VerifyDiagnostics::All;
  else if (verify == "only-expected")
    options.verifyDiagnostics = VerifyDiagnostics::OnlyExpected;
  else if (!verify.empty() && verify != "false")
    wrong = "invalid value '" + verify +
            "' of --verify-diagnostics; expected 'all' or 'only-expected'";
  if (wrong.empty())
    wrong = classify(app.remaining(), options);
  if (!wrong.empty()) {
    exitCode = reportUsage(wrong);
    return std::nullopt;
  }
  return options;
}
