// RUN: remat-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=9216})' | FileCheck %s
// RUN: remat-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(rematerialize{memory-cap=9216 solver=order})' | FileCheck %s
// REQUIRES: iree

// %a and %b go forward, %gb and %ga back, 2048 bytes each; the updates run
// concurrently at the end and need all four: 8192 bytes, besides 1024 of input and
// 2048 of outputs. The cap of 9216 leaves 6144: the group is split, and the
// second update runs right after its gradient.

// CHECK-LABEL: util.func public @late_updates
//       CHECK:   stream.async.execute with(%{{.+}} as %[[IN:.+]]: !stream.resource<external>
//  CHECK-NEXT:     %[[A:.+]] = stream.async.dispatch @ex::@a(%[[IN]]
//  CHECK-NEXT:     %[[B:.+]] = stream.async.dispatch @ex::@b(%[[A]]
//  CHECK-NEXT:     %[[GB:.+]] = stream.async.dispatch @ex::@gb(%[[IN]]
//  CHECK-NEXT:     %[[UB:.+]] = stream.async.dispatch @ex::@ub(%[[B]]{{.*}}, %[[GB]]
//  CHECK-NEXT:     %[[GA:.+]] = stream.async.dispatch @ex::@ga(%[[GB]]
//  CHECK-NEXT:     %[[UA:.+]] = stream.async.dispatch @ex::@ua(%[[A]]{{.*}}, %[[GA]]
//  CHECK-NEXT:     stream.yield %[[UA]]{{.*}}, %[[UB]]
stream.executable private @ex {
  stream.executable.export public @a
  stream.executable.export public @b
  stream.executable.export public @ga
  stream.executable.export public @gb
  stream.executable.export public @ua
  stream.executable.export public @ub
  builtin.module {
    func.func @a(%in: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @b(%in: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @ga(%in: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @gb(%in: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @ua(%in: !stream.binding, %gradient: !stream.binding, %out: !stream.binding) {
      return
    }
    func.func @ub(%in: !stream.binding, %gradient: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @late_updates(%view: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results:2, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> (!stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}) {
    %a = stream.async.dispatch @ex::@a(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c2048}
    %b = stream.async.dispatch @ex::@b(%a[%c0 to %c2048 for %c2048]) : (!stream.resource<transient>{%c2048}) -> !stream.resource<transient>{%c2048}
    %gb = stream.async.dispatch @ex::@gb(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c2048}
    %ga = stream.async.dispatch @ex::@ga(%gb[%c0 to %c2048 for %c2048]) : (!stream.resource<transient>{%c2048}) -> !stream.resource<transient>{%c2048}
    %u:2 = stream.async.concurrent with(%a as %a1: !stream.resource<transient>{%c2048}, %ga as %ga1: !stream.resource<transient>{%c2048}, %b as %b1: !stream.resource<transient>{%c2048}, %gb as %gb1: !stream.resource<transient>{%c2048}) -> (!stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}) {
      %ua = stream.async.dispatch @ex::@ua(%a1[%c0 to %c2048 for %c2048], %ga1[%c0 to %c2048 for %c2048]) : (!stream.resource<transient>{%c2048}, !stream.resource<transient>{%c2048}) -> !stream.resource<external>{%c1024}
      %ub = stream.async.dispatch @ex::@ub(%b1[%c0 to %c2048 for %c2048], %gb1[%c0 to %c2048 for %c2048]) : (!stream.resource<transient>{%c2048}, !stream.resource<transient>{%c2048}) -> !stream.resource<external>{%c1024}
      stream.yield %ua, %ub : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
    }
    stream.yield %u#0, %u#1 : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y:2 = stream.timepoint.await %done => %results#0, %results#1 : !stream.resource<external>{%c1024}, !stream.resource<external>{%c1024}
  %o0 = stream.tensor.export %y#0 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  %o1 = stream.tensor.export %y#1 : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %o0, %o1 : !hal.buffer_view, !hal.buffer_view
}

// -----

// A splat that is written in place at the end sinks to its first writer: with
// it, %m (2048) and %n (4096) would take 10240 bytes besides 2048 outside.
// CHECK-LABEL: util.func public @splat
//       CHECK:   stream.async.execute with(%{{.+}} as %[[IN:.+]]: !stream.resource<external>
//  CHECK-NEXT:     %[[M:.+]] = stream.async.dispatch @ex::@k(%[[IN]]
//  CHECK-NEXT:     %[[N:.+]] = stream.async.dispatch @ex::@k(%[[M]]
//  CHECK-NEXT:     %[[P:.+]] = stream.async.dispatch @ex::@k(%[[N]]
//  CHECK-NEXT:     %[[SPLAT:.+]] = stream.async.splat
//  CHECK-NEXT:     %[[W:.+]] = stream.async.dispatch @ex::@k(%[[P]]{{.*}}, %[[SPLAT]]{{.*}} -> %[[SPLAT]]
//  CHECK-NEXT:     %[[R:.+]] = stream.async.dispatch @ex::@k(%[[W]]
//  CHECK-NEXT:     stream.yield %[[R]]
stream.executable private @ex {
  stream.executable.export public @k
  builtin.module {
    func.func @k(%in: !stream.binding, %out: !stream.binding) {
      return
    }
  }
}
util.func public @splat(%view: !hal.buffer_view) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %c4096 = arith.constant 4096 : index
  %c0_i32 = arith.constant 0 : i32
  %x = stream.tensor.import %view : !hal.buffer_view -> tensor<256xf32> in !stream.resource<external>{%c1024}
  %results, %done = stream.async.execute with(%x as %in: !stream.resource<external>{%c1024}) -> !stream.resource<external>{%c1024} {
    %s = stream.async.splat %c0_i32 : i32 -> !stream.resource<transient>{%c4096}
    %m = stream.async.dispatch @ex::@k(%in[%c0 to %c1024 for %c1024]) : (!stream.resource<external>{%c1024}) -> !stream.resource<transient>{%c2048}
    %n = stream.async.dispatch @ex::@k(%m[%c0 to %c2048 for %c2048]) : (!stream.resource<transient>{%c2048}) -> !stream.resource<transient>{%c4096}
    %p = stream.async.dispatch @ex::@k(%n[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<transient>{%c1024}
    %w = stream.async.dispatch @ex::@k(%p[%c0 to %c1024 for %c1024], %s[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c1024}, !stream.resource<transient>{%c4096}) -> %s{%c4096}
    %r = stream.async.dispatch @ex::@k(%w[%c0 to %c4096 for %c4096]) : (!stream.resource<transient>{%c4096}) -> !stream.resource<external>{%c1024}
    stream.yield %r : !stream.resource<external>{%c1024}
  } => !stream.timepoint
  %y = stream.timepoint.await %done => %results : !stream.resource<external>{%c1024}
  %out = stream.tensor.export %y : tensor<256xf32> in !stream.resource<external>{%c1024} -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}
