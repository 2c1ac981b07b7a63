// RUN: remat-opt %s --split-input-file --cse | FileCheck %s
// RUN: iree-opt %s --split-input-file --cse > %t.theirs
// RUN: remat-opt %s --split-input-file --cse -o %t.ours
// RUN: cmp %t.theirs %t.ours

// Without the flag the second @f is an error.
// RUN: not remat-opt %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: split-input-file.mlir:[[#@LINE+15]]:1: error: redefinition of symbol named 'f'

// CHECK:      module {
// CHECK-NEXT:   func.func @f() -> i32 {
func.func @f() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}

// CHECK:      {{//}} -----
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f() -> i64 {

// -----

func.func @f() -> i64 {
  %0 = arith.constant 1 : i64
  return %0 : i64
}
