#!/usr/bin/env python3
"""Check that includes between the folders of src/ point one way.

Each folder names the folders it may include; what those may include is not inherited. Anything else is an error, also a
folder that is not listed here: a new one has to take its place in the order.
"""
import re
import sys
from pathlib import Path

BASE = {"support", "state", "ir"}
ENGINE = BASE | {"analysis", "model"}
PARTS = ENGINE | {"store", "open", "reduction", "heuristic", "property"}
ALLOWED = {
    "support": set(),
    "ir": {"support"},
    "lang": {"support", "ir"},
    "state": {"support", "ir"},
    "analysis": BASE,
    "native": BASE | {"analysis"},
    "model": BASE | {"analysis", "native"},
    "store": BASE | {"model"},
    "open": BASE | {"model"},
    "reduction": ENGINE | {"store"},
    "heuristic": ENGINE | {"native", "store", "open"},
    "property": ENGINE | {"store", "reduction"},
    "search": PARTS,
    "trace": PARTS | {"search"},
    "report": PARTS | {"search", "trace"},
    "cli": PARTS | {"search", "trace", "report", "lang", "native"},
}
# Interfaces that a lower folder may name although their folder stands above it.
CONTRACTS = {("native", "model/model_abi.h"), ("reduction", "search/search.hpp"), ("property", "search/search.hpp")}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def check(src):
    """One line for each include that breaks the order."""
    for path in sorted(src.rglob("*")):
        if path.suffix not in {".cpp", ".hpp", ".h"}:
            continue
        relative = path.relative_to(src)
        folder = relative.parts[0]
        if folder not in ALLOWED:
            yield f"{relative}: folder {folder} has no place in the order (tests/check_includes.py)"
            continue
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = include.split("/")[0]
            if "/" not in include or target == folder:
                continue
            if target not in ALLOWED[folder] and (folder, include) not in CONTRACTS:
                yield f"{relative}: {folder} must not include {include}"


def main():
    src = Path(__file__).resolve().parent.parent / "src"
    problems = list(check(src))
    for problem in problems:
        print(problem)
    print(f"include order: {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
