// RUN: remat-opt %s --pass-pipeline='builtin.module( func.func(cse, any(canonicalize)), symbol-dce )' -o /dev/null --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER:      IR Dump After CSEPass
// ORDER:      IR Dump After SymbolDCE
// ORDER-NEXT: module

// An empty pipeline is one.
// RUN: remat-opt %s --pass-pipeline='builtin.module()' | FileCheck %s

// Braces in options are left to the pass.
// RUN: remat-opt %s -pass-pipeline='builtin.module(inline{op-pipelines=func.func(canonicalize{max-iterations=2},cse)})' | FileCheck %s

// CHECK-LABEL: func @main
// CHECK:       return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
