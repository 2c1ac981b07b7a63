// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=17KiB})' | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin --remarks-filter=rematerialize --remark-format=emitRemark -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=17KiB})' 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=17KiB keep-order})' | FileCheck %s --check-prefix=KEEP
// REQUIRES: plugin

// %a, %b, %gb and %ga take 4 KiB each, like the argument, and all are live when
// the products at the end run: 20 KiB. Right after its operands, %ub frees %b before
// %ga is computed, and takes along the fill that it overwrites: 16 KiB and a few
// bytes. In the original order, something must be recomputed.

// CHECK-LABEL: func @late_products
//  CHECK-SAME:   %[[X:.+]]: tensor<1024xf32>
//       CHECK:   %[[A:.+]] = math.exp %[[X]]
//       CHECK:   %[[B:.+]] = math.absf %[[A]]
//       CHECK:   %[[GB:.+]] = math.sqrt %[[B]]
//   CHECK-NOT:   math
//       CHECK:   %[[UB:.+]] = linalg.dot ins(%[[B]], %[[GB]]
//       CHECK:   %[[GA:.+]] = math.cos %[[GB]]
//       CHECK:   %[[UA:.+]] = linalg.dot ins(%[[A]], %[[GA]]
//  CHECK-NEXT:   return %[[UA]], %[[UB]]
//  REMARK: remark: [Passed] Reordered | {{.*}} RecomputedSteps=0, Remark="put steps into another order to meet the memory cap
//    KEEP: linalg.dot
//    KEEP: math.absf
func.func @late_products(%x: tensor<1024xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  %a = math.exp %x : tensor<1024xf32>
  %b = math.absf %a : tensor<1024xf32>
  %gb = math.sqrt %b : tensor<1024xf32>
  %ga = math.cos %gb : tensor<1024xf32>
  %ea = tensor.empty() : tensor<f32>
  %fa = linalg.fill ins(%zero : f32) outs(%ea : tensor<f32>) -> tensor<f32>
  %ua = linalg.dot ins(%a, %ga : tensor<1024xf32>, tensor<1024xf32>) outs(%fa : tensor<f32>) -> tensor<f32>
  %eb = tensor.empty() : tensor<f32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<f32>) -> tensor<f32>
  %ub = linalg.dot ins(%b, %gb : tensor<1024xf32>, tensor<1024xf32>) outs(%fb : tensor<f32>) -> tensor<f32>
  return %ua, %ub : tensor<f32>, tensor<f32>
}
