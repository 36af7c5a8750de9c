#!/usr/bin/env python3
"""Measure how breadth-first search gains from threads: states per second and processor time per state.

    benchmarks/threads.py                               this build, up to as many threads as there are cores
    benchmarks/threads.py --fathom ./fathom             a given program
    benchmarks/threads.py --threads 1,2,4,8,16 --repeat 5 --results results/

Each model is checked with each number of threads; the fastest of the repetitions counts. Counts must be the same for all of
them, or the measurement ends. Only invariants are checked: liveness is decided after the search. The native code of a model is made
before it is measured, and what is measured is the whole process without starting a compiler. With --copies, beside each number of
threads stands what the machine allows: by how much as many independent checks with one thread each, side by side, do more than one of them. They
share nothing but caches and memory. Written are threads.txt (the table), threads.csv (every single run) and threads.svg
(speed-up over threads, with the ideal as a dashed line). Python, a C compiler and the program are all it needs.
"""
import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLOURS = ["#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b8860b", "#444444"]


@dataclass
class Case:
    """A model and how it is checked; `small` replaces constants for a quick look."""
    path: Path
    constants: dict
    small: dict
    options: list = field(default_factory=list)

    def definitions(self, small):
        return {**self.constants, **(self.small if small else {})}

    def name(self, small):
        return " ".join([self.path.stem, *(f"{k}={v}" for k, v in self.definitions(small).items())])


# States of one word, of two, of several, and of more than ten; the last with symmetry reduction.
CASES = [
    Case(ROOT / "models/mutex/peterson.m", {"N": 7}, {"N": 6}, ["--reduce", "none"]),
    Case(ROOT / "models/coherence/msi.m", {"Caches": 6}, {"Caches": 5}, ["--reduce", "none"]),
    Case(ROOT / "models/coherence/german.m", {"Nodes": 5}, {"Nodes": 4}, ["--reduce", "none"]),
    Case(ROOT / "models/distributed/two_phase_commit.m", {"Participants": 9}, {"Participants": 7}, ["--reduce", "none"]),
    Case(ROOT / "models/coherence/german.m", {"Nodes": 8}, {"Nodes": 6}, ["--reduce", "symmetry"]),
]


@dataclass
class Run:
    seconds: float
    cpu: float
    report: dict
    allowed: float | None = None  # checks per second, of as many as there are threads, side by side

    @property
    def counts(self):
        statistics = self.report["statistics"]
        return statistics["states"], statistics["transitions"], statistics["depth"]


