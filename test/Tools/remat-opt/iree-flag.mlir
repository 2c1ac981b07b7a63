// Flags reach IREE's own command line; those it does not know are rejected.
// RUN: remat-opt %s --iree-flag=--mlir-print-op-generic | FileCheck %s
// RUN: remat-opt --iree-flag=--mlir-print-op-generic --iree-flag=--mlir-print-debuginfo %s | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: not remat-opt %s --iree-flag=--no-such-flag 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: "func.func"()
// BOTH:  loc(
// UNKNOWN: remat-opt: Unknown command line argument '--no-such-flag'
func.func @f() {
  return
}
