#!/usr/bin/env python3
"""Directed searches compared with blind ones on models with a violation.

For each model: states, transitions, seconds, memory and the length of the trace as the search found it (nothing is
shortened), for bfs, dfs, dfs in random order (the median of ten seeds), and greedy, A*, weighted A* and beam search under
each evaluator that the program knows and that fits without arguments.

    benchmarks/directed.py                              all models below
    benchmarks/directed.py models/distributed/*.m       these; FILE:OPTIONS adds options, such as -DN=5
    benchmarks/directed.py --csv out.csv --time 60s
    benchmarks/directed.py --plot out.svg               states per search and model, as bars

A search that was cut off by the time limit shows `-`.
"""
import argparse
import csv
import json
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = [
    "models/coherence/msi_early_grant_bug.m",
    "models/distributed/dining_philosophers_bug.m",
    "models/embedded/ring_buffer_bug.m",
    "models/mutex/ticket_lock_bug.m",
]
SEEDS = 10
DIRECTED = ["greedy({})", "astar({})", "weighted-astar({}, 2)", "beam({}, 1000)"]
BLIND = ["bfs", "dfs", "dfs --order random"]
NEEDS_ARGUMENTS = {"expr", "max", "sum", "weighted", "hamming"}
FIELDS = ["model", "search", "states", "transitions", "seconds", "megabytes", "trace", "guarantee"]


def evaluators(fathom):
    """The evaluators that `fathom help search` lists and that can stand without arguments."""
    text = subprocess.run([fathom, "help", "search"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z-]+)(?:\(|\s|$)", text.split("\nEvaluators", 1)[1], re.MULTILINE)
    return [name for name in names if name not in NEEDS_ARGUMENTS]


def measure(fathom, model, options, search, limit, seed=1):
    """One run as a row, or None where it ended without a violation."""
    name, _, more = search.partition(" --")
    with tempfile.TemporaryDirectory(prefix="fathom-directed-") as folder:
        report = Path(folder) / "report.json"
        command = [fathom, "check", "--search", name, *shlex.split(f"--{more}" if more else ""), "--shorten", "off", "--seed",
                   str(seed), "--time", limit, "--json", str(report), *options, str(model)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 2:
            return None  # an evaluator that has nothing to go by here
        if done.returncode not in (0, 1, 4):
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        found = json.loads(report.read_text(encoding="utf-8"))
    numbers, trace = found["statistics"], found.get("trace")
    if trace is None:
        return None
    return {"states": numbers["states"], "transitions": numbers["transitions"], "seconds": numbers["seconds"],
            "megabytes": numbers["store_bytes"] / 1e6, "trace": trace["length"], "guarantee": trace["guarantee"]}


def median_of_seeds(fathom, model, options, search, limit):
    rows = [measure(fathom, model, options, search, limit, seed) for seed in range(1, SEEDS + 1)]
    if None in rows:
        return None
    middle = {field: statistics.median(row[field] for row in rows) for field in FIELDS[2:7]}
    return middle | {"guarantee": "any"}


def rows_of(arguments):
    searches = BLIND + [form.format(name) for name in evaluators(arguments.fathom) for form in DIRECTED]
    for given in arguments.models:
        path, _, options = given.partition(":")
        for search in searches:
            run = median_of_seeds if "random" in search else measure
            row = run(arguments.fathom, path, shlex.split(options), search, arguments.time)
            yield {"model": Path(path).stem + (f" {options}" if options else ""), "search": search, **(row or {})}


def show(row):
    if "states" not in row:
        return f"{row['model']:<32} {row['search']:<28} {'-':>10}"
    return (f"{row['model']:<32} {row['search']:<28} {row['states']:>10.0f} {row['transitions']:>11.0f} "
            f"{row['seconds']:>8.2f} {row['megabytes']:>9.1f} {row['trace']:>6.0f} {row['guarantee']}")


def plot(rows, path):
    """States as horizontal bars on a logarithmic scale, in plain SVG."""
    import math
    rows = [row for row in rows if "states" in row]
    most = max((row["states"] for row in rows), default=1)
    bars = []
    for k, row in enumerate(rows):
        width = 400 * math.log10(1 + row["states"]) / math.log10(1 + most)
        bars.append(f'<text x="0" y="{18 * k + 13}">{row["model"]}: {row["search"]}</text>'
                    f'<rect x="380" y="{18 * k + 3}" width="{width:.0f}" height="12" fill="#4a7ebb"/>'
                    f'<text x="{385 + width:.0f}" y="{18 * k + 13}">{row["states"]:.0f}</text>')
    Path(path).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{18 * len(rows) + 10}" '
                          f'font-family="sans-serif" font-size="11">{"".join(bars)}</svg>\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[str(ROOT / model) for model in MODELS])
    parser.add_argument("--fathom", default=str(ROOT / "build/release/fathom"))
    parser.add_argument("--time", default="60s", help="limit for each run (default 60s)")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    arguments = parser.parse_args()
    rows = []
    print(f"{'model':<32} {'search':<28} {'states':>10} {'transitions':>11} {'seconds':>8} {'megabytes':>9} {'trace':>6}")
    for row in rows_of(arguments):
        rows.append(row)
        print(show(row), flush=True)
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
