#!/usr/bin/env python3
"""Measure Fathom and Rumur side by side on the same models and print a Markdown table.

    benchmarks/run.py                  all models
    benchmarks/run.py --only peterson  those whose name contains a word
    benchmarks/run.py --instructions   count instructions with callgrind as well (on the smaller sizes; slow)

Both search breadth-first on one thread, with the same reduction, and must agree on the counts. CPU seconds are those of the
search alone (a native model from the cache, a checker already compiled; the best of three) and of everything from the source
to the answer. Rows marked `sym` use symmetry reduction, Rumur with --scalarset-schedules off, which is its faster way.
"""
import argparse
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLASSICS = ROOT.parent / "shared" / "conformance" / "murphi"
COUNTS = re.compile(r"^\s*(\d+) states, (\d+) rules fired in", re.MULTILINE)
# valgrind knows no AVX-512, so what it runs is compiled for a processor it does know.
COUNTED_FLAGS = "-march=x86-64-v3"


@dataclass
class Case:
    """A model with constants replaced; `counted` are the constants for counting instructions, which is much slower."""
    path: Path
    constants: dict = field(default_factory=dict)
    counted: dict = field(default_factory=dict)
    symmetry: bool = False

    @property
    def name(self):
        words = [self.path.stem, *(f"{key}={value}" for key, value in self.constants.items())]
        return " ".join(words + (["sym"] if self.symmetry else []))

    @property
    def fathom_reduction(self):
        return "symmetry" if self.symmetry else "none"

    @property
    def rumur_options(self):
        if self.symmetry:
            return ["--symmetry-reduction", "heuristic", "--scalarset-schedules", "off"]
        return ["--symmetry-reduction", "off"]


CASES = [
    Case(ROOT / "models/coherence/msi.m", {"Caches": 5}, {"Caches": 4}),
    Case(ROOT / "models/mutex/peterson.m", {"N": 6}, {"N": 5}),
    Case(ROOT / "models/mutex/readers_writers.m", {"Threads": 10}, {"Threads": 7}),
    Case(ROOT / "models/distributed/two_phase_commit.m", {"Participants": 7}, {"Participants": 5}),
    Case(ROOT / "models/distributed/leader_election.m", {"Nodes": 5}, {"Nodes": 4}),
    Case(CLASSICS / "romp/german.m", {"NODE_NUM": 4}, {"NODE_NUM": 3}),
    Case(CLASSICS / "paraverifier/n_german.m", {"NODE_NUM": 3}, {"NODE_NUM": 2}),
    Case(CLASSICS / "paraverifier/n_flash.m", {"NODE_NUM": 2, "DATA_NUM": 1}, {"NODE_NUM": 1, "DATA_NUM": 1}),
    Case(CLASSICS / "cmurphi/mux/mcslock1.m", {"N": 4}, {"N": 3}),
    Case(CLASSICS / "cmurphi/mux/n_peterson.m", {"N": 5}, {"N": 4}),
    Case(CLASSICS / "cmurphi/mux/n_peterson.m", {"N": 6}, {"N": 4}),
    Case(CLASSICS / "cmurphi/mux/n_peterson.m", {"N": 7}, {"N": 5}, symmetry=True),
    Case(CLASSICS / "romp/german.m", {"NODE_NUM": 5}, {"NODE_NUM": 4}, symmetry=True),
    Case(CLASSICS / "cmurphi/mux/dek.m"),
]


@dataclass
class Measurement:
    states: int
    fired: int
    search: float        # CPU seconds of the search alone
    whole: float         # CPU seconds from the source to the answer
    kilobytes: int       # peak resident size of the search


