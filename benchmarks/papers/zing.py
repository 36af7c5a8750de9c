#!/usr/bin/env python3
"""Depth bounding with thresholds and frontier trees, measured on deep models.

Repeats the experiments of Udupa, Desai, Rajamani: Depth Bounded Explicit-State Model Checking (SPIN 2011), Tables 1 to 4, on
the models in models/deep with states of 1 to 100 kB and a store of fingerprints. The paper's models are not public, so
what can be compared are the ratios: thresholds save most with large steps of the bound (3.6 to 94 % of the revisits), the
frontier tree with small ones (19 to 83 % of the time), and memory stays within 15 %.

    benchmarks/papers/zing.py                 all of it, about ten minutes
    benchmarks/papers/zing.py --quick         a few seconds, to see that it works

Times are processor seconds of the whole process with native code that was compiled before; budgets are processor
seconds, too, so a busy machine does not matter. A row in which a run was cut off at the limit says so.
"""
import argparse
import csv
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SMALL, LARGE = 50, 1000  # the steps of the bound that the paper compares
BUDGET_STEP = 100
TICK = os.sysconf("SC_CLK_TCK")

# Model, its parameters, and the depth to which it is explored in Tables 2 to 4: all of it, or as deep as a search with
# LARGE steps and no thresholds gets within the limit. The transaction manager and the hub are there as a test bench drives
# them, with runs that end, and as systems that go on for ever: then nearly every state leads to the bound, whatever it is,
# and thresholds have little to save.
WHOLE = None
COMMON = [
    ("boot_loader", "Payload=4", WHOLE),
    ("boot_loader", "Payload=40", 400),
    ("log_compactor", "Payload=1000", WHOLE),
    ("log_compactor", "Payload=8000", 800),
    ("log_compactor", "Payload=45000", 300),
    ("transaction_manager", "Payload=1000", 180),
    ("usb_hub", "Payload=1000", 200),
    ("window_protocol", "Payload=1000", 300),
]
FOR_REVISITS = COMMON + [
    ("transaction_manager", "MaxAge=12 Reports=1 Attempts=2 Payload=1000", WHOLE),
    ("usb_hub", "Devices=10 Mishaps=2 Payload=1000", WHOLE),
]
FOR_REPLAY = COMMON + [
    ("transaction_manager", "MaxAge=130 Reports=1 Attempts=1 Payload=1000", WHOLE),
    ("usb_hub", "Devices=20 Mishaps=1 Payload=1000", WHOLE),
]
# Larger instances, none of which ends within the budget of Table 1.
FIXED_TIME = [
    ("boot_loader", "Blocks=2000 Payload=10 Group=100"),
    ("log_compactor", "Fanout=6 Payload=10000"),
    ("transaction_manager", "MaxAge=2000 Payload=4000"),
    ("usb_hub", "Packets=60 Payload=2000"),
    ("window_protocol", "Numbers=4000 Payload=4000"),
]
QUICK_DEPTH = [("boot_loader", "Blocks=40 Payload=4", WHOLE), ("window_protocol", "Numbers=16 Payload=64", WHOLE)]
QUICK_TIME = [("log_compactor", "Payload=1000")]


