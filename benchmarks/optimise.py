#!/usr/bin/env python3
"""States with and without optimisation beside Spin's: a table in Markdown for the models of a suite's `spin-por.csv`.

    optimise.py --fathom BINARY --suite FOLDER [MODEL...]     FOLDER holds spin-por.csv and the models it names

"reduced" is optimisation with the default reduction in a depth-first search, which is what Spin's default is compared
with. The last line counts the rows above 1.1 times Spin's states.
"""
import argparse
import csv
import fnmatch
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ["--language", "promela", "--property", "assertions", "--property", "deadlock", "--keep-going", "--trace", "off"]
BAR = 1.1


def states(args, model, *more):
    """The number of states, or None where there is no complete answer in time."""
    command = [args.fathom, "check", *OPTIONS, *more, "--time", args.time, "--json", "-", str(args.suite / model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return None
    return json.loads(done.stdout)["statistics"]["states"]


def shown(number):
    return "?" if number is None else f"{number:,}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--suite", type=Path, default=ROOT.parent / "shared" / "conformance" / "promela")
    parser.add_argument("--time", default="60s", help="per run")
    parser.add_argument("models", nargs="*", default=["*"], help="patterns")
    args = parser.parse_args()
    print("| model | `--no-optimise` | optimised | reduced | Spin, no reduction | Spin's default | reduced / Spin |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    rows = above = 0
    with open(args.suite / "spin-por.csv", newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            if not any(fnmatch.fnmatch(row["model"], pattern) for pattern in args.models):
                continue
            plain = states(args, row["model"], "--no-optimise", "--reduce", "none")
            optimised = states(args, row["model"], "--reduce", "none")
            reduced = states(args, row["model"], "--search", "dfs")
            bar = int(row["spin_por_states"])
            rows += 1
            above += reduced is None or reduced > BAR * bar
            ratio = "?" if reduced is None else f"{reduced / bar:.2f}"
            print(f"| {row['model']} | {shown(plain)} | {shown(optimised)} | {shown(reduced)} "
                  f"| {int(row['spin_full_states']):,} | {bar:,} | {ratio} |", flush=True)
    print(f"\n{above} of {rows} rows above {BAR} times Spin's states", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
