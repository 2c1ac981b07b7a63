// RUN: remat-opt %s --pass-pipeline='builtin.module(remat-print-live-ranges)' -o /dev/null 2>&1 | FileCheck %s
// RUN: remat-opt %s --pass-pipeline='builtin.module(rematerialize{memory-cap=9216})' | FileCheck %s --check-prefix=PLAN
// REQUIRES: iree

// Two regions are planned one by one, each against what is held outside it.
// Region 0: the input (1024), and its two results %m and %n, which share one
// allocation (2048): 3072 bytes. Region 1: the input, %m and %n still (%n is
// read), and the output (1024): 4096 bytes.
// CHECK: live ranges: func @two_regions region 0: 5 slots, peak 5120 bytes in slot 2, 3072 bytes outside
// CHECK: live ranges: func @two_regions region 1: 5 slots, peak 6144 bytes in slot 2, 4096 bytes outside

// Region 0 has 3072 + 5120 = 8192 bytes and stays as it is; region 1 has
// 4096 + 6144 and must come down to 4096 + 5120 = 9216.
// PLAN-LABEL: util.func public @two_regions
//       PLAN:   stream.async.execute
// PLAN-COUNT-5:   stream.async.dispatch
//   PLAN-NOT:   stream.async.dispatch
//       PLAN:   stream.async.execute
// PLAN-COUNT-6:   stream.async.dispatch
//   PLAN-NOT:   stream.async.dispatch
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @two_regions(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results0:2, %done0 = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) {
    %m = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
    %a = stream.async.dispatch @ex::@k(%m[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    %b = stream.async.dispatch @ex::@k(%a[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c4096}
    %c = stream.async.dispatch @ex::@k(%b[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %n = stream.async.dispatch @ex::@k(%c[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    stream.yield %m, %n : !stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}
  } => !stream.timepoint
  %results, %done = stream.async.execute await(%done0) => with(%results0#1 as %in: !stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024} {
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    %a = stream.async.dispatch @ex::@k(%r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    %b = stream.async.dispatch @ex::@k(%a[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c4096}
    %c = stream.async.dispatch @ex::@k(%b[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %d = stream.async.dispatch @ex::@k(%c[%c0 to %c1024 for %c1024], %r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %d : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}
