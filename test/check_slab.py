#!/usr/bin/env python3
"""Checks the figures of a report against the allocations in IREE's IR.

usage: check_slab.py REPORT.json ALLOCATED.mlir

For a program of one region: the IR allocates one slab of transients, of the size
that the report gives, and the peak is that slab, the results' allocation and the
inputs, within the cap. Prints `slab N bytes`.
"""

import json
import re
import sys


def main():
    if len(sys.argv) != 3:
        print("usage: check_slab.py REPORT.json ALLOCATED.mlir", file=sys.stderr)
        return 2
    with open(sys.argv[1]) as file:
        report = json.load(file)
    with open(sys.argv[2]) as file:
        text = file.read()
    sizes = {"external": [], "transient": []}
    for lifetime, size in re.findall(
        r"stream\.resource\.alloca .*!stream\.resource<(\w+)>\{%c(\d+)\}", text
    ):
        sizes[lifetime].append(int(size))
    expected = {
        "transient": [report["transient_bytes_after"]],
        "external": [report["output_bytes"]],
    }
    if sizes != expected:
        sys.exit(f"check_slab: error: IR has {sizes}, report has {expected}")
    peak = report["input_bytes"] + sum(sizes["external"] + sizes["transient"])
    if peak != report["peak_bytes_after"] or peak > report["cap_bytes"]:
        sys.exit(f"check_slab: error: peak {peak}, report has {report}")
    print(f"slab {sizes['transient'][0]} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
