#!/usr/bin/env python3
"""Print a random Murphi program: small, finite, correct in type, with run-time faults now and then.

    generate.py --seed 7              one program that may use the whole language
    generate.py --seed 7 --common     one that Rumur accepts as well
    generate.py --coverage 1000       how often each construct occurs in the programs of seeds 1 to 1000
"""
import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_program import Program  # noqa: E402

# What the programs together must contain; --coverage fails when one of these never occurs.
CONSTRUCTS = """
assert; assignment; assignment of aggregates; alias rule; alias statement; assume; assume statement; choose; clear;
comparison of aggregates; const; constant; cover; cover statement; element; else; elsif; error; exists; field; for;
for over a scalarset; forall; function; function call; hexadecimal literal; if; invariant; ismember; isundefined;
liveness; local variable; MultiSetAdd; MultiSetCount; MultiSetRemove; MultiSetRemovePred; priority; procedure;
procedure call; property in a ruleset; put; quantifier over a range; quantifier over scalarset; quantifier over union;
quantifier over enum; quantifier over boolean; quantifier over range; recursion; return from a rule; rule; ruleset;
several quantifiers; startstate; startstate in a ruleset; switch; type array; type enum; type range; type record;
type scalarset; type union; undefine; undefined; unicode operator; value parameter; var parameter; variable multiset;
while; operator +; operator -; operator *; operator /; operator %; operator ~; operator =; operator ==; operator !=;
operator <; operator <=; operator >; operator >=; operator !; operator &; operator |; operator ->; operator &&;
operator ||; operator ?:; bitwise &; bitwise |; bitwise ^; bitwise <<; bitwise >>
"""


def program(seed, common=False):
    return Program(seed, common).generate()


def coverage(count, common):
    total = Counter()
    for seed in range(1, count + 1):
        generator = Program(seed, common)
        generator.generate()
        total.update(generator.used)
    wanted = {name.strip() for name in CONSTRUCTS.replace("\n", " ").split(";")}
    for name in sorted(wanted | set(total)):
        print(f"{total[name]:8}  {name}")
    missing = sorted(name for name in wanted if not total[name])
    print(f"{len(wanted) - len(missing)} of {len(wanted)} constructs occur" + (f"; never: {', '.join(missing)}" if missing else ""))
    return 1 if missing and not common else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--common", action="store_true", help="only what Rumur accepts as well")
    parser.add_argument("--coverage", type=int, metavar="N", help="count constructs over N programs")
    args = parser.parse_args()
    if args.coverage:
        return coverage(args.coverage, args.common)
    print(program(args.seed, args.common), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
