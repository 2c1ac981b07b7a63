#!/usr/bin/env python3
"""Checks that a document quotes what a program printed.

usage: check_quoted.py DOCUMENT OUTPUT

The lines of OUTPUT must stand in DOCUMENT, one after the other, between fences.
"""

import sys
from pathlib import Path


def main():
    document, output = (Path(name).read_text() for name in sys.argv[1:])
    if not output.strip():
        sys.exit(f"{sys.argv[2]} is empty")
    if f"```\n{output.rstrip()}\n```" not in document:
        sys.exit(f"{sys.argv[1]} does not quote this output:\n{output}")


if __name__ == "__main__":
    main()
