// Errors of our passes, with their notes, take the same path as MLIR's. Several
// functions are processed at once, but reported in their order.
// RUN: remat-opt %s --pass-pipeline='builtin.module(func.func(cse,rematerialize{memory-cap=2KiB}))' --verify-diagnostics
// RUN: not remat-opt %s --pass-pipeline='builtin.module(func.func(rematerialize{memory-cap=2KiB}))' > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: count 0 < %t.out

// CHECK:      mixed-errors.mlir:[[#@LINE+2]]:1: error: the size of argument #0
// expected-error@below {{the size of argument #0 of 'func.func' is unknown: tensor<?xf32>}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT: {{^}}func.func @dynamic
// CHECK-NEXT: {{^}}^{{$}}
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Its inputs and output alone take 3 KiB.
// CHECK:      mixed-errors.mlir:[[#@LINE+2]]:1: error: cannot meet the cap of 2048 bytes
// expected-error@below {{cannot meet the cap of 2048 bytes}}
func.func @inputs(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  // CHECK:    mixed-errors.mlir:[[#@LINE+2]]:8: note: 'stablehlo.add' runs at the peak
  // expected-note@below {{'stablehlo.add' runs at the peak}}
  %0 = stablehlo.add %x, %y : tensor<256xf32>
  return %0 : tensor<256xf32>
}

// CHECK:      mixed-errors.mlir:[[#@LINE+2]]:1: error: the size of argument #1
// expected-error@below {{the size of argument #1 of 'func.func' is unknown: tensor<?xi8>}}
func.func @last(%x: tensor<1xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %0 = stablehlo.add %y, %y : tensor<?xi8>
  return %0 : tensor<?xi8>
}
