// IREE 3.13 computes a wrong result for this program, for the reason that
// iree-late-read.mlir tells: the matrix product reads all of %w and, tile by
// tile, writes its result over it. Every element should be 256.
//
// The second RUN line checks that today's result is wrong. When it fails, see
// there.

// RUN: iree-compile %s -o %t.iree.vmfb --iree-hal-target-device=local \
// RUN:   --iree-hal-local-target-device-backends=llvm-cpu --iree-llvmcpu-target-cpu=host
// RUN: not iree-run-module --module=%t.iree.vmfb --function=step --device=local-sync \
// RUN:   --input=256x256xf32=1 --expected_output=256x256xf32=256

// The old value is copied first.
// RUN: remat-compile %s -o %t.vmfb --report=%t.json 2>&1 | FileCheck %s
// RUN: iree-run-module --module=%t.vmfb --function=step --device=local-sync \
// RUN:   --input=256x256xf32=1 --expected_output=256x256xf32=256
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REQUIRES: iree

//  CHECK: remark: repaired 1 read of donated or overwritten memory that the schedule placed too late: kept 1 copy (262144 bytes) of old values, since no order of the steps avoids that
//  CHECK: note: argument #0 is overwritten by 'step_dispatch_0_matmul_256x256x256_f32', which reads it at other places than it writes
// REPORT: "late_reads": 1
// REPORT: "copies": 1
// REPORT: "copy_bytes": 262144
func.func @step(%w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}) -> tensor<256x256xf32> {
  %t = stablehlo.dot %w, %w : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %t : tensor<256x256xf32>
}
