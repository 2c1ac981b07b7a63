// An error in one piece does not hide those of the others. They are on the
// lines of the whole file. Nothing is written.
// RUN: rm -f %t.out
// RUN: not remat-opt %s --split-input-file -o %t.out 2>&1 | FileCheck %s
// RUN: not cat %t.out

func.func @good() {
  return
}

// -----

// CHECK: split-errors.mlir:[[#@LINE+1]]:23: error: custom op 'nonsense' is unknown
func.func @unknown() {nonsense
// CHECK-NEXT: {{^}}func.func @unknown() {nonsense{{$}}
// CHECK-NEXT: {{^}}                      ^{{$}}
}

// -----

func.func @wrong() -> i32 {
// CHECK: split-errors.mlir:[[#@LINE+1]]:3: error: 'func.return' op has 0 operands
  return
}
