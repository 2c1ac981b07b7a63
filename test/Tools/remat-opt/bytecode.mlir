// RUN: remat-opt %s -o %t.mlir
// RUN: remat-opt %s --emit-bytecode -o %t.mlirbc
// RUN: remat-opt %t.mlirbc -o %t.back.mlir
// RUN: cmp %t.mlir %t.back.mlir
// RUN: FileCheck %s < %t.back.mlir
// RUN: not cmp -n 4 %t.mlir %t.mlirbc

// CHECK: func @f
// CHECK: stablehlo.tanh
// CHECK: aligned: "0x40000000
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.tanh %x : tensor<2xf32>
  %1 = arith.constant dense_resource<aligned> : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Constants of 64-byte alignment must lie so in the buffer that is read.
{-#
  dialect_resources: {
    builtin: {
      aligned: "0x400000000000803F00000040"
    }
  }
#-}
