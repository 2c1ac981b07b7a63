//===- MinCutProofCheck.h - Verifies proofs by a minimum cut --------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PROOF_MINCUTPROOFCHECK_H
#define REMAT_LIB_SOLVER_PROOF_MINCUTPROOFCHECK_H

#include "Proof/ProofFacts.h"

namespace remat::solver {

/// Why `proof`, a minimum cut, does not prove the claim of `certificate`, or
/// nothing if it does. The order of the certificate is that of the schedule.
ProofError checkMinCut(const Problem &problem, const Certificate &certificate,
                       const MinCutProof &proof);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PROOF_MINCUTPROOFCHECK_H