def cpu_seconds(pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


class Runner:
    """Runs Fathom, each run with a limit of processor time."""

    def __init__(self, fathom):
        self.fathom = fathom
        self.compiled = set()
        self.folder = tempfile.TemporaryDirectory(prefix="fathom-zing-")

    def command(self, model, parameters, search, report):
        options = ["--engine", "native", "--deadlock", "off", "--store", "fingerprint", "--allow-lossy", "--reduce", "none", "--search", search]
        definitions = [word for parameter in parameters.split() for word in ("-D", parameter)]
        return [self.fathom, "check", *options, *definitions, "--json", report, str(ROOT / "models/deep" / f"{model}.m")]

    def run(self, model, parameters, search, limit, name="report"):
        if (model, parameters) not in self.compiled:
            self.compiled.add((model, parameters))
            self.measure(model, parameters, "bounded-dfs(bound=0)", 60)
        return self.measure(model, parameters, search, limit, name)

    def fastest(self, model, parameters, searches, limit):
        """The fastest of five runs of each search, taken in turns. What else the machine does slows down some of them, and
        so does an unlucky heap, on which copies of a large state lie at the same place of a page (up to threefold):
        names of different length for the report move things there."""
        rounds = [[self.run(model, parameters, search, limit, "r" * length) for search in searches]
                  for length in (6, 40, 90, 140, 200)]
        return [min(runs, key=lambda run: run["seconds"]) for runs in zip(*rounds)]

    def measure(self, model, parameters, search, limit, name="report"):
        report = Path(self.folder.name) / f"{name}.json"
        report.unlink(missing_ok=True)
        command = self.command(model, parameters, search, str(report))
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        cut = False
        while True:
            pid, _, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            if not cut and cpu_seconds(process.pid) >= limit:
                cut = True
                process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        if not report.exists():
            sys.exit(f"no report from {shlex.join(command)}\n{process.stderr.read().decode()}")
        process.stderr.close()
        result = json.loads(report.read_text(encoding="utf-8"))
        statistics = result["statistics"]
        return {"cut": cut, "seconds": usage.ru_utime + usage.ru_stime, "states": statistics["states"],
                "state_bytes": statistics["state_bytes"], "revisits": statistics["revisits"],
                "covered": statistics["depth"] if result["scope"]["exhaustive"] else result["scope"]["depth"] or 0,
                "memory": statistics["store_bytes"]}


def expression(step, bound=None, revisit="threshold", frontier="tree"):
    first = f"bound={bound}, " if bound else ""
    return f"bounded-dfs({first}step={step}, revisit={revisit}, frontier={frontier})"


def saved(before, after):
    return 100 * (before - after) / before if before else 0.0


def describe(model, parameters):
    return f"{model} {parameters}"


class Table:
    """Rows that are printed as they come, and kept for the CSV file and the plot."""

    def __init__(self, name, title, columns, out):
        self.name, self.columns, self.rows, self.out = name, columns, [], out
        self.say(f"\n{title}\n")
        self.say(self.line(columns))

    def line(self, cells):
        return f"{cells[0]:<54}" + "".join(f"{cell:>13}" for cell in cells[1:])

    def add(self, *cells):
        self.rows.append(cells)
        self.say(self.line([f"{c:,.2f}" if isinstance(c, float) else f"{c:,}" if isinstance(c, int) else c for c in cells]))

    def say(self, text):
        print(text, flush=True)
        self.out.write(text + "\n")


def revisits(runner, models, limit, out):
    """Table 2: how often states are explored again, without thresholds and with them."""
    table = Table("revisits", "Table 2: revisits, without thresholds (Fig. 5) and with them (Fig. 6)",
                  ["model", "state bytes", "states", "step", "depth only", "thresholds", "saved %", "cut"], out)
    for model, parameters, bound in models:
        for step in (SMALL, LARGE):
            plain = runner.run(model, parameters, expression(step, bound, "depth"), limit)
            clever = runner.run(model, parameters, expression(step, bound), limit)
            cut = "yes" if plain["cut"] or clever["cut"] else ""
            table.add(describe(model, parameters), clever["state_bytes"], clever["states"], step, plain["revisits"],
                      clever["revisits"], saved(plain["revisits"], clever["revisits"]), cut)
    return table


def replay(runner, models, limit, out):
    """Tables 3 and 4: the time it takes with traces and with a frontier tree."""
    table = Table("replay", "Tables 3 and 4: processor seconds (the best of five), frontier as traces and as a tree",
                  ["model", "state bytes", "states", "step", "traces", "tree", "saved %", "KiB traces", "KiB tree", "cut"],
                  out)
    for model, parameters, bound in models:
        for step in (SMALL, LARGE):
            searches = [expression(step, bound, frontier="traces"), expression(step, bound)]
            traces, tree = runner.fastest(model, parameters, searches, limit)
            cut = "yes" if traces["cut"] or tree["cut"] else ""
            table.add(describe(model, parameters), tree["state_bytes"], tree["states"], step, traces["seconds"],
                      tree["seconds"], saved(traces["seconds"], tree["seconds"]), traces["memory"] // 1024,
                      tree["memory"] // 1024, cut)
    return table


def budget(runner, models, seconds, out):
    """Table 1: what is reached in a fixed time, without either improvement and with both."""
    table = Table("budget", f"Table 1: {seconds:g} processor seconds, step {BUDGET_STEP}: depth only and traces (before), "
                  "thresholds and tree (after)",
                  ["model", "state bytes", "states bef.", "states after", "more %", "depth bef.", "depth after", "KiB before",
                   "KiB after", "memory %"], out)
    for model, parameters in models:
        before = runner.run(model, parameters, expression(BUDGET_STEP, None, "depth", "traces"), seconds)
        after = runner.run(model, parameters, expression(BUDGET_STEP), seconds)
        table.add(describe(model, parameters), after["state_bytes"], before["states"], after["states"],
                  -saved(before["states"], after["states"]), before["covered"], after["covered"], before["memory"] // 1024,
                  after["memory"] // 1024, -saved(before["memory"], after["memory"]))
    return table


def bars(title, groups, top):
    """One bar chart of percentages as SVG: [(label, [(name, value)])]."""
    colours = ["#8fb3d9", "#1f4e79"]
    width, height, left = 120 * len(groups) + 80, 220, 50
    svg = [f'<text x="{left}" y="{top + 16}" font-size="14">{title}</text>']
    for percent in (0, 50, 100):
        y = top + 30 + height * (100 - percent) / 100
        svg.append(f'<line x1="{left}" x2="{width}" y1="{y}" y2="{y}" stroke="#ccc"/>'
                   f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    for k, (label, values) in enumerate(groups):
        x = left + 20 + 120 * k
        for n, (name, value) in enumerate(values):
            shown = max(0.0, value)
            y = top + 30 + height * (100 - shown) / 100
            svg.append(f'<rect x="{x + 36 * n}" y="{y}" width="32" height="{height * shown / 100}" fill="{colours[n]}"/>'
                       f'<text x="{x + 36 * n + 16}" y="{y - 4}" text-anchor="middle">{value:.0f}</text>'
                       f'<text x="{x + 36 * n + 16}" y="{top + height + 44}" text-anchor="middle">{name}</text>')
        first, _, rest = label.partition(" ")
        svg.append(f'<text x="{x + 34}" y="{top + height + 60}" text-anchor="middle">{first}</text>'
                   f'<text x="{x + 34}" y="{top + height + 74}" text-anchor="middle">{rest}</text>')
    return width, svg


def plot(tables, path):
    top, width, parts = 0, 0, []
    for table, title in tables:
        groups = {}
        for row in table.rows:
            groups.setdefault(row[0], []).append((f"{row[3]}", row[6]))
        chart_width, svg = bars(title, list(groups.items()), top)
        parts, width, top = parts + svg, max(width, chart_width), top + 330
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" font-family="sans-serif" '
                    'font-size="10"><rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n",
                    encoding="utf-8")


def write_csv(table, folder):
    with open(folder / f"zing-{table.name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([f"{c:.2f}" if isinstance(c, float) else c for c in row] for row in table.rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--quick", action="store_true", help="small models and short limits")
    parser.add_argument("--limit", type=float, default=15, help="processor seconds for one run of Tables 2 to 4")
    parser.add_argument("--budget", type=float, default=8, help="processor seconds for one run of Table 1")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "papers" / "results")
    args = parser.parse_args()

    runner = Runner(os.path.abspath(args.fathom))
    args.results.mkdir(parents=True, exist_ok=True)
    revisited, replayed, timed = ((QUICK_DEPTH, QUICK_DEPTH, QUICK_TIME) if args.quick
                                  else (FOR_REVISITS, FOR_REPLAY, FIXED_TIME))
    with open(args.results / "zing.txt", "w", encoding="utf-8") as out:
        again = revisits(runner, revisited, args.limit, out)
        times = replay(runner, replayed, args.limit, out)
        reached = budget(runner, timed, 1 if args.quick else args.budget, out)
    for table in (again, times, reached):
        write_csv(table, args.results)
    plot([(again, "Revisits saved by thresholds, by step of the bound"),
          (times, "Time saved by the frontier tree, by step of the bound")], args.results / "zing.svg")


if __name__ == "__main__":
    main()