def check(fathom, case, small, threads, extra):
    """One check: wall time, processor time of the process, and its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [fathom, "check", "--quiet", "--search", "bfs", "--property", "invariants", "--engine", "native",
                   "--threads", str(threads), "--json", report,
                   *case.options, *extra]
        for name, value in case.definitions(small).items():
            command += ["-D", f"{name}={value}"]
        began, before = time.monotonic(), os.times()
        done = subprocess.run([*command, case.path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        seconds, after = time.monotonic() - began, os.times()
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(map(str, command))} ended with exit code {done.returncode}:\n{done.stdout}")
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return Run(seconds, cpu, json.loads(report.read_text(encoding="utf-8")))


def copies_at_once(args, case, count):
    """Checks with one thread per second, `count` of them side by side."""
    with ThreadPoolExecutor(count) as pool:
        runs = pool.map(lambda _: check(args.fathom, case, args.small, 1, args.with_options).seconds, range(count))
        return count / max(runs)


def measure(args, case, rows):
    """The fastest run for each number of threads."""
    best = {}
    check(args.fathom, case, args.small, 1, [*args.with_options, "--max-depth", "1"])  # makes the native code
    for threads in args.threads:
        for repetition in range(args.repeat):
            run = check(args.fathom, case, args.small, threads, args.with_options)
            first = next(iter(best.values()), run)
            if run.counts != first.counts:
                raise SystemExit(f"{case.name(args.small)}: {threads} threads count {run.counts}, not {first.counts}")
            rows.append([case.name(args.small), " ".join(case.options), threads, repetition, *run.counts, f"{run.seconds:.3f}",
                         f"{run.cpu:.3f}", run.report["statistics"]["threads"], run.report["statistics"]["store_bytes"]])
            if threads not in best or run.seconds < best[threads].seconds:
                best[threads] = run
        best[threads].allowed = copies_at_once(args, case, threads) if args.copies else None
    return best


def table_of(case, small, best):
    one = best[min(best)]
    states = one.counts[0]
    title = f"{case.name(small)} {' '.join(case.options)}: {states:,} states, {one.counts[1]:,} steps, " \
            f"{one.report['statistics']['state_bytes']} bytes each"
    lines = [title, "  threads   seconds   speed-up   the machine allows   M states/s   processor s   per state, relative"]
    for threads, run in best.items():
        allowed = "" if run.allowed is None else f"{run.allowed * one.seconds:.2f}"
        lines.append(f"  {threads:7}   {run.seconds:7.2f}   {one.seconds / run.seconds:8.2f}   {allowed:>18}   "
                     f"{states / run.seconds / 1e6:10.2f}   {run.cpu:11.2f}   {run.cpu / one.cpu:20.2f}")
    return "\n".join(lines) + "\n"


def plot(results, path):
    """Speed-up over threads; `results` are pairs of a name and {threads: run}."""
    width, height, left, top = 520, 380, 60, 40
    most = max(max(best) for _, best in results)
    x = lambda threads: left + width * threads / most
    y = lambda speed_up: top + height * (1 - speed_up / most)
    parts = [f'<text x="{left}" y="24" font-size="14">Speed-up of breadth-first search by threads</text>',
             f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(most)}" y2="{y(most)}" stroke="#999" stroke-dasharray="4 4"/>']
    step = max(1, most // 8)
    for tick in range(0, most + 1, step):
        parts.append(f'<line x1="{x(0)}" x2="{x(most)}" y1="{y(tick)}" y2="{y(tick)}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{y(tick) + 4}" text-anchor="end">{tick}</text>'
                     f'<text x="{x(tick)}" y="{top + height + 16}" text-anchor="middle">{tick}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">threads</text>')
    for number, (name, best) in enumerate(results):
        colour, one = COLOURS[number % len(COLOURS)], best[min(best)]
        points = [(x(threads), y(one.seconds / run.seconds * min(best))) for threads, run in best.items()]
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                     + " ".join(f"{a:.1f},{b:.1f}" for a, b in points) + '"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        parts.append(f'<text x="{left + 12}" y="{top + 16 + 16 * number}" fill="{colour}">{name}</text>')
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 30}" height="{top + height + 50}" '
                    'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def machine():
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the beginning"


def thread_counts():
    counts, cores = [1], os.cpu_count()
    while counts[-1] * 2 <= cores:
        counts.append(counts[-1] * 2)
    return counts if counts[-1] == cores else [*counts, cores]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")], default=thread_counts())
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--copies", action="store_true", help="measure what the machine allows, too")
    parser.add_argument("--only", default="", help="only models whose names contain one of these, with commas between")
    parser.add_argument("--small", action="store_true", help="smaller models: seconds and not minutes")
    parser.add_argument("--with", dest="with_options", type=str.split, default=[], help="more options for every check")
    parser.add_argument("--results", type=Path, help="a folder for threads.txt, threads.csv and threads.svg")
    args = parser.parse_args()
    rows, results, text = [], [], machine() + "\n\n"
    print(text, end="")
    for case in CASES:
        wanted = any(word in case.name(args.small) for word in args.only.split(","))
        if not wanted or not case.path.exists():
            continue
        best = measure(args, case, rows)
        results.append((f"{case.name(args.small)} {case.options[-1]}", best))
        table = table_of(case, args.small, best)
        print(table, flush=True)
        text += table + "\n"
    if not results:
        raise SystemExit("no model was measured")
    if args.results:
        args.results.mkdir(parents=True, exist_ok=True)
        (args.results / "threads.txt").write_text(text, encoding="utf-8")
        with (args.results / "threads.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["model", "options", "threads", "repetition", "states", "transitions", "depth", "seconds", "cpu_seconds",
                             "threads_used", "store_bytes"])
            writer.writerows(rows)
        plot(results, args.results / "threads.svg")


if __name__ == "__main__":
    sys.exit(main())
