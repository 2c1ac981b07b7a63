// The result that takes over the buffer has another shape: IREE imports the
// buffer a second time. It is one buffer, counted once, and its reader means the
// old value.

// RUN: remat-compile %s -o %t.vmfb --report=%t.json 2>&1 | FileCheck %s
// RUN: iree-run-module --module=%t.vmfb --function=step --device=local-sync \
// RUN:   --input=2x2xf32=2 --input=2x2xf32=1 | FileCheck %s --check-prefix=RESULT
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REQUIRES: iree

//  CHECK: argument #0 is overwritten by 'step_dispatch_1_elementwise_4_f32' before 'step_dispatch_0_matmul_2x2x2_f32' reads it
// RESULT: 4xf32=-2 -2 -2 -2
// RESULT: 2x2xf32=[16 16][16 16]
// REPORT: "input_bytes": 32
func.func @step(%w: tensor<2x2xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<2x2xf32>)
    -> (tensor<4xf32>, tensor<2x2xf32>) {
  %h = stablehlo.dot %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = stablehlo.subtract %w, %h : tensor<2x2xf32>
  %f = stablehlo.reshape %u : (tensor<2x2xf32>) -> tensor<4xf32>
  %t = stablehlo.dot %h, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %f, %t : tensor<4xf32>, tensor<2x2xf32>
}
