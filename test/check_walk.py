#!/usr/bin/env python3
"""Checks the walk in docs/how-it-works.md: every function it names is defined or
called in the file that it names.

    check_walk.py ROOT
"""

import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    text = (root / "docs/how-it-works.md").read_text()
    rows = re.findall(r"^\| `([\w:]+)` \| `([^`]+)` \|", text, re.MULTILINE)
    problems = []
    for function, name in rows:
        path = root / name
        if not path.exists():
            problems.append(f"{name}: there is no such file")
        elif not re.search(rf"\b{function.split('::')[-1]}\(", path.read_text()):
            problems.append(f"{name}: there is no function '{function}'")
    for problem in problems:
        print(problem)
    print(f"{len(rows)} functions, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
