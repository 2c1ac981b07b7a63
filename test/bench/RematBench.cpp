//===- RematBench.cpp - All solvers on all graphs at all caps -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints one line for each solver, graph and cap: the overhead, the lower bound
// and the gap between them, the time, and the memory of the solver. Every cell
// runs in a separate process, to measure its memory alone.
//
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "remat/Render/Svg.h"

#include "remat/Solver/ProblemText.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"
#include "remat/Support/FileIO.h"
#include "remat/Support/Version.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace remat::solver;

namespace {

struct Graph {
  std::string name;
  Problem problem;
  int64_t peakBytes = 0;
  int64_t cost = 0;
};

/// The result of one cell; trivially copyable, to go through a pipe.
struct Cell {
  bool isOk = false;
  bool isProven = false;
  double overheadPercent = 0;
  double boundPercent = 0;
  double lowestPeakPercent = 0;
  double wallSeconds = 0;
  double cpuSeconds = 0;
  double peakMebibytes = 0;
  char member[16] = "";
};

struct CommandLine {
  std::vector<std::string> solvers;
  std::vector<std::string> graphs;
  std::vector<int> caps = {90, 75, 60, 50, 40, 30, 25};
  double deadlineSeconds = 0;
  bool keepOrder = false;
  bool isCsv = false;
  bool isScaling = false;
  bool isSmoke = false;
  std::string svgFile;
  Tuning tuning;
};

Graph withMeasures(std::string name, Problem problem) {
  Timeline timeline = computeTimeline(problem, originalPlan(problem));
  return {std::move(name), std::move(problem), timeline.peakBytes,
          timeline.cost};
}

Graph readGraph(const std::string &file) {
  std::string error;
  std::optional<std::string> text = remat::readFile(file, error);
  ParsedProblem parsed;
  if (text)
    parsed = parseProblem(*text);
  if (!parsed.problem) {
    std::fprintf(stderr, "remat-bench: error: %s\n",
                 text ? (file + ": " + parsed.error).c_str() : error.c_str());
    std::exit(1);
  }
  std::string name = file.substr(file.rfind('/') + 1);
  return withMeasures(name.substr(0, name.find('.')),
                      std::move(*parsed.problem));
}

Cell solveCell(const CommandLine &args, const Graph &graph,
               const std::string &solver, int capPercent) {
  SolverOptions options;
  options.capBytes = graph.peakBytes / 100 * capPercent +
                     graph.peakBytes % 100 * capPercent / 100;
  options.deadlineSeconds = args.deadlineSeconds;
  options.keepOrder = args.keepOrder;
  options.tuning = &args.tuning;
  SolverResult result = *solve(graph.problem, solver, options);
  auto percent = [](int64_t part, int64_t whole) {
    return 100.0 * static_cast<double>(part) /
           static_cast<double>(std::max<int64_t>(1, whole));
  };
  Cell cell;
  cell.isOk = result.status == SolveStatus::Ok;
  cell.isProven = result.proven;
  cell.overheadPercent = percent(result.cost - graph.cost, graph.cost);
  cell.boundPercent = percent(
      result.lowerBoundCost.value_or(graph.cost) - graph.cost, graph.cost);
  cell.lowestPeakPercent = percent(result.lowestPeakBytes, graph.peakBytes);
  cell.wallSeconds = result.seconds;
  std::snprintf(cell.member, sizeof(cell.member), "%s", result.member.c_str());
  return cell;
}

/// Solves in a child process. Its memory includes the problem, not much else.
Cell runCell(const CommandLine &args, const Graph &graph,
             const std::string &solver, int capPercent) {
  Cell cell;
  int ends[2];
  if (pipe(ends) != 0) {
    std::perror("remat-bench: error: cannot create a pipe");
    std::exit(1);
  }
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    cell = solveCell(args, graph, solver, capPercent);
    bool isWritten = write(ends[1], &cell, sizeof(cell)) == sizeof(cell);
    _exit(isWritten ? 0 : 1);
  }
  close(ends[1]);
  bool isRead = child > 0 && read(ends[0], &cell, sizeof(cell)) == sizeof(cell);
  close(ends[0]);
  int status = 1;
  rusage usage = {};
  if (child > 0)
    wait4(child, &status, 0, &usage);
  if (!isRead || status != 0) {
    std::fprintf(stderr, "remat-bench: error: %s failed on %s at %d %%\n",
                 solver.c_str(), graph.name.c_str(), capPercent);
    std::exit(1);
  }
  cell.cpuSeconds = static_cast<double>(usage.ru_utime.tv_sec) +
                    1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  cell.peakMebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return cell;
}

void printHead(const CommandLine &args) {
  if (args.isCsv)
    std::puts("graph,steps,cap_percent,solver,member,status,proven,"
              "overhead_percent,bound_percent,lowest_peak_percent,seconds,cpu_"
              "seconds,"
              "peak_mib");
  else
    std::printf("%-20s %7s %5s %-12s %-9s %9s %9s %8s %8s %8s %8s\n", "graph",
                "steps", "cap %", "solver", "member", "overhead", "bound",
                "gap", "seconds", "cpu s", "MiB");
}

