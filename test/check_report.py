#!/usr/bin/env python3
"""Checks reports against the schema that docs/report-schema.md documents.

usage: check_report.py REPORT.json...

Every field of a report must be documented, of the documented type, and every
documented field must be there unless it is optional. Prints one line per report,
or what is wrong with it, and fails then.
"""

import json
import re
import sys
from pathlib import Path

SCALARS = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float))
    and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


class Schema:
    """The tables of the page, by the names in the headings above them."""

    def __init__(self, text):
        self.version = int(re.search(r"^Schema version: (\d+)$", text, re.M)[1])
        self.kinds = []
        self.rows = {}
        is_kind = False
        name = None
        for line in text.splitlines():
            if line.startswith("## "):
                is_kind = line == "## Kinds"
            heading = re.fullmatch(r"### `([\w-]+)`", line)
            if heading:
                name = heading[1]
                self.rows[name] = []
                if is_kind:
                    self.kinds.append(name)
            elif name and line.startswith("|"):
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                if cells[0] not in ("field", "---"):
                    self.rows[name].append(cells)

    def fields(self, name):
        """(field, type, whether it is optional) of all fields of `name`."""
        for field, type_, meaning in self.rows[name]:
            if field.startswith("all of "):
                yield from self.fields(field[len("all of ") :].strip("`"))
            else:
                yield field.strip("`"), type_, meaning.startswith("optional")

    def errors(self, value, type_, path):
        """What is wrong with `value`, which is documented as `type_`."""
        if " or " in type_:
            found = [self.errors(value, one, path) for one in type_.split(" or ")]
            return [] if [] in found else found[0]
        if type_.startswith("list of "):
            if not isinstance(value, list):
                return [f"{path} is no list"]
            return [
                error
                for i, one in enumerate(value)
                for error in self.errors(one, type_[len("list of ") :], f"{path}[{i}]")
            ]
        if type_.startswith("object of "):
            if not isinstance(value, dict):
                return [f"{path} is no object"]
            return [
                error
                for name, one in value.items()
                for error in self.errors(
                    one, type_[len("object of ") :], f"{path}.{name}"
                )
            ]
        if type_ in SCALARS:
            ok = SCALARS[type_](value)
            return [] if ok else [f"{path} is no {type_}: {json.dumps(value)}"]
        return self.object_errors(value, type_.strip("`"), path)

    def object_errors(self, value, name, path):
        if not isinstance(value, dict):
            return [f"{path} is no object"]
        errors = []
        documented = {
            field: (type_, optional) for field, type_, optional in self.fields(name)
        }
        other = documented.pop("any other", None)
        for field, (type_, optional) in documented.items():
            if field in value:
                errors += self.errors(value[field], type_, f"{path}.{field}")
            elif not optional:
                errors.append(f"{path}.{field} is missing")
        for field in value:
            if field in documented:
                continue
            if other:
                errors += self.errors(value[field], other[0], f"{path}.{field}")
            else:
                errors.append(f"{path}.{field} is not documented")
        return errors

    def check(self, report):
        """What is wrong with a whole report."""
        version = report.get("schema_version")
        if version != self.version:
            return [f"schema_version is {version}, documented is {self.version}"]
        kind = report.get("kind")
        if kind not in self.kinds:
            return [f"kind {json.dumps(kind)} is not documented"]
        return self.object_errors(report, kind, kind)


def main():
    if len(sys.argv) < 2:
        print("usage: check_report.py REPORT.json...", file=sys.stderr)
        return 2
    page = Path(__file__).resolve().parent.parent / "docs" / "report-schema.md"
    schema = Schema(page.read_text())
    failures = 0
    for path in sys.argv[1:]:
        with open(path) as file:
            report = json.load(file)
        errors = schema.check(report)
        for error in errors:
            print(f"{path}: {error}")
        failures += bool(errors)
        if not errors:
            print(f"{path}: as documented, kind {report['kind']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
