#!/usr/bin/env python3
"""Writes README.md from the reports (NAME.json) in a directory.

usage: readme.py DIRECTORY

Every figure comes from a report that remat-run wrote, or from published.json;
a report that is not there leaves its section out.
"""

import json
import sys
from pathlib import Path

INTRO = """# Results

Written by `docs/results/make.sh`, which names the command of each file and makes
all of them again. For the CPU target, on two cores of an AMD EPYC.

How to read them:

- Memory is exact in every row: inputs, outputs, constants and transients, as the
  compiler allocates them. In executed rows the runtime counted the same bytes, at
  or below the cap unless marked, and all results were bit-identical; `remat-run`
  fails otherwise.
- *Predicted* overhead is the cost model's. No plan in the same order
  of steps has less than the *bound*.
- *Measured* overhead is given of the time on the clock and of processor time, which
  other programs on the machine disturb less. A dash means that the row was not
  executed, *same* that nothing is recomputed.
- *Missed* marks a cap that was not met; the row then has the lowest peak that was
  found, and the text below says what stands there.
- *Published* figures are those of earlier systems on other hardware, for PyTorch and
  TensorFlow; only ratios compare. Their plain peaks differ from ours, because another
  compiler keeps other tensors; so there are tables for the same cap, and tables for
  the same ratio of the peak with recomputation to that without.
"""


class Reports:
    """The reports of a directory."""

    def __init__(self, directory):
        self.directory = directory
        self.published = json.loads((directory / "published.json").read_text())

    def load(self, name):
        path = self.directory / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def cases(self, name):
        report = self.load(name)
        return report["report"]["cases"] if report else []


def number(value, digits):
    return "–" if value is None else f"{value:,.{digits}f}"


