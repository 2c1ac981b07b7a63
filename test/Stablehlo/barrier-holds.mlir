// Later passes do not undo rematerialize: IREE's cse and canonicalization leave
// the fenced clone alone, while an unfenced one is merged.
// RUN: remat-opt %s --pass-pipeline='builtin.module(func.func(rematerialize{memory-cap=6144},cse,canonicalize))' | FileCheck %s
// REQUIRES: iree

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: stablehlo.exponential
//     CHECK-NOT: stablehlo.exponential
// CHECK-LABEL: func.func @by_hand
// CHECK-COUNT-1: stablehlo.exponential
//     CHECK-NOT: stablehlo.exponential
func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = stablehlo.exponential %x : tensor<256xf32>
  %a = stablehlo.negate %r : tensor<256xf32>
  %b = stablehlo.concatenate %a, %a, %a, %a, dim = 0 : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = stablehlo.slice %b [0:256] : (tensor<1024xf32>) -> tensor<256xf32>
  %d = stablehlo.add %c, %r : tensor<256xf32>
  return %d : tensor<256xf32>
}

func.func @by_hand(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = stablehlo.exponential %x : tensor<256xf32>
  %again = stablehlo.exponential %x : tensor<256xf32>
  %d = stablehlo.add %again, %r : tensor<256xf32>
  return %d : tensor<256xf32>
}
