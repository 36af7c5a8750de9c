#!/usr/bin/env python3
"""Kill searches at random moments, resume them from their checkpoints, and compare with runs that nobody disturbed.

    tests/faults/kill_and_resume.py                        32 rounds, for ./test
    tests/faults/kill_and_resume.py --rounds 200           the whole suite
    tests/faults/kill_and_resume.py --fathom build/dev/fathom

A round checks a model with a checkpoint every few milliseconds and ends the process with SIGKILL, in most rounds at a random
moment, in every fourth while a checkpoint is being written. What is left is resumed and killed again until a run comes to its
end. Its verdict, counts and coverage must be those of the undisturbed run. After that a few bits of a checkpoint are changed,
it is cut short, and it is resumed with another model and other options: all of this must be refused with exit code 2.
"""
import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Case:
    model: str
    options: list
    varies: tuple = ()  # counts that several threads do not always agree about


SOMEBODY_IS_IN = "{exists p: Thread do phase[p] = Critical end}"
SOMEBODY_WAITS = "{exists p: Thread do phase[p] = Wait end}"
NOBODY_IS_IN = "{forall p: Thread do phase[p] != Critical end}"
OF_RUNS = ["-D", "N=5", "--reduce", "none", "--threads", "1"]

# A state of one word, of several, as a tree, as a fingerprint; with symmetry; with a liveness property; with a violation.
# Two that go on on a disk, one of them with violations.
# Then those with so little memory that states are packed on the way: as codes, as they are, as fingerprints, and as trees.
# Then claims about runs, after the search of the states and alone: one that a sweep decides, one with a nested search, violated,
# one under fairness, and two in one check; two with several threads, of which the last has nested searches with second ones.
# Then a claim on a reduced graph, which is settled first, depth-first searches of the whole product in other orders, and one
# within a depth.
CASES = [
    Case("models/mutex/peterson.m", ["-D", "N=5", "--reduce", "none"]),
    Case("models/coherence/msi.m", ["-D", "Caches=4", "--reduce", "none", "--store", "tree"]),
    Case("models/coherence/msi.m", ["-D", "Caches=5", "--threads", "2"]),
    Case("models/coherence/german.m", ["-D", "Nodes=4"]),
    Case("models/coherence/msi.m", ["-D", "Caches=4", "--reduce", "none", "--store", "fingerprint", "--allow-lossy"]),
    Case("models/coherence/msi_early_grant_bug.m", ["-D", "Caches=4", "--reduce", "none", "--keep-going"]),
    Case("models/mutex/peterson.m", ["-D", "N=5", "--property", "invariants", "--reduce", "none", "--store", "disk(.)", "--memory", "3M"]),
    Case("models/coherence/msi_early_grant_bug.m", ["-D", "Caches=4", "--reduce", "none", "--keep-going", "--store", "disk(.)", "--memory", "1M"]),
    Case("models/coherence/msi.m", ["-D", "Caches=4", "--reduce", "none", "--store", "tree", "--memory", "16M"]),
    Case("models/embedded/truck_lifts.m", ["--memory", "16M", "--threads", "2"]),
    Case("models/embedded/truck_lifts.m", ["--memory", "16M", "--store", "fingerprint", "--allow-lossy"]),
    Case("models/deep/log_compactor.m", ["--memory", "32M"]),
    Case("models/deep/window_protocol.m", ["--memory", "64M", "--threads", "2"]),
    Case("models/mutex/peterson.m", [*OF_RUNS, "--ltl", f"[]<>{NOBODY_IS_IN}"]),
    Case("models/mutex/peterson.m", [*OF_RUNS, "--property", "ltl", "--keep-going", "--ltl",
                                     f"[]<>{SOMEBODY_IS_IN} -> <>[]{NOBODY_IS_IN}"]),
    Case("models/mutex/peterson.m", [*OF_RUNS, "--property", "ltl", "--fair", "--ltl", f"[]<>{NOBODY_IS_IN}"]),
    Case("models/mutex/peterson.m", [*OF_RUNS, "--fair", "--ltl", f"[]<>{NOBODY_IS_IN}", "--ltl",
                                     f"[]({SOMEBODY_IS_IN} -> <>{NOBODY_IS_IN})"]),
    Case("models/mutex/peterson.m", ["-D", "N=5", "--reduce", "none", "--threads", "2", "--property", "ltl", "--ltl",
                                     f"[]<>{NOBODY_IS_IN}"], varies=("depth",)),
    Case("models/mutex/peterson.m", ["-D", "N=5", "--reduce", "none", "--threads", "3", "--property", "ltl", "--ltl",
                                     f"[]<>{SOMEBODY_WAITS} -> []<>{NOBODY_IS_IN}"], varies=("depth",)),
    Case("models/deadlock/optical_telegraph.pml", ["-D", "N=6", "--property", "ltl", "--reduce", "por", "--ltl",
                                                   "[](up[0] || len(ahead[0]) <= 1)"]),
    Case("models/mutex/peterson.m", ["-D", "N=4", "--reduce", "none", "--property", "ltl", "--order", "random", "--ltl",
                                     f"[]<>{NOBODY_IS_IN}"]),
    Case("models/mutex/peterson.m", ["-D", "N=4", "--reduce", "none", "--property", "ltl", "--search", "ndfs(variant=hpy)", "--ltl",
                                     f"[]<>{SOMEBODY_WAITS} -> []<>{NOBODY_IS_IN}"]),
    Case("models/mutex/peterson.m", ["-D", "N=6", "--max-depth", "40", "--reduce", "none", "--property", "ltl", "--ltl",
                                     f"[]<>{NOBODY_IS_IN}"]),
]


