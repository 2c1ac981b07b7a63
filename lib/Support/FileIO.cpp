//===- FileIO.cpp - Whole files, or none ----------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Support/FileIO.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace remat {
namespace {

std::string failure(const char *what, const std::string &path) {
  return std::string("cannot ") + what + " '" + path +
         "': " + std::strerror(errno);
}

bool writeAll(int file, std::string_view contents) {
  while (!contents.empty()) {
    ssize_t written = ::write(file, contents.data(), contents.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    contents.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// Writes to a device or a pipe, onto which a file cannot be renamed.
bool writeDirectly(const std::string &path, std::string_view contents,
                   std::string &error) {
  int file = ::open(path.c_str(), O_WRONLY);
  bool good = file >= 0 && writeAll(file, contents);
  if (!good)
    error = failure("write", path);
  if (file >= 0)
    ::close(file);
  return good;
}

/// The file that a chain of symbolic links at `path` ends in, so that a rename
/// replaces the file and not the link.
std::string resolveLinks(const std::string &path) {
  char *resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved)
    return path;
  std::string target = resolved;
  std::free(resolved);
  return target;
}

/// The permissions that open() would give a new file.
mode_t defaultMode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

} // namespace

std::optional<std::string> readFile(const std::string &path,
                                    std::string &error) {
  bool isStdin = path == "-";
  int file = isStdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY);
  std::string contents;
  bool good = file >= 0;
  while (good) {
    char buffer[1 << 16];
    ssize_t count = ::read(file, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      good = count == 0;
      break;
    }
    contents.append(buffer, static_cast<size_t>(count));
  }
  if (!good)
    error = failure("read", isStdin ? "<standard input>" : path);
  if (file >= 0 && !isStdin)
    ::close(file);
  if (!good)
    return std::nullopt;
  return contents;
}

bool writeFile(const std::string &path, std::string_view contents,
               std::string &error) {
  if (path == "-") {
    // Through stdio, to keep the order with earlier output.
    bool good = std::fwrite(contents.data(), 1, contents.size(), stdout) ==
                    contents.size() &&
                std::fflush(stdout) == 0;
    if (!good)
      error = failure("write", "<standard output>");
    return good;
  }
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    error = failure("write", path);
    return false;
  }
  if (exists && !S_ISREG(status.st_mode))
    return writeDirectly(path, contents, error);

  std::string target = exists ? resolveLinks(path) : path;
  std::string pattern = target + ".XXXXXX";
  std::vector<char> name(pattern.c_str(), pattern.c_str() + pattern.size() + 1);
  int file = ::mkstemp(name.data());
  if (file < 0) {
    error = failure("write", path);
    return false;
  }
  mode_t mode = exists ? status.st_mode & 07777 : defaultMode();
  bool good = writeAll(file, contents) && ::fchmod(file, mode) == 0;
  int writeError = errno;
  if (::close(file) != 0 && good) {
    good = false;
    writeError = errno;
  }
  if (good && ::rename(name.data(), target.c_str()) != 0) {
    good = false;
    writeError = errno;
  }
  if (!good) {
    ::unlink(name.data());
    errno = writeError;
    error = failure("write", path);
  }
  return good;
}

bool canWriteFile(const std::string &path, std::string &error) {
  if (path == "-")
    return true;
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    error = failure("write", path);
    return false;
  }
  if (exists && !S_ISREG(status.st_mode)) {
    if (::access(path.c_str(), W_OK) == 0)
      return true;
    error = failure("write", path);
    return false;
  }
  std::string temporary = (exists ? resolveLinks(path) : path) + ".XXXXXX";
  int file = ::mkstemp(temporary.data());
  if (file < 0) {
    error = failure("write", path);
    return false;
  }
  ::close(file);
  ::unlink(temporary.c_str());
  return true;
}

} // namespace remat
