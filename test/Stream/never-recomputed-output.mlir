// RUN: not remat-opt %s --pass-pipeline='builtin.module(rematerialize{memory-cap=8192})' 2>&1 | FileCheck %s
// RUN: remat-opt %s --pass-pipeline='builtin.module(remat-print-costs)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// REQUIRES: iree

// The dispatch that defines %r defines an output too. Outputs are allocated outside
// the slab once; a second one would need memory that the program does not
// allocate. Input and outputs take 3072 bytes, the transients 6144; recomputing
// %r would leave 5120, and that cap is 8192.
// CHECK: error: cannot meet the cap of 8192 bytes (8.00 KiB) in function 'output'; the lowest peak possible in this order is 9216 bytes (9.00 KiB), of which 3072 bytes are held outside the region
// WHY: step 0: {{[0-9]+}} ns, results 1024 bytes, never recomputed: makes an output: k
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @output(%view: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results:2, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> (!stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}) {
    %r, %o = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> (!stream.resource<transient>{%c1024}, !stream.resource<external>{%c1024})
    %a = stream.async.dispatch @ex::@k(%r[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c1024}
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
