#!/usr/bin/env python3
"""Measure how much memory a state takes: by default, with --store tree, and with little memory.

    benchmarks/memory.py                          all models
    benchmarks/memory.py --only beem,peterson     those whose names contain one of these
    benchmarks/memory.py --results results/       writes memory.txt there, too

One thread, breadth-first, exact, without reductions. *store* is what the search takes when it ends: the states, the table with what
is empty in it, and what waits. *process* is the largest resident size of the whole process, so it has the program, the model and
the moments in which tables grow; both are divided by the states. With `--memory` the limit is chosen for the model so that the
search just ends. Times are processor time of the whole process, with native code made beforehand. Models of the conformance
suite are left out, with a line that says so, where there is none.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance"
MURPHI = ["--property", "invariants"]
SPIN = ["--property", "assertions", "--property", "deadlock", "--no-optimise", "--keep-going"]


@dataclass
class Case:
    path: Path
    options: list
    little: str = ""  # a limit with which it just ends
    vector: int = 0  # bytes of Spin's state vector

    @property
    def name(self):
        constants = [value for option, value in zip(self.options, self.options[1:]) if option == "-D"]
        return " ".join([self.path.stem, *constants])


def ours(path, *constants, little=""):
    definitions = [word for constant in constants for word in ("-D", constant)]
    return Case(ROOT / "models" / path, [*MURPHI, *definitions], little)


def spins(path, vector, little="", language=()):
    return Case(SUITE / "promela" / path, [*SPIN, *language], little, vector)


CASES = [
    ours("mutex/peterson.m", "N=7", little="280M"),
    ours("distributed/two_phase_commit.m", "Participants=9", little="256M"),
    ours("coherence/german.m", "Nodes=5", little="256M"),
    ours("deep/log_compactor.m", "Levels=6"),
    ours("deep/boot_loader.m", "Blocks=1200", "PowerFailures=3"),
    ours("deep/transaction_manager.m", "Money=6", "MaxAge=440", little="64M"),
    Case(SUITE / "murphi/cmurphi/mux/n_peterson.m", [*MURPHI, "-D", "N=6"]),
    spins("beem/szymanski.4.pm", 52, little="64M"),
    spins("beem/at.4.pm", 68, little="100M"),
    spins("beem/fischer.3.pm", 76, little="64M"),
    spins("beem/brp.3.pm", 148, little="64M"),
    spins("beem/elevator.3.pm", 152, little="300M"),
    spins("beem/iprotocol.4.pm", 160, little="100M"),
    spins("cases/iprotocol_i0.pml", 0, little="128M"),
    spins("cases/iprotocol_i2.pml", 0, little="100M"),
    spins("cases/brp.prm", 0, little="64M", language=["--language", "promela"]),
    spins("cases/giop1.nomig.pr", 0),
    spins("cases/sgc.promela", 0),
    spins("spin/LTL/leader.pml", 0, little="100M"),
    spins("bench/leader7.pml", 356, little="40M"),
]


def run(fathom, case, more, report):
    """Processor time and the largest resident size, in bytes; None if it did not come to its end."""
    command = [fathom, "check", "--quiet", "--threads", "1", "--search", "bfs", "--reduce", "none", "--engine", "native",
               "--json", report, *case.options, *more, case.path]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        return None
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def measure(fathom, case, more):
    """A cell of the table: bytes per state of the store and of the process, and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = run(fathom, case, more, report)
        if done is None:
            return None, "does not end"
        statistics = json.loads(report.read_text(encoding="utf-8"))["statistics"]
    states = statistics["states"]
    return statistics, f"{statistics['store_bytes'] / states:.1f} | {done[1] / states:.1f} | {done[0]:.2f}"


def row(fathom, case):
    with tempfile.TemporaryDirectory() as folder:  # a whole run, since the program may grow on the way
        run(fathom, case, [], Path(folder) / "report.json")
    statistics, default = measure(fathom, case, [])
    _, tree = measure(fathom, case, ["--store", "tree"])
    little = measure(fathom, case, ["--memory", case.little])[1].split(" | ")[1] + f" (`{case.little}`)" if case.little else ""
    vector = case.vector or ""
    return f"| {case.name} | {statistics['state_bytes']} | {vector} | {statistics['states']:,} | {default} | {tree} | {little} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--results", type=Path)
    args = parser.parse_args()
    lines = ["| model | state B | Spin's vector B | states | default: store B | process B | s | `--store tree`: store B | process B | s "
             "| process B with little memory |",
             "| --- " + "| ---: " * 10 + "|"]
    print("\n".join(lines), flush=True)
    for case in CASES:
        if not any(word in str(case.path) for word in args.only.split(",")):
            continue
        if not case.path.exists():
            print(f"left out, since it is not there: {case.path}", flush=True)
            continue
        lines.append(row(args.fathom, case))
        print(lines[-1], flush=True)
    if args.results:
        args.results.mkdir(parents=True, exist_ok=True)
        (args.results / "memory.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
