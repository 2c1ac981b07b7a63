//===- RematOpt.cpp - The opt-style tool on IREE's compiler library -------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "remat/Iree/DiagnosticRouter.h"
#include "remat/Iree/DiagnosticVerifier.h"
#include "remat/Iree/PassPipeline.h"
#include "remat/Iree/Program.h"
#include "remat/Iree/Session.h"
#include "remat/Support/FileIO.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

using namespace remat;

static constexpr const char *splitMarker = "// -----";

namespace {

/// Executes the command line, with IREE set up.
class OptTool {
public:
  OptTool(IreeSession &session, const OptOptions &options)
      : session(session), options(options) {}

  /// Returns the exit code.
  int run();

private:
  bool parsePipeline();
  bool buildPipeline(PassPipeline &pipeline, PipelineError &error) const;
  bool checkPipeline();
  void configure(PassPipeline &pipeline) const;
  bool process(const SourceBuffer &source, std::string &output);
  bool transform(const SourceBuffer &source, DiagnosticRouter &router,
                 std::string &output);
  void print(MlirOperation module, std::string &output) const;

  IreeSession &session;
  const OptOptions &options;
  /// The op that the pipeline runs on, with its passes if they came as text.
  PipelineElement pipelineTree;
};

} // namespace

static void report(const std::string &message) {
  std::cerr << "remat-opt: error: " << message << "\n";
}

//===----------------------------------------------------------------------===//
// The pipeline
//===----------------------------------------------------------------------===//

bool OptTool::parsePipeline() {
  pipelineTree.name = "builtin.module";
  if (!options.pipeline)
    return true;
  PipelineError error;
  std::optional<PipelineElement> parsed =
      parsePipelineText(*options.pipeline, error);
  if (!parsed || !checkAnchor(*parsed, error)) {
    report(error.format(*options.pipeline));
    return false;
  }
  pipelineTree = std::move(*parsed);
  return true;
}

bool OptTool::buildPipeline(PassPipeline &pipeline,
                            PipelineError &error) const {
  for (const PipelineElement &flag : options.passFlags)
    if (!pipeline.appendNesting(flag, error))
      return false;
  return pipeline.append(pipelineTree.nested, error);
}

/// Whether the pipeline can be built, so that errors on the command line are
/// reported before any input is read.
bool OptTool::checkPipeline() {
  if (!parsePipeline())
    return false;
  for (const PipelineElement &flag : options.passFlags) {
    if (isPassName(session.context(), flag.name))
      continue;
    report(
        "unknown option or pass '--" + flag.name +
        "'; --help lists the options and --list-passes the passes; pass flags "
        "to IREE's compiler as --iree-flag=--" +
        flag.name);
    return false;
  }
  PassPipeline trial(session.context(), pipelineTree.name,
                     [](const Diagnostic &) {});
  PipelineError error;
  if (buildPipeline(trial, error))
    return true;
  report(options.pipeline ? error.format(*options.pipeline) : error.message);
  return false;
}

void OptTool::configure(PassPipeline &pipeline) const {
  MlirPassManager manager = pipeline.get();
  mlirPassManagerEnableVerifier(manager, options.verifyEach);
  if (options.printsIR()) {
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    mlirPassManagerEnableIRPrinting(
        manager, options.printBeforeAll,
        options.printAfterAll || options.printAfterChange,
        options.printModuleScope, options.printAfterChange,
        options.printAfterFailure, flags,
        mlirStringRefCreateFromCString(options.printTreeDir.c_str()));
    mlirOpPrintingFlagsDestroy(flags);
  }
  if (options.timing)
    mlirPassManagerEnableTiming(manager);
}

//===----------------------------------------------------------------------===//
// The input
//===----------------------------------------------------------------------===//

/// The pieces of `whole` between split markers. Each is preceded by as many
/// empty lines as keep its locations at their lines in the whole.
static std::vector<SourceBuffer> split(const SourceBuffer &whole) {
  std::vector<SourceBuffer> pieces{{whole.name, ""}};
  size_t lines = 0;
  for (size_t begin = 0; begin < whole.text.size(); ++lines) {
    size_t end = std::min(whole.text.find('\n', begin), whole.text.size() - 1);
    std::string line = whole.text.substr(begin, end + 1 - begin);
    begin = end + 1;
    std::string trimmed = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
    if (trimmed == splitMarker)
      pieces.push_back({whole.name, std::string(lines + 1, '\n')});
    else
      pieces.back().text += line;
  }
  return pieces;
}

