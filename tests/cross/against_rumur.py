#!/usr/bin/env python3
"""Compare Fathom with Rumur on random programs: the verdict, and where nothing is violated the states and rules fired.

Rumur stops at its first error in an order of its own, so the counts of a failing model mean nothing. Programs that Rumur
itself rejects or cannot run are counted in the summary.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from common import Difference, arguments, check, run_all

COUNTS = re.compile(r"^\s*(\d+) states, (\d+) rules fired in", re.MULTILINE)
OPTIONS = ["--dialect", "rumur", "--reduce", "none", "--search", "bfs"]


class NotRunnable(Exception):
    """Rumur cannot handle the program; the message is the word for the tally."""


def execute(command, timeout, problem):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotRunnable(f"{problem} (time-out)") from error


def rumur(model, timeout):
    """(verdict, states, rules fired) according to Rumur."""
    source, checker = model.with_suffix(".c"), model.with_suffix(".exe")
    # Left alone Rumur computes in the smallest type that holds the model's ranges, often an unsigned one.
    generate = ["rumur", "--symmetry-reduction", "off", "--threads", "1", "--value-type", "int32_t",
                "--output", str(source), str(model)]
    done = execute(generate, timeout, "rejected by Rumur")
    if done.returncode:
        print(f"{model.stem}: {done.stderr.decode('utf-8', 'replace').splitlines()[:1]}", file=sys.stderr)
        raise NotRunnable("rejected by Rumur")
    compile_it = ["cc", "-std=c11", "-O1", "-w", "-mcx16", "-o", str(checker), str(source), "-lpthread"]
    if execute(compile_it, timeout, "not compilable").returncode:
        raise NotRunnable("not compilable")
    done = execute([str(checker)], timeout, "Rumur's checker did not end")
    counts = COUNTS.findall(done.stdout.decode("utf-8", "replace"))
    if done.returncode not in (0, 1) or not counts:
        raise NotRunnable("Rumur's checker failed")
    states, fired = counts[-1]
    return ("violated" if done.returncode else "holds"), int(states), int(fired)


def compare(args, model):
    try:
        verdict, states, fired = rumur(model, args.timeout)
    except NotRunnable as problem:
        return str(problem)
    _, report, _ = check(args.fathom, model, OPTIONS, args.timeout)
    if report["verdict"] != verdict:
        messages = [p.get("message", p["name"]) for p in report["properties"] if p["verdict"] == "violated"]
        messages += [d["message"] for d in report["diagnostics"]]
        raise Difference(f"Rumur says {verdict}, Fathom {report['verdict']}: {'; '.join(messages)}")
    ours = report["statistics"]
    if verdict == "holds" and (ours["states"], ours["transitions"]) != (states, fired):
        raise Difference(f"Rumur counts {states} states and {fired} rules fired, "
                         f"Fathom {ours['states']} and {ours['transitions']}")
    return f"equal ({verdict})"


def main():
    args = arguments(__doc__.splitlines()[0]).parse_args()
    if shutil.which("rumur") is None:
        print("rumur is not installed: apt install rumur", file=sys.stderr)
        return 2
    return run_all(args, lambda model: compare(args, Path(model)), common=True)


if __name__ == "__main__":
    sys.exit(main())
