// RUN: remat-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=7168 keep-order})' | FileCheck %s
// REQUIRES: iree

// In each program %r (1024 bytes) is read at once and again at the end; between
// them the dispatch that defines %b (4096) holds %r, its operand %a (1024) and %b:
// 6144 bytes, besides 1024 of input and 1024 of output. Without %r that is 5120,
// so the cap of 7168 bytes holds if %r is recomputed for its last use.

// CHECK-LABEL: util.func public @dispatch
//       CHECK:   stream.async.execute with(%{{.+}} as %[[IN:.+]]: !stream.resource<external>
//  CHECK-NEXT:     %[[R:.+]] = stream.async.dispatch @ex::@k(%[[IN]]
//  CHECK-NEXT:     %[[A:.+]] = stream.async.dispatch @ex::@k(%[[R]]
//  CHECK-NEXT:     %[[B:.+]] = stream.async.dispatch @ex::@k(%[[A]]
//  CHECK-NEXT:     %[[C:.+]] = stream.async.dispatch @ex::@k(%[[B]]
//  CHECK-NEXT:     %[[AGAIN:.+]] = stream.async.dispatch @ex::@k(%[[IN]]
//  CHECK-NEXT:     %[[D:.+]] = stream.async.dispatch @ex::@k(%[[C]]{{.*}}, %[[AGAIN]]
//  CHECK-NEXT:     stream.yield %[[D]]
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @dispatch(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
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

// -----

// A dispatch that writes into a splat is recomputed together with it, the second
// dispatch on the second splat.
// CHECK-LABEL: util.func public @in_place_chain
//       CHECK:   stream.async.execute with(%{{.+}} as %[[IN:.+]]: !stream.resource<external>
//       CHECK:     %[[SPLAT:.+]] = stream.async.splat
//  CHECK-NEXT:     stream.async.dispatch @ex::@k(%[[IN]]{{.*}}, %[[SPLAT]]{{.*}} -> %[[SPLAT]]
//       CHECK:     stream.async.dispatch {{.*}} -> !stream.resource<transient>{%c4096}
//       CHECK:     %[[SPLAT2:.+]] = stream.async.splat
//  CHECK-NEXT:     %[[AGAIN:.+]] = stream.async.dispatch @ex::@k(%[[IN]]{{.*}}, %[[SPLAT2]]{{.*}} -> %[[SPLAT2]]
//  CHECK-NEXT:     stream.async.dispatch @ex::@k(%{{.+}}, %[[AGAIN]]
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @in_place_chain(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %c0_i32 = arith.constant 0 : i32
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %s = stream.async.splat %c0_i32 : i32 -> !stream.resource<transient>{%c1024}
    %r = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024], %s[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}, !stream.resource<transient>{%c1024}) -> %s{%c1024}
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

// -----

// A step of a concurrent group is recomputed alone, outside the group.
// CHECK-LABEL: util.func public @step_of_a_group
//       CHECK:   stream.async.execute with(%{{.+}} as %[[IN:.+]]: !stream.resource<external>
//       CHECK:     %[[GROUP:.+]]:2 = stream.async.concurrent
// CHECK-COUNT-2:     stream.async.dispatch
//       CHECK:     stream.async.dispatch @ex::@k(%[[GROUP]]#1
//   CHECK-NOT:     concurrent
//       CHECK:     %[[AGAIN:.+]] = stream.async.dispatch @ex::@k(%[[IN]]
//  CHECK-NEXT:     stream.async.dispatch @ex::@k(%{{.+}}, %[[AGAIN]]
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @step_of_a_group(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %g:2 = stream.async.concurrent with(%in as %gin: !stream.resource<external>{%c1024}) -> (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) {
      %gr = stream.async.dispatch @ex::@k(%gin[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
      %ga = stream.async.dispatch @ex::@k(%gin[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c1024}
      stream.yield %gr, %ga : !stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}
    }
    %b = stream.async.dispatch @ex::@k(%g#1[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}) -> !stream.resource<transient>{%c4096}
    %c = stream.async.dispatch @ex::@k(%b[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %d = stream.async.dispatch @ex::@k(%c[%c0 to %c1024 for %c1024], %g#0[%c0 to %c1024 for %c1024]) : (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c1024}) -> !stream.resource<external>{%c1024}
    stream.yield %d : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}

// -----

// Copies, clones and slices are recomputed like dispatches; update and fill
// together with the op that they write into.
// CHECK-LABEL: util.func public @transfers
//       CHECK:   stream.async.clone
//  CHECK-NEXT:   stream.async.fill
//  CHECK-NEXT:   stream.async.update
//       CHECK:   stream.async.dispatch {{.*}} -> !stream.resource<transient>{%c4096}
//       CHECK:   %[[CLONE:.+]] = stream.async.clone
//  CHECK-NEXT:   %[[FILL:.+]] = stream.async.fill {{.*}}, %[[CLONE]]
//  CHECK-NEXT:   %[[AGAIN:.+]] = stream.async.update {{.*}}, %[[FILL]]
//  CHECK-NEXT:   stream.async.dispatch @ex::@k(%{{.+}}, %[[AGAIN]]
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @transfers(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %c512 = arith.constant 512 : index
  %c0_i32 = arith.constant 0 : i32
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %e = stream.async.clone %in : !stream.resource<external>{%c1024} -> !stream.resource<transient>{%c1024}
    %f = stream.async.fill %c0_i32, %e[%c0 to %c512 for %c512] : i32 -> %e as !stream.resource<transient>{%c1024}
    %r = stream.async.update %in, %f[%c0 to %c1024] : !stream.resource<external>{%c1024} -> %f as !stream.resource<transient>{%c1024}
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
