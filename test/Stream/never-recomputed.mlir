// RUN: remat-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=7168})'
// REQUIRES: iree

// As in rematerialize.mlir the cap can be met if and only if %r, which takes
// 1024 bytes, may be recomputed. Here it may not.

// Data that comes from another device is fetched once.
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @transfer(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  // expected-error @below {{cannot meet the cap of 7168 bytes}}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %r = stream.async.transfer %in : !stream.resource<external>{%c1024} -> !stream.resource<transient>{%c1024}
    %a = stream.async.dispatch @ex::@k(%r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    // expected-note @below {{runs at the peak}}
    %b = stream.async.dispatch @ex::@k(%a[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c4096}
    %c = stream.async.dispatch @ex::@k(%b[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %d = stream.async.dispatch @ex::@k(%c[%c0 to %c1024 for %c1024], %r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %d : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}

// -----

// %r is read from %in, whose memory another dispatch overwrites: the operand
// of %r is gone.
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @overwritten_input(%view: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  // expected-error @below {{cannot meet the cap of 7168 bytes}}
  %results:2, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> (%x{%c1024}, !stream.resource<external>{%c1024}) {
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
    %a = stream.async.dispatch @ex::@k(%r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
    %o = stream.async.dispatch @ex::@k(%a[%c0 to %c1024 for %c1024], %in[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<external>{%c1024}) -> %in{%c1024}
    // expected-note @below {{runs at the peak}}
    %b = stream.async.dispatch @ex::@k(%a[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c4096}
    %c = stream.async.dispatch @ex::@k(%b[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %d = stream.async.dispatch @ex::@k(%c[%c0 to %c1024 for %c1024], %r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %o, %d : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y:2 = stream.timepoint.await %done => %results#0, %results#1 : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  %out0 = stream.tensor.export %y#0 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  %out1 = stream.tensor.export %y#1 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out0, %out1 : !hal.buffer_view, !hal.buffer_view
}
