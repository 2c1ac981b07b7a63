//===- MomentProofCheck.h - Verifies proofs from several moments ----------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_LIB_SOLVER_PROOF_MOMENTPROOFCHECK_H
#define REMAT_LIB_SOLVER_PROOF_MOMENTPROOFCHECK_H

#include "Proof/ProofFacts.h"

namespace remat::solver {

/// Why `proof`, from several moments, does not prove the claim of
/// `certificate`, or nothing if it does. The order of the certificate is that
/// of the schedule.
ProofError checkMoments(const Problem &problem, const Certificate &certificate,
                        const MomentProof &proof);

} // namespace remat::solver

#endif // REMAT_LIB_SOLVER_PROOF_MOMENTPROOFCHECK_H