void printCell(const CommandLine &args, const Graph &graph,
               const std::string &solver, int cap, const Cell &cell) {
  size_t steps = graph.problem.steps.size();
  if (args.isCsv) {
    std::printf("%s,%zu,%d,%s,%s,%s,%d,%.4f,%.4f,%.2f,%.3f,%.3f,%.1f\n",
                graph.name.c_str(), steps, cap, solver.c_str(), cell.member,
                cell.isOk       ? "ok"
                : cell.isProven ? "infeasible"
                                : "not-found",
                cell.isProven, cell.overheadPercent, cell.boundPercent,
                cell.lowestPeakPercent, cell.wallSeconds, cell.cpuSeconds,
                cell.peakMebibytes);
    return;
  }
  char overhead[32], bound[32] = "", gap[32] = "";
  if (cell.isOk) {
    std::snprintf(overhead, sizeof(overhead), "%.3f %%", cell.overheadPercent);
    std::snprintf(bound, sizeof(bound), "%.3f %%", cell.boundPercent);
    if (cell.isProven)
      std::snprintf(gap, sizeof(gap), "optimal");
    else
      std::snprintf(gap, sizeof(gap), "%.3f",
                    cell.overheadPercent - cell.boundPercent);
  } else {
    // The lowest peak it found, as in the tables of docs/solver.md.
    std::snprintf(overhead, sizeof(overhead), "(%.1f %%)",
                  cell.lowestPeakPercent);
    std::snprintf(bound, sizeof(bound), "%s", cell.isProven ? "none" : "");
  }
  std::printf("%-20s %7zu %5d %-12s %-9s %9s %9s %8s %8.2f %8.2f %8.0f\n",
              graph.name.c_str(), steps, cap, solver.c_str(), cell.member,
              overhead, bound, gap, cell.wallSeconds, cell.cpuSeconds,
              cell.peakMebibytes);
}

std::vector<Graph> standardGraphs() {
  std::vector<Graph> graphs;
  for (const char *name :
       {"mlp16_w1024_b4096", "tf_b2", "tf_b8", "rn18_b4_nhwc_cv",
        "rn50_b8_nhwc_cv", "vgg16_b4_nhwc_cv"})
    graphs.push_back(readGraph(std::string(REMAT_TEST_DATA_DIR "/graphs/") +
                               name + ".problem.txt"));
  graphs.push_back(withMeasures("chain", generateChain(1000)));
  graphs.push_back(withMeasures("layered", generateLayered(1000, 1)));
  graphs.push_back(withMeasures("unet", generateUNet(300)));
  graphs.push_back(withMeasures("densenet", generateDenseNet(600)));
  return graphs;
}

std::vector<Graph> scalingGraphs() {
  std::vector<Graph> graphs;
  for (int32_t steps : {200, 2100, 20000, 100000})
    graphs.push_back(withMeasures("chain", generateChain(steps)));
  for (int32_t steps : {100, 1000, 10000})
    graphs.push_back(withMeasures("layered", generateLayered(steps, 1)));
  for (int32_t steps : {200, 2100, 20000})
    graphs.push_back(withMeasures("unet", generateUNet(steps)));
  for (int32_t steps : {200, 2100, 20000})
    graphs.push_back(withMeasures("densenet", generateDenseNet(steps)));
  return graphs;
}

/// Small graphs, to see that everything runs.
std::vector<Graph> smokeGraphs() {
  std::vector<Graph> graphs;
  graphs.push_back(
      readGraph(REMAT_TEST_DATA_DIR "/graphs/mlp16_w1024_b4096.problem.txt"));
  graphs.push_back(withMeasures("chain", generateChain(60)));
  graphs.push_back(withMeasures("layered", generateLayered(60, 1)));
  graphs.push_back(withMeasures("unet", generateUNet(60)));
  graphs.push_back(withMeasures("densenet", generateDenseNet(60)));
  return graphs;
}

int writePlot(const std::string &file,
              const std::map<std::string, remat::Series> &lines) {
  remat::Plot plot;
  plot.title = "Time to plan";
  plot.xLabel = "steps";
  plot.yLabel = "seconds";
  plot.isLogarithmic = true;
  for (const auto &[name, series] : lines)
    plot.series.push_back(series);
  std::string error;
  if (remat::writeFile(file, remat::toSvg(plot, "scaling"), error))
    return 0;
  std::fprintf(stderr, "remat-bench: error: %s\n", error.c_str());
  return 1;
}

/// The output of --list-tuning.
void printTuning() {
  for (const TuningEntry &entry : tuningEntries()) {
    if (entry.isRule)
      std::printf("%s (rule of lib/Solver/%s)\n", entry.name.c_str(),
                  entry.folder.c_str());
    else
      std::printf("%s = %s [%s, %s] %s (lib/Solver/%s)\n", entry.name.c_str(),
                  entry.defaultValue.c_str(), entry.least.c_str(),
                  entry.most.c_str(), entry.unit.c_str(), entry.folder.c_str());
    std::printf("    %s\n", entry.reason.c_str());
  }
}

