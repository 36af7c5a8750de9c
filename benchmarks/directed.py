#!/usr/bin/env python3
"""Directed searches compared with blind ones on models with a violation.

For each model: expanded states, seconds of the processor, memory and the length of the trace as the search found it (nothing is
shortened), for bfs, dfs, dfs in random order (the median of ten seeds), greedy search, A* and beam search under several
evaluators, and for `fathom hunt`. Then what came of the promises: that A* finds traces as short as bfs and expands no more
states than a blind search that looks at goals in turn (dijkstra), how many times fewer it expands, and whether hunt keeps up with the best.

    benchmarks/directed.py                              all models with a violation: ours, and the suite's if it is there
    benchmarks/directed.py --only '*phils*'             those whose name fits
    benchmarks/directed.py models/distributed/*.m       these files; FILE:OPTIONS adds options, such as -DN=5
    benchmarks/directed.py --csv out.csv --plot out.svg --markdown out.md
    benchmarks/directed.py --searches 'bfs;astar(abstraction())'
    benchmarks/directed.py --searches 'astar(abstraction())' --update out.csv   put what was measured now into an earlier file

A search that was cut off by the time limit or that is not for the model shows `-`.
"""
import argparse
import csv
import fnmatch
import json
import math
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from run_models import expectations  # noqa: E402

SUITE = Path(os.environ.get("FATHOM_SUITE", ROOT.parent / "shared" / "conformance"))
SEEDS = 10
BLIND = ["bfs", "dijkstra", "dfs", "dfs --order random"]
DIRECTED = ["greedy(formula())", "greedy(fsm(sum))", "greedy(most-blocked())", "greedy(useless())", "astar(formula(max))", "astar(fsm())",
            "astar(abstraction())", "beam(formula(), 1000)", "hunt"]
# whole: states of the table of all variables, where abstraction() has made one; it is a search of its own.
FIELDS = ["model", "search", "expanded", "states", "seconds", "megabytes", "trace", "depth", "guarantee", "as_short", "whole"]
KINDS = ("invariant", "assertion", "deadlock")
FEWEST = 30  # a model of which bfs expands fewer states says nothing


# ---- Models

