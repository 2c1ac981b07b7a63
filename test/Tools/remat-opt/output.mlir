// Standard input, standard output, and files.
// RUN: remat-opt %s > %t.a
// RUN: remat-opt < %s > %t.b
// RUN: remat-opt - -o %t.c < %s
// RUN: remat-opt %s -o - > %t.d
// RUN: cmp %t.a %t.b && cmp %t.a %t.c && cmp %t.a %t.d
// RUN: FileCheck %s < %t.a

// A file that was there before stays as it was after an error.
// RUN: cp %t.a %t.kept
// RUN: not remat-opt %s --rematerialize=memory-cap=1 -o %t.kept 2> %t.err
// RUN: cmp %t.a %t.kept

// RUN: sh -c 'remat-opt %t.none; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT:      remat-opt: error: cannot read '{{.*}}.none': No such file or directory
// INPUT-NEXT: exit code 1
// RUN: sh -c 'remat-opt %s -o %t.none/x; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT:      remat-opt: error: cannot write '{{.*}}.none/x': No such file or directory
// OUTPUT-NEXT: exit code 1
// RUN: not remat-opt %s %s 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: remat-opt: error: unexpected argument '{{.*}}output.mlir'; expected at most one input file

// Locations in standard input.
// RUN: sh -c 'echo nonsense | not remat-opt' 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: <stdin>:1:1: error: custom op 'nonsense' is unknown

// CHECK: func @f
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