def cpu(command, **how):
    """(CPU seconds of the command and its children, its output)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, **how)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()[-300:]}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime), done.stdout


def search_cost(command, **how):
    """(CPU seconds, best of three; peak kilobytes; output) of one process."""
    best, peak, output = float("inf"), 0, ""
    for _ in range(3):
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.DEVNULL, **how)
            _, _, usage = os.wait4(process.pid, 0)
            best = min(best, usage.ru_utime + usage.ru_stime)
            peak = usage.ru_maxrss
            out.seek(0)
            output = out.read()
        if best > 20:  # long enough for one run to tell
            break
    return best, peak, output


def count_instructions(command, within=None, **how):
    """Of the whole process, or only while a function that matches `within` is running."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=no"]
    if within:
        tool.append(f"--toggle-collect={within}")
    done = subprocess.run([*tool, *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, **how)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        raise RuntimeError(f"callgrind failed: {done.stderr.strip()[-300:]}")
    return int(found[1])


def instantiate(case, constants, folder):
    """A copy of the model with its constants replaced in the text, because Rumur has no option for that."""
    text = case.path.read_text(encoding="utf-8")
    for name, value in constants.items():
        text, found = re.subn(rf"\b{name}\s*:\s*[^;:=]+;", f"{name}: {value};", text, count=1)
        if not found:
            raise RuntimeError(f"{case.path.name} has no constant {name}")
    model = folder / case.path.name
    model.write_text(text, encoding="utf-8")
    return model


def build_rumur(case, model, folder, flags):
    source, checker = folder / "checker.c", folder / "checker"
    generate, _ = cpu(["rumur", *case.rumur_options, "--threads", "1", "--output", source, model])
    compile_it, _ = cpu(["cc", "-std=c11", *flags.split(), "-mcx16", "-w", "-o", checker, source, "-lpthread"])
    return checker, generate + compile_it


def run_rumur(case, model, folder):
    checker, built = build_rumur(case, model, folder, "-O3 -march=native")
    search, peak, output = search_cost([checker])
    states, fired = map(int, COUNTS.findall(output)[-1])
    return Measurement(states, fired, search, built + search, peak)


def fathom_command(args, case, model, report):
    return [args.fathom, "check", "--reduce", case.fathom_reduction, "--search", "bfs", "--threads", "1", "--json", report,
            model]


def run_fathom(args, case, model, folder):
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    command = fathom_command(args, case, model, folder / "report.json")
    whole, _ = cpu(command, env=environment)             # nothing in the cache, as after an edit
    warm = [*command[:2], "--engine", "native", *command[2:]]
    cpu(warm, env=environment)
    search, peak, _ = search_cost(warm, env=environment)
    statistics = json.loads((folder / "report.json").read_text(encoding="utf-8"))["statistics"]
    return Measurement(statistics["states"], statistics["transitions"], search, whole, peak)


def instructions_per_rule(args, case, folder):
    """(Fathom's, Rumur's) instructions per fired rule on the smaller model."""
    model = instantiate(case, case.counted, folder)
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "counted"), "FATHOM_CFLAGS": COUNTED_FLAGS}
    command = fathom_command(args, case, model, folder / "report.json")
    command[2:2] = ["--engine", "native"]
    cpu(command, env=environment)
    ours = count_instructions(command, env=environment)
    fired = json.loads((folder / "report.json").read_text(encoding="utf-8"))["statistics"]["transitions"]
    checker, _ = build_rumur(case, model, folder, f"-O3 {COUNTED_FLAGS}")
    return ours / fired, count_instructions([checker]) / fired


def measure(args, case):
    """One row of the table."""
    with tempfile.TemporaryDirectory(prefix="fathom-bench-") as scratch:
        folder = Path(scratch)
        model = instantiate(case, case.constants, folder)
        ours, theirs = run_fathom(args, case, model, folder), run_rumur(case, model, folder)
        if not case.symmetry and (ours.states, ours.fired) != (theirs.states, theirs.fired):
            raise RuntimeError(f"{case.name}: counts differ: {ours} and {theirs}")
        row = [case.name, f"{ours.states:,}", f"{ours.fired:,}", f"{theirs.search:.2f}", f"{ours.search:.2f}",
               f"{theirs.search / ours.search:.1f}", f"{theirs.whole:.2f}", f"{ours.whole:.2f}",
               f"{theirs.whole / ours.whole:.1f}", f"{theirs.kilobytes * 1024 / theirs.states:.0f}",
               f"{ours.kilobytes * 1024 / ours.states:.0f}"]
        if args.instructions:
            mine, rumurs = instructions_per_rule(args, case, folder)
            row += [f"{rumurs:,.0f}", f"{mine:,.0f}", f"{rumurs / mine:.1f}"]
        return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--instructions", action="store_true", help="count instructions with callgrind")
    args = parser.parse_args()
    for tool in ["rumur", "cc"] + (["valgrind"] if args.instructions else []):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")

    head = ["model", "states", "rules fired", "Rumur s", "Fathom s", "ratio", "Rumur with compile", "Fathom cold", "ratio",
            "Rumur B/state", "Fathom B/state"]
    if args.instructions:
        head += ["Rumur instr/rule", "Fathom instr/rule", "ratio"]
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * (len(head) - 1))
    for case in CASES:
        if args.only in case.name and case.path.exists():
            print("| " + " | ".join(measure(args, case)) + " |", flush=True)
    print(f"\nCPU seconds on {platform.machine()}, {os.cpu_count()} cores; both one thread, breadth-first. B/state is the peak resident size of the whole process.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
