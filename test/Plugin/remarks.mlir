// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null --remarks-filter=rematerialize \
// RUN:   --remark-format=emitRemark \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=28KiB})' 2>&1 | FileCheck %s
// REQUIRES: plugin

// CHECK: remark: [Passed] Rematerialized | Category:rematerialize | Function=main
// CHECK-SAME: PeakBytesAfter=28672, PeakBytesBefore=32768, RecomputedSteps=1,
// CHECK-SAME: Steps=5
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}
