// The examples in docs/passes.md match the output of the passes.
// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null --pass-pipeline='builtin.module(remat-print-live-ranges)' 2> %t.ranges
// RUN: %check_quoted %docs/passes.md %t.ranges
// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null --pass-pipeline='builtin.module(remat-print-costs)' 2> %t.costs
// RUN: %check_quoted %docs/passes.md %t.costs
// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null --pass-pipeline='builtin.module(remat-print-problem)' 2> %t.problem
// RUN: %check_quoted %docs/passes.md %t.problem
// REQUIRES: plugin

// The clone is at the position shown in the example.
// RUN: mlir-opt %s --load-pass-plugin=%plugin --pass-pipeline='builtin.module(rematerialize{memory-cap=28KiB})' | FileCheck %s
//      CHECK: tensor.extract_slice
// CHECK-NEXT: %[[CLONE:.+]] = math.exp %{{.+}}
// CHECK-NEXT: arith.addf %{{.+}}, %[[CLONE]]
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}
