//===- Passes.td - The passes for C++ hosts ----------------*- tablegen -*-===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_PASSES_TD
#define REMAT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"rematerialize"> {
  let summary = "Recompute instead of retain, so that a memory cap holds";
  let description = [{
    Decides for every tensor whether to retain it from its production to its
    last use or to compute it a second time where it is needed, and rewrites the
    program such that its peak memory stays within `memory-cap` at the least
    added cost found. Runs on a module or a function:

    - at stream level (IREE, after `iree-stream-async-transformation-pipeline`
      and before `iree-stream-cmd-transformation-pipeline`) the body of every
      `stream.async.execute` is planned against the memory held outside it;
    - otherwise the body of every function is planned, with sizes from its
      ranked tensor types (StableHLO, linalg, tosa, tensor, arith, math).

    Memory in a slot of the schedule is what is live in it: results appear
    before dead operands go. Clones are placed just before they are needed. The
    original ops move too where that saves memory (an update behind its
    gradient, a fill before its first reader); `keep-order` forbids it. Ops with
    effects beside their results keep their order in any case. The location of
    a clone is that of the original under the name `remat`.

    Never recomputed: ops that no op table lists, ops with side effects, random
    numbers, collectives, control flow, in-place updates of memory that lives
    outside, and, at stream level, whatever makes an output.

    Fails, and leaves the IR as it was, if a size is unknown (dynamic shapes), a
    function has several blocks, or the cap cannot be met. The error then names
    the lowest peak that was found and what stands there; `best-effort` takes
    that one instead.

    On tensors, `cse` must not follow: it merges clones with their originals.

    With a cap of 13 KiB, where `%h` (8 KiB) is made from `%x` (4 KiB), read at
    once and read again at the end:

    ```mlir
    // before: %h and the three tensors of the middle are live together
    %h = stablehlo.concatenate %x, %x, dim = 0
    %a = "reads"(%h)
    %b = "works"(%a)
    %c = stablehlo.add %h, %b

    // after: %h dies after its first use
    %h = stablehlo.concatenate %x, %x, dim = 0
    %a = "reads"(%h)
    %b = "works"(%a)
    %h_again = stablehlo.concatenate %x, %x, dim = 0
    %c = stablehlo.add %h_again, %b
    ```
  }];
  let options = [
    Option<"memoryCap", "memory-cap", "std::string", /*default=*/"\"\"",
           "Peak bytes allowed, inclusive, e.g. 1.5GiB, 800MB, or 50% of the "
           "original peak; empty means no cap">,
    Option<"bestEffort", "best-effort", "bool", /*default=*/"false",
           "Where the cap cannot be met take the lowest peak found instead of "
           "failing">,
    Option<"solver", "solver", "std::string", /*default=*/"\"\"",
           "Planning algorithm, as remat-solve --list-solvers names them; "
           "empty means the default">,
    Option<"keepOrder", "keep-order", "bool", /*default=*/"false",
           "Leave the original ops in their order; otherwise they move where "
           "that saves memory">,
    Option<"deadline", "deadline", "double", /*default=*/"0",
           "Seconds after which the search for a better plan stops, per "
           "region; 0 means none">,
    Option<"target", "target", "std::string", /*default=*/"\"auto\"",
           "Machine of the cost model: auto (what the module is compiled for, "
           "else cpu), cpu or cuda">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "Write what was done to this file, as JSON">,
  ];
  let statistics = [
    Statistic<"numStepsRecomputed", "num-steps-recomputed",
              "Number of executions added by recomputation">,
  ];
}

def PrintLiveRangesPass : Pass<"remat-print-live-ranges"> {
  let summary =
      "Print the live range of every tensor and the memory of every slot";
  let description = [{
    Prints to standard error, for every region that `rematerialize` would plan,
    each storage with its half-open range of slots, its bytes and the op that
    made it, then each slot with the bytes live in it. The figures are those the
    planner works with. Does not change the IR.
  }];
}

def PrintCostsPass : Pass<"remat-print-costs"> {
  let summary =
      "Print the modelled cost of every step and whether it may be recomputed";
  let description = [{
    Prints to standard error, for every region that `rematerialize` would plan,
    each step with its modelled time in nanoseconds, the bytes of its results,
    and why it is never recomputed, if it is not. The time is a roofline over
    the bytes an op moves and the arithmetic its semantics imply; at stream
    level that of the linalg ops of the kernel it launches. Does not change the
    IR.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"auto\"",
           "Machine of the cost model: auto (what the module is compiled for, "
           "else cpu), cpu or cuda">,
  ];
}

def PrintProblemPass : Pass<"remat-print-problem"> {
  let summary = "Print each region as a problem that remat-solve can plan";
  let description = [{
    Prints to standard error, for every region that `rematerialize` would plan,
    the schedule, sizes and costs in the text form of `remat-solve`
    (docs/problem-format.md). At stream level, what lives outside the region's
    slab counts 0 bytes, and a comment says how much that is. Does not change
    the IR.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"auto\"",
           "Machine of the cost model: auto (what the module is compiled for, "
           "else cpu), cpu or cuda">,
  ];
}

#endif // REMAT_TRANSFORMS_PASSES_TD
