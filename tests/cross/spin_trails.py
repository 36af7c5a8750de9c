#!/usr/bin/env python3
"""Replays trails that Spin's verifiers write: each must fit the model and end in a violation of the kind that pan reports.

    spin_trails.py [--fathom BIN] [--suite FOLDER] [--models N] [--cycles N] [--keep FOLDER]

Needs spin and gcc; exit code 77 without them. Each model of the suite for which pan finds a safety violation within a few
seconds counts: once as Debian's spin makes the verifier, with merged statements, and once without (-o3). So do the cycles
that pan finds for the formulas, acceptance and progress labels which the suite says are violated.
"""
import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SUITE = ROOT.parent / "shared" / "conformance" / "promela"
# What pan says, and the kind that we report.
KINDS = [("invalid end state", "deadlock"), ("assertion violated - invalid array index", "run-time error"), ("assertion violated", "assertion")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--suite", type=Path, default=SUITE)
    parser.add_argument("--models", type=int, default=20, help="stop after so many models with a trail")
    parser.add_argument("--cycles", type=int, default=8, help="and after so many properties with a cycle")
    parser.add_argument("--keep", type=Path, help="leave models and trails here")
    return parser.parse_args()


def run(command, folder, seconds):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False, errors="replace")
    except subprocess.TimeoutExpired:
        return None


SAFETY = (["-DSAFETY", "-DNOCLAIM"], [])


def pan_verdict(folder, model, options, kind=SAFETY):
    """What pan says about its first error, or None when there is no trail; `kind` is how to compile and to start it."""
    for old in [*folder.glob("pan*"), *folder.glob("*.trail")]:
        old.unlink()
    if (made := run(["spin", "-a", *options, model], folder, 20)) is None or made.returncode != 0:
        return None
    built = run(["gcc", "-O1", "-w", *kind[0], "-DNOREDUCE", "-o", "pan", "pan.c"], folder, 120)
    if built is None or built.returncode != 0:
        return None
    done = run(["./pan", "-m20000", "-w20", *kind[1]], folder, 10)
    if done is None or not (folder / (model + ".trail")).exists():
        return None
    found = re.search(r"^pan:1: (.*?) \(at depth", done.stdout, re.MULTILINE)
    return found.group(1) if found else None


def expected_kind(verdict):
    return next((kind for text, kind in KINDS if text in verdict), None)


def pan_for_property(options):
    """How pan is made and started for what the suite's options ask for."""
    start = ["-f"] if "--fair" in options else []
    if "non-progress" in options:
        return (["-DNP", "-DNOCLAIM"], [*start, "-l"])
    if formula := re.search(r"ltl:(\w+)", options):
        return ([], [*start, "-a", "-N", formula.group(1)])
    return (["-DNOCLAIM"], [*start, "-a"])


def violated_cycles(suite):
    """Models of the suite with a cycle that Spin finds, small ones first: the file, the options, and our kind."""
    with open(suite / "expected.csv", encoding="utf-8", newline="") as table:
        rows = [row for row in csv.DictReader(table)
                if row["verdict"] == "violated" and row["kind"] in ("ltl", "acceptance", "non-progress")
                and "Spin 6" not in row["note"]]  # where Spin is wrong
    rows.sort(key=lambda row: (suite / row["model"]).stat().st_size)
    return [(suite / row["model"], row["options"], row["kind"]) for row in rows]


def replay(fathom, folder, model, more=()):
    done = run([fathom, "replay", "--quiet", "--trace", "off", *more, model + ".trail", model], folder, 60)
    if done is None:
        return 124, "timed out"
    return done.returncode, (done.stdout + done.stderr).strip()


def with_neighbours(path, folder):
    for neighbour in path.parent.iterdir():  # included files
        if neighbour.is_file() and neighbour.stat().st_size < 1_000_000:
            shutil.copy(neighbour, folder)


def result(good, title, text):
    return good, f"{'ok  ' if good else 'FAIL'} {title}" + ("" if good else "\n     " + "\n     ".join(text.splitlines()[-4:]))


def check_model(fathom, path, folder):
    """The lines about one model; None where it has no trail."""
    with_neighbours(path, folder)
    results = []
    for options in ([], ["-o3"]):
        verdict = pan_verdict(folder, path.name, options)
        kind = expected_kind(verdict) if verdict else None
        if kind is None:
            continue
        code, text = replay(fathom, folder, path.name)
        good = code == 1 and f"violated: {kind}" in text
        results.append(result(good, f"{path.name} {' '.join(options) or 'merged'}: {verdict}", text))
    return results or None


def check_cycle(fathom, path, asked, kind, folder):
    with_neighbours(path, folder)
    results = []
    for options in ([], ["-o3"]):
        verdict = pan_verdict(folder, path.name, options, pan_for_property(asked))
        if verdict is None or "cycle" not in verdict:
            continue
        code, text = replay(fathom, folder, path.name, ["--fair"] if "--fair" in asked else [])
        title = f"{path.name} {' '.join(options) or 'merged'}, {asked.removeprefix('--property ')}: {verdict}"
        results.append(result(code == 1 and f"violated: {kind}" in text, title, text))
    return results or None


def main():
    options = arguments()
    if not shutil.which("spin") or not shutil.which("gcc") or not options.suite.exists():
        print("spin, gcc or the suite is not here")
        return 77
    models = [path for path in options.suite.rglob("*") if path.suffix in {".pml", ".pm", ".prom", ".pr", ".promela"}]
    models.sort(key=lambda path: (path.stat().st_size, path))  # small ones are quick
    tasks = [lambda folder, path=path: check_model(options.fathom, path, folder) for path in models]
    cycles = [lambda folder, cycle=cycle: check_cycle(options.fathom, *cycle, folder) for cycle in violated_cycles(options.suite)]
    failed = trails = 0
    for kind, checks, most in (("safety", tasks, options.models), ("cycles", cycles, options.cycles)):
        tried = 0
        for number, check in enumerate(checks):
            if tried == most:
                break
            with tempfile.TemporaryDirectory() as scratch:
                folder = options.keep / f"{kind}{number}" if options.keep else Path(scratch)
                folder.mkdir(parents=True, exist_ok=True)
                results = check(folder)
            if results is None:
                continue
            tried += 1
            for good, text in results:
                trails += 1
                failed += not good
                print(text, flush=True)
    print(f"{trails} trails, {failed} could not be replayed")
    return 1 if failed or not trails else 0


if __name__ == "__main__":
    sys.exit(main())
