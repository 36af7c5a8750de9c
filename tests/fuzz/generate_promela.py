#!/usr/bin/env python3
"""Print a random Promela program: small, finite, accepted by Spin, without run-time errors but with failed assertions and
bad end states now and then.

    generate_promela.py --seed 7              one program
    generate_promela.py --coverage 1000       how often each construct occurs in the programs of seeds 1 to 1000
"""
import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from promela_program import Program  # noqa: E402

# What the programs together must contain; --coverage fails when one of these never occurs.
CONSTRUCTS = """
active; active array; array of channels; array; assert; assignment; atomic; bit; block; bool; break; buffered channel;
byte; c?<>; c??; c??[]; c?[]; c!!; channel in a message; channel parameter; channel variable; conditional; copy random;
d_step; declaration between statements; do; else; empty; end label; enabled; eval; expression; for; for in array;
for in channel; full; goto; hidden; if; increment; init; inline; int; jump out of atomic; len; local; mtype; nempty;
nested unless; nfull; pid; printf; process count; provided; receive; remote label;
rendezvous channel; run; run in a loop; run parameter; select; select stepwise; send; short; skip; structure;
structure message; timeout; unless; unsigned; wildcard; priority; run with a priority; set_priority; get_priority;
_priority; D_proctype
"""


def program(seed):
    return Program(seed).generate()


def coverage(count):
    total = Counter()
    for seed in range(1, count + 1):
        generator = Program(seed)
        generator.generate()
        total.update(generator.used)
    wanted = {name.strip() for name in CONSTRUCTS.replace("\n", " ").split(";")}
    for name in sorted(wanted | set(total)):
        print(f"{total[name]:8}  {name}")
    missing = sorted(name for name in wanted if not total[name])
    print(f"{len(wanted) - len(missing)} of {len(wanted)} constructs occur" + (f"; never: {', '.join(missing)}" if missing else ""))
    return 1 if missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coverage", type=int, metavar="N", help="count constructs over N programs")
    args = parser.parse_args()
    if args.coverage:
        return coverage(args.coverage)
    print(program(args.seed), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
