// Our passes run where the pipeline puts them, between IREE's: the first time
// they see the duplicate, the second time not.
// RUN: remat-opt %s -o %t.out --pass-pipeline='builtin.module(func.func(remat-print-costs),cse,remat-print-costs)' 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: remat-opt %s -o %t.out --remat-print-costs --cse --remat-print-costs 2>&1 | FileCheck %s --check-prefix=COSTS
// COSTS:     @late_use: 6 steps
// COSTS:     @late_use: 5 steps
// COSTS-NOT: steps

// Dumps of the IR name ours like the others, and as mlir-opt names them.
// RUN: remat-opt %s -o %t.out --cse --remat-print-costs --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: IR Dump After CSEPass: cse
// DUMP: IR Dump After PrintCostsPass: remat-print-costs

// x is 1024 bytes and lives throughout, %wide is 4096, the others 1024 each. At
// %part there are x, %early, %wide and %part: 7168 bytes. Without %early, which
// can be recomputed from x at any time, 6144 are enough.
// RUN: remat-opt %s --pass-pipeline='builtin.module(cse,rematerialize{memory-cap=6KiB solver=brute-force},cse,canonicalize)' | FileCheck %s
// CHECK-LABEL: func @late_use
// CHECK-NOT:     exponential
// CHECK:         slice
// CHECK:         exponential
// CHECK:         add
func.func @late_use(%x: tensor<256xf32>) -> tensor<256xf32> {
  %early = stablehlo.exponential %x : tensor<256xf32>
  %duplicate = stablehlo.exponential %x : tensor<256xf32>
  %wide = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<256xf32>) -> tensor<4x256xf32>
  %part = stablehlo.slice %wide [1:2, 0:256] : (tensor<4x256xf32>) -> tensor<1x256xf32>
  %flat = stablehlo.reshape %part : (tensor<1x256xf32>) -> tensor<256xf32>
  %y = stablehlo.add %flat, %early : tensor<256xf32>
  return %y : tensor<256xf32>
}