/// Applies NAME=VALUE and the rules to leave out, or returns an error.
std::optional<std::string> tune(Tuning &tuning,
                                const std::vector<std::string> &settings,
                                const std::vector<std::string> &rules) {
  for (const std::string &setting : settings) {
    size_t sign = setting.find('=');
    if (sign == std::string::npos)
      return "invalid setting '" + setting + "'; expected NAME=VALUE";
    if (auto error = setTuning(tuning, setting.substr(0, sign),
                               setting.substr(sign + 1)))
      return error;
  }
  for (const std::string &rule : rules)
    if (auto error = setTuning(tuning, rule, "off"))
      return error;
  return std::nullopt;
}

int run(CommandLine args) {
  std::vector<Graph> graphs;
  for (const std::string &file : args.graphs)
    graphs.push_back(readGraph(file));
  if (graphs.empty())
    graphs = args.isSmoke     ? smokeGraphs()
             : args.isScaling ? scalingGraphs()
                              : standardGraphs();
  if (args.isScaling || args.isSmoke)
    args.caps = {50};
  // Where nothing fits, exact would take its million states.
  constexpr double smokeSeconds = 3;
  if (args.isSmoke && args.deadlineSeconds == 0)
    args.deadlineSeconds = smokeSeconds;
  if (args.solvers.empty()) {
    for (const SolverInfo &info : allSolvers())
      if (std::string(info.name) != "brute-force" &&
          (!args.isScaling || std::string(info.name) == defaultSolver))
        args.solvers.push_back(info.name);
  }
  for (const Graph &graph : graphs) {
    if (std::optional<std::string> error = check(graph.problem)) {
      std::fprintf(stderr, "remat-bench: error: %s: %s\n", graph.name.c_str(),
                   error->c_str());
      return 1;
    }
  }
  printHead(args);
  // Seconds against steps, a line for each kind of graph, solver and cap.
  std::map<std::string, remat::Series> lines;
  for (const Graph &graph : graphs)
    for (int cap : args.caps)
      for (const std::string &solver : args.solvers) {
        Cell cell = runCell(args, graph, solver, cap);
        printCell(args, graph, solver, cap, cell);
        std::string name =
            graph.name + ", " + solver + " at " + std::to_string(cap) + " %";
        lines[name].name = name;
        lines[name].points.emplace_back(graph.problem.steps.size(),
                                        cell.wallSeconds);
      }
  return args.svgFile.empty() ? 0 : writePlot(args.svgFile, lines);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Runs solvers on graphs at caps, and prints overhead, bound, "
               "gap, seconds and memory.",
               "remat-bench");
  app.set_version_flag("--version", remat::versionText("remat-bench"));
  CommandLine args;
  std::vector<std::string> names;
  for (const SolverInfo &info : allSolvers())
    names.push_back(info.name);
  app.add_option("--solvers", args.solvers,
                 "Which solvers (default: all but brute-force; for --scaling "
                 "the default solver)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names));
  app.add_option("--caps", args.caps, "Caps in percent of the plain peak")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 100));
  app.add_option("--deadline", args.deadlineSeconds,
                 "Seconds for each cell (default: 0, no deadline)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--keep-order", args.keepOrder,
               "Execute the steps for the first time in the order of the "
               "schedule");
  app.add_flag("--csv", args.isCsv, "Print comma-separated values");
  app.add_flag("--scaling", args.isScaling,
               "Time against steps: generated graphs of up to 100,000 steps, "
               "at 50 %");
  app.add_flag("--smoke", args.isSmoke,
               "Small graphs only, at 50 %, three seconds for each cell unless "
               "--deadline says otherwise");
  app.add_option("--svg", args.svgFile,
                 "Write a plot of the seconds against the steps to this file");
  std::vector<std::string> settings, rules;
  bool listTuning = false;
  app.add_option("--set", settings,
                 "NAME=VALUE: set a tuning constant, or a rule to on or off; "
                 "repeatable")
      ->allow_extra_args(false);
  app.add_option("--without", rules,
                 "RULE: leave out a rule or a planner, as "
                 "--set RULE=off; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--list-tuning", listTuning,
               "Print all tuning constants and rules, with their defaults, "
               "ranges and reasons, and stop");
  app.add_option("graphs", args.graphs,
                 "Problem files (default: those of the tests, and generated "
                 "ones)")
      ->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &outcome) {
    return app.exit(outcome) == 0 ? 0 : 2;
  }
  if (listTuning) {
    printTuning();
    return 0;
  }
  if (auto error = tune(args.tuning, settings, rules)) {
    std::fprintf(stderr, "remat-bench: error: %s\n", error->c_str());
    return 2;
  }
  return run(std::move(args));
}
