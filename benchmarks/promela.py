#!/usr/bin/env python3
"""Measure Fathom and Spin side by side on Promela models and print a Markdown table.

    benchmarks/promela.py                  all models
    benchmarks/promela.py --only peterson  those whose name contains a word
    benchmarks/promela.py --instructions   count instructions with callgrind as well (on the smaller models; slow)

Both search the whole space on one thread, exactly, without reduction and with the same raw semantics (spin -o1 -o2 -o3, pan
-DSAFETY -DNOREDUCE -DNOCLAIM -c0 -n with a right-sized -w; fathom --no-optimise --reduce none --keep-going), and must agree on the
counts. CPU seconds are those of the search alone (a native model from the cache, pan already compiled; the best of three). What
comes before it is stated beside them: for Spin the model read by spin and compiled by gcc; for Fathom the start, in which the model
is read each time (the same command with --max-depth 1), and the compiler, which is called once.
"""
import argparse
import json
import math
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from run import COUNTED_FLAGS, ROOT, count_instructions, cpu, search_cost

SUITE = ROOT.parent / "shared" / "conformance" / "promela"
STORED = re.compile(r"(\d+) states, stored")
TAKEN = re.compile(r"(\d+) transitions \(=")
DEPTH = re.compile(r"depth reached (\d+)")
VECTOR = re.compile(r"State-vector (\d+) byte")


@dataclass
class Case:
    path: str
    counted: bool = False  # small enough for callgrind


CASES = [
    Case("beem/peterson.1.pm", counted=True), Case("beem/peterson.4.pm"), Case("beem/szymanski.4.pm"), Case("beem/fischer.3.pm"),
    Case("beem/anderson.1.pm", counted=True), Case("beem/telephony.3.pm"), Case("spin/leader0.pml", counted=True),
    Case("bench/leader7.pml"), Case("beem/brp.3.pm"), Case("beem/iprotocol.4.pm"), Case("spin/LTL/pftp.pml", counted=True),
    Case("/usr/share/doc/spin/examples/Examples/snoopy.pml"),  # as Debian ships it
]


@dataclass
class Measurement:
    states: int
    transitions: int
    search: float    # CPU seconds
    start: float     # CPU seconds of each run before the search
    compiler: float  # CPU seconds
    kilobytes: int   # peak resident size of the search
    vector: int      # bytes


def build_pan(model, folder, flags):
    generate, _ = cpu(["spin", "-a", "-o1", "-o2", "-o3", model], cwd=folder)
    compile_it, _ = cpu(["gcc", *flags.split(), "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=8192", "-w", "-o", "pan", "pan.c"],
                        cwd=folder)
    return generate + compile_it


def pan_command(folder, states):
    """A hash table with one to two slots per state, and a stack of the depth that is reached: a larger one costs time."""
    width = max(16, math.ceil(math.log2(max(states, 1))))
    sized = [folder / "pan", "-c0", "-n", f"-w{width}"]
    _, output = cpu([*sized, "-m20000000"], cwd=folder)
    return [*sized, f"-m{int(DEPTH.search(output)[1]) + 100}"]


def run_spin(model, folder, states):
    compiler = build_pan(model, folder, "-O2")
    search, peak, output = search_cost(pan_command(folder, states), cwd=folder)
    # Spin counts the initial state as a transition.
    return Measurement(int(STORED.search(output)[1]), int(TAKEN.search(output)[1]) - 1, search, 0.0, compiler, peak,
                       int(VECTOR.search(output)[1]))


def fathom_command(args, model, report):
    return [args.fathom, "check", "--language", "promela", "--property", "assertions", "--property", "deadlock", "--no-optimise",
            "--reduce", "none", "--keep-going", "--engine", "native", "--search", "bfs", "--threads", "1", "--json", report, model]


def run_fathom(args, model, folder):
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = fathom_command(args, model, folder / "report.json")
    first, _ = cpu(command, env=environment)
    start, _, _ = search_cost([*command, "--max-depth", "1"], env=environment)
    whole, peak, _ = search_cost(command, env=environment)
    statistics = json.loads((folder / "report.json").read_text(encoding="utf-8"))["statistics"]
    return Measurement(statistics["states"], statistics["transitions"], whole - start, start, max(0.0, first - whole), peak,
                       statistics["state_bytes"])


def instructions_per_transition(args, model, folder, states, transitions):
    """(Fathom's, Spin's); Fathom's without what it does before the search."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "counted"), "FATHOM_CFLAGS": COUNTED_FLAGS}
    command = fathom_command(args, model, folder / "report.json")
    cpu(command, env=environment)
    ours = count_instructions(command, within="fathom::run_bfs*", env=environment)
    build_pan(model, folder, f"-O2 {COUNTED_FLAGS}")
    return ours / transitions, count_instructions(pan_command(folder, states), cwd=folder) / transitions


def measure(args, case):
    with tempfile.TemporaryDirectory(prefix="fathom-bench-") as scratch:
        folder = Path(scratch)
        model = SUITE / case.path
        ours = run_fathom(args, model, folder)
        theirs = run_spin(model, folder, ours.states)
        if (ours.states, ours.transitions) != (theirs.states, theirs.transitions):
            raise RuntimeError(f"{case.path}: counts differ: {ours} and {theirs}")
        row = [case.path, f"{ours.states:,}", f"{ours.transitions:,}", f"{theirs.vector}", f"{ours.vector}", f"{theirs.search:.2f}",
               f"{ours.search:.3f}", f"{theirs.search / ours.search:.1f}", f"{ours.start:.3f}",
               f"{theirs.search / (ours.search + ours.start):.1f}", f"{theirs.compiler:.1f}", f"{ours.compiler:.1f}",
               f"{theirs.kilobytes * 1024 / theirs.states:.0f}", f"{ours.kilobytes * 1024 / ours.states:.0f}"]
        if args.instructions:
            if case.counted:
                mine, spins = instructions_per_transition(args, model, folder, ours.states, ours.transitions)
                row += [f"{spins:,.0f}", f"{mine:,.0f}"]
            else:
                row += ["–", "–"]
        return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--instructions", action="store_true", help="count instructions with callgrind")
    args = parser.parse_args()
    for tool in ["spin", "gcc"] + (["valgrind"] if args.instructions else []):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    head = ["model", "states", "transitions", "Spin vector B", "Fathom vector B", "Spin s", "Fathom s", "ratio", "Fathom start s",
            "ratio with it", "Spin gcc s", "Fathom cc s", "Spin B/state", "Fathom B/state"]
    if args.instructions:
        head += ["Spin instr/transition", "Fathom instr/transition"]
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for case in CASES:
        if args.only in case.path and (SUITE / case.path).exists():
            print("| " + " | ".join(measure(args, case)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
