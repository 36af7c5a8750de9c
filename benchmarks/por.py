#!/usr/bin/env python3
"""Stored states with and without partial order reduction, as Markdown tables: the Promela models for which Spin's numbers are
known beside the checkout, and Murphi models.

    benchmarks/por.py                    all models
    benchmarks/por.py --only leader      those whose name contains a word
    benchmarks/por.py --fathom BINARY

Every violation is counted and the search goes on behind it, so that the numbers are those of whole state spaces. Spin's are those of its
default search with reduction; `ratio` is ours against Spin's.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance"
PROMELA = ["--language", "promela", "--property", "assertions", "--property", "deadlock"]
SAFETY = ["--property", "invariants", "--property", "assertions", "--property", "deadlock"]  # not liveness, which refuses it
MURPHI = {
    "models/coherence/german.m": [],
    "models/coherence/flash.m": [],
    "models/mutex/peterson.m": SAFETY,
    "models/mutex/readers_writers.m": SAFETY,
    "models/distributed/dining_philosophers_bug.m": ["-D", "N=7"],
    "models/distributed/two_phase_commit.m": SAFETY,
    "models/distributed/leader_election.m": SAFETY,
    "models/network/alternating_bit.m": [],
    "cmurphi/mux/mcslock1.m": [],
}


def states(fathom, path, options, seconds):
    """Stored states of one search and its CPU time, or None if it did not end."""
    with tempfile.TemporaryDirectory(prefix="fathom-por-") as folder:
        report = Path(folder) / "report.json"
        command = [fathom, "check", "--quiet", "--keep-going", "--trace", "off", "--search", "dfs", *options,
                   "--time", f"{seconds}s", "--json", str(report), str(path)]
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None
    if found is None or not found.get("scope", {}).get("exhaustive"):
        return None
    return found["statistics"]["states"], found["statistics"]["seconds"]


def show(result):
    return f"{result[0]:,}" if result else "–"


def promela_rows(args):
    with open(SUITE / "promela" / "spin-por.csv", newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            if args.only not in row["model"]:
                continue
            path = SUITE / "promela" / row["model"]
            full = states(args.fathom, path, [*PROMELA, "--reduce", "none"], args.time)
            reduced = states(args.fathom, path, [*PROMELA, "--reduce", "por"], args.time)
            spin_full, spin = int(row["spin_full_states"]), int(row["spin_por_states"])
            ratio = f"{reduced[0] / spin:.2f}" if reduced else "–"
            seconds = f"{reduced[1]:.2f}" if reduced else "–"
            print(f"| {row['model']} | {show(full)} | {show(reduced)} | {spin_full:,} | {spin:,} | {ratio} | {seconds} |", flush=True)
            yield spin_full, spin, reduced


def promela(args):
    print("| model | full | reduced | Spin full | Spin reduced | ratio | s |\n| --- | --- | --- | --- | --- | --- | --- |")
    rows = [row for row in promela_rows(args) if row[2]]
    within = sum(ours[0] <= 1.1 * spin for _, spin, ours in rows)
    idle = [(spin, ours[0]) for full, spin, ours in rows if full == spin]
    fewer = sum(ours < spin for spin, ours in idle)
    print(f"\n{len(rows)} models, at most 1.1 times Spin's states on {within}; fewer on {fewer} of {len(idle)} that Spin does not reduce.\n")


def murphi(args):
    print("| model | full | reduced | times fewer | s |\n| --- | --- | --- | --- | --- |")
    for name, options in MURPHI.items():
        path = ROOT / name if (ROOT / name).exists() else SUITE / "murphi" / name
        if args.only not in name or not path.exists():
            continue
        for reductions in (("none", "por"), ("symmetry", "por,symmetry")):
            full, reduced = (states(args.fathom, path, [*options, "--reduce", each], args.time) for each in reductions)
            factor = f"{full[0] / reduced[0]:.2f}" if full and reduced else "–"
            seconds = f"{reduced[1]:.2f}" if reduced else "–"
            note = " (symmetry)" if "symmetry" in reductions[0] else ""
            print(f"| {path.stem}{note} | {show(full)} | {show(reduced)} | {factor} | {seconds} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom")
    parser.add_argument("--only", default="", help="models whose name contains this")
    parser.add_argument("--time", type=int, default=60, help="seconds per search")
    args = parser.parse_args()
    if (SUITE / "promela" / "spin-por.csv").exists():
        promela(args)
    murphi(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
