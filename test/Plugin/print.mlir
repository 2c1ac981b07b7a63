// RUN: mlir-opt %s --load-pass-plugin=%plugin --allow-unregistered-dialect -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(remat-print-live-ranges,remat-print-costs)' 2>&1 | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin --allow-unregistered-dialect -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(remat-print-costs{target=cuda})' 2>&1 | FileCheck %s --check-prefix=CUDA
// REQUIRES: plugin

// %x lives throughout, as does %k, a constant of different elements. A scalar
// and tensor.empty take no memory. The product overwrites %fill, so that both
// are one storage that lives to slot 3. The peak is that of the transposition:
// 8192 + 8 + 4096 + 8192.
//      CHECK: live ranges: func @main: 5 slots, peak 20488 bytes in slot 2, 0 bytes outside
// CHECK-NEXT: tensor 0 [0, 5) 8192 bytes parameter
// CHECK-NEXT: tensor 1 [0, 5) 8 bytes constant
// CHECK-NEXT: tensor 2 [0, 5) 0 bytes constant
// CHECK-NEXT: tensor 3 [0, 2) 0 bytes activation made by tensor.empty
// CHECK-NEXT: tensor 4 [1, 4) 4096 bytes activation made by linalg.fill
// CHECK-NEXT: tensor 5 [2, 4) 8192 bytes activation made by stablehlo.transpose
// CHECK-NEXT: tensor 7 [4, 5) 8192 bytes output made by math.exp
// CHECK-NEXT: slot 0: 8200 bytes: tensor.empty
// CHECK-NEXT: slot 1: 12296 bytes: linalg.fill
// CHECK-NEXT: slot 2: 20488 bytes: stablehlo.transpose
module {
  func.func @main(%x: tensor<32x64xf32> {remat.kind = "parameter"}) -> tensor<32x64xf32> {
    %k = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<32x32xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
    %t = "stablehlo.transpose"(%x) : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %product = linalg.matmul ins(%x, %t : tensor<32x64xf32>, tensor<64x32xf32>) outs(%fill : tensor<32x32xf32>) -> tensor<32x32xf32>
    %y = math.exp %x : tensor<32x64xf32>
    return %y : tensor<32x64xf32>
  }
}
// Costs: 2 us per launch; 64 Ki multiply-adds at 50 per ns are 2621 ns; exp is
// 16 operations on 2048 elements (655 ns) against 16 KiB at 20 bytes per ns (819).
//      CHECK: costs: func @main: 5 steps
// CHECK-NEXT: step 0: 0 ns, results 0 bytes, recomputable: tensor.empty
//      CHECK: step 3: 4621 ns, results 4096 bytes, recomputable: linalg.matmul
// CHECK-NEXT: step 4: 2819 ns, results 8192 bytes, recomputable: math.exp
// 131072 operations at 10000 per ns, 24 KiB at 1250 per ns: 20 ns.
//       CUDA: step 3: 4020 ns, results 4096 bytes, recomputable: linalg.matmul
