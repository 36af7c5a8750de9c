#!/usr/bin/env python3
"""The sizes of our automata for LTL formulas against those of `spin -f`: ours should have no more states on any formula.

The formulas are the usual property patterns (Dwyer, Avrunin and Corbett, ICSE 1999), what users write most, the
negations of all of these, and random ones. `ltl_sizes` (a target of the unit tests' build) translates ours.
"""
import argparse
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# p is the property, s the response or the second event, q and r the beginning and the end of the scope.
PATTERNS = """
[](!p)
<>r -> (!p U r)
[](q -> [](!p))
[]((q && !r && <>r) -> (!p U r))
[](q && !r -> (!p W r))
<>p
!r W (p && !r)
[](!q) || <>(q && <>p)
[](q && !r -> (!r W (p && !r)))
[](q && !r -> (!r U (p && !r)))
[]p
<>r -> (p U r)
[](q -> []p)
[]((q && !r && <>r) -> (p U r))
[](q && !r -> (p W r))
!p W s
<>r -> (!p U (s || r))
[]!q || <>(q && (!p W s))
[]((q && !r && <>r) -> (!p U (s || r)))
[](q && !r -> (!p W (s || r)))
[](p -> <>s)
<>r -> (p -> (!r U (s && !r))) U r
[](q -> [](p -> <>s))
[]((q && !r && <>r) -> (p -> (!r U (s && !r))) U r)
[](q && !r -> ((p -> (!r U (s && !r))) W r))
<>p -> (!p U (s && !p && X(!p U t)))
[](s && X<>t -> X(<>(t && <>p)))
[](p -> <>(s && X<>t))
(<>(s && X<>t)) -> ((!s) U p)
!p W (p W (!p W (p W []!p)))
""".strip().splitlines()

USUAL = """
[]<>p
<>[]p
p U q
[](p -> <>q)
(p U q) U r
p U (q U r)
[]<>p -> []<>q
<>[]p -> []<>q
[]<>p && []<>q
[]<>p || []<>q
[]<>p && []<>q && []<>r
([]<>p && []<>q) -> []<>r
([]<>p -> []<>q) && []<>r
[](p -> X q)
[](p -> X <>q)
[](p -> (q U r))
[](p -> []q)
<>(p && X q)
[](<>p && <>q)
[](p -> <>(q && <>r))
p U (q && []r)
<>p -> <>q
[]p -> <>q
<>[]p && <>[]q
X(p U q) || []<>r
[](p || X q)
p W q
p V q
[](p -> (p U q)) && []<>r
<>p && <>q
<>p && <>q && <>r
<>(p && <>(q && <>r))
""".strip().splitlines()

UNARY = ["!", "[]", "<>"]  # Debian's Spin is built without X
BINARY = ["&&", "||", "->", "U", "V", "U", "<->"]


def random_formula(rng, size, atoms):
    if size <= 1:
        return rng.choice(atoms)
    if size == 2 or rng.random() < 0.45:
        return f"{rng.choice(UNARY)}({random_formula(rng, size - 1, atoms)})"
    left = rng.randint(1, size - 2)
    operator = rng.choice(BINARY)
    return f"({random_formula(rng, left, atoms)}) {operator} ({random_formula(rng, size - 1 - left, atoms)})"


def without_weak_until(text):
    """Spin 6.5.2 reads W only inside a model; a W b is b V (a || b), innermost first."""
    while True:
        match = re.search(r"\bW\b", text)
        if match is None:
            return text
        begin, left = operand_before(text, match.start())
        end, right = operand_after(text, match.end())
        text = f"{text[:begin]}(({right}) V (({left}) || ({right}))){text[end:]}"


def operand_before(text, at):
    i = at
    while text[i - 1] == " ":
        i -= 1
    begin = i
    depth = 0
    while begin > 0:
        c = text[begin - 1]
        depth += (c == ")") - (c == "(")
        if depth < 0 or (depth == 0 and not (c.isalnum() or c in "!()[]")):
            break
        begin -= 1
    return begin, text[begin:i]


def operand_after(text, at):
    i = at
    while text[i] == " ":
        i += 1
    end = i
    depth = 0
    while end < len(text):
        c = text[end]
        if depth == 0 and (c == ")" or c == " "):
            break
        depth += (c == "(") - (c == ")")
        end += 1
    return end, text[i:end]


def spin_states(formula, timeout):
    """States of Spin's automaton, or None if it gives none in time."""
    try:
        done = subprocess.run(["spin", "-f", without_weak_until(formula)], capture_output=True, text=True, timeout=timeout,
                              check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0 or "never" not in done.stdout:
        return None
    return max(1, len(re.findall(r"^\w+:", done.stdout, re.MULTILINE)))


def our_sizes(tool, formulas):
    done = subprocess.run([tool], input="\n".join(formulas) + "\n", capture_output=True, text=True, timeout=600, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default=str(ROOT / "build" / "release" / "ltl_sizes"))
    parser.add_argument("--count", type=int, default=200, help="number of random formulas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10, help="seconds for Spin on one formula")
    parser.add_argument("--all", action="store_true", help="print a row for every formula, not for the named ones only")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    named = [f for each in PATTERNS + USUAL for f in (each, f"!({each})")]
    formulas = named + [random_formula(rng, rng.randint(3, 12), "pqr") for _ in range(args.count)]
    ours = our_sizes(args.tool, formulas)
    with ThreadPoolExecutor(2) as pool:
        theirs = list(pool.map(lambda f: spin_states(f, args.timeout), formulas))
    print(f"{'ours':>5} {'spin':>5} {'edges':>5}  strength  formula")
    larger, unanswered, sums = [], 0, [0, 0]
    for number, (formula, our, their) in enumerate(zip(formulas, ours, theirs)):
        row = f"{our[0]:>5} {their if their is not None else '-':>5} {our[1]:>5}  {our[2]:<8}  {formula}"
        if args.all or number < len(named):
            print(row)
        if their is None:
            unanswered += 1
            continue
        sums[0] += int(our[0])
        sums[1] += their
        if int(our[0]) > their:
            larger.append(row)
    print(f"{len(formulas)} formulas: ours {sums[0]} states, spin {sums[1]}; spin gave none for {unanswered}; "
          f"ours larger on {len(larger)}")
    for row in larger:
        print("larger:", row)
    return 1 if larger else 0


if __name__ == "__main__":
    sys.exit(main())
