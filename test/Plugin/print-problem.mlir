// RUN: mlir-opt %s --load-pass-plugin=%plugin -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(remat-print-problem)' 2> %t.problem
// RUN: FileCheck %s < %t.problem
// RUN: remat-solve %t.problem --memory-cap=28KiB | FileCheck %s --check-prefix=PLAN
// REQUIRES: plugin

//      CHECK: remat-problem 1
//      CHECK: tensor 0 bytes=4096 kind=input
//      CHECK: step 4 {{.*}}name="arith.addf" in=4,1 out=5
// CHECK-NEXT: input 0
// CHECK-NEXT: output 5
// CHECK-NEXT: # func @main, 0 bytes outside

// PLAN: again step 0 'math.exp'
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %h = math.exp %x : tensor<1024xf32>
  %wide = tensor.concat dim(0) %h, %h, %h : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<3072xf32>
  %more = math.absf %wide : tensor<3072xf32>
  %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
  %sum = arith.addf %part, %h : tensor<1024xf32>
  return %sum : tensor<1024xf32>
}
