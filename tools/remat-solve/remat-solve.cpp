//===- remat-solve.cpp - Plans for problems in text files -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrontierReport.h"
#include "Report.h"

#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Timeline.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/MemorySize.h"
#include "remat/Support/Version.h"

#include <CLI/CLI.hpp>
#include <cstdio>

using namespace remat;
using namespace remat::solver;

namespace {

constexpr int exitFailure = 1;
constexpr int exitUsage = 2;

constexpr const char *description =
    "Decides which tensors of a schedule to retain and which to recompute, so "
    "that its\npeak memory stays within a cap at the least added cost.";

constexpr const char *footer = R"(
Example:
  A computes a; B and C follow from it; D reads a at the end. At its peak the
  schedule holds a, b and c (48 bytes). Two thirds of that are enough if A is
  recomputed just before D:

  $ cat small.txt
  remat-problem 1
  tensor 0 bytes=16
  tensor 1 bytes=16
  tensor 2 bytes=16
  tensor 3 bytes=0 kind=output
  step 0 cost=1 name="A" out=0
  step 1 cost=5 name="B" in=0 out=1
  step 2 cost=5 name="C" in=1 out=2
  step 3 cost=5 name="D" in=2,0 out=3
  output 3
  $ remat-solve small.txt --memory-cap=67%

Exit code: 0 if the plan meets the cap; 1 if no plan within the cap was found
(before the deadline) or the input is bad; 2 if the command line is wrong.)";

struct CommandLine {
  std::string problemFile;
  std::string memoryCap;
  std::string solver = defaultSolver;
  double deadlineSeconds = 0;
  std::string jsonFile;
  std::string certificateFile;
  std::string checkedFile;
  int numCaps = 0;
  std::string csvFile;
  bool keepOrder = false;
};

int fail(int exitCode, const std::string &message) {
  std::fprintf(stderr, "remat-solve: error: %s\n", message.c_str());
  return exitCode;
}

bool isKnownSolver(const std::string &name) {
  for (const SolverInfo &info : allSolvers())
    if (name == info.name)
      return true;
  return false;
}

/// The names of all solvers, with or without their summaries.
std::string listSolvers(bool withSummaries) {
  std::string text;
  for (const SolverInfo &info : allSolvers()) {
    if (withSummaries)
      text += std::string(info.name) + ": " + info.summary + "\n";
    else
      text += std::string(text.empty() ? "" : ", ") + info.name;
  }
  return text;
}

std::string placeOf(const std::string &file, int64_t line) {
  std::string place = file == "-" ? "<standard input>" : file;
  return line > 0 ? place + ":" + std::to_string(line) : place;
}

/// Verifies the certificate in a file, without any solver.
int checkFile(const CommandLine &args, const Problem &problem, int64_t capBytes,
              int64_t originalCost) {
  std::string error;
  std::optional<std::string> text = readFile(args.checkedFile, error);
  if (!text)
    return fail(exitFailure, error);
  ParsedCertificate parsed = parseCertificate(problem, *text);
  if (!parsed.certificate)
    return fail(exitFailure,
                placeOf(args.checkedFile, parsed.line) + ": " + parsed.error);
  if (std::optional<std::string> fault =
          checkCertificate(problem, capBytes, *parsed.certificate))
    return fail(exitFailure,
                args.checkedFile + ": invalid certificate: " + *fault);
  std::fputs(formatProof(*parsed.certificate, originalCost).c_str(), stdout);
  return 0;
}

/// Plans for many caps.
int runFrontier(const CommandLine &args, const Problem &problem,
                const Timeline &original) {
  FrontierOptions options;
  options.numCaps = args.numCaps;
  options.solver = args.solver;
  options.deadlineSeconds = args.deadlineSeconds;
  options.keepOrder = args.keepOrder;
  std::vector<FrontierPoint> points = *computeFrontier(problem, options);
  FrontierReport report = {problem, points, original.peakBytes, original.cost};
  std::string error;
  if (!args.jsonFile.empty() &&
      !writeFile(args.jsonFile, formatFrontierJson(report), error))
    return fail(exitFailure, error);
  if (!args.csvFile.empty() &&
      !writeFile(args.csvFile, formatFrontierCsv(report), error))
    return fail(exitFailure, error);
  bool isOutputTaken = args.jsonFile == "-" || args.csvFile == "-";
  if (!isOutputTaken && !writeFile("-", formatFrontier(report), error))
    return fail(exitFailure, error);
  return 0;
}

