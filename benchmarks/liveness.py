#!/usr/bin/env python3
"""Measure searches for cycles against Spin's on the models of the Promela suite whose property of runs holds, so that both
sides see everything, and print a Markdown table.

    benchmarks/liveness.py                 all models
    benchmarks/liveness.py --only peterson those whose name contains a word

Spin is `spin -a -o1 -o2 -o3`, compiled with -O2 -DNOREDUCE and run with -a, with -a -f for weak fairness, or with -l, with a
stack and a hash table of the size the model needs. Fathom runs without optimisation of the model, so that both sides see the
same steps, and with one thread. Seconds are CPU seconds of the search alone, the best of three: of pan, and of Fathom with the
native model from the cache and without its start, in which the model is read (the same command with --max-depth 1). States are those of the product: what pan calls `states, stored`, and under fairness
`visited`, with its copies, and the pairs that Fathom visits.
"""
import argparse
import contextlib
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITE = ROOT.parent / "shared" / "conformance" / "promela"
CASES = [
    ("ltsmin/peterson3.pml", "acceptance"),
    ("cases/brp.prm", "acceptance"),
    ("spin/LTL/diskhead.pml", "ltl:p"),
    ("spin/Book_1991/p347.pftp.ses5.pml", "non-progress"),
    ("spin/Book_1991/p337.pftp.ses.pml", "non-progress"),
    ("spin/LTL/petersonN.pml", "ltl:bounded_bypass"),
]
# Models that are too large, or too small, as they are: what is written instead of what.
SIZES = {"spin/LTL/petersonN.pml": ("#define N\t5", "#define N\t3")}


def cpu_of(command, folder, timeout):
    """(CPU seconds of the command and its children, standard output)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done.stdout.decode("utf-8", "replace")


def best_cpu(command, folder, timeout):
    """CPU seconds, the best of three after one that prepares caches."""
    cpu_of(command, folder, timeout)
    return min(cpu_of(command, folder, timeout)[0] for _ in range(3))


def spin(model, kind, fair, timeout):
    """(states, CPU seconds, errors) of pan."""
    with tempfile.TemporaryDirectory(prefix="fathom-liveness-") as name:
        folder = Path(name)
        shutil.copytree(model.parent, folder / "model", dirs_exist_ok=True)
        work = folder / "model"
        subprocess.run(["spin", "-a", "-o1", "-o2", "-o3", model.name], cwd=work, capture_output=True, timeout=timeout, check=True)
        defines = ["-DNP"] if kind == "non-progress" else []
        subprocess.run(["gcc", "-O2", "-w", "-DNOREDUCE", "-DNFAIR=3", "-DVECTORSZ=8192", *defines, "-o", "pan", "pan.c"], cwd=work, check=True,
                       capture_output=True, timeout=timeout)
        flags = ["-l" if kind == "non-progress" else "-a", *(["-f"] if fair else []), "-E", "-A"]
        _, text = cpu_of(["./pan", *flags, "-m20000000", "-w24"], work, timeout)
        command = ["./pan", *flags, *sizes_for(text, model, fair)]
        _, text = cpu_of(command, work, timeout)
        seconds = best_cpu(command, work, timeout)
    states, errors = stored(text, model, fair), re.search(r"errors: (\d+)", text)
    return states, seconds, int(errors[1])


def stored(text, model, fair):
    """States that pan stored; under fairness those it visited, with their copies."""
    states = re.search(r"^\s*([\d.e+]+) states, stored(?: \(([\d.e+]+) visited\))?", text, re.MULTILINE)
    if states is None:
        raise RuntimeError(f"pan gave no counts on {model}: {text[-300:]}")
    return int(float((states[2] if fair else None) or states[1]))


def sizes_for(text, model, fair):
    """A stack of the depth that is reached, and a hash table with one to two slots per state: larger ones cost time."""
    depth = int(re.search(r"depth reached (\d+)", text)[1])
    return [f"-m{depth + 100}", f"-w{max(16, math.ceil(math.log2(stored(text, model, fair))))}"]


def fathom(binary, model, kind, fair, timeout):
    """(states, CPU seconds, verdict) of the search for the claim."""
    with tempfile.TemporaryDirectory(prefix="fathom-liveness-") as folder:
        report = Path(folder) / "report.json"
        command = [binary, "check", "--language", "promela", "--no-optimise", "--reduce", "none", "--engine", "native", "--quiet", "--threads", "1",
                   "--property", kind, "--json", str(report), *(["--fair"] if fair else []), model.name]
        start = best_cpu([*command, "--max-depth", "1"], model.parent, timeout)
        seconds = max(best_cpu(command, model.parent, timeout) - start, 0.001)
        found = json.loads(report.read_text(encoding="utf-8"))
    claims = [run for run in found["runs"] if run["property"] != "states"]
    return sum(run["statistics"]["states"] for run in claims), seconds, found["verdict"]


@contextlib.contextmanager
def sized(path):
    """The model, in the size that is measured."""
    if path not in SIZES:
        yield SUITE / path
        return
    old, new = SIZES[path]
    text = (SUITE / path).read_text(encoding="utf-8")
    if old not in text:
        raise RuntimeError(f"{path} does not contain {old!r}")
    with tempfile.TemporaryDirectory(prefix="fathom-liveness-") as folder:
        model = Path(folder) / Path(path).name
        model.write_text(text.replace(old, new), encoding="utf-8")
        yield model


def row(binary, path, kind, fair, timeout):
    with sized(path) as model:
        return row_of(binary, model, path, kind, fair, timeout)


def row_of(binary, model, path, kind, fair, timeout):
    our_states, our_seconds, verdict = fathom(binary, model, kind, fair, timeout)
    their_states, their_seconds, errors = spin(model, kind, fair, timeout)
    if (verdict == "holds") != (errors == 0):
        raise RuntimeError(f"{path}: Fathom says {verdict}, pan finds {errors} errors")
    speed, their_speed = our_states / max(our_seconds, 0.001), their_states / max(their_seconds, 0.001)
    return (f"| {path}{' (fair)' if fair else ''} | {kind} | {our_states:,} | {their_states:,} | "
            f"{our_states / their_states:.2f} | {our_seconds:.2f} | {their_seconds:.2f} | {speed / their_speed:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--only", default="", help="a word in the name of the model")
    parser.add_argument("--timeout", type=float, default=600, help="seconds per run")
    args = parser.parse_args()
    if not SUITE.exists() or shutil.which("spin") is None:
        print("the suite or spin is not here")
        return 77
    print("| model | property | states | Spin's | ratio | CPU s | Spin's | states/s, times Spin's |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for path, kind in CASES:
        if args.only not in path:
            continue
        for fair in (False, True):
            try:
                print(row(os.path.abspath(args.fathom), path, kind, fair, args.timeout), flush=True)
            except (RuntimeError, subprocess.SubprocessError) as problem:
                print(f"| {path}{' (fair)' if fair else ''} | {kind} | {type(problem).__name__}: {str(problem)[:120]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
