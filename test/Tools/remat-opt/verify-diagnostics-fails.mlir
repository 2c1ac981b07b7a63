// RUN: not remat-opt %s --split-input-file --verify-diagnostics 2>&1 | FileCheck %s --check-prefixes=CHECK,ALL --implicit-check-not=error:
// RUN: not remat-opt %s --split-input-file --verify-diagnostics=only-expected 2>&1 | FileCheck %s --implicit-check-not=error:

// Expected, but not reported.
// CHECK: verify-diagnostics-fails.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: expected warning "never" was not produced
// expected-warning {{never}}
func.func @missing() {
  return
}

// -----

// Reported, but not expected.
func.func @unexpected() -> i32 {
  // ALL: verify-diagnostics-fails.mlir:[[#@LINE+1]]:3: error: unexpected error: 'func.return' op has 0 operands
  return
}

// -----

// The right message with the wrong severity.
func.func @severity() -> i32 {
  // ALL:   verify-diagnostics-fails.mlir:[[#@LINE+4]]:3: error: unexpected error: 'func.return' op has 0 operands
  // ALL:   note: expected as warning here
  // CHECK: error: expected warning "has 0 operands" was not produced
  // expected-warning@+1 {{has 0 operands}}
  return
}

// -----

// CHECK: verify-diagnostics-fails.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: unknown place '@nowhere'
// expected-error@nowhere {{a}}
