// RUN: mlir-opt %s -split-input-file -verify-diagnostics --allow-unregistered-dialect \
// RUN:   --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=6144})' | FileCheck %s
// REQUIRES: plugin

// In each function %r (1024 bytes) is read at once and again at the end. In
// between %b (4096), its operand %a, %x and %r (1024 each) are live: 7168 bytes.
// Only a second %r brings that down to the cap of 6144 bytes, so the cap can be
// met if and only if the op that defines %r may be executed twice.

// CHECK-LABEL: func @pure
// CHECK-COUNT-2: stablehlo.exponential
func.func @pure(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.exponential"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// A second execution may draw other numbers.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @random(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.rng"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// The generator's state would advance twice.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @random_state(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.rng_bit_generator"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// All devices would have to repeat it together.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @collective(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.all_reduce"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// Its effects are unknown.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @custom_call(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.custom_call"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// It reads from the host.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @infeed(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.infeed"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// Loops are not planned.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @control_flow(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.while"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// No table lists it.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @unknown_op(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "other.op"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

func.func private @callee(tensor<256xf32>) -> tensor<256xf32>

// Calls may have side effects.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @call(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = func.call @callee(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}

// -----

// The clone would have to be rewired from within.
// expected-error @below {{cannot meet the cap of 6144 bytes}}
func.func @region(%x: tensor<256xf32>) -> tensor<256xf32> {
  %r = "stablehlo.map"(%x) ({
    %y = "stablehlo.negate"(%x) : (tensor<256xf32>) -> tensor<256xf32>
    "stablehlo.return"(%y) : (tensor<256xf32>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  %a = "stablehlo.negate"(%r) : (tensor<256xf32>) -> tensor<256xf32>
  // expected-note @below {{runs at the peak}}
  %b = "stablehlo.concatenate"(%a, %a, %a, %a) {dimension = 0 : i64} : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<1024xf32>
  %c = "stablehlo.slice"(%b) : (tensor<1024xf32>) -> tensor<256xf32>
  %d = "stablehlo.add"(%c, %r) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %d : tensor<256xf32>
}
