// RUN: remat-opt %s --rematerialize=memory-cap=24KiB | FileCheck %s
// REQUIRES: iree

// An op with two results (4 KiB each), of which one is read twice after the
// peak, is recomputed once: both late reads share it. %p takes 8 KiB, %wide
// and its operand %one take 8 + 4 KiB: with %max live that is more than 24 KiB.
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: stablehlo.reduce(
//     CHECK-NOT: stablehlo.reduce(
//         CHECK: return
func.func @main(%p: tensor<2x1024xf32>) -> tensor<1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r:2 = stablehlo.reduce(%p init: %zero), (%p init: %zero) across dimensions = [0]
    : (tensor<2x1024xf32>, tensor<2x1024xf32>, tensor<f32>, tensor<f32>) -> (tensor<1024xf32>, tensor<1024xf32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %sum = stablehlo.add %a, %b : tensor<f32>
      %max = stablehlo.maximum %c, %d : tensor<f32>
      stablehlo.return %sum, %max : tensor<f32>, tensor<f32>
    }
  %one = stablehlo.negate %r#0 : tensor<1024xf32>
  %wide = stablehlo.concatenate %one, %one, %one, dim = 0 : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %part = stablehlo.slice %wide [0:1024] : (tensor<3072xf32>) -> tensor<1024xf32>
  %first = stablehlo.add %part, %r#1 : tensor<1024xf32>
  %second = stablehlo.multiply %first, %r#1 : tensor<1024xf32>
  return %second : tensor<1024xf32>
}
