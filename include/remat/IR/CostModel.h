//===- CostModel.h - What an op costs, from what it means -----------------===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A roofline: an op takes the longer of the time to move its bytes and the time
// to do its arithmetic, plus a constant per launch. The figures of a machine
// are its sustained, not its theoretical, rates; what a plan needs of them is
// the right ratio between ops, not absolute times.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_IR_COSTMODEL_H
#define REMAT_IR_COSTMODEL_H

#include "remat/IR/KernelCosts.h"
#include "remat/IR/OpTable.h"
#include "remat/IR/Wrappers.h"

#include <string>
#include <unordered_map>

namespace remat::ir {

/// The figures of a target.
struct Machine {
  const char *name;
  double bytesPerNano; ///< Sustained memory bandwidth, GB/s.
  double flopsPerNano; ///< Sustained arithmetic rate, GFLOP/s.
  int64_t launchNanos; ///< Fixed cost of one kernel, ns.
};

/// A few cores of a server CPU.
const Machine &cpuMachine();
/// A data-centre GPU of the sm_80 generation.
const Machine &cudaMachine();

/// What an op does.
struct Work {
  int64_t bytes = 0; ///< Read and written.
  int64_t flops = 0;
};

/// Bytes of a value of `type`: a ranked tensor of static shape. Scalars live in
/// registers and tokens hold no data: 0. Nothing if the size is unknown.
std::optional<int64_t> bytesOfType(MlirType type);

/// Elements of a ranked tensor of static shape; 1 for everything else.
int64_t elementsOf(MlirType type);

/// The arithmetic of a structured op (linalg): the size of its iteration space,
/// inferred from its indexing maps and operand shapes, times the operations in
/// its body. 0 if `op` is none, or its shapes are unknown.
int64_t structuredFlops(Op op);

/// The arithmetic of the kernels that a module's stream.executable ops hold,
/// and of single ops.
class CostModel {
public:
  /// Reads the kernels of the module around `root`. `targetName` is "cpu",
  /// "cuda" or "auto": what the module's device attributes say, else cpu.
  CostModel(Op root, const std::string &targetName, KernelCosts measured = {});

  const Machine &machine() const { return *target; }

  /// What `op`, of the given family, does on tensors of known size.
  Work workOf(Op op, const OpFamily &family) const;

  /// What one launch of the kernel that `dispatch` names computes; the bytes
  /// are those of the slices of its operands and results.
  Work workOfDispatch(Op dispatch) const;

  /// Time of `work` on the target.
  int64_t nanos(const Work &work) const;

  /// Time of one launch of `kernel`, which does `work`: as it was measured, if
  /// it was.
  int64_t nanosOfKernel(const std::string &kernel, const Work &work) const;

private:
  const Machine *target;
  KernelCosts measured;
  /// Arithmetic per kernel, by "@executable::@function".
  std::unordered_map<std::string, int64_t> kernelFlops;
};

} // namespace remat::ir

#endif // REMAT_IR_COSTMODEL_H
