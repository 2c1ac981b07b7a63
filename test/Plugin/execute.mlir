// The rewritten program computes the same: both are lowered by mlir-opt and run.
// RUN: mlir-opt %s -o %t.plain.mlir
// RUN: mlir-opt %s -o %t.remat.mlir --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=72})'
// RUN: grep -c math.exp %t.plain.mlir | FileCheck %s --check-prefix=ONCE
// RUN: grep -c math.exp %t.remat.mlir | FileCheck %s --check-prefix=TWICE
// RUN: mlir-opt %t.plain.mlir --pass-pipeline='builtin.module(%lower-to-llvm)' \
// RUN:   | mlir-runner -e main --entry-point-result=void --shared-libs=%c-runner-utils > %t.plain
// RUN: mlir-opt %t.remat.mlir --pass-pipeline='builtin.module(%lower-to-llvm)' \
// RUN:   | mlir-runner -e main --entry-point-result=void --shared-libs=%c-runner-utils > %t.remat
// RUN: FileCheck %s < %t.plain
// RUN: cmp %t.plain %t.remat
// REQUIRES: plugin

// ONCE: 1
// TWICE: 2

// exp(0.5) = 1.64872, and twice that.
// CHECK: 3.29744
// CHECK-NEXT: 3.29744

// %h (8 bytes) is read at once and again at the end; between them two tensors of
// 32 bytes are live, with %x (8 bytes): 80 bytes, 72 without %h.
func.func @step(%x: tensor<2xf32>) -> tensor<2xf32> {
  %h = math.exp %x : tensor<2xf32>
  %empty = tensor.empty() : tensor<4x2xf32>
  %wide = linalg.broadcast ins(%h : tensor<2xf32>) outs(%empty : tensor<4x2xf32>) dimensions = [0]
  %more = math.absf %wide : tensor<4x2xf32>
  %part = tensor.extract_slice %more[1, 0] [1, 2] [1, 1] : tensor<4x2xf32> to tensor<2xf32>
  %sum = arith.addf %part, %h : tensor<2xf32>
  return %sum : tensor<2xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<0.5> : tensor<2xf32>
  %y = func.call @step(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %y0 = tensor.extract %y[%c0] : tensor<2xf32>
  %y1 = tensor.extract %y[%c1] : tensor<2xf32>
  vector.print %y0 : f32
  vector.print %y1 : f32
  return
}
