#!/usr/bin/env python3
"""Run the Murphi conformance suite that may lie beside the checkout, without the rows of conformance-disputed.md.

Arguments are handed on to the suite's own runner. Exit 77: there is no suite.
"""
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance"


def disputed():
    """`model options` of each disputed row."""
    lines = (ROOT / "tests" / "conformance-disputed.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [f"{model} {options}".strip() for model, options, *_ in rows[2:]]


def main():
    if not (SUITE / "run.py").exists():
        print(f"no conformance suite at {SUITE}")
        return 77
    skips = [word for name in disputed() for word in ("--skip", name.replace("[", "[[]"))]
    for name in disputed():
        print(f"disputed, left out: {name}")
    fathom = ROOT / "build" / "release" / "fathom"
    command = [sys.executable, SUITE / "run.py", "--fathom", fathom, "--suite", "murphi", *skips, *sys.argv[1:]]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
