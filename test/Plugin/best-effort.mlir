// RUN: mlir-opt %s --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=1KiB best-effort})' 2>&1 | FileCheck %s
// REQUIRES: plugin

// The pass continues with the lowest peak, with a warning: 28 KiB instead of 32 KiB.
//       CHECK: warning: cannot meet the cap of 1024 bytes (1.00 KiB) in function 'main'; the lowest peak possible in this order is 28672 bytes (28.0 KiB); continuing with that peak
// CHECK-LABEL: func @main
// CHECK-COUNT-2: math.exp
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}
