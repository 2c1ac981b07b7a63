// The caller gets the new value and the old one of %w; %cache is updated in
// place twice, both times from the old value, which IREE puts into one buffer.
// Neither can be donated.

// RUN: remat-compile %s -o %t.vmfb 2>&1 | FileCheck %s
// RUN: iree-run-module --module=%t.vmfb --function=step --device=local-sync \
// RUN:   --input=4xf32=1,2,3,4 --input=4xf32=0 --input=2xf32=7 | FileCheck %s --check-prefix=RESULT
// REQUIRES: iree

//  CHECK: remark: argument #0 is donated, but its old value is needed after the update; it is not donated
//  CHECK: remark: argument #1 is donated, but its old value is needed after the update; it is not donated
// RESULT: 4xf32=2 3 4 5
// RESULT: 4xf32=1 2 3 4
// RESULT: 4xf32=7 7 0 0
// RESULT: 4xf32=0 0 7 7
func.func @step(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %cache: tensor<4xf32> {tf.aliasing_output = 2 : i32},
                %x: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i2 = stablehlo.constant dense<2> : tensor<i32>
  %u = stablehlo.add %w, %one : tensor<4xf32>
  %a = stablehlo.dynamic_update_slice %cache, %x, %i0 : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %b = stablehlo.dynamic_update_slice %cache, %x, %i2 : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %u, %w, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
