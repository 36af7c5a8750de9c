#!/usr/bin/env python3
"""Compare Fathom with Spin on random Promela programs: the verdict, and the states and transitions of the whole space.

Spin counts without its optimisations (-o1 -o2 -o3, -DNOREDUCE) and goes on behind errors (-c0), Fathom likewise. Spin's
number of transitions contains the initial state. Programs that Spin rejects must be rejected by Fathom as well.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from common import Difference, arguments, check, run_all

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "fuzz"))
from generate_promela import program  # noqa: E402

ERRORS = re.compile(r"errors: (\d+)")
STATES = re.compile(r"^\s*(\d+) states, stored", re.MULTILINE)
TRANSITIONS = re.compile(r"^\s*(\d+) transitions", re.MULTILINE)
OPTIONS = ["--no-optimise", "--reduce", "none", "--keep-going"]
COMPILE = ["cc", "-O0", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=8192", "-o", "pan", "pan.c"]


class NotRunnable(Exception):
    """Spin cannot handle the program; the message is the word for the tally."""


def execute(command, folder, timeout, problem):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise NotRunnable(f"{problem} (time-out)") from error
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


# What Spin gets wrong: docs/promela.md tells more.
LABEL_OR_BLOCK = re.compile(r"(?:\w+:|(?<=[;{>:\n])) *\{")
RECEIVE = re.compile(r"(\[[^?!;]*\])?\?\??<?([^;{}\n]*)")


def closing(text, opening):
    """The position behind the brace that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def is_unless(text, opening):
    return text[opening:opening + 1] == "{" and text[closing(text, opening):].lstrip().startswith("unless")


def inside(text, opening):
    """Where the first thing behind a brace begins."""
    return len(text) - len(text[opening + 1:].lstrip())


def forgets_escapes(text):
    """An `unless` whose body begins with another one, and in front of it a label or one more brace."""
    for found in LABEL_OR_BLOCK.finditer(text):
        block = found.end() - 1
        if is_unless(text, block) and ":" not in found[0]:
            continue
        outer = block if is_unless(text, block) else inside(text, block)
        if is_unless(text, outer) and is_unless(text, inside(text, outer)):
            return True
    return False


def uses_what_it_sets(text):
    """A receive that sets a variable which it compares, as in `eval(x)`, or by which its channel is chosen."""
    for found in RECEIVE.finditer(text):
        fields = [field.strip(" >") for field in found[2].split(",")]
        used = " ".join([found[1] or "", *re.findall(r"eval\(([^)]*)\)", found[2])])
        sets = {re.split(r"\W", field)[0] for field in fields if not field.startswith("eval")}
        if sets & set(re.findall(r"[A-Za-z_]\w*", used)):
            return True
    return False


def known_fault(text):
    if forgets_escapes(text):
        return "forgets which escape is the outer one"
    return "takes another message" if uses_what_it_sets(text) else None


def spin(model, timeout):
    """(verdict, states, transitions) according to Spin; None where it rejects the model."""
    folder = model.parent
    fault = known_fault(model.read_text(encoding="utf-8"))
    if fault:
        raise NotRunnable(f"Spin {fault}")
    code, output = execute(["spin", "-a", "-o1", "-o2", "-o3", model.name], folder, timeout, "rejected by Spin")
    if code and "jump into d_step" in output:
        raise NotRunnable("jump to a d_step")  # to its beginning: docs/promela.md
    if code:
        return None, output.strip().splitlines()[:1], 0
    code, _ = execute(COMPILE, folder, timeout, "not compilable")
    if code:
        raise NotRunnable("not compilable")
    code, output = execute(["./pan", "-c0", "-n", "-m300000", "-w18"], folder, timeout, "pan did not end")
    errors, states, transitions = (pattern.search(output) for pattern in (ERRORS, STATES, TRANSITIONS))
    if code or not (errors and states and transitions):
        print(f"{model.stem}: pan failed with code {code}: {output.strip().splitlines()[:1]}", file=sys.stderr)
        raise NotRunnable("pan failed")
    if "max search depth too small" in output:
        raise NotRunnable("too deep for pan")
    return ("violated" if int(errors[1]) else "holds"), int(states[1]), int(transitions[1]) - 1


def compare(args, model):
    try:
        verdict, states, transitions = spin(model, args.timeout)
    except NotRunnable as problem:
        return str(problem)
    _, report, _ = check(args.fathom, model, OPTIONS, args.timeout)
    if verdict is None:
        if report["verdict"] != "rejected":
            raise Difference(f"Spin rejects it ({states}), Fathom says {report['verdict']}")
        return "rejected"
    if report["verdict"] != verdict:
        messages = [p.get("message", p["name"]) for p in report["properties"] if p["verdict"] == "violated"]
        messages += [d["message"] for d in report["diagnostics"]]
        raise Difference(f"Spin says {verdict}, Fathom {report['verdict']}: {'; '.join(messages)}")
    ours = report["statistics"]
    if (ours["states"], ours["transitions"]) != (states, transitions):
        raise Difference(f"Spin counts {states} states and {transitions} transitions, "
                         f"Fathom {ours['states']} and {ours['transitions']}")
    return f"equal ({verdict})"


def main():
    args = arguments(__doc__.splitlines()[0]).parse_args()
    if shutil.which("spin") is None:
        print("spin is not installed: apt install spin", file=sys.stderr)
        return 2
    return run_all(args, lambda model: compare(args, Path(model)), generate=program, suffix=".pml")


if __name__ == "__main__":
    sys.exit(main())
