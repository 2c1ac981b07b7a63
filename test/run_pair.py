#!/usr/bin/env python3
"""Runs a plain and a rematerialized module and compares the second with the first.

usage: run_pair.py [--upper-bound] DIR

DIR holds plain.vmfb, remat.vmfb and remat.json (from remat-compile --report),
and inputs/ (from make_inputs.py). Both modules run once on the same inputs with
IREE's local-sync device, whose allocator counts every buffer. Fails unless
  - all results are bit-identical,
  - the peak that the runtime counted is at or below the cap, and
  - it is the peak the report predicted, to the byte (with --upper-bound, which
    is for programs that branch: at most that peak).
Prints one line per fact, for FileCheck.
"""

import json
import re
import subprocess
import sys
from pathlib import Path


def run(directory, name):
    """Runs NAME.vmfb; returns its results and the peak of device memory."""
    work = directory / name
    work.mkdir(exist_ok=True)
    command = [
        "iree-run-module",
        "--device=local-sync",
        f"--module={directory / name}.vmfb",
        f"--flagfile={directory / 'inputs' / 'flags'}",
        f"--flagfile={directory / 'inputs' / 'outputs'}",
        "--print_statistics",
    ]
    process = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"run_pair: error: {name}.vmfb did not run:\n{process.stderr}")
    log = process.stdout + process.stderr
    peak = re.search(r"DEVICE_LOCAL:\s*(\d+)B peak", log)
    return (work / "results.bin").read_bytes(), int(peak.group(1))


def main():
    arguments = sys.argv[1:]
    upper_bound = arguments[:1] == ["--upper-bound"]
    if len(arguments) != 1 + upper_bound:
        print("usage: run_pair.py [--upper-bound] DIR", file=sys.stderr)
        return 2
    directory = Path(arguments[-1]).resolve()
    report = json.loads((directory / "remat.json").read_text())
    plain_results, plain_peak = run(directory, "plain")
    remat_results, remat_peak = run(directory, "remat")
    failures = []
    if not plain_results or plain_results != remat_results:
        failures.append("results differ")
    # Constants count unless the runtime can use them where they lie in the module
    # file, which depends on where the file comes to lie in memory.
    for name, peak in (("before", plain_peak), ("after", remat_peak)):
        predicted = report[f"peak_bytes_{name}"]
        exact = peak in (predicted, predicted - report["constant_bytes"])
        if peak > predicted or not (exact or upper_bound):
            failures.append(f"the peak {name} is {peak}, not {predicted}")
    if remat_peak > report["cap_bytes"]:
        failures.append(f"peak {remat_peak} exceeds the cap {report['cap_bytes']}")
    print(f"results: {len(remat_results)} bytes")
    print(f"peak: {plain_peak} -> {remat_peak}, cap {report['cap_bytes']}")
    print(f"packing: {report['packing_bytes_after']} bytes")
    print(f"recomputed: {report['recomputed_steps']} of {report['steps']} steps")
    print(f"overhead: {report['predicted_overhead_percent']:.2f} % predicted")
    for failure in failures:
        print(f"run_pair: error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
