#!/usr/bin/env python3
"""Compare Murphi's `liveness` properties with the formula of the μ-calculus that says the same, on models that have one.

The property is decided by a search backwards over the finished graph, the formula by a game: nothing is shared.
"""
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from common import Difference, ROOT, arguments, check

FORMULA = "nu X. ([true]X && mu Y. ({%s} || <true>Y))"
RULESET = re.compile(r"ruleset\s+(\w+)\s*:\s*([\w. ]+?)\s+do\s+(?:--[^\n]*\s+)*liveness", re.IGNORECASE)
LIVENESS = re.compile(r'^\s*liveness\s*(?:"[^"]*")?\s*(.*?)\s*(?:;|^end\b|\Z)', re.IGNORECASE | re.DOTALL | re.MULTILINE)
SUITE = ROOT.parent / "shared" / "conformance" / "murphi"  # may lie beside the checkout


def formula_of(text):
    """The formula for the first liveness property, or None."""
    found = LIVENESS.search(text)
    if not found:
        return None
    formula = FORMULA % " ".join(re.sub(r"--[^\n]*", "", found[1]).split())
    around = RULESET.search(text)
    return f"forall {around[1]}: {around[2].replace(' ', '')}. {formula}" if around else formula


def verdict_of(report, kind):
    verdicts = [entry["verdict"] for entry in report["properties"] if entry["kind"] == kind]
    if "violated" in verdicts:
        return "violated"
    return verdicts[0] if verdicts else "missing"


def compare(args, model):
    formula = formula_of(model.read_text(encoding="utf-8"))
    code, report, _ = check(args.fathom, model, ["--property", "liveness"], args.timeout)
    if formula is None or code == 3:
        return "skipped"
    wanted = verdict_of(report, "liveness")
    code, report, _ = check(args.fathom, model, ["--property", "mu", "--mu", formula], args.timeout)
    if code == 3:
        raise Difference(f"{formula} is rejected: {report['diagnostics'][0]['message']}")
    found = verdict_of(report, "mu")
    if found != wanted:
        raise Difference(f"liveness says {wanted}, {formula} says {found}")
    return found


def main():
    args = arguments(__doc__.splitlines()[0]).parse_args()
    folders = [ROOT / "tests" / "models", ROOT / "models", SUITE]
    models = [path for folder in folders for path in sorted(folder.rglob("*.m"))
              if re.search(r"^\s*liveness\b", path.read_text(encoding="utf-8", errors="replace"), re.I | re.M)]
    failures, tally = 0, {}
    with ThreadPoolExecutor(args.jobs) as pool:
        for model, job in [(model, pool.submit(compare, args, model)) for model in models]:
            try:
                word = job.result()
                tally[word] = tally.get(word, 0) + 1
            except Difference as difference:
                failures += 1
                print(f"{model.name}: {difference}")
    print(f"{len(models)} models with liveness: " + ", ".join(f"{count} {word}" for word, count in sorted(tally.items()))
          + f", {failures} differ")
    return 1 if failures or set(tally) <= {"skipped"} else 0


if __name__ == "__main__":
    sys.exit(main())
