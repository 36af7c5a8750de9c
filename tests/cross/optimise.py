#!/usr/bin/env python3
"""Compare verdicts with and without `--no-optimise` on random Promela programs, property by property.

The programs mix statements that can be merged with all that must keep them apart: globals, both kinds of channels, else,
atomic, labels that properties see, and formulas; values that are read again with such that are not; and variables that
are read with such that are only written. Traces are made, so that each is executed as the model is written, too.
"""
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import Difference, arguments, check

PROPERTIES = ("assertions", "deadlock", "ltl:often", "ltl:later", "non-progress")
HEAD = """typedef Pair { byte a; byte b };
byte g, h, statistics, seldom;
chan q = [1] of { byte };
chan pairs = [1] of { byte, byte };
"""
TAIL = """proctype Child(byte given; byte kept) {
  byte own = given;
  if :: own > 1 -> g = own % 3 :: else -> own = kept; h = own % 3 fi
}
ltl often { [] <> (g == 1) }
ltl later { [] (g == 1 -> <> (h == 1 || P@here)) }
"""


class Generator:
    """Builds one program; the same seed gives the same one."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0

    def program(self):
        # Beside a rendezvous an else can keep everything apart, so most programs have none.
        capacity = self.random.choice((0, 1, 2))
        channel = f"chan r = [{capacity}] of {{ byte }};\n"
        here = self.process("P", "here: x = 1")
        return HEAD + channel + here + self.process("Q", "y = 1") + TAIL

    def process(self, name, landmark):
        body = self.sequence(2, 4) + [landmark] + self.sequence(2, 4)
        given = self.random.choice(("", " = 2"))
        own = f"byte x, y{given}, z{given}, a[2]; Pair m, n;"
        return f"active proctype {name}() {{\n  {own}\n  {self.join(body)}\n}}\n"

    @staticmethod
    def join(statements):
        return ";\n  ".join(statements)

    def sequence(self, depth, most):
        return [self.statement(depth) for _ in range(self.random.randint(1, most))]

    def statement(self, depth):
        pick = self.random.random()
        if depth == 0 or pick < 0.45:
            return self.own()
        if pick < 0.75:
            return self.shared()
        body = self.join(self.sequence(depth - 1, 2))
        other = self.join(self.sequence(depth - 1, 2))
        return self.random.choice((
            f"if :: {self.condition()} -> {body} :: else -> {other} fi",
            f"if :: {self.shared()}; {body} :: else -> {other} fi",
            f"do :: {self.condition()} -> {body} :: else -> break od",
            f"do :: {body} :: break od",
            f"atomic {{ skip; {body}; {other} }}",
            f"{{ skip; {body}; {other} }} unless {{ g == 2 }}",
            f"d_step {{ skip; {self.join(self.plain() for _ in range(2))} }}",
            f"for (z : 0 .. 1) {{ {body} }}",
        ))

    def own(self):
        return self.random.choice((
            "x = (y + 1) % 3", "y = (x + 1) % 2", "x = 0", "y++; y = y % 3", "skip", "assert(x < 3)", "assert(y < 2)",
            self.label() + "x = 1 - x % 2", self.fresh_variable(), "z = y", "select (z : 0 .. 2)", "m.a = x % 3",
            "n.b = m.a", "x = n.b", "m.b = m.a; n.a = m.b", "a[1] = x", "y = a[1] % 2", "a[z % 2] = y % 2",
            "statistics++", "seldom = statistics", 'printf("%d\\n", z)', "assert(n.a < 3)"))

    def fresh_variable(self):
        self.labels += 1
        name = f"w{self.labels}"
        return f"byte {name}; {name} = x; y = {name} % 3"

    def plain(self):
        return self.random.choice(("x = y % 2", "y = 1", "z = x", "g = z % 3", "statistics = g", "m.a = 1", "x = m.a"))

    def label(self):
        self.labels += 1
        return f"{self.random.choice(('progress', 'end', 'plain'))}{self.labels}: "

    def condition(self):
        return self.random.choice(("x < 2", "y == 1", "x == y", "g == 1", "h < 2", "z == 1", "m.a == 1", "n.b < 2"))

    def shared(self):
        return self.random.choice((
            "g = x % 3", "h = y % 3", "g = 1", "x = g", "y = h", "g == 1", "h != 2", "q!x", "q?y", "r!y", "r?x",
            "assert(g != 2 || h != 1)", "q?[1]", "pairs!m.a,m.b", "pairs?n.a,n.b", "pairs?n.a,eval(n.b)", "pairs?z,_",
            "q?statistics", "q?<z>", "Q:y == 0", "run Child(x % 3, z % 2)", "seldom = g; h = z % 3"))


def verdict(args, model, options):
    _, report, _ = check(args.fathom, model, [*options, "--time", "10s"], args.timeout)
    return report["verdict"]


def compare(args, seed):
    """One word per property for the tally."""
    with tempfile.TemporaryDirectory(prefix="fathom-cross-") as folder:
        model = Path(folder) / f"random{seed}.pml"
        model.write_text(Generator(seed).program(), encoding="utf-8")
        words = []
        for name in PROPERTIES:
            options = ["--property", name] + (["--fair"] if ":" in name and seed % 2 else [])
            plain = verdict(args, model, [*options, "--no-optimise"])
            optimised = verdict(args, model, options)
            if "inconclusive" in (plain, optimised):
                words.append("no answer in time")
                continue
            if plain != optimised:
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    (args.keep / model.name).write_text(model.read_text(encoding="utf-8"), encoding="utf-8")
                raise Difference(f"{' '.join(options)}: {plain} becomes {optimised}")
            words.append(plain)
        return words


def main():
    parser = arguments(__doc__.splitlines()[0])
    parser.set_defaults(count=60)
    args = parser.parse_args()
    tally, failures = Counter(), 0

    def one(seed):
        try:
            return compare(args, seed), None
        except Difference as difference:
            return [], f"seed {seed}: {difference}"

    with ThreadPoolExecutor(args.jobs) as pool:
        for words, failure in pool.map(one, range(args.first, args.first + args.count)):
            tally.update(words)
            if failure:
                failures += 1
                print(failure)
    print(f"{args.count} programs, {failures} differences; verdicts: {dict(tally)}")
    return 1 if failures or len(tally) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
