//===- FileIOTest.cpp - Whole files, or none ------------------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "remat/Support/FileIO.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

using namespace remat;
namespace fs = std::filesystem;

namespace {

/// A directory of its own for every test.
class FileIO : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "remat.XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    directory = pattern;
  }
  void TearDown() override { fs::remove_all(directory); }

  std::string path(const char *name) { return (directory / name).string(); }
  size_t countFiles() {
    return std::distance(fs::directory_iterator(directory), {});
  }

  fs::path directory;
  std::string error;
};

TEST_F(FileIO, WritesAndReadsBack) {
  std::string contents("a\0b\n", 4);
  EXPECT_TRUE(writeFile(path("x"), contents, error));
  EXPECT_EQ(readFile(path("x"), error), contents);
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(FileIO, ReplacesAFileBehindALink) {
  ASSERT_TRUE(writeFile(path("x"), "old", error));
  fs::create_symlink(path("x"), path("link"));
  EXPECT_TRUE(writeFile(path("link"), "new", error));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(readFile(path("x"), error), "new");
}

TEST_F(FileIO, KeepsPermissionsOfAReplacedFile) {
  ASSERT_TRUE(writeFile(path("x"), "old", error));
  fs::permissions(path("x"), fs::perms::owner_all);
  ASSERT_TRUE(writeFile(path("x"), "new", error));
  EXPECT_EQ(fs::status(path("x")).permissions(), fs::perms::owner_all);
}

TEST_F(FileIO, WritesToDevices) {
  EXPECT_TRUE(writeFile("/dev/null", "gone", error));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(FileIO, ReportsAFullDisk) {
  if (!fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full on this system";
  EXPECT_FALSE(writeFile("/dev/full", "x", error));
  EXPECT_EQ(error, "cannot write '/dev/full': No space left on device");
}

TEST_F(FileIO, AsksBeforeWriting) {
  EXPECT_TRUE(canWriteFile("-", error));
  EXPECT_TRUE(canWriteFile("/dev/null", error));
  EXPECT_TRUE(canWriteFile(path("new"), error));
  ASSERT_TRUE(writeFile(path("old"), "kept", error));
  EXPECT_TRUE(canWriteFile(path("old"), error));
  EXPECT_EQ(readFile(path("old"), error), "kept");
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_FALSE(canWriteFile(path("no/such"), error));
  EXPECT_EQ(error, "cannot write '" + path("no/such") +
                       "': No such file or directory");
  EXPECT_FALSE(canWriteFile(directory.string(), error));
  EXPECT_EQ(error, "cannot write '" + directory.string() + "': Is a directory");
}

TEST_F(FileIO, NamesTheFileInErrors) {
  EXPECT_FALSE(readFile(path("none"), error));
  EXPECT_EQ(error,
            "cannot read '" + path("none") + "': No such file or directory");
  EXPECT_FALSE(writeFile(path("no/such"), "x", error));
  EXPECT_EQ(error, "cannot write '" + path("no/such") +
                       "': No such file or directory");
  EXPECT_FALSE(writeFile(directory.string(), "x", error));
  EXPECT_EQ(error, "cannot write '" + directory.string() + "': Is a directory");
  EXPECT_FALSE(readFile(directory.string(), error));
  EXPECT_EQ(countFiles(), 0u);
}

} // namespace
