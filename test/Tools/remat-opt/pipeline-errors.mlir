// Errors in the passes are reported before the input is read: it does not even
// exist. The exit code is that of a wrong command line.

// RUN: sh -c 'remat-opt none.mlir --pass-pipeline="builtin.module(cse,nosuch)"; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN:      remat-opt: error: in the pass pipeline, column 20: 'nosuch' does not refer to a registered pass or pass pipeline
// UNKNOWN-NEXT: {{^}}  builtin.module(cse,nosuch)
// UNKNOWN-NEXT: {{^}}                     ^
// UNKNOWN-NEXT: exit code 2

// RUN: sh -c 'remat-opt none.mlir --pass-pipeline="builtin.module(func.func(cse)"; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN:      remat-opt: error: in the pass pipeline, column 15: unmatched '('
// OPEN:      exit code 2

// RUN: not remat-opt none.mlir --pass-pipeline='cse' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: error: {{.*}} expected the op that the pipeline runs on around the passes, such as 'builtin.module(cse)'

// RUN: not remat-opt none.mlir --pass-pipeline='module(cse)' 2>&1 | FileCheck %s --check-prefix=NOOP
// NOOP: error: {{.*}} column 1: 'module' is not an op; expected passes nested in an op such as builtin.module
// RUN: not remat-opt none.mlir --pass-pipeline='builtin.module(rematerialize(cse))' 2>&1 | FileCheck %s --check-prefix=NOPASS
// NOPASS: error: {{.*}} column 16: 'rematerialize' is not an op; {{.*}} and the options of a pass in braces

// RUN: not remat-opt none.mlir --pass-pipeline='builtin.module(gpu-map-parallel-loops)' 2>&1 | FileCheck %s --check-prefix=NEST
// NEST: error: {{.*}} column 16: the pass 'gpu-map-parallel-loops' runs on 'func.func' only; write 'func.func(gpu-map-parallel-loops)'

// RUN: not remat-opt none.mlir --pass-pipeline='builtin.module(func.func(cse{speed=9}))' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}} column 26: pass 'cse': no such option speed

// RUN: not remat-opt none.mlir --pass-pipeline='builtin.module(cse,rematerialize{memory-cap=much})' 2>&1 | FileCheck %s --check-prefix=OURS
// OURS: error: {{.*}} column 20: pass 'rematerialize': option 'memory-cap': invalid value 'much'; expected 1.5GiB, 800MB, 1048576 or 50%

// RUN: sh -c 'remat-opt none.mlir --cse --rematerialize=memory-cap=much; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG:      remat-opt: error: pass 'rematerialize': option 'memory-cap': invalid value 'much'; expected 1.5GiB, 800MB, 1048576 or 50%
// FLAG-NEXT: exit code 2

// RUN: sh -c 'remat-opt none.mlir --nosuch=1; echo exit code $?' 2>&1 | FileCheck %s --check-prefix=NOFLAG
// NOFLAG:      remat-opt: error: unknown option or pass '--nosuch'; {{.*}}--iree-flag=--nosuch
// NOFLAG-NEXT: exit code 2

// RUN: not remat-opt none.mlir --cse --pass-pipeline='builtin.module(cse)' 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: remat-opt: error: '--cse' cannot be combined with --pass-pipeline
