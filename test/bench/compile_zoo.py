#!/usr/bin/env python3
"""Compiles the models at reference size, plainly and within half of their memory.

usage: compile_zoo.py [options]

Each model is generated with remat-gen and compiled with remat-compile to a
module, per target once with --no-remat and once with a memory cap. What was
found is printed as Markdown tables. A compilation that succeeded is recorded in
the output directory and not done again, so that the script can be interrupted;
remove the directory to start over. One compilation runs at a time.

Fails if a compilation fails.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

# Model and batch, the cheap ones first.
REFERENCE = {
    "vgg16": 64,
    "transformer": 256,
    "inceptionv4": 32,
    "resnet152": 64,
    "resnet200": 32,
}


def run_counted(command, log):
    """Runs `command`; returns its exit code, seconds, CPU seconds and peak KiB."""
    begin = time.monotonic()
    with open(log, "w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "exit_code": process.returncode,
        "clock_seconds": time.monotonic() - begin,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "compiler_kib": usage.ru_maxrss,
    }


def count_dispatches(trace):
    """Kernel executions in a trace of remat-compile, recomputation included."""
    count = 0
    for region in trace["regions"]:
        dispatches = set()
        for line in region["problem"].splitlines():
            words = line.split()
            if words[:1] == ["step"] and "_dispatch_" in line:
                dispatches.add(int(words[1]))
        count += sum(step in dispatches for step in region["sequence"])
    return count


def compile_cell(arguments, model, batch, target, cap):
    """Compiles one cell of the table, or takes it from the last time."""
    name = f"{model}-{target.replace(':', '-')}-{cap.rstrip('%') or 'plain'}"
    directory = arguments.out / name
    record = directory / "cell.json"
    if record.exists():
        return json.loads(record.read_text())
    print(f"compiling {name}", file=sys.stderr, flush=True)
    directory.mkdir(parents=True, exist_ok=True)
    source, module = directory / f"{model}.mlir", directory / "model.vmfb"
    gen = [arguments.bin / "remat-gen", model, f"--batch={batch}", "-o", source]
    subprocess.run(gen + arguments.model_option, check=True)
    command = [
        arguments.bin / "remat-compile",
        source,
        f"--target={target}",
        f"--report={directory / 'report.json'}",
        f"--trace={directory / 'trace.json'}",
        f"--memory-cap={cap}" if cap else "--no-remat",
        *(["--plan-only"] if arguments.plan_only else ["-o", module]),
        *arguments.compile_option,
    ]
    log = directory / "log"
    cell = run_counted(command, log)
    if cell["exit_code"] != 0:
        cell["error"] = log.read_text().strip()
        return cell
    cell["report"] = json.loads((directory / "report.json").read_text())
    del cell["report"]["regions"]
    trace = directory / "trace.json"
    cell["dispatches"] = count_dispatches(json.loads(trace.read_text()))
    trace.unlink()
    cell["module_bytes"] = 0 if arguments.plan_only else module.stat().st_size
    partial = record.with_suffix(".partial")
    partial.write_text(json.dumps(cell, indent=2))
    partial.rename(record)
    return cell


def seconds(cell):
    return f"{cell['clock_seconds']:.0f} ({cell['cpu_seconds']:.0f})"


def plain_row(cell):
    report = cell["report"]
    return [
        f"{report['peak_bytes_before']:,}",
        f"{report['transient_bytes_before']:,}",
        f"{cell['dispatches']:,}",
        f"{cell['module_bytes']:,}",
        seconds(cell),
    ]


def capped_row(cell):
    report = cell["report"]
    bound = report["lower_bound_overhead_percent"]
    return [
        f"{report['cap_bytes']:,}",
        f"{report['peak_bytes_after']:,}",
        f"{report['transient_bytes_after']:,}",
        f"{cell['dispatches']:,}",
        f"+{report['predicted_overhead_percent']:.2f} %",
        "-" if bound is None else f"+{bound:.2f} %",
        f"{report['plan_seconds']:.0f}",
        seconds(cell),
    ]


# Per table: its title, the columns after model, batch and target, and a row.
PLAIN = (
    ["peak bytes", "transient bytes", "dispatches", "module bytes", "compile s (CPU s)"],
    plain_row,
)
CAPPED = (
    ["cap bytes", "peak bytes", "transient bytes", "dispatches", "predicted overhead",
     "lower bound", "planning s", "compile s (CPU s)"],
    capped_row,
)


def print_table(cells, table):
    columns, row = table
    print("| " + " | ".join(["model", "batch", "target"] + columns) + " |")
    print("|---" * (len(columns) + 3) + "|")
    for (model, batch, target), cell in cells.items():
        if "error" in cell:
            figures = ["failed"] + ["-"] * (len(columns) - 1)
        else:
            figures = row(cell)
        print("| " + " | ".join([f"`{model}`", str(batch), target] + figures) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--bin", type=Path, default=root / "build" / "bin",
                        help="where remat-gen and remat-compile are")
    parser.add_argument("--out", type=Path, default=root / "build" / "zoo",
                        help="directory of records and modules")
    parser.add_argument("--models", default=",".join(REFERENCE),
                        help="models, with :BATCH if not that of reference")
    parser.add_argument("--targets", default="cpu,cuda")
    parser.add_argument("--caps", default=",50%",
                        help="memory caps; an empty one means no recomputation")
    parser.add_argument("--plan-only", action="store_true",
                        help="generate no code: memory figures only")
    parser.add_argument("--model-option", action="append", default=[],
                        help="an option for remat-gen, repeatable")
    parser.add_argument("--compile-option", action="append", default=[],
                        help="an option for remat-compile, repeatable")
    arguments = parser.parse_args()

    failures = 0
    for cap in arguments.caps.split(","):
        cells = {}
        for model in arguments.models.split(","):
            model, _, batch = model.partition(":")
            batch = int(batch or REFERENCE[model])
            for target in arguments.targets.split(","):
                cell = compile_cell(arguments, model, batch, target, cap)
                cells[model, batch, target] = cell
                if "error" in cell:
                    failures += 1
                    print(f"{model} for {target}: {cell['error']}", file=sys.stderr)
        print(f"With a cap of {cap}:\n" if cap else "Without recomputation:\n")
        print_table(cells, CAPPED if cap else PLAIN)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
