//===- Progress.cpp - What long work shows while it runs ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Progress.h"

#include "remat/Run/Process.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace remat::run;
using Clock = std::chrono::steady_clock;

Progress::Progress(int total)
    : live(isatty(2)), total(total), start(Clock::now()) {
  if (live)
    setWaitCallback([this] { show(); });
}

Progress::~Progress() {
  if (live)
    setWaitCallback({});
  clear();
}

double Progress::elapsedSeconds() const {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double remat::run::estimateSeconds(int done, int total, double doneSeconds,
                                   double elapsedSeconds) {
  double expected = doneSeconds / done * (total - done);
  return std::max(0.0, expected - (elapsedSeconds - doneSeconds));
}

std::string remat::run::formatDuration(double seconds) {
  long whole = std::lround(seconds);
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
  stage("");
}

void Progress::stage(const std::string &text) {
  stageText = text;
  show();
}

void Progress::end(const std::string &outcome) {
  ++done;
  doneSeconds = elapsedSeconds();
  clear();
  std::fprintf(stderr, "[%d/%d] %s: %s\n", done, total, name.c_str(),
               outcome.c_str());
  name.clear();
}

void Progress::clear() {
  if (shown)
    std::fputs("\r\033[K", stderr);
  shown = false;
}

/// The number of characters in a line of the terminal.
static int terminalWidth() {
  winsize size = {};
  if (ioctl(2, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
    return 80;
  return size.ws_col;
}

void Progress::show() {
  if (!live || name.empty())
    return;
  double elapsed = elapsedSeconds();
  std::string line =
      total ? "[" + std::to_string(done) + "/" + std::to_string(total) + "] "
            : "";
  line += name + (stageText.empty() ? "" : ": " + stageText) + ", " +
          formatDuration(elapsed) + " so far";
  if (done > 0 && done < total)
    line += ", about " +
            formatDuration(estimateSeconds(done, total, doneSeconds, elapsed)) +
            " to go";
  // One less, so that the cursor stays on the line.
  std::fprintf(stderr, "\r\033[K%.*s", terminalWidth() - 1, line.c_str());
  std::fflush(stderr);
  shown = true;
}