def suite_cases():
    """One case per model of the suite that has a violation of a state: its name, path and options."""
    for language in ("murphi", "promela"):
        table = SUITE / language / "expected.csv"
        if not table.exists():
            continue
        known = set()
        with open(table, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                kinds = row["kind"].split("|")
                if row["verdict"] != "violated" or not any(kind in KINDS for kind in kinds) or row["model"] in known:
                    continue
                known.add(row["model"])
                options = row["options"]
                for unwanted in (r"--search \S+", r"--reduce \S+", r"--max-errors \S+", "--keep-going", "--no-optimise"):
                    options = re.sub(unwanted, "", options)
                yield row["model"], SUITE / language / row["model"], shlex.split(options), kinds


def without_search(options):
    """What a model says of the search that its trace is expected of does not matter here."""
    kept = list(options)
    while "--search" in kept:
        at = kept.index("--search")
        del kept[at:at + 2]
    return kept


def own_cases():
    """The models that say in their first lines that something is violated, with the options they say it for."""
    for path in sorted(ROOT.glob("models/*/*")):
        known = set()
        for expectation, options in expectations(path):
            options = without_search(options)
            special = {"--ltl", "--keep-going", "--mark", "--flows", "--cost", "--goal", "--mu"} & set(options)
            key = " ".join(options)
            kinds = [kind for kind in KINDS if expectation.startswith(f"violated {kind}")]
            if not kinds or special or "goal" in options or key in known:
                continue
            known.add(key)
            yield f"{path.relative_to(ROOT / 'models')} {key}".strip(), path, options, kinds


def aimed(options, kinds):
    """The options that look for nothing but these kinds of violations: a search is directed towards something."""
    kept = re.sub(r"--(property|deadlock) \S+", "", " ".join(map(shlex.quote, options)))
    wanted = {"invariant": ["--property", "invariants"], "assertion": ["--property", "assertions"], "deadlock": ["--property", "deadlock"]}
    more = [word for kind in KINDS if kind in kinds for word in wanted[kind]]
    return shlex.split(kept) + more + ([] if "deadlock" in kinds else ["--deadlock", "off"])


def cases(arguments):
    if arguments.models:
        for given in arguments.models:
            path, _, options = given.partition(":")
            yield Path(path).stem + (f" {options}" if options else ""), Path(path), shlex.split(options)
        return
    for name, path, options, kinds in [*own_cases(), *suite_cases()]:
        if not arguments.only or any(fnmatch.fnmatch(name, pattern) for pattern in arguments.only):
            yield name, path, options if arguments.everything else aimed(options, kinds)


# ---- Runs

def processor_seconds():
    """Of all programs that have ended: they do not depend on who else is busy, and a compiler that was called counts."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(arguments, path, options, search, seed=1):
    """One run with one thread as a row, or None where it ended without a violation."""
    name, _, more = search.partition(" --")
    with tempfile.TemporaryDirectory(prefix="fathom-directed-") as folder:
        report = Path(folder) / "report.json"
        how = ["hunt"] if name == "hunt" else ["check", "--search", name, *shlex.split(f"--{more}" if more else "")]
        command = [arguments.fathom, *how, "--threads", "1", "--shorten", "off", "--seed", str(seed), "--time", arguments.time, "--json", str(report), *options,
                   path.name]
        begin = processor_seconds()
        done = subprocess.run(command, cwd=path.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        elapsed = processor_seconds() - begin
        if done.returncode == 2:
            return None  # an evaluator that has nothing to go by here
        if done.returncode not in (0, 1, 4):
            print(f"{' '.join(command)}\n{done.stderr}", file=sys.stderr)
            return None
        found = json.loads(report.read_text(encoding="utf-8"))
    numbers, trace, engine = found["statistics"], found.get("trace"), found["engine"]
    if trace is None:
        return None
    return {"expanded": engine["interpreted"] + engine["native"], "states": numbers["states"], "seconds": elapsed,
            "megabytes": numbers["store_bytes"] / 1e6, "trace": trace["length"], "depth": numbers["depth"], "guarantee": trace["guarantee"],
            "whole": whole_table(found)}


def whole_table(report):
    """How many states the table of all variables has that was made before the search; 0 if there is none."""
    sizes = [re.search(r"a table of all variables with (\d+) states", each["about"]) for each in report.get("evaluators", [])]
    return sum(int(size.group(1)) for size in sizes if size)


def median_of_seeds(arguments, path, options, search):
    rows = []
    for seed in range(1, SEEDS + 1):
        row = measure(arguments, path, options, search, seed)
        rows += [row] if row else []
        if 2 * (seed - len(rows)) >= SEEDS:
            return None
    return {field: statistics.median(row[field] for row in rows) for field in FIELDS[2:8]} | {"guarantee": "any"}


def rows_of(arguments):
    for name, path, options in cases(arguments):
        first = measure(arguments, path, options, "bfs")
        if first and first["expanded"] < arguments.fewest:
            continue
        for search in arguments.searches:
            run = median_of_seeds if "random" in search else measure
            row = first if search == "bfs" else run(arguments, path, options, search)
            if row and first and row["guarantee"] == "shortest":
                row["as_short"] = row["trace"] == first["trace"] or as_short(arguments, path, options, search)
            yield {"model": name, "search": search, **(row or {})}


def as_short(arguments, path, options, search):
    """Whether both find equally many steps if none is made of several statements: searches count steps, and traces show statements."""
    lengths = [measure(arguments, path, [*options, "--no-optimise"], each)["trace"] for each in ("bfs", search)]
    return lengths[0] == lengths[1]


# ---- What came of it

def kept_rows(path):
    """The rows of an earlier file, as they were measured."""
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if not row["expanded"]:
                yield {"model": row["model"], "search": row["search"]}
                continue
            numbers = {field: float(row[field]) for field in (*FIELDS[2:8], "whole") if row.get(field)}
            yield row | numbers | {"as_short": row["as_short"] == "True" if row["as_short"] else ""}


def updated(kept, measured):
    """The kept rows with those that were measured in their places, new ones behind the others of their model."""
    new = {(row["model"], row["search"]): row for row in measured}
    rows = [new.pop((row["model"], row["search"]), row) for row in kept]
    for (model, _), row in new.items():
        places = [k for k, each in enumerate(rows) if each["model"] == model]
        rows.insert(places[-1] + 1 if places else len(rows), row)
    return rows


def written(row):
    """Numbers as they are kept: whole ones without a point, others in thousandths."""
    return {field: f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else value for field, value in row.items()}


def by_model(rows):
    table = {}
    for row in rows:
        table.setdefault(row["model"], {})[row["search"]] = row if "expanded" in row else None
    return table


def least_expanded(row):
    """By any search that finds a shortest run: its states but the last. A step can show as several statements, and the depth is that of a state
    that was stored, maybe one step beyond."""
    return min(row["trace"], row["depth"] or row["trace"]) - 1


def summary(rows):
    """The promises, as sentences."""
    table = by_model(rows)
    lines = [f"{len(table)} models"]
    for search in sorted({row["search"] for row in rows if row["search"].startswith("astar(")}):
        both = [(found["bfs"], found[search], found.get("dijkstra")) for found in table.values() if found.get("bfs") and found.get(search)]
        longer = sum(not mine["as_short"] for _, mine, _ in both if mine["guarantee"] == "shortest")
        more = sum(blind is not None and mine["expanded"] > blind["expanded"] for _, mine, blind in both if mine["guarantee"] == "shortest")
        fewer = sum(5 * mine["expanded"] <= (blind or bfs)["expanded"] for bfs, mine, blind in both)
        by_whole = sum(5 * mine["expanded"] <= (blind or bfs)["expanded"] and bool(mine.get("whole")) for bfs, mine, blind in both)
        hopeless = sum(5 * least_expanded(mine) > (blind or bfs)["expanded"] for bfs, mine, blind in both)
        lost = sum(bool(found.get("bfs")) and not found.get(search) for found in table.values())
        won = sum(not found.get("bfs") and bool(found.get(search)) for found in table.values())
        lines.append(f"{search}: on {len(both)} models that it and bfs solve, another length {longer} times, more states than dijkstra {more} times, "
                     f"at least 5 times fewer on {fewer}{f' ({by_whole} of these with a table of all variables, which is a search of its own)' if by_whole else ''}, "
                     f"and on {hopeless} nobody could, since the shortest way is that long; {lost} solved by bfs alone, {won} by it alone")
    late = []
    for name, found in table.items():
        times = [row["seconds"] for search, row in found.items() if row and search != "hunt"]
        if "hunt" not in found or not times:
            continue
        if found["hunt"] is None or found["hunt"]["seconds"] > max(10 * min(times), 2.0):
            late.append(f"{name} ({'not found' if found['hunt'] is None else format(found['hunt']['seconds'], '.1f') + ' s'}, best {min(times):.2f} s)")
    if any("hunt" in found for found in table.values()):
        lines.append(f"hunt: later than 10 times the best, or 2 s, on {len(late)} models" + ("".join("\n  " + each for each in late)))
    return "\n".join(lines)


def show(row):
    if "expanded" not in row:
        return f"{row['model']:<44} {row['search']:<24} {'-':>10}"
    return (f"{row['model']:<44} {row['search']:<24} {row['expanded']:>10.0f} {row['states']:>10.0f} {row['seconds']:>8.2f} {row['megabytes']:>9.1f} "
            f"{row['trace']:>6.0f} {row['guarantee']}")


def markdown(rows):
    """Expanded states, and the length of the trace, per model and search."""
    searches = list(dict.fromkeys(row["search"] for row in rows))
    lines = ["| model | " + " | ".join(f"`{search}`" for search in searches) + " |", "| --- |" + " ---: |" * len(searches)]
    for name, found in by_model(rows).items():
        cells = [f"{row['expanded']:,.0f} ({row['trace']:.0f})" if row else "–" for row in (found.get(search) for search in searches)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def plot(rows, path):
    """Expanded states of each search against those of bfs, one point per model, on logarithmic scales, in plain SVG."""
    table = by_model(rows)
    searches = [s for s in dict.fromkeys(row["search"] for row in rows) if s not in ("bfs", "hunt")]
    colours = ["#4a7ebb", "#be4b48", "#98b954", "#7d60a0", "#46aac5", "#f79646", "#2c4d75", "#772c2a", "#5f7530", "#4d3b62", "#276a7c"]
    side, margin = 520, 60
    most = max((row["expanded"] for row in rows if "expanded" in row), default=10)
    scale = side / math.log10(max(most, 10) + 1)
    at = lambda value: scale * math.log10(1 + value)
    parts = [f'<line x1="{margin}" y1="{margin + side}" x2="{margin + side}" y2="{margin}" stroke="#999"/>',
             f'<rect x="{margin}" y="{margin}" width="{side}" height="{side}" fill="none" stroke="#444"/>',
             f'<text x="{margin + side / 2}" y="{margin + side + 40}">states that bfs expands</text>',
             f'<text x="12" y="{margin - 14}">states that the search expands</text>']
    for power in range(1, int(math.log10(most + 1)) + 1):
        parts.append(f'<text x="{margin + at(10**power) - 8:.0f}" y="{margin + side + 16}">1e{power}</text>'
                     f'<text x="20" y="{margin + side - at(10**power) + 4:.0f}">1e{power}</text>')
    for k, search in enumerate(searches):
        colour = colours[k % len(colours)]
        parts.append(f'<circle cx="{margin + side + 20}" cy="{margin + 18 * k}" r="4" fill="{colour}"/>'
                     f'<text x="{margin + side + 30}" y="{margin + 18 * k + 4}">{search}</text>')
        for found in table.values():
            if found.get("bfs") and found.get(search):
                parts.append(f'<circle cx="{margin + at(found["bfs"]["expanded"]):.1f}" cy="{margin + side - at(found[search]["expanded"]):.1f}" r="3" '
                             f'fill="{colour}" fill-opacity="0.7"/>')
    Path(path).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{side + 320}" height="{side + 120}" font-family="sans-serif" '
                          f'font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--only", metavar="GLOB", action="append", help="several add up")
    parser.add_argument("--fathom", default=str(ROOT / "build/release/fathom"))
    parser.add_argument("--time", default="5s", help="limit for each run (default 5s)")
    parser.add_argument("--fewest", type=int, default=FEWEST, help=f"leave out models of which bfs expands fewer states (default {FEWEST})")
    parser.add_argument("--everything", action="store_true", help="look for everything that the model checks, not only for what is known to be violated")
    parser.add_argument("--searches", default=";".join(BLIND + DIRECTED), help="with semicolons between them")
    parser.add_argument("--update", metavar="FILE", help="a file that --csv has written: what is measured now takes its place there, the rest stays")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--markdown", metavar="FILE")
    arguments = parser.parse_args()
    arguments.fathom = str(Path(arguments.fathom).resolve())
    arguments.searches = arguments.searches.split(";")
    rows = []
    print(f"{'model':<44} {'search':<24} {'expanded':>10} {'states':>10} {'seconds':>8} {'megabytes':>9} {'trace':>6}")
    for row in rows_of(arguments):
        rows.append(row)
        print(show(row), flush=True)
    if arguments.update:
        rows = updated(list(kept_rows(arguments.update)), rows)
        arguments.csv = arguments.csv or arguments.update
    print(summary(rows))
    if arguments.csv:
        with open(arguments.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(map(written, rows))
    if arguments.markdown:
        Path(arguments.markdown).write_text(markdown(rows), encoding="utf-8")
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
