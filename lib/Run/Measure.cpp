//===- Measure.cpp - Modules on IREE's runtime ----------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Run/Measure.h"

#include "remat/Run/Process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

using namespace remat;
using namespace remat::run;
namespace fs = std::filesystem;

/// Runs a program of IREE's runtime; throws RunError if it fails.
static ProcessResult runRuntime(const Settings &settings,
                                std::vector<std::string> command) {
  ProcessResult result = runProcess(command, settings.timeoutSeconds);
  if (!result.succeeded())
    throw RunError("'" + command[0].substr(command[0].rfind('/') + 1) +
                   "' failed on device '" + settings.device + "':\n" +
                   lastLines(result));
  return result;
}

namespace {
/// A directory that is deleted with all its contents at the end of its life.
class TemporaryDirectory {
public:
  explicit TemporaryDirectory(const std::string &path) : path(path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure)
      throw RunError("cannot create the directory '" + path +
                     "': " + failure.message());
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  const std::string path;
};

/// Runs modules in a directory of its own: the inputs and results of a large
/// model take gigabytes.
class Runner {
public:
  Runner(const Settings &settings, const Signature &signature)
      : settings(settings), directory(settings.workDirectory + "/run"),
        inputs(makeInputs(signature, settings.seed, directory.path)),
        inputBytes(signature.argumentBytes()) {
    // A training loop reuses the memory of the previous step. The runtime gets
    // it from the C library every time; if that returns it to the system in
    // between, new pages cost about as much as the computation. So make the
    // library keep its memory, in large pages. The user's own settings take
    // precedence.
    if (isLocal())
      setenv("GLIBC_TUNABLES",
             "glibc.malloc.mmap_threshold=1099511627776:"
             "glibc.malloc.trim_threshold=1099511627776:"
             "glibc.malloc.hugetlb=1",
             /*overwrite=*/0);
  }

  std::string file(const std::string &name) const {
    return directory.path + "/" + name;
  }
  std::vector<std::string> command(const std::string &program,
                                   const std::string &module) const {
    return {use(program), "--device=" + settings.device, "--module=" + module,
            "--flagfile=" + inputs.flags};
  }

  int64_t runForPeak(const std::string &module, const std::string &results);
  StepTime timeOnce(const std::string &module);
  /// The time of each kernel per step, averaged over `steps` steps.
  std::vector<KernelTime> profile(const std::string &module, int steps);

private:
  bool isLocal() const { return settings.device.rfind("local", 0) == 0; }

  const Settings &settings;
  TemporaryDirectory directory;
  InputFiles inputs;
  int64_t inputBytes;
};
} // namespace

/// Runs one step, leaves its results in the file `results`, and returns the
/// peak that the runtime counted.
int64_t Runner::runForPeak(const std::string &module,
                           const std::string &results) {
  std::vector<std::string> command =
      this->command(settings.programs.ireeRunModule, module);
  for (size_t i = 0; i < inputs.results; ++i)
    command.push_back((i ? "--output=+" : "--output=@") + results);
  if (settings.device == "local-sync") {
    command.push_back("--print_statistics");
    ProcessResult result = runRuntime(settings, command);
    std::optional<int64_t> peak =
        parseAllocatorPeak(result.output + result.error);
    if (!peak)
      throw RunError("iree-run-module printed no allocator statistics");
    return *peak;
  }
  // Other devices take transients from pools that the allocator's statistics
  // do not show.
  std::string profile = file("memory.ireeprof");
  command.push_back("--device_profiling_mode=memory-events");
  command.push_back("--device_profiling_output=" + profile);
  runRuntime(settings, command);
  ProcessResult events =
      runRuntime(settings, {use(settings.programs.ireeProfile), "memory",
                            "--format=jsonl", profile});
  std::optional<int64_t> peak = parseQueuePeak(events.output);
  if (!peak)
    throw RunError("the profile of '" + module + "' shows no allocation");
  return *peak + inputBytes;
}

StepTime Runner::timeOnce(const std::string &module) {
  std::vector<std::string> command =
      this->command(settings.programs.ireeBenchmarkModule, module);
  command.push_back("--benchmark_format=json");
  // One warm-up step, however long it takes: it touches all memory first.
  command.push_back("--benchmark_min_warmup_time=0.001");
  std::vector<StepTime> times =
      parseBenchmark(runRuntime(settings, command).output);
  if (times.empty())
    throw RunError("iree-benchmark-module printed no time for '" + module +
                   "'");
  return times.front();
}

