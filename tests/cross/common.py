"""What the cross tests share: running Fathom for its JSON report, random programs, and the summary."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
from generate import program  # noqa: E402,F401


class Difference(Exception):
    """The two sides disagree about a program."""


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--count", type=int, default=100, help="number of random programs")
    parser.add_argument("--first", type=int, default=1, help="seed of the first one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=60, help="seconds per run")
    parser.add_argument("--keep", type=Path, help="folder for the programs that differ")
    return parser


def check(fathom, model, options, timeout):
    """Runs `fathom check`: (exit code, report, text on standard output). A crash or a missing report is a Difference."""
    with tempfile.TemporaryDirectory(prefix="fathom-cross-") as folder:
        report = Path(folder) / "report.json"
        command = [fathom, "check", *options, "--json", str(report), str(model)]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired as error:
            raise Difference(f"no answer within {timeout:g} s: {' '.join(options)}") from error
        output = done.stdout.decode("utf-8", "replace")
        if done.returncode not in (0, 1, 3, 4):
            tail = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise Difference(f"exit code {done.returncode} with {' '.join(options)}: {' '.join(tail)}")
        if not report.exists():
            raise Difference("no JSON report was written")
        return done.returncode, json.loads(report.read_text(encoding="utf-8")), output


def run_all(args, compare, generate=program, suffix=".m", **how):
    """Calls compare(path of a random program) for each seed; it returns a word for the tally or raises Difference."""
    tally, failures = Counter(), 0

    def one(seed):
        with tempfile.TemporaryDirectory(prefix="fathom-cross-") as folder:
            model = Path(folder) / f"random{seed}{suffix}"
            text = generate(seed, **how)
            model.write_text(text, encoding="utf-8")
            try:
                return seed, compare(model), None
            except Difference as difference:
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    (args.keep / model.name).write_text(text, encoding="utf-8")
                return seed, "different", str(difference)

    with ThreadPoolExecutor(args.jobs) as pool:
        for seed, word, problem in pool.map(one, range(args.first, args.first + args.count)):
            tally[word] += 1
            if problem:
                failures += 1
                print(f"FAIL seed {seed}: {problem}", flush=True)
    print(f"{args.count} programs: " + ", ".join(f"{count} {word}" for word, count in sorted(tally.items())))
    return 1 if failures else 0