class Suite:
    def __init__(self, fathom, folder, seed):
        self.fathom = fathom
        self.folder = folder
        self.random = random.Random(seed)
        self.kills = self.kills_in_writing = self.resumed = 0

    def command(self, case, *more):
        return [self.fathom, "check", "--quiet", "--engine", "interpret", "--json", self.folder / "report.json", *case.options, *more,
                ROOT / case.model]

    def undisturbed(self, case):
        began = time.monotonic()
        done = subprocess.run(self.command(case), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{case.model} ends with exit code {done.returncode}: {done.stderr}")
        return done.returncode, self.essence(case), time.monotonic() - began

    def essence(self, case):
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        statistics = {key: report["statistics"][key] for key in ("states", "transitions", "depth", "errors")
                      if key not in case.varies}
        coverage = [(rule["rule"], rule["fired"]) for rule in report["coverage"]]
        properties = sorted((p["kind"], p["name"], p["verdict"]) for p in report["properties"])
        length = report["trace"]["length"] if report.get("trace") else None
        return report["verdict"], statistics, coverage, properties, length

    def kill(self, process, checkpoint, seconds, in_writing):
        """Ends the process after a random time, or when it begins to write a checkpoint. False: it was over before."""
        deadline = time.monotonic() + self.random.uniform(0, seconds)
        while process.poll() is None:
            writing = any(checkpoint.parent.glob(checkpoint.name + ".*.unfinished"))
            if time.monotonic() >= deadline and (writing or not in_writing):
                process.send_signal(signal.SIGKILL)
                process.wait()
                self.kills += 1
                self.kills_in_writing += writing
                return True
            time.sleep(0.0005)
        return False

    def round(self, number, case, expected, seconds):
        checkpoint = self.folder / f"round{number}.checkpoint"
        in_writing = number % 4 == 3
        attempts = 0
        while True:
            attempts += 1
            resume = ["--resume", checkpoint] if checkpoint.exists() else []
            self.resumed += bool(resume)
            saving = ["--checkpoint", checkpoint, "--every", "5ms" if attempts < 6 else "10m"]
            process = subprocess.Popen(self.command(case, *saving, *resume), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       text=True)
            if attempts < 6 and self.kill(process, checkpoint, seconds, in_writing):
                continue
            errors = process.communicate()[1]
            code, result = process.returncode, self.essence(case) if process.returncode in (0, 1) else None
            if (code, result) != expected:
                raise SystemExit(f"round {number}, {case.model} {' '.join(case.options)}, after {attempts - 1} kills:\n"
                                 f"exit code {code} {errors}\n{result}\nand not\n{expected}")
            for rest in self.folder.glob("*.unfinished"):
                rest.unlink()
            checkpoint.unlink(missing_ok=True)
            return

    def make_checkpoint(self, case, path):
        """A checkpoint of a search that a limit has ended."""
        done = subprocess.run(self.command(case, "--checkpoint", path, "--time", "100ms"), capture_output=True, check=False)
        if done.returncode != 4 or not path.exists():
            raise SystemExit(f"{case.model} left no checkpoint (exit code {done.returncode})")

    def expect_refusal(self, what, case, path, *more):
        done = subprocess.run(self.command(case, "--resume", path, *more), capture_output=True, text=True, check=False)
        if done.returncode != 2 or not done.stderr.startswith("fathom: "):
            raise SystemExit(f"{what}: exit code {done.returncode}: {done.stdout}{done.stderr}")

    def refusals(self):
        case, other = CASES[0], CASES[1]
        path = self.folder / "good.checkpoint"
        self.make_checkpoint(case, path)
        whole = path.read_bytes()
        damaged = self.folder / "damaged.checkpoint"
        for _ in range(40):
            at = self.random.randrange(len(whole))
            damaged.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << self.random.randrange(8)]) + whole[at + 1:])
            self.expect_refusal(f"bit changed at {at}", case, damaged)
            damaged.write_bytes(whole[:at])
            self.expect_refusal(f"cut at {at}", case, damaged)
        self.expect_refusal("another model", other, path)
        self.expect_refusal("another constant", Case(case.model, ["-D", "N=4", "--reduce", "none"]), path)
        self.expect_refusal("other properties", case, path, "--deadlock", "stuck")
        of_runs = Case(case.model, [*OF_RUNS, "--property", "ltl", "--ltl", f"[]<>{NOBODY_IS_IN}"])
        of_runs_path = self.folder / "runs.checkpoint"
        self.make_checkpoint(of_runs, of_runs_path)
        self.expect_refusal("the states as well", Case(case.model, OF_RUNS), of_runs_path)
        self.expect_refusal("another formula", Case(case.model, [*of_runs.options[:-1], f"<>{NOBODY_IS_IN}"]), of_runs_path)
        self.expect_refusal("under fairness", of_runs, of_runs_path, "--fair")
        self.expect_refusal("a file that is none", case, ROOT / case.model)
        self.expect_refusal("a file that is not there", case, self.folder / "nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=ROOT / "build" / "release" / "fathom", type=Path)
    parser.add_argument("--rounds", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(args.fathom.resolve(), Path(folder), args.seed)
        plain = [suite.undisturbed(case) for case in CASES[:args.rounds]]
        for number in range(args.rounds):
            code, result, seconds = plain[number % len(CASES)]
            suite.round(number, CASES[number % len(CASES)], (code, result), seconds)
        suite.refusals()
    # In a few rounds it is chance how many kills fall into a write.
    wanted = args.rounds // 4 if args.rounds >= 100 else 1
    if suite.kills_in_writing < wanted:
        raise SystemExit(f"only {suite.kills_in_writing} runs were killed while they wrote a checkpoint: that shows too little")
    print(f"{args.rounds} rounds: {suite.kills} runs killed ({suite.kills_in_writing} in the middle of writing a checkpoint), "
          f"{suite.resumed} resumed, all with the results of undisturbed runs; damaged checkpoints refused")


if __name__ == "__main__":
    sys.exit(main())
