// RUN: remat-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=2000})'
// REQUIRES: iree

// A size that is not a constant.
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @dynamic(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %size = util.optimization_barrier %c1024 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    // expected-error @below {{the size of result #0 of 'stream.async.dispatch' is not a constant; programs with dynamic shapes cannot be planned, compile for fixed shapes}}
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%size}
    %d = stream.async.dispatch @ex::@k(%r[%c0 to %size for %size]) : (!stream.resource<transient>{%size}) -> !stream.resource<external>{%c1024}
    stream.yield %d : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}

// -----

// Input and output take 2048 bytes, whatever is recomputed.
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @below_outside(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  // expected-error @below {{cannot meet the cap of 2000 bytes (1.95 KiB) in function 'below_outside'; it holds 2048 bytes (2.00 KiB) while this region runs, whatever is recomputed (inputs 1024, outputs 1024, constants 0); raise the cap above that}}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
    %d = stream.async.dispatch @ex::@k(%r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %d : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}
