//===- Settings.cpp - What all commands of remat-run share ----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Settings.h"

#include "remat/Run/Process.h"
#include "remat/Solver/Solvers.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace remat;
using namespace remat::run;
namespace fs = std::filesystem;

static bool isProgram(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// The first of `directories` that holds the program `name`, or the bare name.
static std::string find(const std::string &name,
                        const std::vector<fs::path> &directories) {
  for (const fs::path &directory : directories)
    if (isProgram(directory / name))
      return directory / name;
  return name;
}

static std::vector<fs::path> searchPath() {
  std::vector<fs::path> directories;
  const char *variable = std::getenv("PATH");
  std::string text = variable ? variable : "";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin)
      directories.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return directories;
}

Programs remat::run::findPrograms(const std::string &ireeDirectory) {
  std::error_code ignored;
  fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> iree = {ireeDirectory};
  if (ireeDirectory.empty()) {
    iree = searchPath();
    iree.insert(iree.begin(), here.parent_path() / "iree" / "bin");
  }
  return {find("remat-compile", {here}), find("remat-gen", {here}),
          find("iree-run-module", iree), find("iree-benchmark-module", iree),
          find("iree-profile", iree),    find("iree-dump-module", iree)};
}

const std::string &remat::run::use(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return program;
  if (program.rfind("remat-", 0) == 0)
    throw RunError("cannot find '" + program +
                   "' next to remat-run; './dev build' builds both");
  throw RunError("cannot find IREE's program '" + program +
                 "' in ../iree/bin next to remat-run or on PATH; './dev build' "
                 "downloads it, --iree-bin=DIR names another directory");
}

std::string remat::run::solverCalled(const std::string &name) {
  if (name.empty())
    return solver::defaultSolver;
  std::string names;
  for (const solver::SolverInfo &info : solver::allSolvers()) {
    if (name == info.name)
      return name;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw RunError("unknown solver '" + name + "'; expected one of " + names);
}
