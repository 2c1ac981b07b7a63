// RUN: remat-opt %s --pass-pipeline='builtin.module(rematerialize)' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: not remat-opt %s --pass-pipeline='builtin.module(remat-print-live-ranges)' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PRINT
// RUN: remat-opt %s --pass-pipeline='builtin.module(rematerialize,remat-print-live-ranges)' -o /dev/null
// REQUIRES: iree

// @update overwrites %in before @late reads it. Without a cap nothing is
// planned, but the reader comes first.
// CHECK: stream.async.dispatch @ex::@forward
// CHECK: stream.async.dispatch @ex::@late
// CHECK: stream.async.dispatch @ex::@update
// REMARK: remark: repaired 1 read of donated or overwritten memory that the schedule placed too late: every reader now runs before the step that overwrites
// REMARK: note: argument #0 is overwritten by 'update' before 'late' reads it
// PRINT: error: argument #0 is overwritten by 'update' before 'late' reads it; run rematerialize first, which repairs that
stream.executable private @ex {
  stream.executable.export public @forward
  stream.executable.export public @update
  stream.executable.export public @late
  builtin.module {
    func.func @forward(%in: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @update(%gradient: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @late(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @step(%view: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %x = stream.tensor.import consume %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results:2, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> (%x{%c1024}, !stream.resource<external>{%c1024}) {
    %h = stream.async.dispatch @ex::@forward(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
    %u = stream.async.dispatch @ex::@update(%h[%c0 to %c1024 for %c1024], %in[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<external>{%c1024}) -> %in{%c1024}
    %l = stream.async.dispatch @ex::@late(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %u, %l : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y:2 = stream.timepoint.await %done => %results#0, %results#1 : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  %out0 = stream.tensor.export %y#0 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  %out1 = stream.tensor.export %y#1 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out0, %out1 : !hal.buffer_view, !hal.buffer_view
}
