// With IREE's passes alone the output is that of iree-opt, byte for byte.

// RUN: iree-opt %s --cse --canonicalize > %t.theirs
// RUN: remat-opt %s --cse --canonicalize -o %t.ours
// RUN: cmp %t.theirs %t.ours

// RUN: iree-opt %s --pass-pipeline='builtin.module(func.func(cse),canonicalize)' --mlir-print-debuginfo > %t.theirs
// RUN: remat-opt %s --pass-pipeline='builtin.module(func.func(cse),canonicalize)' --mlir-print-debuginfo -o %t.ours
// RUN: cmp %t.theirs %t.ours

// RUN: iree-compile %s --iree-hal-target-device=local --iree-hal-local-target-device-backends=llvm-cpu --iree-llvmcpu-target-cpu=generic --compile-to=flow -o %t.flow.mlir
// RUN: iree-opt %t.flow.mlir --pass-pipeline='builtin.module(iree-stream-tensor-transformation-pipeline,iree-stream-async-transformation-pipeline)' > %t.theirs
// RUN: remat-opt %t.flow.mlir --pass-pipeline='builtin.module(iree-stream-tensor-transformation-pipeline,iree-stream-async-transformation-pipeline)' -o %t.async.mlir
// RUN: cmp %t.theirs %t.async.mlir
// RUN: FileCheck %s < %t.async.mlir
// RUN: iree-opt %t.async.mlir --pass-pipeline='builtin.module(iree-stream-cmd-transformation-pipeline,iree-stream-optimization-pipeline)' > %t.theirs
// RUN: remat-opt %t.async.mlir --pass-pipeline='builtin.module(iree-stream-cmd-transformation-pipeline,iree-stream-optimization-pipeline)' -o %t.ours
// RUN: cmp %t.theirs %t.ours

// CHECK: stream.async.execute
// CHECK: stream.async.dispatch
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x64xf32>
  %2 = stablehlo.tanh %0 : tensor<64x64xf32>
  %3 = stablehlo.dot %1, %2 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}
