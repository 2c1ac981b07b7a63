// The pass on a function, and its report.
// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(func.func(rematerialize{memory-cap=90%% report=%t.json}))'
// RUN: FileCheck %s < %t.json
// RUN: python3 %check_report %t.json
// REQUIRES: plugin

// 90 % of 32 KiB, rounded down; one step of five is recomputed.
//      CHECK: "cap_bytes": 29491,
// CHECK-NEXT: "peak_bytes_before": 32768,
// CHECK-NEXT: "peak_bytes_after": 28672,
// CHECK-NEXT: "solver": "auto",
// CHECK-NEXT: "late_reads": 0,
// CHECK-NEXT: "copies": 0,
// CHECK-NEXT: "copy_bytes": 0,
// CHECK-NEXT: "steps": 5,
// CHECK-NEXT: "recomputed_steps": 1,
// CHECK-NEXT: "reordered": false,
//      CHECK: "function": "main",
//      CHECK: "cap_met": true,
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}
