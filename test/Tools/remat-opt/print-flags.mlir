// MLIR's options for printing.
// RUN: remat-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: remat-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=DEBUG
// RUN: remat-opt %s --mlir-elide-elementsattrs-if-larger=2 | FileCheck %s --check-prefix=ELIDE
// GENERIC: "func.func"()
// DEBUG:   loc("{{.*}}print-flags.mlir":[[#@LINE+13]]:{{[0-9]+}})
// ELIDE:   dense_resource<__elided__>

// RUN: remat-opt %s --cse --mlir-print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: remat-opt %s --canonicalize --cse --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: remat-opt %s --cse --mlir-timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// BEFORE: IR Dump Before CSEPass
// CHANGE:     IR Dump After CanonicalizerPass
// CHANGE-NOT: CSEPass
// TIMING: Execution time report
// TIMING: CSEPass
func.func @f() -> tensor<3xi32> {
  %unused = arith.constant dense<[3, 2, 1]> : tensor<3xi32>
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  return %0 : tensor<3xi32>
}