int run(const CommandLine &args) {
  bool isFrontier = args.numCaps > 0;
  if (isFrontier != args.memoryCap.empty())
    return fail(exitUsage, "specify either --memory-cap or --frontier");
  if (!args.csvFile.empty() && !isFrontier)
    return fail(exitUsage, "--csv requires --frontier");
  std::optional<MemoryCap> cap =
      parseMemoryCap(isFrontier ? "100%" : args.memoryCap);
  if (!cap)
    return fail(exitUsage, "invalid memory cap '" + args.memoryCap +
                               "'; expected " + memoryCapForms);
  if (!isKnownSolver(args.solver))
    return fail(exitUsage, "unknown solver '" + args.solver +
                               "'; expected one of " + listSolvers(false));

  std::string error;
  std::optional<std::string> text = readFile(args.problemFile, error);
  if (!text)
    return fail(exitFailure, error);
  ParsedProblem parsed = parseProblem(*text);
  if (!parsed.problem)
    return fail(exitFailure,
                placeOf(args.problemFile, parsed.line) + ": " + parsed.error);

  const Problem &problem = *parsed.problem;
  Timeline original = computeTimeline(problem, originalPlan(problem));
  if (isFrontier)
    return runFrontier(args, problem, original);
  SolverOptions options;
  options.capBytes = cap->resolve(original.peakBytes);
  options.deadlineSeconds = args.deadlineSeconds;
  options.keepOrder = args.keepOrder;
  if (!args.checkedFile.empty())
    return checkFile(args, problem, options.capBytes, original.cost);
  SolverResult result = *solve(problem, args.solver, options);
  SolveReport report = {problem, result, original.peakBytes, original.cost,
                        options.capBytes};

  if (!args.jsonFile.empty() &&
      !writeFile(args.jsonFile, formatJson(report), error))
    return fail(exitFailure, error);
  if (!args.certificateFile.empty() &&
      !writeFile(args.certificateFile,
                 printCertificate(problem, result.certificate), error))
    return fail(exitFailure, error);
  if (result.status != SolveStatus::Ok)
    return fail(exitFailure, formatFailure(report));
  // If the JSON goes to standard output, nothing else does.
  if (args.jsonFile != "-" && !writeFile("-", formatReport(report), error))
    return fail(exitFailure, error);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app(description, "remat-solve");
  app.set_version_flag("--version", versionText("remat-solve"));
  app.footer(footer);
  CommandLine args;
  app.add_option("problem", args.problemFile,
                 "The problem file, or - for standard input")
      ->required()
      ->type_name("FILE");
  app.add_option("--memory-cap", args.memoryCap,
                 std::string("Peak memory allowed, inclusive, as a size or a "
                             "share of the original peak: ") +
                     memoryCapForms)
      ->type_name("SIZE");
  app.add_option("--frontier", args.numCaps,
                 "Instead of one cap, plan for this many (default: 16) from "
                 "the lowest peak to that of the schedule")
      ->type_name("NUMBER")
      ->expected(0, 1)
      ->default_str("16")
      ->check(CLI::Range(1, 10000));
  app.add_option("--csv", args.csvFile,
                 "With --frontier: also write the table as comma-separated "
                 "values to this file (- for standard output)")
      ->type_name("FILE");
  app.add_option("--solver", args.solver,
                 "One of " + listSolvers(false) +
                     " (default: " + defaultSolver + ")")
      ->type_name("NAME");
  app.add_option("--deadline", args.deadlineSeconds,
                 "Stop improving after this many seconds (default: 0, which "
                 "means never)")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--keep-order", args.keepOrder,
               "Execute the steps for the first time in the order of the "
               "schedule");
  app.add_option("--json", args.jsonFile,
                 "Also write the result as JSON to this file (- for standard "
                 "output, instead of the report), even if the cap is not met")
      ->type_name("FILE");
  app.add_option(
         "--certificate", args.certificateFile,
         "Also write the proof of the lower bound, or of the fact that no plan "
         "meets the cap, to this file")
      ->type_name("FILE");
  app.add_option(
         "--check-certificate", args.checkedFile,
         "Verify the proof in this file by the definitions alone, print "
         "what it proves, and exit; no solver runs")
      ->type_name("FILE");
  app.add_flag_callback(
      "--list-solvers",
      [] {
        std::fputs(listSolvers(true).c_str(), stdout);
        throw CLI::Success();
      },
      "List the solvers with a summary of each, and exit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &outcome) {
    return app.exit(outcome) == 0 ? 0 : exitUsage;
  }
  return run(args);
}