def table(columns, rows):
    """Markdown; the first column is a name, or a number like all others."""
    lines = ["| " + " | ".join(columns) + " |", "|--:" * len(columns) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def command(report):
    return f"```\nbuild/bin/{report['command']}\n```"


def peaks(case, unit, digits):
    text = (f"{number(case['peak_bytes_before'] / unit, digits)} → "
            f"{number(case['peak_bytes_after'] / unit, digits)}")
    return text + ("" if case["cap_met"] else ", missed")


def overheads(case):
    """Predicted, bound, measured on the clock, measured of processor time."""
    cells = [number(case["predicted_overhead_percent"], 2),
             number(case["lower_bound_overhead_percent"], 2)]
    measured = case["measured"]
    for kind in ("seconds", "cpu_seconds"):
        if not measured:
            cells.append("–")
        elif not case["recomputed_steps"]:
            cells.append("same")
        else:
            before, after = (sorted(measured[f"{kind}_{when}"])
                             for when in ("before", "after"))
            middle = len(before) // 2
            cells.append(number(100 * (after[middle] / before[middle] - 1), 1))
    return cells


def missed(report):
    """What a report says of the caps that were not met."""
    return "".join(f"\n{note}.\n" for note in report["notes"]
                   if "was missed" in note)


def plots(reports, name, *titles):
    return "".join(f"\n![{title}]({name}/{title.lower().replace(' ', '-')}.svg)\n"
                   for title in titles
                   if (reports.directory / name /
                       f"{title.lower().replace(' ', '-')}.svg").exists())


OVERHEADS = ["predicted (%)", "bound (%)", "measured: clock (%)",
             "measured: processor (%)"]


def sweep(reports, name, title, published=None, plotted=True, text=""):
    """One row per batch."""
    report = reports.load(name)
    if not report:
        return ""
    columns = ["batch", "peak without → with (GB)"] + OVERHEADS
    if published:
        columns += ["published: peaks (GB)", "published: overhead (%)"]
    rows = []
    for case in report["report"]["cases"]:
        row = [str(case["batch"]), peaks(case, 1e9, 3)] + overheads(case)
        if published:
            before, after, overhead, met = published[str(case["batch"])]
            row += [f"{before:.2f} → {after:.2f}" + ("" if met else ", missed"),
                    number(overhead, 1)]
        rows.append(row)
    names = ("Peak memory against batch", "Latency against batch")
    return (f"## {title}\n{text}\n{table(columns, rows)}\n{missed(report)}\n"
            f"{command(report)}\n"
            f"{plots(reports, name, *names) if plotted else ''}")


def blocks(reports, name, model, title):
    """One checkpoint per block, and the planner in the same memory."""
    report = reports.load(name)
    if not report:
        return ""
    published = reports.published["block checkpoints"][model]
    names = list(report["rows"][0])[:-1]
    rows = []
    for row in report["rows"]:
        batch = str(row["Batch Size"])
        mark = lambda name: "~" if name in row["predicted"] else ""
        digits = lambda name: 0 if "(MB)" in name or "(ms)" in name else 1
        cells = [batch] + [mark(name) + number(row[name], digits(name))
                           for name in names[1:]]
        before, after, overhead = published[batch]
        cells += [f"{before:,} → {after:,}",
                  number(100 * (1 - after / before), 1), number(overhead, 1)]
        rows.append(cells)
    columns = [names[0]] + names[1:] + [
        "published: MB", "published: reduction (%)", "published: overhead (%)"]
    return (f"## {title}\n\nWhat the rule needs, and what the planner adds in the "
            "same memory. Times with ~ are predicted; an overhead that was measured "
            "is against plain runs that alternated with those it is of.\n\n"
            f"{table(columns, rows)}\n\n{command(report)}\n")


def family(reports):
    published = reports.published["family at batch 32"]
    rows, commands = [], []
    for model, figures in published.items():
        report = reports.load(f"family-{model}")
        if not report:
            continue
        before, slow, after, slower = figures
        row, case = report["rows"][0], report["report"]["cases"][0]
        rows.append([
            model, peaks(case, 1e6, 0),
            number(row["Initial Execution Time (s)"], 2) + " → " +
            number(row["Final Execution Time (s)"], 2)] + overheads(case)[:2] + [
            f"{number(before, 0)} → {after:,}",
            number(slow, 3) + " → " + number(slower, 3),
            number(100 * (slower / slow - 1) if slow else None, 1)])
        commands.append(command(report) + missed(report))
    if not rows:
        return ""
    columns = ["model", "peak without → with (MB)", "s per step, predicted",
               "predicted (%)", "bound (%)", "published: MB",
               "published: s per step", "published: overhead (%)"]
    return ("## ResNets and InceptionV4, batch 32\n\nThe caps are the published "
            "ratios of peaks (ResNet-200, which did not fit without, has that of "
            f"ResNet-152).\n\n{table(columns, rows)}\n\n" + "\n".join(commands) + "\n")


def eager(reports):
    rows, commands = [], []
    for name, model in (("cnn-b16", "cnn"), ("vgg16-b64", "vgg16")):
        report = reports.load(name)
        if not report:
            continue
        case = report["report"]["cases"][0]
        before, slow, after, slower = reports.published["eager"][model]
        rows.append([f"{model}, batch {case['batch']}", peaks(case, 1e6, 0)] +
                    overheads(case)[:2] +
                    [f"{before:,} → {after:,}",
                     number(100 * (slower / slow - 1), 0)])
        commands.append(command(report) + missed(report))
    if not rows:
        return ""
    columns = ["model", "peak without → with (MB)", "predicted (%)", "bound (%)",
               "published: MB", "published: overhead (%)"]
    return ("## Sequential networks\n\nThe caps are the published ratios of "
            f"peaks.\n\n{table(columns, rows)}\n\n" + "\n".join(commands) + "\n")


def frontier(reports, name, title):
    report = reports.load(name)
    if not report:
        return ""
    planned = table(
        ["cap (MB)", "peak (%)", "predicted (%)", "bound (%)"],
        [[number(row["Cap (MB)"], 0), number(row["Peak (%)"], 1),
          number(row["Overhead (%)"], 2), number(row["Lower bound (%)"], 2)]
         for row in report["rows"]])
    rules = table(
        ["rule", "peak (MB)", "peak (%)", "predicted (%)"],
        [[row["Rule"], number(row["Peak (MB)"], 0), number(row["Peak (%)"], 1),
          number(row["Overhead (%)"], 2)] for row in report["report"]["rules"]])
    return (f"## {title}\n{plots(reports, name, 'Memory-time frontier')}\n"
            f"{planned}\n\n{rules}\n\n{command(report)}\n")


def lower_floor(reports):
    """Rows whose cap is out of reach in f32 and is not in bf16."""
    rows = []
    for model in ("transformer", "resnet152"):
        cap = {case["batch"]: case for case in reports.cases(f"{model}-1.5GB")}
        for case in reports.cases(f"{model}-bf16"):
            if case["batch"] not in cap:
                continue
            for kind, one in (("f32", cap[case["batch"]]), ("bf16", case)):
                floor = one.get("proven_floor_bytes") if not one["cap_met"] else None
                rows.append([f"{model} {one['batch']}, {kind}",
                             peaks(one, 1e9, 3),
                             number(floor / 1e9 if floor else None, 3),
                             number(one["predicted_overhead_percent"], 2)])
    if not rows:
        return ""
    commands = [command(reports.load(name)) + missed(reports.load(name))
                for name in ("transformer-bf16", "resnet152-bf16")
                if reports.load(name)]
    return ("## What lowers the floor: bf16, cap 1.5 GB\n\nThe floor is what the "
            "largest step reads and writes, with what is held outside. Weights "
            "and activations in bf16 halve most of both; sums and norms stay "
            "f32.\n\n" +
            table(["model, batch, type", "peak without → with (GB)",
                   "no plan below (GB)", "predicted (%)"], rows) +
            "\n\n" + "\n".join(commands) + "\n")


def max_batch(reports):
    report = reports.load("resnet50-max-batch-8GiB")
    if not report:
        return ""
    rows = [[row["Recomputation"], str(row["Largest batch"]),
             number(row["Peak (MB)"], 0), number(row["Overhead (%)"], 1),
             number(row["Step time (s)"], 1),
             number(row["Samples per second"], 2)] for row in report["rows"]]
    for kind in ("without", "with"):
        batch, megabytes, seconds = reports.published[
            "largest batch of ResNet-50 in 8 GB"][kind]
        rows.append([f"published, {kind}", str(batch), number(megabytes, 0), "–",
                     number(seconds, 1), number(batch / seconds, 2)])
    return ("## Largest batch of ResNet-50 in 8 GiB\n\n" +
            table(["recomputation", "largest batch", "peak (MB)",
                   "predicted overhead (%)", "predicted s per step",
                   "images per second"], rows) +
            f"\n\n{report['notes'][0]} The overhead is that over the same batch "
            f"without recomputation.\n\n{command(report)}\n")


def profile(reports):
    report = reports.load("transformer-profile")
    if not report:
        return ""
    lines = "\n".join(f"- {name}: {value}"
                      for name, value in report["summary"].items())
    return ("## Measured costs change a plan\n\n`transformer.mlir` under a "
            "cap. One measurement is planned with, a second one evaluates "
            f"both plans:\n\n{lines}\n\n"
            f"{command(report)}\n")


def main():
    if len(sys.argv) != 2:
        print("usage: readme.py DIRECTORY", file=sys.stderr)
        return 2
    reports = Reports(Path(sys.argv[1]))
    greedy = reports.published["greedy under 1.5 GB"]
    text = "\n".join(part for part in (
        INTRO,
        sweep(reports, "transformer-1.5GB", "Transformer, cap 1.5 GB",
              greedy["transformer"],
              text="\nd_model 512, 6 layers, 8 heads, ff 2048, dropout 0.1, "
              "vocabulary 30000, sequence 128.\n"),
        sweep(reports, "transformer-ratios", "Transformer, at published ratios",
              greedy["transformer"], plotted=False),
        blocks(reports, "transformer-blocks", "transformer",
               "Transformer, one checkpoint per block"),
        blocks(reports, "transformer-blocks-executed", "transformer",
               "Transformer, one checkpoint per block, executed"),
        sweep(reports, "resnet152-1.5GB", "ResNet-152, 224x224, cap 1.5 GB",
              greedy["resnet152"]),
        sweep(reports, "resnet152-ratios", "ResNet-152, at published ratios",
              greedy["resnet152"], plotted=False),
        blocks(reports, "resnet152-blocks", "resnet152",
               "ResNet-152, one checkpoint per block"),
        sweep(reports, "resnet152-b4-executed", "ResNet-152, executed",
              plotted=False),
        sweep(reports, "resnet50-64", "ResNet-50, 64x64, executed"),
        lower_floor(reports),
        frontier(reports, "transformer-frontier",
                 "Frontier of the Transformer, batch 32"),
        family(reports),
        eager(reports),
        max_batch(reports),
        profile(reports),
    ) if part)
    (reports.directory / "README.md").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
