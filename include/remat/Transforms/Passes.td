//===- Passes.td - Names, options, defaults and help ------*- tablegen -*-===//
//
// Part of the Remat project, under the Apache License v2.0 with LLVM Exceptions
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where passes and their options are declared. The C++ passes of
// mlir-opt, the table of remat-opt, the structs of options and docs/passes.md
// are generated from it.
//
// To add a pass: declare it here, define runPass() for its options in
// PassTable.cpp, and add its shell to lib/Plugin/Passes.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef REMAT_TRANSFORMS_PASSES_TD
#define REMAT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// An option that does not accept every value of its type.
class CheckedOption<string varName, string arg, string valueType,
                    string default, string desc, string condition,
                    string values>
    : Option<varName, arg, valueType, default, desc> {
  /// A C++ expression over `value`: whether it is valid.
  string isValid = condition;
  /// A C++ expression: the text that lists the valid values.
  string expected = values;
}

/// An option that accepts one of `words`.
class WordOption<string varName, string arg, list<string> words,
                 string default, string desc>
    : CheckedOption<
          varName, arg, "std::string", "\"" # default # "\"", desc,
          !interleave(!foreach(word, words, "value == \"" # word # "\""),
                      " || "),
          "\"one of " # !interleave(words, ", ") # "\"">;

/// The machine whose speed the cost model assumes.
def TargetOption
    : WordOption<"target", "target", ["auto", "cpu", "cuda"], "auto",
                 "Machine of the cost model: auto (what the module is compiled "
                 "for, else cpu), cpu or cuda">;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

def RematerializePass : Pass<"rematerialize"> {
  let summary = "Recompute instead of retain, so that a memory cap holds";
  let description = [{
    Decides for every tensor whether to retain it from its definition to its
    last use or to recompute it where it is needed, and rewrites the program such
    that its peak memory stays within `memory-cap` at the lowest added cost
    found. Runs on a module or a function:

    - at stream level (IREE), it plans the body of every `stream.async.execute`
      against the memory held outside it;
    - otherwise it plans the body of every function, with sizes from its ranked
      tensor types (StableHLO, linalg, tosa, tensor, arith, math).

    Clones are placed just before their first use. The original ops move too
    where that saves memory (an update to just after its gradient, a fill to just
    before its first reader), unless `keep-order` is set. Ops with effects
    besides their results always keep their order. The location of a clone is
    that of the original under the name `remat`.

    **Repairs** first, with or without a cap, reads that stream level schedules
    after the step that overwrites their value: of arguments that are donated,
    say. The readers run before that step, or read a copy where no order of the
    ops avoids it (`late_reads`, `copies` and `copy_bytes` in the report). A
    remark names argument, writer and reader.

    **Declines.** Without `memory-cap`, and where a function already fits, the
    IR stays as it is. Some ops are never recomputed: those that no op table
    lists, ops with side effects, random numbers, collectives, control flow,
    in-place updates of memory that lives outside, and, at stream level, every op
    that defines an output.

    **Fails**, and leaves the IR as it was but for the repair, if a size is
    unknown (dynamic shapes), an argument is donated but needed after the region
    that overwrites it, a function has several blocks, there is no function with
    a body, a region is already allocated, the report cannot be written, or the
    cap cannot be met. In the last case the error names the lowest peak found and
    what is live there; with `best-effort` it is a warning, and that plan is
    applied.

    **Order.** At stream level, run it after
    `iree-stream-async-transformation-pipeline`, which schedules, and before
    `iree-stream-cmd-transformation-pipeline`, which allocates. On tensors, do
    not run `cse` afterwards: it merges clones with their originals. StableHLO
    is the exception: there a `stablehlo.optimization_barrier` before each group
    of clones keeps `cse` from doing so.

    **Numbers.** A schedule is a sequence of slots, one per op (at stream level,
    ops that may run at the same time share a slot). The memory of a slot is what
    is live in it: results appear before dead operands are freed. The cap is
    inclusive and bounds inputs, outputs, constants and everything in between.
    Costs are nanoseconds of the cost model, which `remat-print-costs` prints.

    **Example.** `%x` and `%h` take 4 KiB each, `%wide` and `%more` 12 KiB each,
    and all four are live at once: 32 KiB. With
    `rematerialize{memory-cap=28KiB}`, `%h` is freed after its first use:

    ```mlir
    // before
    %h = math.exp %x : tensor<1024xf32>
    %wide = tensor.concat dim(0) %h, %h, %h : (...) -> tensor<3072xf32>
    %more = math.absf %wide : tensor<3072xf32>
    %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
    %sum = arith.addf %part, %h : tensor<1024xf32>

    // after
    %h = math.exp %x : tensor<1024xf32>
    %wide = tensor.concat dim(0) %h, %h, %h : (...) -> tensor<3072xf32>
    %more = math.absf %wide : tensor<3072xf32>
    %part = tensor.extract_slice %more[0] [1024] [1] : tensor<3072xf32> to tensor<1024xf32>
    %h_clone = math.exp %x : tensor<1024xf32>
    %sum = arith.addf %part, %h_clone : tensor<1024xf32>
    ```
  }];
  let options = [
    CheckedOption<"memoryCap", "memory-cap", "std::string", /*default=*/"\"\"",
                  "Peak bytes allowed, inclusive, e.g. 1.5GiB, 800MB, or 50% "
                  "of the original peak; empty means no cap",
                  "value.empty() || parseMemoryCap(value)", "memoryCapForms">,
    Option<"bestEffort", "best-effort", "bool", /*default=*/"false",
           "Where the cap cannot be met, take the lowest peak found instead of "
           "failing">,
    Option<"solver", "solver", "std::string", /*default=*/"\"\"",
           "Planning algorithm, as remat-solve --list-solvers names them; "
           "empty means the default">,
    Option<"keepOrder", "keep-order", "bool", /*default=*/"false",
           "Leave the original ops in their order; otherwise they move where "
           "that saves memory">,
    CheckedOption<"deadlineSeconds", "deadline", "double", /*default=*/"0",
                  "Seconds after which the search for a better plan stops, per "
                  "region; 0 means none",
                  "value >= 0", "\"a number of seconds, 0 or more\"">,
    TargetOption,
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
    each storage with its range of slots, its bytes and the op that defines it,
    then each slot with the bytes live in it. The figures are those the planner
    works with. Does not change the IR.

    **Declines** nothing: a function that fits any cap is printed too.

    **Fails** where `rematerialize` fails for its input: unknown sizes, several
    blocks, no function with a body, a region that is already allocated. Also
    where `rematerialize` would repair a read.

    **Order.** The same as for `rematerialize`. Before it, the pass shows what is
    to be planned; after it, the result.

    **Numbers.** Ranges are half-open: `[0, 5)` is live in the slots 0 to 4.
    Tensors that share storage (a reshape and its source) are one line. At stream
    level, what lives outside the region takes 0 bytes; the heading says how much
    that is.

    **Example.** For the program of [`rematerialize`](#rematerialize), before:

    ```
    // ---- live ranges: func @main: 5 slots, peak 32768 bytes in slot 2, 0 bytes outside ----
    tensor 0 [0, 5) 4096 bytes input
    tensor 1 [0, 5) 4096 bytes activation made by math.exp
    tensor 2 [1, 3) 12288 bytes activation made by tensor.concat
    tensor 3 [2, 4) 12288 bytes activation made by math.absf
    tensor 4 [3, 5) 4096 bytes activation made by tensor.extract_slice
    tensor 5 [4, 5) 4096 bytes output made by arith.addf
    slot 0: 8192 bytes: math.exp
    slot 1: 20480 bytes: tensor.concat
    slot 2: 32768 bytes: math.absf
    slot 3: 24576 bytes: tensor.extract_slice
    slot 4: 16384 bytes: arith.addf
    ```
  }];
}

def PrintCostsPass : Pass<"remat-print-costs"> {
  let summary =
      "Print the modelled cost of every step and whether it may be recomputed";
  let description = [{
    Prints to standard error, for every region that `rematerialize` would plan,
    each step with its modelled time, the bytes of its results, and the reason
    if it is never recomputed. Does not change the IR.

    **Declines** nothing: an op that no op table lists is printed with the cost
    of the bytes it moves.

    **Fails** where `rematerialize` fails for its input: unknown sizes, several
    blocks, no function with a body, a region that is already allocated. Also
    where `rematerialize` would repair a read.

    **Order.** The same as for `rematerialize`. At stream level the executables
    must still hold their linalg ops, from which costs are computed.

    **Numbers.** The time in nanoseconds is a roofline: launching, plus the
    longer of moving the bytes that the op reads and writes and of the arithmetic
    that its semantics imply. At stream level it is that of the linalg ops in the
    kernel that a dispatch launches.

    **Example.** For the program of [`rematerialize`](#rematerialize), before:

    ```
    // ---- costs: func @main: 5 steps, 13891 ns on cpu ----
    step 0: 2410 ns, results 4096 bytes, recomputable: math.exp
    step 1: 2819 ns, results 12288 bytes, recomputable: tensor.concat
    step 2: 3229 ns, results 12288 bytes, recomputable: math.absf
    step 3: 2819 ns, results 4096 bytes, recomputable: tensor.extract_slice
    step 4: 2614 ns, results 4096 bytes, recomputable: arith.addf
    ```
  }];
  let options = [TargetOption];
}

def PrintProblemPass : Pass<"remat-print-problem"> {
  let summary = "Print each region as a problem that remat-solve can plan";
  let description = [{
    Prints to standard error, for every region that `rematerialize` would plan,
    the schedule, sizes and costs in the text form of `remat-solve`
    ([problem-format.md](problem-format.md)). Does not change the IR.

    **Declines** nothing: a function that fits any cap is printed too.

    **Fails** where `rematerialize` fails for its input: unknown sizes, several
    blocks, no function with a body, a region that is already allocated. Also
    where `rematerialize` would repair a read.

    **Order.** The same as for `rematerialize`.

    **Numbers.** Bytes and nanoseconds, as in `remat-print-live-ranges` and
    `remat-print-costs`. At stream level, what lives outside the region counts 0
    bytes; a comment says how much that is.

    **Example.** For the program of [`rematerialize`](#rematerialize), before:

    ```
    remat-problem 1
    tensor 0 bytes=4096 kind=input
    tensor 1 bytes=4096
    tensor 2 bytes=12288
    tensor 3 bytes=12288
    tensor 4 bytes=4096
    tensor 5 bytes=4096 kind=output
    step 0 cost=2410 name="math.exp" in=0 out=1
    step 1 cost=2819 name="tensor.concat" in=1 out=2
    step 2 cost=3229 name="math.absf" in=2 out=3
    step 3 cost=2819 name="tensor.extract_slice" in=3 out=4
    step 4 cost=2614 name="arith.addf" in=4,1 out=5
    input 0
    output 5
    # func @main, 0 bytes outside, which count 0 here
    ```
  }];
  let options = [TargetOption];
}

#endif // REMAT_TRANSFORMS_PASSES_TD
