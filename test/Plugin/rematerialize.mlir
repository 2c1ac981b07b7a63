// RUN: mlir-opt %s -split-input-file --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=28KiB})' | FileCheck %s
// REQUIRES: plugin

// %h (4 KiB) is read at once and again at the end; between them %wide and
// %more (12 KiB each) are live together with %x and %h: 32 KiB. Recomputing %h
// leaves 28 KiB.
// CHECK-LABEL: func @recompute
//  CHECK-SAME:   %[[X:.+]]: tensor<1024xf32>
//       CHECK:   %[[H:.+]] = math.exp %[[X]]
//  CHECK-NEXT:   %[[WIDE:.+]] = tensor.concat dim(0) %[[H]], %[[H]], %[[H]]
//  CHECK-NEXT:   %[[MORE:.+]] = math.absf %[[WIDE]]
//  CHECK-NEXT:   %[[PART:.+]] = tensor.extract_slice %[[MORE]]
//  CHECK-NEXT:   %[[AGAIN:.+]] = math.exp %[[X]]
//  CHECK-NEXT:   %[[SUM:.+]] = arith.addf %[[PART]], %[[AGAIN]]
//  CHECK-NEXT:   return %[[SUM]]
func.func @recompute(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}

// -----

// 16 KiB at most: nothing to do.
// CHECK-LABEL: func @under_the_cap
// CHECK-COUNT-1: math.exp
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func @under_the_cap(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %a = math.absf %h : tensor<1024xf32>
  %sum = arith.addf %a, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}

// -----

// linalg: the fill is overwritten by the product, so both are recomputed.
// x, w and the product take 4 KiB each, %wide and %more 12 KiB each: 36 KiB
// with the product live, 32 KiB without... both over 28 KiB unless %more is
// computed from a product that is gone.
// CHECK-LABEL: func @destination_style
//       CHECK:   linalg.matmul
//       CHECK:   linalg.reduce
//       CHECK:   %[[FILL:.+]] = linalg.fill
//  CHECK-NEXT:   %[[AGAIN:.+]] = linalg.matmul {{.*}} outs(%[[FILL]]
//  CHECK-NEXT:   arith.addf %{{.+}}, %[[AGAIN]]
func.func @destination_style(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %h = linalg.matmul ins(%x, %x : tensor<32x32xf32>, tensor<32x32xf32>) outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
  %wide = tensor.concat dim(0) %h, %h, %h, %h, %h : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<160x32xf32>
  %rows = tensor.empty() : tensor<32xf32>
  %sums = linalg.reduce { arith.addf } ins(%wide : tensor<160x32xf32>) outs(%rows : tensor<32xf32>) dimensions = [0]
  %part = tensor.extract_slice %wide[0, 0] [32, 32] [1, 1] : tensor<160x32xf32> to tensor<32x32xf32>
  %sum = arith.addf %part, %h : tensor<32x32xf32>
  return %sum : tensor<32x32xf32>
}
