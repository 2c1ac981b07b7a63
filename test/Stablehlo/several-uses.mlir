// RUN: remat-opt %s --split-input-file --rematerialize=memory-cap=14KiB | FileCheck %s
// REQUIRES: iree

// A broadcast (4 KiB) is read before, between and after three calls that hold
// 12 KiB each: it is recomputed for each use, because none of them may run with
// it live (16 KiB).
// CHECK-LABEL: func.func @over_three_calls
// CHECK-COUNT-4: stablehlo.broadcast_in_dim
//     CHECK-NOT: stablehlo.broadcast_in_dim
func.func @over_three_calls(%p: tensor<f32>) -> tensor<1xf32> {
  %wide = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<f32>) -> tensor<1024xf32>
  %s0 = stablehlo.slice %wide [0:1] : (tensor<1024xf32>) -> tensor<1xf32>
  %c0 = stablehlo.custom_call @work(%s0) : (tensor<1xf32>) -> tensor<3072xf32>
  %d0 = stablehlo.custom_call @shrink(%c0) : (tensor<3072xf32>) -> tensor<1xf32>
  %w0 = stablehlo.concatenate %wide, %d0, dim = 0 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1025xf32>
  %s1 = stablehlo.slice %w0 [0:1] : (tensor<1025xf32>) -> tensor<1xf32>
  %c1 = stablehlo.custom_call @work(%s1) : (tensor<1xf32>) -> tensor<3072xf32>
  %d1 = stablehlo.custom_call @shrink(%c1) : (tensor<3072xf32>) -> tensor<1xf32>
  %w1 = stablehlo.concatenate %wide, %d1, dim = 0 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1025xf32>
  %s2 = stablehlo.slice %w1 [0:1] : (tensor<1025xf32>) -> tensor<1xf32>
  %c2 = stablehlo.custom_call @work(%s2) : (tensor<1xf32>) -> tensor<3072xf32>
  %d2 = stablehlo.custom_call @shrink(%c2) : (tensor<3072xf32>) -> tensor<1xf32>
  %w2 = stablehlo.concatenate %wide, %d2, dim = 0 : (tensor<1024xf32>, tensor<1xf32>) -> tensor<1025xf32>
  %s3 = stablehlo.slice %w2 [0:1] : (tensor<1025xf32>) -> tensor<1xf32>
  return %s3 : tensor<1xf32>
}

// -----

// Random numbers (2 KiB) stay, and something else of 2 KiB is cloned: %wide. The
// call holds 12,000 bytes, 16 KiB with both.
// CHECK-LABEL: func.func @random_numbers_stay
// CHECK-COUNT-1: stablehlo.rng
//     CHECK-NOT: stablehlo.rng
//         CHECK: stablehlo.optimization_barrier
//         CHECK: stablehlo.broadcast_in_dim
func.func @random_numbers_stay(%p: tensor<f32>) -> tensor<512xf32> {
  %lo = stablehlo.constant dense<0.0> : tensor<f32>
  %hi = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[512]> : tensor<1xi64>
  %random = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<512xf32>
  %wide = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<f32>) -> tensor<512xf32>
  %a = stablehlo.add %wide, %random : tensor<512xf32>
  %s = stablehlo.slice %a [0:1] : (tensor<512xf32>) -> tensor<1xf32>
  %c = stablehlo.custom_call @work(%s) : (tensor<1xf32>) -> tensor<3000xf32>
  %d = stablehlo.custom_call @shrink(%c) : (tensor<3000xf32>) -> tensor<1xf32>
  %e = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<1xf32>) -> tensor<512xf32>
  %g = stablehlo.multiply %e, %random : tensor<512xf32>
  %h = stablehlo.add %g, %wide : tensor<512xf32>
  return %h : tensor<512xf32>
}
