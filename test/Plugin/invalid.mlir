// RUN: mlir-opt %s -split-input-file -verify-diagnostics --load-pass-plugin=%plugin \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=1KiB})'
// REQUIRES: plugin

// expected-error @below {{the size of argument #0 of 'func.func' is unknown: tensor<?xf32>; programs with dynamic shapes cannot be planned}}
func.func @dynamic_argument(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @dynamic_result(%x: tensor<4xf32>) {
  // expected-error @below {{the size of result #0 of 'tensor.cast' is unknown: tensor<?xf32>}}
  %y = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  return
}

// -----

// expected-error @below {{function 'blocks' has several blocks; only straight-line functions can be planned}}
func.func @blocks() {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{no function with a body to plan in this 'builtin.module'}}
module {
  func.func private @declaration()
}

// -----

// The input alone takes 4096 bytes; the note names what is live there.
// expected-error @below {{cannot meet the cap of 1024 bytes (1.00 KiB) in function 'impossible'; the lowest peak possible in this order is 8192 bytes (8.00 KiB); raise the cap to that, or use best-effort}}
func.func @impossible(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  // expected-note @below {{'math.exp' runs at the peak, with 2 tensors live, largest: input of 4096 bytes, output of 4096 bytes made by 'math.exp'}}
  %y = math.exp %x : tensor<1024xf32>
  return %y : tensor<1024xf32>
}
