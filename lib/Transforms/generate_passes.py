#!/usr/bin/env python3
"""Generates what hosts need to know about our passes from Passes.td.

usage: generate_passes.py PASSES.json --options FILE --table FILE
                          --documentation FILE

PASSES.json is what `llvm-tblgen --dump-json Passes.td` prints. The outputs are
  --options        C++: a struct of options per pass, the functions that take
                   it, and for the C++ passes of mlir-opt a member function that
                   copies their options into it
  --table          C++: what remat-opt knows of each pass and its options
  --documentation  Markdown: the reference
"""

import argparse
import json
import textwrap
from pathlib import Path

BANNER = "// Generated from Passes.td by generate_passes.py; do not edit.\n"


class Option:
    """One option of a pass."""

    def __init__(self, record):
        self.name = record["argument"]
        self.member = record["cppName"]
        self.type = record["type"]
        self.default = record["defaultValue"]
        self.help = record["description"]
        # Only a CheckedOption has these.
        self.is_valid = record.get("isValid")
        self.expected = record.get("expected")

    def default_text(self):
        """The default as a user would write it."""
        return self.default.strip('"')


class Pass:
    """A pass as Passes.td defines it."""

    def __init__(self, record, records):
        self.record_name = record["!name"]
        self.argument = record["argument"]
        self.summary = record["summary"]
        self.description = textwrap.dedent(record["description"].strip("\n"))
        self.options = [Option(records[o["def"]]) for o in record["options"]]
        self.statistics = [records[s["def"]] for s in record["statistics"]]
        # "Passes.td:14": passes are listed in the order of the file.
        self.line = int(record["!locs"][-1].rsplit(":", 1)[1])

    def options_struct(self):
        return self.record_name.removesuffix("Pass") + "Options"


def read_passes(path):
    records = json.loads(Path(path).read_text())
    names = records["!instanceof"]["PassBase"]
    passes = [Pass(records[name], records) for name in names]
    return sorted(passes, key=lambda a_pass: a_pass.line)


def literal(text):
    """`text` as a C++ string literal."""
    return json.dumps(text, ensure_ascii=False)


def comment(text, indent):
    """`text` as lines of documentation."""
    return textwrap.fill(
        text, 80, initial_indent=indent + "/// ", subsequent_indent=indent + "/// "
    )


def options_header(passes):
    text = BANNER + "\n#ifdef GEN_PASS_OPTIONS\n#undef GEN_PASS_OPTIONS\n"
    for a_pass in passes:
        text += f"\n/// The options of the pass `{a_pass.argument}`.\n"
        text += f"struct {a_pass.options_struct()} {{\n"
        for option in a_pass.options:
            text += comment(option.help + ".", "  ") + "\n"
            text += f"  {option.type} {option.member} = {option.default};\n"
        text += "};\n"
    text += "\n#endif // GEN_PASS_OPTIONS\n"

    text += "\n#ifdef GEN_PASS_FUNCTIONS\n#undef GEN_PASS_FUNCTIONS\n"
    for a_pass in passes:
        struct = a_pass.options_struct()
        text += f"std::string checkOptions(const {struct} &options);\n"
        text += f"bool runPass(MlirOperation root, const {struct} &options,\n"
        text += "             const DiagnosticSink &sink);\n"
    text += "#endif // GEN_PASS_FUNCTIONS\n"

    for a_pass in passes:
        guard = f"GEN_READ_OPTIONS_{a_pass.record_name.upper()}"
        struct = a_pass.options_struct()
        text += f"\n#ifdef {guard}\n#undef {guard}\n"
        text += "/// The options that this pass was given, as plain values.\n"
        text += f"{struct} readOptions() const {{\n  {struct} values;\n"
        for option in a_pass.options:
            text += f"  values.{option.member} = {option.member};\n"
        text += f"  return values;\n}}\n#endif // {guard}\n"
    return text


def table_source(passes):
    text = BANNER
    for a_pass in passes:
        struct = a_pass.options_struct()
        known = ", ".join(option.name for option in a_pass.options)
        options = "options" if a_pass.options else "/*options*/"
        value = "text" if a_pass.options else "/*text*/"
        text += f"\nstatic std::string setOption({struct} &{options},\n"
        text += "    std::string_view name,\n"
        text += f"    const std::string &{value}) {{\n"
        for option in a_pass.options:
            text += f"  if (name == {literal(option.name)})\n"
            text += f"    return setValue(options.{option.member}, name, text);\n"
        text += f"  return unknownOption(name, {literal(known)});\n}}\n"

        text += f"\nstd::string remat::checkOptions(const {struct} &{options}) {{\n"
        for option in a_pass.options:
            if not option.is_valid:
                continue
            text += f"  if (const auto &value = options.{option.member};\n"
            text += f"      !({option.is_valid}))\n"
            text += f"    return invalidValue({literal(option.name)}, value,\n"
            text += f"        {option.expected});\n"
        text += "  return {};\n}\n"

    text += "\nstatic const PassEntry passTable[] = {\n"
    for a_pass in passes:
        text += f"    {{{literal(a_pass.argument)},\n"
        text += f"     {literal(a_pass.record_name)},\n"
        text += f"     {literal(a_pass.summary)},\n     {{"
        text += ",\n      ".join(
            f"{{{literal(option.name)}, {literal(option.default_text())},\n"
            f"       {literal(option.help)}}}"
            for option in a_pass.options
        )
        text += f"}},\n     &bindPass<{a_pass.options_struct()}>}},\n"
    return text + "};\n"


def documentation(passes):
    text = textwrap.dedent(
        """\
        <!-- Generated from include/remat/Transforms/Passes.td; `./dev docs` writes
        this file. -->

        # Passes

        The passes of Remat, with the same names, options and defaults in both hosts:
        `mlir-opt` with `--load-pass-plugin=build/lib/RematPlugin.so`, and `remat-opt`.
        Options follow the name between braces, as in
        `--pass-pipeline='builtin.module(rematerialize{memory-cap=50% keep-order})'`.

        """
    )
    for a_pass in passes:
        text += f"- [`{a_pass.argument}`](#{a_pass.argument}): {a_pass.summary}\n"
    for a_pass in passes:
        text += f"\n## {a_pass.argument}\n\n{a_pass.summary}.\n\n"
        text += a_pass.description.strip() + "\n"
        if a_pass.options:
            text += "\n### Options\n\n| option | default | |\n|---|---|---|\n"
        for option in a_pass.options:
            default = option.default_text()
            default = f"`{default}`" if default else ""
            text += f"| `{option.name}` | {default} | {option.help} |\n"
        if a_pass.statistics:
            text += "\n### Statistics\n\n| statistic | |\n|---|---|\n"
        for statistic in a_pass.statistics:
            text += f"| `{statistic['name']}` | {statistic['description']} |\n"
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("passes")
    parser.add_argument("--options", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--documentation", required=True)
    arguments = parser.parse_args()
    passes = read_passes(arguments.passes)
    for path, text in (
        (arguments.options, options_header(passes)),
        (arguments.table, table_source(passes)),
        (arguments.documentation, documentation(passes)),
    ):
        Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
