//===- CertificateTest.cpp - Certificates of the search, changed ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "ParseForTest.h"
#include "RandomProblem.h"

#include "Bound/Bounds.h"
#include "remat/Solver/Solvers.h"
#include "remat/Solver/Timeline.h"

#include <gtest/gtest.h>

using namespace remat::solver;

namespace {

/// Changes at random that make a certificate claim more than the oracle allows
/// never get past the checker.
TEST(Certificates, NothingFalseIsProven) {
  int numRefused = 0, numTried = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Problem problem = randomProblem(seed, 7);
    int64_t peak = computeTimeline(problem, originalPlan(problem)).peakBytes;
    uint64_t random = seed ^ 0xfa15e;
    SolverOptions options;
    options.capBytes = peak - 1 - nextRandom(random, 1 + peak / 3);
    Oracle exact(problem, options.capBytes);
    BoundOptions boundOptions;
    boundOptions.capBytes = options.capBytes;
    if (!exact.isFeasible)
      continue;
    Certificate good = lowerBound(problem, boundOptions);
    for (int i = 0; i < 20; ++i) {
      Certificate certificate = good;
      // A bound that is no cut gets changes that make it one.
      if (certificate.kind() != BoundKind::MinimumCut)
        certificate.proof = MinCutProof();
      auto &proof = std::get<MinCutProof>(certificate.proof);
      certificate.cost = exact.cost + 1;
      certificate.isInfeasible = nextRandom(random, 4) == 0;
      if (certificate.isInfeasible && nextRandom(random, 2) == 0)
        proof.costScale = 0;
      for (int changes = nextRandom(random, 4); changes > 0; --changes) {
        auto &list =
            nextRandom(random, 2) ? proof.fromStorage : proof.toStorage;
        switch (nextRandom(random, 5)) {
        case 0:
          proof.price *= 2;
          break;
        case 1:
          proof.step = nextRandom(random, problem.steps.size() + 1);
          break;
        case 2:
          list.push_back(
              {static_cast<TensorId>(
                   nextRandom(random, problem.tensors.size())),
               static_cast<StepId>(nextRandom(random, problem.steps.size())),
               1 + nextRandom(random, 1 + (int64_t(1) << 32))});
          break;
        default:
          if (!list.empty())
            list[nextRandom(random, list.size())].amount *=
                1 + nextRandom(random, 3);
        }
      }
      ++numTried;
      ASSERT_TRUE(checkCertificate(problem, options.capBytes, certificate));
      ++numRefused;
    }
  }
  EXPECT_EQ(numRefused, numTried);
  EXPECT_GT(numTried, 5000);
}

} // namespace
