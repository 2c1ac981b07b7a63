//===- FixtureTest.cpp - Certificates from files, and changed -------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This program links the proof layer alone. A certificate that the search found
// is accepted; one that was changed is refused, or claims nothing that a plan
// disproves.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "remat/Solver/Validate.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace remat::solver;

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

std::string join(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line;
  return text;
}

/// `text` with the number of digits at `begin` changed by `change`.
std::string withNumber(const std::string &text, size_t begin, size_t end,
                       int64_t change) {
  int64_t number = std::stoll(text.substr(begin, end - begin));
  return text.substr(0, begin) + std::to_string(number + change) +
         text.substr(end);
}

/// All certificates with one change: a number that is one more or one less, a
/// line that is missing, and a line that is there twice.
std::vector<std::string> changesOf(const std::string &text) {
  std::vector<std::string> changes;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isStart = std::isdigit(static_cast<unsigned char>(text[i])) &&
                   (i == 0 || text[i - 1] == ' ' || text[i - 1] == ',');
    if (!isStart)
      continue;
    size_t end = text.find_first_not_of("0123456789", i);
    for (int64_t change : {-1, 1})
      changes.push_back(withNumber(text, i, end, change));
  }
  std::vector<std::string> lines = linesOf(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> fewer = lines, more = lines;
    fewer.erase(fewer.begin() + static_cast<int64_t>(i));
    more.insert(more.begin() + static_cast<int64_t>(i), lines[i]);
    changes.push_back(join(fewer));
    changes.push_back(join(more));
  }
  return changes;
}

/// Whether `certificate` is about plans like this one.
bool isAbout(const Fixture &fixture, const Certificate &certificate,
             const Plan &plan) {
  if (!assumesOrder(certificate.kind()))
    return true;
  std::vector<StepId> order = certificate.order;
  if (order.empty())
    order = originalPlan(fixture.problem).sequence;
  return firstExecutions(fixture.problem, plan) == order;
}

/// Expects that no plan of the fixture disproves what `certificate` claims.
void expectTrue(const Fixture &fixture, const Certificate &certificate) {
  for (const Plan &plan : fixture.plans) {
    if (!isAbout(fixture, certificate, plan))
      continue;
    EXPECT_FALSE(certificate.isInfeasible);
    EXPECT_LE(certificate.cost, validate(fixture.problem, plan).cost);
  }
}

class Proofs : public testing::TestWithParam<std::string> {
protected:
  Fixture fixture = readFixture(GetParam());
};

TEST_P(Proofs, PlansAreWithinTheCap) {
  for (const Plan &plan : fixture.plans) {
    Validation verdict = validate(fixture.problem, plan);
    EXPECT_EQ(verdict.error, "");
    EXPECT_LE(verdict.peakBytes, fixture.certificate.capBytes);
  }
  // Where the claim is that there are none, there are none.
  EXPECT_EQ(fixture.plans.empty(), fixture.certificate.isInfeasible);
}

TEST_P(Proofs, AreAccepted) {
  EXPECT_EQ(verdictOn(fixture, fixture.certificate), "proven");
  expectTrue(fixture, fixture.certificate);
}

TEST_P(Proofs, HaveOneTextForm) {
  EXPECT_EQ(printCertificate(fixture.problem, fixture.certificate),
            fixture.text);
}

TEST_P(Proofs, AreForOneCap) {
  for (int64_t change : {-1, 1}) {
    int64_t capBytes = fixture.certificate.capBytes + change;
    EXPECT_EQ(checkCertificate(fixture.problem, capBytes, fixture.certificate),
              "the certificate is for a cap of " +
                  std::to_string(fixture.certificate.capBytes) +
                  " bytes, not of " + std::to_string(capBytes));
  }
}

TEST_P(Proofs, ClaimNoMoreThanTheyShow) {
  Certificate changed = fixture.certificate;
  if (!changed.isInfeasible) {
    // More than the cheapest plan costs is never shown.
    changed.cost = std::numeric_limits<int64_t>::max();
    for (const Plan &plan : fixture.plans)
      if (isAbout(fixture, changed, plan))
        changed.cost =
            std::min(changed.cost, validate(fixture.problem, plan).cost + 1);
    EXPECT_NE(verdictOn(fixture, changed), "proven");
    changed = fixture.certificate;
    changed.isInfeasible = true;
    EXPECT_NE(verdictOn(fixture, changed), "proven");
  }
  // That every step runs once is free of any proof.
  changed = fixture.certificate;
  changed.isInfeasible = false;
  changed.proof = ScheduleProof();
  changed.cost = fixture.problem.scheduleCost();
  EXPECT_EQ(verdictOn(fixture, changed), "proven");
  ++changed.cost;
  EXPECT_EQ(verdictOn(fixture, changed),
            "running every step once does not show this");
}

TEST_P(Proofs, AreRefusedOrTrueIfChanged) {
  int numUnreadable = 0, numRefused = 0, numTrue = 0;
  for (const std::string &text : changesOf(fixture.text)) {
    SCOPED_TRACE(text);
    ParsedCertificate parsed = parseCertificate(fixture.problem, text);
    if (!parsed.certificate) {
      EXPECT_NE(parsed.error, "");
      ++numUnreadable;
    } else if (verdictOn(fixture, *parsed.certificate) == "proven") {
      expectTrue(fixture, *parsed.certificate);
      ++numTrue;
    } else {
      ++numRefused;
    }
  }
  std::printf("%s: unreadable %d, refused %d, true %d\n", fixture.name.c_str(),
              numUnreadable, numRefused, numTrue);
  EXPECT_GT(numUnreadable, 0);
  EXPECT_GT(numRefused, 0);
}

std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name;
  bool isStart = true;
  for (char c : info.param) {
    if (c != '-')
      name +=
          isStart
              ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
              : c;
    isStart = c == '-';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Inputs, Proofs, testing::ValuesIn(fixtureNames()),
                         testName);

/// Without these the tests above would say little.
TEST(Fixtures, HoldEveryKindOfProof) {
  std::set<BoundKind> kinds;
  std::set<MomentAmount::Kind> inequalities;
  std::set<MomentCase::Kind> cases;
  std::set<MomentVariable::Kind> splits;
  int flowsToStorages = 0, divisors = 0, orders = 0;
  for (const std::string &name : fixtureNames()) {
    Certificate certificate = readFixture(name).certificate;
    kinds.insert(certificate.kind());
    orders += !certificate.order.empty();
    if (const auto *proof = std::get_if<MinCutProof>(&certificate.proof)) {
      flowsToStorages += !proof->toStorage.empty();
      divisors += proof->divisor > 0;
    }
    if (const auto *proof = std::get_if<MomentProof>(&certificate.proof)) {
      for (const MomentSum &sum : proof->sums)
        for (const MomentAmount &each : sum)
          inequalities.insert(each.kind);
      for (const MomentCase &each : proof->cases) {
        cases.insert(each.kind);
        if (each.kind == MomentCase::Kind::Split)
          splits.insert(each.variable.kind);
      }
    }
  }
  EXPECT_EQ(kinds.size(), 4u);
  EXPECT_EQ(cases.size(), 4u);
  EXPECT_EQ(inequalities.size(), 5u);
  EXPECT_EQ(splits.size(), 3u);
  EXPECT_GT(flowsToStorages, 0);
  EXPECT_GT(divisors, 0);
  EXPECT_GT(orders, 1);
}

} // namespace
