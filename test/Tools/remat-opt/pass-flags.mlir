// Flags run passes in their order, with one dash or two.
// RUN: remat-opt %s --cse --canonicalize -o /dev/null --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: remat-opt -canonicalize=top-down=false %s -cse -o=/dev/null -mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=SECOND
// FIRST:      IR Dump After CSEPass
// FIRST:      IR Dump After CanonicalizerPass{{.*}}top-down=true
// SECOND:     IR Dump After CanonicalizerPass{{.*}}top-down=false
// SECOND:     IR Dump After CSEPass

// A pass that runs on functions only is nested under func.func: it prints two
// functions, not one module.
// RUN: remat-opt %s --gpu-map-parallel-loops -o /dev/null --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED:      IR Dump After GpuMapParallelLoopsPass
// NESTED-NEXT: func.func @duplicate
// NESTED:      IR Dump After GpuMapParallelLoopsPass
// NESTED-NEXT: func.func @empty

// Without any pass the input is printed.
// RUN: remat-opt %s | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: remat-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// CHECK-LABEL: func @duplicate
// PLAIN-COUNT-3: stablehlo.add
// CSE-COUNT-2:   stablehlo.add
// CHECK-NOT:     stablehlo.add
func.func @duplicate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.add %x, %x : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func @empty
func.func @empty() {
  return
}
