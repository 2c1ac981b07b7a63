// Diagnostics at locations outside the input.
// RUN: not remat-opt %s --split-input-file 2>&1 | FileCheck %s

// Code that was inlined: the callee, then its callers.
// CHECK:      model.py:3:4: error: 'func.return' op has 0 operands
// CHECK-NEXT: train.py:9:1: note: called from
// CHECK-NEXT: main.py:2:1: note: called from
func.func @inlined() -> i32 {
  "func.return"() : () -> () loc(callsite("layer"("model.py":3:4) at callsite("step"("train.py":9:1) at "main.py":2:1)))
}

// -----

// CHECK: <unknown>:0: error: 'func.return' op has 0 operands
func.func @unknown() -> i32 {
  "func.return"() : () -> () loc(unknown)
}

// -----

// The first part that has a position.
// CHECK: b.py:5:6: error: 'func.return' op has 0 operands
func.func @fused() -> i32 {
  "func.return"() : () -> () loc(fused[unknown, "name"("b.py":5:6), "c.py":7:8])
}
