//===- Process.cpp - Programs run to their end, or ended ------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace remat::run;
using Clock = std::chrono::steady_clock;

static volatile std::sig_atomic_t interruptFlag = 0;

void remat::run::handleInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interruptFlag = 1; };
  // A write to a closed pipe must be an error to report, not a fatal signal.
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGPIPE, &ignore, nullptr);
}

void remat::run::checkInterrupted() {
  if (interruptFlag)
    throw Interrupted();
}

static std::function<void()> waitCallback;

void remat::run::setWaitCallback(std::function<void()> callback) {
  waitCallback = std::move(callback);
}

namespace {
/// The two ends of a pipe, closed on destruction.
struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw RunError(std::string("cannot create a pipe: ") +
                     std::strerror(errno));
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(int end) {
    if (ends[end] >= 0)
      ::close(ends[end]);
    ends[end] = -1;
  }
};
} // namespace

/// Replaces the forked child by the program; never returns. Only functions that
/// are safe between fork and exec are called.
static void becomeProgram(char *const *arguments, Pipe &output, Pipe &error,
                          Pipe &failure, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output.ends[1], 1);
  dup2(error.ends[1], 2);
  execvp(arguments[0], arguments);
  int reason = errno;
  if (write(failure.ends[1], &reason, sizeof(reason)) < 0)
    _exit(126);
  _exit(127);
}

/// Reads what has arrived into `text`; closes the pipe at its end.
static void drain(Pipe &pipe, std::string &text) {
  char buffer[1 << 16];
  ssize_t count = read(pipe.ends[0], buffer, sizeof(buffer));
  if (count > 0)
    text.append(buffer, count);
  else if (count == 0 || errno != EINTR)
    pipe.close(0);
}

ProcessResult remat::run::runProcess(const std::vector<std::string> &command,
                                     double timeoutSeconds) {
  checkInterrupted();
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  Pipe output, error, failure;
  Clock::time_point begin = Clock::now();
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    throw RunError("cannot start '" + command[0] +
                   "': " + std::strerror(errno));
  if (child == 0)
    becomeProgram(arguments.data(), output, error, failure, parent);
  // In both processes, so that neither has to wait for the other.
  setpgid(child, child);
  output.close(1);
  error.close(1);
  failure.close(1);

  ProcessResult result;
  auto elapsed = [&] {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  bool killed = false;
  double told = 0;
  while (output.ends[0] >= 0 || error.ends[0] >= 0) {
    pollfd polled[2] = {{output.ends[0], POLLIN, 0},
                        {error.ends[0], POLLIN, 0}};
    poll(polled, 2, 200);
    if (output.ends[0] >= 0 && polled[0].revents)
      drain(output, result.output);
    if (error.ends[0] >= 0 && polled[1].revents)
      drain(error, result.error);
    if (waitCallback && elapsed() > told + 1) {
      told = elapsed();
      waitCallback();
    }
    result.timedOut |= timeoutSeconds > 0 && elapsed() > timeoutSeconds;
    if (!killed && (interruptFlag || result.timedOut)) {
      kill(-child, SIGKILL);
      killed = true;
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (interruptFlag)
      kill(-child, SIGKILL);
  result.seconds = elapsed();
  checkInterrupted();
  int reason = 0;
  if (read(failure.ends[0], &reason, sizeof(reason)) == sizeof(reason))
    throw RunError("cannot run '" + command[0] + "': " + std::strerror(reason));
  result.exitCode =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string remat::run::lastLines(const ProcessResult &result, size_t lines) {
  std::string text = result.error.empty() ? result.output : result.error;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  size_t position = text.size();
  for (size_t i = 0; i < lines && position != std::string::npos; ++i)
    position =
        position == 0 ? std::string::npos : text.rfind('\n', position - 1);
  if (position != std::string::npos)
    text.erase(0, position + 1);
  if (result.timedOut)
    text += (text.empty() ? "" : "\n") + std::string("timed out");
  return text;
}
