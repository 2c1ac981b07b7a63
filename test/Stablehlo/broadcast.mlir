// RUN: remat-opt %s --rematerialize=memory-cap=14KiB | FileCheck %s --check-prefix=CLONED
// RUN: remat-opt %s --rematerialize=memory-cap=20KiB | FileCheck %s --check-prefix=KEPT
// RUN: not remat-opt %s --rematerialize=memory-cap=1KiB 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// RUN: remat-opt %s --rematerialize='memory-cap=1 best-effort' 2>/dev/null | FileCheck %s --check-prefix=LOWEST
// REQUIRES: iree

// The broadcast (4 KiB) is read at once and again at the end. In between the
// concatenation (8 KiB) and its operand (4 KiB) are live: 16 KiB and 4 bytes.
// Without the broadcast that is 12 KiB and 4 bytes.

// The clone is just before its use, after a barrier that ties it to the other
// operand of that use.
// CLONED-LABEL: func.func @main
//  CLONED-SAME:   %[[P:.+]]: tensor<1xf32>
//       CLONED:   %[[VIEW:.+]] = stablehlo.reshape %[[P]]
//  CLONED-NEXT:   %[[FIRST:.+]] = stablehlo.broadcast_in_dim %[[VIEW]]
//  CLONED-NEXT:   %[[NEG:.+]] = stablehlo.negate %[[FIRST]]
//  CLONED-NEXT:   %[[WIDE:.+]] = stablehlo.concatenate %[[NEG]], %[[NEG]]
//  CLONED-NEXT:   %[[ONE:.+]] = stablehlo.slice %[[WIDE]]
//  CLONED-NEXT:   %[[TIED:.+]]:2 = stablehlo.optimization_barrier %{{.+}}, %[[ONE]]
//  CLONED:        %[[AGAIN:.+]] = stablehlo.broadcast_in_dim
//  CLONED-NEXT:   %[[BOTH:.+]] = stablehlo.concatenate %[[AGAIN]], %[[TIED]]#1
//  CLONED-NEXT:   stablehlo.slice %[[BOTH]]

// KEPT-LABEL: func.func @main
// KEPT-COUNT-1: stablehlo.broadcast_in_dim
//     KEPT-NOT: stablehlo.broadcast_in_dim
//     KEPT-NOT: stablehlo.optimization_barrier

// IMPOSSIBLE: error: cannot meet the cap of 1024 bytes (1.00 KiB) in function 'main'; the lowest peak possible in this order is 12292 bytes

// However low the cap, nothing is cloned that is not read.
// LOWEST-LABEL: func.func @main
// LOWEST-COUNT-2: stablehlo.broadcast_in_dim
//     LOWEST-NOT: stablehlo.broadcast_in_dim
func.func @main(%p: tensor<1xf32>) -> tensor<1xf32> {
  %view = stablehlo.reshape %p : (tensor<1xf32>) -> tensor<f32>
  %wide = stablehlo.broadcast_in_dim %view, dims = [] : (tensor<f32>) -> tensor<1024xf32>
  %neg = stablehlo.negate %wide : tensor<1024xf32>
  %both = stablehlo.concatenate %neg, %neg, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<2048xf32>
  %one = stablehlo.slice %both [0:1] : (tensor<2048xf32>) -> tensor<1xf32>
  %last = stablehlo.concatenate %wide, %one, dim = 0 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1025xf32>
  %result = stablehlo.slice %last [0:1] : (tensor<1025xf32>) -> tensor<1xf32>
  return %result : tensor<1xf32>
}
