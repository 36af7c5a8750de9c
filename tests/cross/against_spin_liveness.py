#!/usr/bin/env python3
"""Verdicts on properties of runs against Spin's: random Promela programs with a random ltl formula, accept labels and
progress labels, by `pan -a`, `pan -a -f` and `pan -l`, all without reduction.

Every search of ours is asked. Under fairness pan loses runs that end, so there a violation of ours by a run that ends
is no difference; by any other run it is.
"""
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import Difference, arguments, check

SEARCHES = ["ndfs(variant=se)", "ndfs(variant=hpy, directed=yes)", "ndfs(variant=hpy)", "ndfs(variant=cvwy)", "scc", "l2s"]


class Generator:
    """A few processes that count in small circles, meet each other's guards, and end now and then."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = ["a", "b", "c"][: self.random.randint(2, 3)]

    def atom(self):
        return f"({self.random.choice(self.variables)} {self.random.choice(['==', '!='])} {self.random.randint(0, 2)})"

    def formula(self, size):
        if size <= 1:
            return self.atom()
        if size == 2 or self.random.random() < 0.5:
            return f"{self.random.choice(['!', '[]', '<>'])} ({self.formula(size - 1)})"
        left = self.random.randint(1, size - 2)
        operator = self.random.choice(["&&", "||", "->", "U", "V"])
        return f"({self.formula(left)}) {operator} ({self.formula(size - 1 - left)})"

    def assignment(self):
        name = self.random.choice(self.variables)
        return self.random.choice([f"{name} = ({name} + 1) % 3", f"{name} = {self.random.randint(0, 2)}"])

    def label(self, labels, number):
        kind = self.random.choice(["accept", "progress", "", ""])
        return f"{kind}_{number}: " if labels and kind else ""

    def option(self, labels, number):
        first = f"{self.atom()} -> " if self.random.random() < 0.7 else ""
        steps = [self.assignment() for _ in range(self.random.randint(1, 2))]
        steps[-1] = self.label(labels, number) + steps[-1]
        body = "; ".join(steps)
        if self.random.random() < 0.2:
            body = f"atomic {{ {body} }}" if ":" not in body else body
        last = "; break" if self.random.random() < 0.15 else ""
        return f"  :: {first}{body}{last}"

    def program(self, labels, formula):
        text = "".join(f"byte {name};\n" for name in self.variables)
        for process in range(self.random.randint(1, 3)):
            options = [self.option(labels, f"{process}{k}") for k in range(self.random.randint(1, 3))]
            if self.random.random() < 0.2:
                options.append("  :: else -> break" if self.random.random() < 0.5 else "  :: else -> skip")
            text += f"active proctype p{process}() {{\n  do\n" + "\n".join(options) + "\n  od\n}\n"
        return text + (f"ltl claim {{ {self.formula(self.random.randint(2, 7))} }}\n" if formula else "")


def pan(folder, name, defines):
    """Compiles the verifier for a model; None where Spin does not take it."""
    work = folder / name
    work.mkdir()
    shutil.copy(folder / "model.pml", work)
    made = subprocess.run(["spin", "-a", "model.pml"], cwd=work, capture_output=True, timeout=60, check=False)
    if made.returncode != 0 or not (work / "pan.c").exists():
        return None
    subprocess.run(["gcc", "-O0", "-w", "-DNOREDUCE", *defines, "-o", "pan", "pan.c"], cwd=work, check=True, timeout=120,
                   stdin=subprocess.DEVNULL, capture_output=True)
    return work


class Undecided(Exception):
    """pan came to no end within its depth or its time, as happens with -f; there is nothing to compare then."""


def pan_finds(work, flags):
    try:
        done = subprocess.run(["./pan", "-E", "-m200000", *flags], cwd=work, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired as error:
        raise Undecided from error
    text = done.stdout.decode("utf-8", "replace")
    errors = re.search(r"errors: (\d+)", text)
    if errors is None:
        raise Difference(f"pan {' '.join(flags)} gave no verdict: {text[-300:]}")
    if int(errors[1]) == 0 and "max search depth too small" in text:
        raise Undecided
    return int(errors[1]) > 0


def ours(args, model, options):
    """Whether Fathom finds a violation, and whether by a run that ends."""
    code, report, _ = check(args.fathom, model, options, args.timeout)
    if code not in (0, 1):
        raise Difference(f"exit code {code} with {' '.join(options)}")
    trace = report["trace"]
    return code == 1, code == 1 and trace is not None and trace["loop"] == trace["length"]


def compare_one(args, model, options, theirs, what, may_lose_ends=False):
    found, by_end = ours(args, model, options)
    if found == theirs or (may_lose_ends and found and by_end):
        return
    raise Difference(f"{what}: spin {'finds a violation' if theirs else 'finds none'}, not so with {' '.join(options)}")


def compare_formula(args, folder):
    work = pan(folder, "claim", [])
    if work is None:
        return "not for spin"
    model = folder / "model.pml"
    plain = pan_finds(work, ["-a"])
    for search in SEARCHES:
        compare_one(args, model, ["--property", "ltl", "--search", search], plain, "pan -a")
    fair = pan_finds(work, ["-a", "-f"])
    compare_one(args, model, ["--property", "ltl", "--fair"], fair, "pan -a -f", may_lose_ends=True)
    return "formula violated" if plain else "formula holds"


def compare_labels(args, folder):
    work, progress = pan(folder, "accept", []), pan(folder, "progress", ["-DNP"])
    if work is None or progress is None:
        return "not for spin"
    model = folder / "model.pml"
    accepts = "accept_" in model.read_text(encoding="utf-8")
    found = pan_finds(work, ["-a"]) if accepts else False
    for search in SEARCHES if accepts else []:
        compare_one(args, model, ["--property", "acceptance", "--search", search], found, "pan -a")
    if accepts:
        compare_one(args, model, ["--property", "acceptance", "--fair"], pan_finds(work, ["-a", "-f"]), "pan -a -f")
    stuck = pan_finds(progress, ["-l"])
    for search in [*SEARCHES, "ndfs(variant=direct)"]:
        compare_one(args, model, ["--property", "non-progress", "--search", search], stuck, "pan -l")
    compare_one(args, model, ["--property", "non-progress", "--fair"], pan_finds(progress, ["-l", "-f"]), "pan -l -f")
    return f"labels {'violated' if found or stuck else 'hold'}"


def one(args, seed):
    with tempfile.TemporaryDirectory(prefix="fathom-cross-") as name:
        folder = Path(name)
        labels = seed % 3 == 0
        text = Generator(seed).program(labels, not labels)
        (folder / "model.pml").write_text(text, encoding="utf-8")
        try:
            return seed, (compare_labels if labels else compare_formula)(args, folder), None
        except Undecided:
            return seed, "undecided by spin", None
        except (Difference, subprocess.SubprocessError) as problem:
            if args.keep:
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"random{seed}.pml").write_text(text, encoding="utf-8")
            return seed, "different", str(problem)


def main():
    args = arguments(__doc__).parse_args()
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print("spin or gcc is not installed")
        return 77
    tally, failures = Counter(), 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for seed, word, problem in pool.map(lambda s: one(args, s), range(args.first, args.first + args.count)):
            tally[word] += 1
            if problem:
                failures += 1
                print(f"FAIL seed {seed}: {problem}", flush=True)
    print(f"{args.count} programs: " + ", ".join(f"{count} {word}" for word, count in sorted(tally.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
