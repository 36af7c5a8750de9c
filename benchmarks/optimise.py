#!/usr/bin/env python3
"""How many states optimisation saves: a table in Markdown for the models of a suite's `spin-por.csv`.

    optimise.py --fathom BINARY --suite FOLDER      FOLDER holds spin-por.csv and the models it names
"""
import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ["--property", "assertions", "--property", "deadlock", "--reduce", "none", "--keep-going", "--trace", "off"]


def states(args, model, *more):
    """The number of states, or None where there is no complete answer in time."""
    command = [args.fathom, "check", *OPTIONS, *more, "--time", args.time, "--json", "-", str(args.suite / model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return None
    return json.loads(done.stdout)["statistics"]["states"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--suite", type=Path, default=ROOT.parent / "shared" / "conformance" / "promela")
    parser.add_argument("--time", default="30s", help="per run")
    args = parser.parse_args()
    print("| model | `--no-optimise` | optimised | share | Spin, with partial-order reduction |")
    print("| --- | ---: | ---: | ---: | ---: |")
    with open(args.suite / "spin-por.csv", newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            plain = states(args, row["model"], "--no-optimise")
            optimised = states(args, row["model"])
            if plain is None or optimised is None:
                continue
            print(f"| {row['model']} | {plain:,} | {optimised:,} | {100 * optimised / plain:.0f}% "
                  f"| {int(row['spin_por_states']):,} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
