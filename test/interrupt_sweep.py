#!/usr/bin/env python3
"""Interrupts a sweep as Ctrl-C does, and resumes it.

usage: interrupt_sweep.py DIR COMMAND...

COMMAND is a sweep without --work. Once its first row is finished it gets
SIGINT. Fails unless it then ends with exit code 130, reports the rows it has,
and leaves no process running; and unless the same command with --resume takes
those rows and does the others only.
Prints one line per fact, for FileCheck.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def finished_rows(path):
    try:
        return [json.loads(line) for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []


def processes_of(directory):
    """The processes whose command line names `directory`, but this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(directory) in line:
                found.append(line)
    return found


def main():
    if len(sys.argv) < 3:
        print("usage: interrupt_sweep.py DIR COMMAND...", file=sys.stderr)
        return 2
    work = Path(sys.argv[1]).resolve() / "interrupted-work"
    command = sys.argv[2:] + [f"--work={work}"]
    rows = work / "rows.jsonl"
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 600
    while not finished_rows(rows) and time.monotonic() < limit:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    kept = len(finished_rows(rows))
    print(f"exit code {process.returncode}")
    print(f"said so: {'remat-run: interrupted' in errors}")
    print(f"reported what was there: {'Batch Size' in output}")
    print(f"processes left: {len(processes_of(str(work)))}")
    resumed = subprocess.run(command + ["--resume"], capture_output=True,
                             text=True)
    print(f"resumed: exit code {resumed.returncode}")
    reused = resumed.stderr.count("(from before)")
    print(f"rows taken as they were: {reused == kept and kept > 0}")
    print(f"rows in all: {len(finished_rows(rows))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
