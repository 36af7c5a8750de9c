#!/usr/bin/env python3
"""What an evaluator costs: its share of the instructions that a search executes, counted by callgrind.

Instructions do not depend on who else is busy, so that the numbers can be compared between machines. The model runs as
native code from the beginning and nothing is reduced, which leaves an evaluator the least to hide behind; compiling is the work
of another program and does not count.

    benchmarks/evaluator_cost.py                        formula() on models of ours, in both languages
    benchmarks/evaluator_cost.py --evaluator 'fsm(sum)' --csv out.csv
    benchmarks/evaluator_cost.py 'models/mutex/peterson.m:-D N=4'
"""
import argparse
import csv
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = ["models/coherence/german.m:-D Nodes=3", "models/coherence/flash.m:-D Nodes=3 -D Values=2", "models/mutex/readers_writers.m:-D Threads=8",
          "models/deadlock/philosophers.pml:-D N=6 --deadlock off", "models/deadlock/optical_telegraph.pml:-D N=4 --deadlock off"]
FIELDS = ["model", "search", "estimates", "search_instructions", "evaluator_instructions", "share"]
SEARCH = r"fathom::run_greedy\("
ESTIMATE = r"fathom::\w+::estimate\("


def inclusive(profile):
    """Inclusive instructions by function, the outermost first."""
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        found = re.match(r"\s*([\d,]+) \([^)]*\)\s+[^:]*:(.*)", line)
        if found:
            yield int(found[1].replace(",", "")), found[2]


def measure(arguments, given):
    path, _, options = given.partition(":")
    path = (ROOT / path).resolve()
    with tempfile.TemporaryDirectory(prefix="fathom-cost-") as folder:
        profile = f"{folder}/callgrind"
        search = [arguments.fathom, "check", "--engine", "native", "--reduce", "none", "--search", f"greedy({arguments.evaluator})", "--shorten", "off",
                  *shlex.split(options), path.name]
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *search]
        subprocess.run(search, cwd=path.parent, stdin=subprocess.DEVNULL, capture_output=True, check=False)  # leaves its native code in the cache
        done = subprocess.run(command, cwd=path.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        functions = list(inclusive(profile))
        found = re.search(r"([\d,]+) states? evaluated", done.stdout)
    search = next((count for count, name in functions if re.match(SEARCH, name)), 0)
    estimate = max((count for count, name in functions if re.match(ESTIMATE, name)), default=0)
    return {"model": f"{path.name} {options}".strip(), "search": f"greedy({arguments.evaluator})",
            "estimates": int(found[1].replace(",", "")) if found else 0, "search_instructions": search, "evaluator_instructions": estimate,
            "share": round(estimate / search, 4) if search else 0}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS, help="FILE or FILE:OPTIONS, from the root of the repository")
    parser.add_argument("--fathom", default=str(ROOT / "build/release/fathom"))
    parser.add_argument("--evaluator", default="formula()")
    parser.add_argument("--csv", metavar="FILE")
    arguments = parser.parse_args()
    arguments.fathom = str(Path(arguments.fathom).resolve())
    rows = []
    print(f"{'model':<32} {'evaluator':<14} {'estimates':>10} {'search':>15} {'evaluator':>14} {'share':>7}   (instructions)")
    for model in arguments.models:
        row = measure(arguments, model)
        rows.append(row)
        print(f"{row['model']:<32} {arguments.evaluator:<14} {row['estimates']:>10,} {row['search_instructions']:>15,} "
              f"{row['evaluator_instructions']:>14,} {100 * row['share']:>6.1f}%", flush=True)
    print(f"largest share: {100 * max(row['share'] for row in rows):.1f} %")
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
