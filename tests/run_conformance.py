#!/usr/bin/env python3
"""Run the conformance suites that may lie beside the checkout, without the rows of conformance-disputed.md, which
are named.

`--suite murphi` (default) or `--suite promela`; `--fathom BINARY`; all other arguments are handed on to the suite's own
runner. Exit 77: there is no suite.
"""
import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance"


def disputed(added):
    """`model options` of each row that is disputed in a run that adds these options to every row."""
    lines = (ROOT / "tests" / "conformance-disputed.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [f"{model} {options}".strip() for model, options, where, _ in rows[2:] if where in added]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=("murphi", "promela"), default="murphi")
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--table", default="expected.csv")
    parser.add_argument("--with", dest="added", default="", metavar="OPTIONS")
    args, others = parser.parse_known_args()
    if not (SUITE / "run.py").exists():
        print(f"no conformance suite at {SUITE}")
        return 77
    left_out = disputed(args.added)
    for name in left_out:
        print(f"disputed, left out: {name}", flush=True)
    skips = [word for name in left_out for word in ("--skip", name.replace("[", "[[]"))]
    command = [sys.executable, SUITE / "run.py", "--fathom", args.fathom, "--suite", args.suite, "--table", args.table,
               f"--with={args.added}"]
    return subprocess.run([*command, *skips, *others], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
