#!/usr/bin/env python3
"""Run the conformance suites that may lie beside the checkout, without the rows of conformance-disputed.md and without
those that need what is not there yet; each group that is left out is named and counted.

`--suite murphi` (default) or `--suite promela`; `--fathom BINARY`; all other arguments are handed on to the suite's own
runner. Exit 77: there is no suite.
"""
import argparse
import collections
import csv
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance"

# Promela models that need a construct which is refused with a message so far.
UNSUPPORTED_MODELS = {
    "micro/trace_bad.pml": "trace assertions",
    "spin/leader_trace.pml": "trace assertions",
    "spin/rtos1.pml": "priorities that change",
}


def disputed():
    """`model options` of each disputed row."""
    lines = (ROOT / "tests" / "conformance-disputed.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [f"{model} {options}".strip() for model, options, *_ in rows[2:]]


def missing_feature(row):
    """Why a Promela row cannot be run yet, or None."""
    if row["verdict"] == "rejected":
        return None
    return UNSUPPORTED_MODELS.get(row["model"])


def left_out(suite, table):
    """`model options` of each row that is not run, with the reason printed."""
    names = disputed() if suite == "murphi" else []
    for name in names:
        print(f"disputed, left out: {name}")
    if suite != "promela":
        return names
    groups = collections.defaultdict(list)
    with open(SUITE / suite / table, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            if reason := missing_feature(row):
                groups[reason].append(f"{row['model']} {row['options']}".strip())
    for reason, rows in sorted(groups.items()):
        print(f"not available yet, left out: {len(rows)} rows ({reason})")
    return names + [name for rows in groups.values() for name in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=("murphi", "promela"), default="murphi")
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--table", default="expected.csv")
    args, others = parser.parse_known_args()
    if not (SUITE / "run.py").exists():
        print(f"no conformance suite at {SUITE}")
        return 77
    skips = [word for name in left_out(args.suite, args.table) for word in ("--skip", name.replace("[", "[[]"))]
    command = [sys.executable, SUITE / "run.py", "--fathom", args.fathom, "--suite", args.suite, "--table", args.table]
    return subprocess.run([*command, *skips, *others], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
