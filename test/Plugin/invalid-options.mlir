// RUN: not mlir-opt %s --load-pass-plugin=%plugin -o %t \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=lots})' 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: not mlir-opt %s --load-pass-plugin=%plugin -o %t \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=1 solver=magic})' 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not mlir-opt %s --load-pass-plugin=%plugin -o %t \
// RUN:   --pass-pipeline='builtin.module(rematerialize{report=/nowhere/report.json})' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not mlir-opt %s --load-pass-plugin=%plugin -o %t \
// RUN:   --pass-pipeline='builtin.module(rematerialize{deadline=-1})' 2>&1 | FileCheck %s --check-prefix=DEADLINE
// RUN: not mlir-opt %s --load-pass-plugin=%plugin -o %t \
// RUN:   --pass-pipeline='builtin.module(remat-print-costs{target=gpu})' 2>&1 | FileCheck %s --check-prefix=TARGET
// REQUIRES: plugin

// CAP: error: pass 'rematerialize': option 'memory-cap': invalid value 'lots'; expected 1.5GiB, 800MB, 1048576 or 50%
// SOLVER: error: unknown solver 'magic'; expected one of {{.*}}dp
// DEADLINE: error: pass 'rematerialize': option 'deadline': invalid value '-1'; expected a number of seconds, 0 or more
// TARGET: error: pass 'remat-print-costs': option 'target': invalid value 'gpu'; expected one of auto, cpu, cuda
// REPORT: error: cannot write '/nowhere/report.json': No such file or directory
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