std::vector<KernelTime> Runner::profile(const std::string &module, int steps) {
  std::string profile = file("kernels.ireeprof");
  std::vector<std::string> command =
      this->command(settings.programs.ireeBenchmarkModule, module);
  command.push_back("--benchmark_min_time=" + std::to_string(steps) + "x");
  command.push_back(std::string("--device_profiling_mode=") +
                    (isLocal() ? "host-execution" : "dispatch-events"));
  command.push_back("--device_profiling_output=" + profile);
  runRuntime(settings, command);
  std::vector<KernelTime> kernels = parseKernelTimes(
      runRuntime(settings, {use(settings.programs.ireeProfile), "statistics",
                            "--format=jsonl", profile})
          .output);
  for (KernelTime &kernel : kernels) {
    kernel.launches /= steps;
    kernel.totalNanos /= steps;
  }
  return kernels;
}

/// Compares two files in pieces; returns their size if they are equal, and -1
/// if not.
static int64_t compareFiles(const std::string &left, const std::string &right) {
  std::ifstream leftFile(left, std::ios::binary);
  std::ifstream rightFile(right, std::ios::binary);
  std::vector<char> leftPart(1 << 20), rightPart(1 << 20);
  int64_t bytes = 0;
  do {
    leftFile.read(leftPart.data(), leftPart.size());
    rightFile.read(rightPart.data(), rightPart.size());
    if (leftFile.gcount() != rightFile.gcount() ||
        !std::equal(leftPart.begin(), leftPart.begin() + leftFile.gcount(),
                    rightPart.begin()))
      return -1;
    bytes += leftFile.gcount();
  } while (leftFile.gcount() > 0);
  return bytes;
}

static int64_t launches(const std::vector<KernelTime> &kernels) {
  int64_t count = 0;
  for (const KernelTime &kernel : kernels)
    count += kernel.launches;
  return count;
}

Measurement remat::run::measurePair(const Settings &settings,
                                    const PairRequest &request) {
  auto stage = [&](const std::string &text) {
    if (request.onStage)
      request.onStage(text);
  };
  stage("writing inputs");
  Runner runner(settings, request.signature);
  Measurement measured;
  stage("running the modules");
  measured.peakBytesBefore =
      request.constantBytes +
      runner.runForPeak(request.before, runner.file("before.bin"));
  bool same = request.before == request.after;
  std::string results = runner.file(same ? "before.bin" : "after.bin");
  measured.peakBytesAfter =
      same ? measured.peakBytesBefore
           : request.constantBytes + runner.runForPeak(request.after, results);
  int64_t equal = compareFiles(runner.file("before.bin"), results);
  measured.identical = equal >= 0;
  measured.resultBytes = std::max<int64_t>(equal, 0);
  stage("counting launches");
  measured.launchesBefore =
      launches(runner.profile(request.before, /*steps=*/1));
  measured.launchesAfter =
      same ? measured.launchesBefore
           : launches(runner.profile(request.after, /*steps=*/1));
  for (int i = 0; i < settings.repetitions; ++i) {
    stage("timing, " + std::to_string(i + 1) + " of " +
          std::to_string(settings.repetitions));
    StepTime before = runner.timeOnce(request.before);
    StepTime after = same ? before : runner.timeOnce(request.after);
    measured.secondsBefore.push_back(before.seconds);
    measured.secondsAfter.push_back(after.seconds);
    measured.cpuSecondsBefore.push_back(before.cpuSeconds);
    measured.cpuSecondsAfter.push_back(after.cpuSeconds);
  }
  return measured;
}

std::vector<KernelTime> remat::run::profileModule(const Settings &settings,
                                                  const std::string &module,
                                                  const Signature &signature) {
  Runner runner(settings, signature);
  // The first step touches all memory for the first time.
  constexpr int stepsPerProfile = 5;
  std::vector<KernelTime> kernels;
  std::map<std::string, std::vector<double>> nanos;
  for (int i = 0; i < settings.repetitions; ++i) {
    kernels = runner.profile(module, stepsPerProfile);
    for (const KernelTime &kernel : kernels)
      nanos[kernel.name].push_back(double(kernel.totalNanos));
  }
  for (KernelTime &kernel : kernels)
    kernel.totalNanos = static_cast<int64_t>(median(nanos[kernel.name]));
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const KernelTime &left, const KernelTime &right) {
                     return left.totalNanos > right.totalNanos;
                   });
  return kernels;
}

void remat::run::checkDevice(const Settings &settings) {
  std::string driver = settings.device.substr(0, settings.device.find(':'));
  if (driver == "local-sync" || driver == "local-task")
    return;
  ProcessResult result = runProcess(
      {use(settings.programs.ireeRunModule), "--list_devices=" + driver});
  if (!result.succeeded() || result.output.empty())
    throw RunError("cannot use device '" + settings.device +
                   "': " + lastLines(result, 2) +
                   "\n--execute=never reports exact memory and predicted time "
                   "for --target=" +
                   driver + " without a device");
}
