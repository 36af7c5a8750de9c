#!/usr/bin/env python3
"""Compare the two executors on random programs: everything in the report but times and memory must be the same.

Half of the programs are searched as they are by default and half without any reduction.
"""
import sys

from common import Difference, arguments, check, program, run_all
from generate_promela import program as promela_program

LANGUAGES = {"murphi": (program, ".m", []), "promela": (promela_program, ".pml", ["--no-optimise"])}

COMPARED = ["verdict", "properties", "coverage", "trace", "diagnostics", "scope"]
COUNTED = ["states", "transitions", "depth", "errors"]


def facts(report):
    """What must not depend on the executor."""
    return {**{key: report.get(key) for key in COMPARED},
            **{key: report["statistics"].get(key) for key in COUNTED}}


def compare(args, model, plainly):
    # Where a violation ends a search on several threads, it depends on them what was looked at before.
    options = ["--threads", "1"]
    if int(model.stem.removeprefix("random")) % 2:
        options += ["--reduce", "none", *plainly]
    code, interpreted, _ = check(args.fathom, model, [*options, "--engine", "interpret"], args.timeout)
    if code == 3 and model.suffix == ".pml":
        return "rejected"  # as by Spin, which against_spin.py compares
    if code == 3:
        messages = [f"{d['location']}: {d['message']}" for d in interpreted["diagnostics"]]
        raise Difference(f"rejected: {'; '.join(messages)}")
    native_code, native, _ = check(args.fathom, model, [*options, "--engine", "native"], args.timeout)
    left, right = facts(interpreted), facts(native)
    for key, value in left.items():
        if value != right[key]:
            raise Difference(f"{key}: interpreted {str(value)[:200]}, native {str(right[key])[:200]}")
    if code != native_code:
        raise Difference(f"exit code: interpreted {code}, native {native_code}")
    return f"equal ({interpreted['verdict']})"


def main():
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--language", choices=LANGUAGES, default="murphi")
    args = parser.parse_args()
    generate, suffix, plainly = LANGUAGES[args.language]
    return run_all(args, lambda model: compare(args, model, plainly), generate=generate, suffix=suffix)


if __name__ == "__main__":
    sys.exit(main())
