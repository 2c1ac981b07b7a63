// RUN: not remat-opt %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: remat-opt %s --allow-unregistered-dialect | FileCheck %s
// ERROR: unregistered.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: operation being parsed with an unregistered dialect
// CHECK-LABEL: func @f
// CHECK: "nowhere.op"()
func.func @f() {
  "nowhere.op"() : () -> ()
  return
}
