// IREE's library is loaded when the program runs; if it is missing, the program
// reports that.

// RUN: sh -c 'REMAT_IREE_COMPILER=%t/none.so remat-opt %s; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN:      remat-opt: error: cannot load IREE's compiler library: {{.*}}none.so: cannot open shared object file
// CHOSEN-NEXT: remat-opt: note: './dev build' downloads it; to use another copy, set REMAT_IREE_COMPILER
// CHOSEN-NEXT: exit code 1

// A copy of the program without the library next to it.
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: sh -c 'cp "$(command -v remat-opt)" %t/bin'
// RUN: sh -c '%t/bin/remat-opt %s; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT:      remat-opt: error: cannot load IREE's compiler library: {{.*}}remat-opt.so: cannot open shared object file
// ABSENT:      exit code 1

// Another copy of IREE's library can be chosen; an empty choice is none.
// RUN: sh -c 'REMAT_IREE_COMPILER="$(dirname "$(command -v iree-opt)")/../lib/libIREECompiler.so" remat-opt %s' | FileCheck %s
// RUN: env REMAT_IREE_COMPILER= remat-opt %s | FileCheck %s
// CHECK: func @f
func.func @f() {
  return
}
