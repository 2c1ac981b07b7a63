//===- Fixture.cpp - Certificates to check, from files --------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include "remat/Solver/ProblemText.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace remat::solver {

const std::vector<std::string> &fixtureNames() {
  static const std::vector<std::string> names = {
      "any-order",
      "any-order-infeasible",
      "any-order-settled",
      "any-order-split",
      "minimum-cut",
      "minimum-cut-infeasible",
      "minimum-cut-infeasible-at-end",
      "minimum-cut-infeasible-in-order",
      "minimum-cut-whole-storages",
      "schedule",
      "schedule-in-order",
      "several-moments",
      "several-moments-parts",
      "several-moments-runs-split",
      "several-moments-split",
  };
  return names;
}

/// The plan with these steps, by label.
static Plan planOf(const Problem &problem, const std::string &labels) {
  Plan plan;
  std::istringstream stream(labels);
  for (std::string label; std::getline(stream, label, ',');)
    for (size_t step = 0; step < problem.steps.size(); ++step)
      if (std::to_string(problem.steps[step].label) == label)
        plan.sequence.push_back(static_cast<StepId>(step));
  return plan;
}

Fixture readFixture(const std::string &name) {
  Fixture fixture;
  fixture.name = name;
  std::string problemText;
  std::vector<std::string> plans;
  std::string *part = &problemText;
  std::ifstream file(REMAT_PROOF_INPUTS_DIR "/" + name + ".txt");
  for (std::string line; std::getline(file, line);) {
    constexpr const char *planKey = "plan ";
    if (line.rfind("remat-certificate", 0) == 0)
      part = &fixture.text;
    if (line.rfind(planKey, 0) == 0)
      plans.push_back(line.substr(std::string(planKey).size()));
    else
      *part += line + "\n";
  }
  ParsedProblem problem = parseProblem(problemText);
  EXPECT_TRUE(problem.problem) << name << ": " << problem.error;
  fixture.problem = problem.problem.value_or(Problem());
  ParsedCertificate parsed = parseCertificate(fixture.problem, fixture.text);
  EXPECT_TRUE(parsed.certificate) << name << ": " << parsed.error;
  fixture.certificate = parsed.certificate.value_or(Certificate());
  for (const std::string &plan : plans)
    fixture.plans.push_back(planOf(fixture.problem, plan));
  return fixture;
}

std::string verdictOn(const Fixture &fixture, const Certificate &certificate) {
  return checkCertificate(fixture.problem, fixture.certificate.capBytes,
                          certificate)
      .value_or("proven");
}

} // namespace remat::solver
