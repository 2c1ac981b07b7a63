//===- Fixture.h - Certificates to check, from files ----------------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each file of Inputs holds a problem, a certificate that remat-solve wrote for
// it, and plans that it found within the same cap, as `plan LABEL,LABEL,...`.
// The plans are witnesses: a claim above the cost of one of them is false.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TEST_UNIT_SOLVER_PROOF_FIXTURE_H
#define REMAT_TEST_UNIT_SOLVER_PROOF_FIXTURE_H

#include "remat/Solver/Certificate.h"

namespace remat::solver {

struct Fixture {
  std::string name;
  Problem problem;
  /// The text of the certificate, and what it says.
  std::string text;
  Certificate certificate;
  std::vector<Plan> plans;
};

/// Reads Inputs/<name>.txt; anything that does not parse fails the test.
Fixture readFixture(const std::string &name);

/// The names of all fixtures.
const std::vector<std::string> &fixtureNames();

/// What checkCertificate() says: "proven", or why not.
std::string verdictOn(const Fixture &fixture, const Certificate &certificate);

} // namespace remat::solver

#endif // REMAT_TEST_UNIT_SOLVER_PROOF_FIXTURE_H
