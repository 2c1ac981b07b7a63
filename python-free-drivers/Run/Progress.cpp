//===- Progress.cpp - What long work shows while it runs ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <cstdio>
#include <unistd.h>

using namespace remat::run;
using Clock = std::chrono::steady_clock;

Progress::Progress(int total)
    : live(isatty(2)), total(total), start(Clock::now()) {}

std::string remat::run::formatDuration(double seconds) {
  auto whole = static_cast<long>(seconds + 0.5);
  char text[48];
  if (whole < 60)
    std::snprintf(text, sizeof(text), "%ld s", whole);
  else if (whole < 3600)
    std::snprintf(text, sizeof(text), "%ld min %02ld s", whole / 60,
                  whole % 60);
  else
    std::snprintf(text, sizeof(text), "%ld h %02ld min", whole / 3600,
                  whole / 60 % 60);
  return text;
}

void Progress::begin(const std::string &caseName) {
  name = caseName;
  show("");
}

void Progress::stage(const std::string &text) { show(text); }

void Progress::end(const std::string &outcome) {
  ++done;
  clear();
  std::fprintf(stderr, "[%d/%d] %s: %s\n", done, total, name.c_str(),
               outcome.c_str());
}

void Progress::clear() {
  if (live)
    std::fputs("\r\033[K", stderr);
}

void Progress::show(const std::string &text) {
  if (!live)
    return;
  double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  std::string line = "[" + std::to_string(done) + "/" + std::to_string(total) +
                     "] " + name + (text.empty() ? "" : ": " + text) + ", " +
                     formatDuration(elapsed) + " so far";
  if (done > 0 && done < total)
    line +=
        ", about " + formatDuration(elapsed / done * (total - done)) + " to go";
  std::fprintf(stderr, "\r\033[K%.*s", 110, line.c_str());
  std::fflush(stderr);
}
