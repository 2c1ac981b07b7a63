#!/usr/bin/env python3
"""Sums up what `./dev test` ran.

usage: summarize.py RESULTS

RESULTS is a directory with
  checks.tsv          one line per check: passed|failed, a tab, its name
  SUITE/NAME.status   for every SUITE of unit tests: exit status of a GoogleTest
                      program, or of a share of its tests
  SUITE/NAME.xml      what it wrote with --gtest_output=xml (absent if it died)
  lit.status          exit status of lit
  lit.json            what it wrote with --output

Prints every failure and every skip with its reason, a line per suite, and as
the last line `N passed, N failed, N skipped`. The exit status is 0 only if
nothing failed; a suite in which nothing ran counts as a failure.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


# The suites of unit tests: a directory and what its tests are called.
UNIT_SUITES = {
    "unit": "unit tests",
    "unit-asan": "unit tests, sanitized (address, undefined)",
    "unit-tsan": "unit tests, sanitized (thread)",
}


class Suite:
    """The results of one kind of tests."""

    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = []
        self.skipped = []

    def require_consistent(self, label, status, new_failures):
        """Adds a failure if a program failed without naming a failed test."""
        if status != 0 and new_failures == 0:
            self.failed.append(f"{label}: exit status {status}")

    def require_results(self):
        """Adds a failure if nothing ran at all."""
        if self.passed == 0 and not self.failed:
            self.failed.append(f"{self.name}: nothing ran")


def read_checks(results):
    suite = Suite("checks")
    path = results / "checks.tsv"
    for line in path.read_text().splitlines() if path.exists() else []:
        outcome, name = line.split("\t")
        if outcome == "passed":
            suite.passed += 1
        else:
            suite.failed.append(name)
    return suite


def read_unit_tests(directory, label):
    suite = Suite(label)
    for status_file in sorted(directory.glob("*.status")):
        program = status_file.stem
        failures_before = len(suite.failed)
        report = status_file.with_suffix(".xml")
        cases = ElementTree.parse(report).iter("testcase") if report.exists() else []
        for case in cases:
            name = f"{label}: {case.get('classname')}.{case.get('name')}"
            skip = case.find("skipped")
            if case.find("failure") is not None:
                suite.failed.append(name)
            elif skip is not None:
                # The message follows a line with the position in the source.
                reason = skip.get("message", "").strip().splitlines()[1:]
                suite.skipped.append(f"{name} ({' '.join(reason)})")
            elif case.get("status") == "notrun":
                suite.skipped.append(f"{name} (disabled)")
            else:
                suite.passed += 1
        suite.require_consistent(
            f"{label}: {program}",
            int(status_file.read_text()),
            len(suite.failed) - failures_before,
        )
    return suite


def read_lit_tests(results):
    suite = Suite("lit tests")
    status_file = results / "lit.status"
    if not status_file.exists():
        return suite
    report = results / "lit.json"
    for test in json.loads(report.read_text())["tests"] if report.exists() else []:
        name, code = test["name"], test["code"]
        if code in ("PASS", "FLAKYPASS"):
            suite.passed += 1
        elif code == "UNSUPPORTED":
            suite.skipped.append(f"{name} ({test['output'].strip()})")
        elif code == "XFAIL":
            suite.skipped.append(f"{name} (expected to fail)")
        else:
            suite.failed.append(f"{name} ({code})")
    suite.require_consistent("lit", int(status_file.read_text()), len(suite.failed))
    return suite


def main():
    if len(sys.argv) != 2:
        print("usage: summarize.py RESULTS", file=sys.stderr)
        return 2
    results = Path(sys.argv[1])
    suites = [read_checks(results)]
    suites += [
        read_unit_tests(results / directory, label)
        for directory, label in UNIT_SUITES.items()
    ]
    suites.append(read_lit_tests(results))
    for suite in suites:
        suite.require_results()
    for word, members in (
        ("skipped", [name for suite in suites for name in suite.skipped]),
        ("failed", [name for suite in suites for name in suite.failed]),
    ):
        for name in members:
            print(f"{word}: {name}")
    for suite in suites:
        print(
            f"{suite.name}: {suite.passed} passed, {len(suite.failed)} failed, "
            f"{len(suite.skipped)} skipped"
        )
    failed = sum(len(suite.failed) for suite in suites)
    print(
        f"{sum(suite.passed for suite in suites)} passed, {failed} failed, "
        f"{sum(len(suite.skipped) for suite in suites)} skipped"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