static void appendPiece(MlirStringRef piece, void *out) {
  static_cast<std::string *>(out)->append(piece.data, piece.length);
}

void OptTool::print(MlirOperation module, std::string &output) const {
  if (options.emitBytecode) {
    mlirOperationWriteBytecode(module, &appendPiece, &output);
    return;
  }
  // The flags start out as MLIR's options on the command line say.
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOperationPrintWithFlags(module, flags, &appendPiece, &output);
  mlirOpPrintingFlagsDestroy(flags);
  output += '\n';
}

bool OptTool::transform(const SourceBuffer &source, DiagnosticRouter &router,
                        std::string &output) {
  MlirOperation module = session.parse(source);
  if (mlirOperationIsNull(module))
    return false;
  bool succeeded = false;
  {
    PassPipeline pipeline(session.context(), pipelineTree.name, router.sink());
    PipelineError error;
    // checkPipeline() has built the same before.
    succeeded = buildPipeline(pipeline, error);
    configure(pipeline);
    succeeded = succeeded && pipeline.run(module);
  }
  if (succeeded)
    print(module, output);
  mlirOperationDestroy(module);
  return succeeded;
}

/// Reads, transforms and prints one piece of the input. Returns whether that
/// succeeded; when diagnostics are verified, whether they are as expected.
bool OptTool::process(const SourceBuffer &source, std::string &output) {
  auto show = [&](const SourceDiagnostic &diagnostic) {
    std::cerr << formatDiagnostic(diagnostic, source);
  };
  if (options.verifyDiagnostics == VerifyDiagnostics::Off) {
    DiagnosticRouter router(session.context(), show);
    return transform(source, router, output);
  }
  DiagnosticVerifier verifier(source, options.verifyDiagnostics ==
                                          VerifyDiagnostics::OnlyExpected);
  {
    DiagnosticRouter router(session.context(),
                            [&](const SourceDiagnostic &diagnostic) {
                              verifier.check(diagnostic);
                            });
    transform(source, router, output);
  }
  std::vector<SourceDiagnostic> complaints = verifier.complaints();
  for (const SourceDiagnostic &complaint : complaints)
    show(complaint);
  return complaints.empty();
}

int OptTool::run() {
  MlirContext context = session.context();
  // IREE's sessions accept anything.
  mlirContextSetAllowUnregisteredDialects(context,
                                          options.allowUnregisteredDialect);
  // Printing from several threads would interleave functions, and MLIR refuses
  // to print the module while other threads change it.
  if (options.disableThreading || options.printsIR())
    mlirContextEnableMultithreading(context, false);
  if (!checkPipeline())
    return 2;

  SourceBuffer source;
  source.name = options.input == "-" ? "<stdin>" : options.input;
  if (options.input == "-" && isatty(STDIN_FILENO))
    std::cerr << "remat-opt: reading standard input; end it with Ctrl-D\n";
  std::string error;
  std::optional<std::string> text = readFile(options.input, error);
  if (!text) {
    report(error);
    return 1;
  }
  source.text = std::move(*text);

  std::string output;
  bool succeeded = true;
  if (options.splitInputFile) {
    std::vector<SourceBuffer> pieces = split(source);
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (i)
        output += std::string(splitMarker) + "\n";
      succeeded &= process(pieces[i], output);
    }
  } else {
    succeeded = process(source, output);
  }
  if (!succeeded)
    return 1;
  if (!writeFile(options.output, output, error)) {
    report(error);
    return 1;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// Lets IREE's own opt tool answer `flag`; no C function returns these lists.
static int askIreeOpt(const char *flag) {
  std::cout << std::flush;
  std::string program = "remat-opt", argument = flag;
  char *arguments[] = {program.data(), argument.data(), nullptr};
  return ireeOptRunMain(2, arguments);
}

int rematMain(int argc, char **argv) {
  int exitCode = 0;
  std::optional<OptOptions> options = parseCommandLine(argc, argv, exitCode);
  if (!options)
    return exitCode;
  if (options->showDialects)
    return askIreeOpt("--show-dialects");
  if (options->listPasses) {
    std::cout << "Our passes and their options [default]:\n"
              << describePasses() << "\nIREE's passes:\n";
    return askIreeOpt("--list-passes");
  }

  std::vector<std::string> flags = options->ireeFlags;
  // The op as a note to each error would be a note that no test expects.
  if (options->verifyDiagnostics != VerifyDiagnostics::Off)
    flags.insert(flags.begin(), "--mlir-print-op-on-diagnostic=false");
  IreeSession session("remat-opt", flags);
  return OptTool(session, *options).run();
}
