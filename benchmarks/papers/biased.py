#!/usr/bin/env python3
"""Biased searches on the cache coherence protocols of the paper that introduced them.

Repeats the experiments of Talupur and Han, Biased Model Checking Using Flows (2011): Tables 1 and 2 on German's protocol and
Flash with seeded bugs, Table 3 on the interface between a core and a ring, and the remark that biased-dfs hardly depends on
the order of the rules. The paper's bugs are not public; ours are as deep. Lengths are those the searches found, without
the shortening of traces that Fathom does afterwards.

    benchmarks/papers/biased.py                 all of it, about fifteen minutes
    benchmarks/papers/biased.py --quick         a minute, to see that it works

Times are processor seconds of the whole process, with the interpreter in Tables 1 and 2 and native code in Table 3.

The marks of Tables 1 and 2 are the paper's. For the interface between a core and a ring they come from a flow file
(models/coherence/core_ring_interface.flows: all rules of the two transactions that inclusion is about, but for those with
which they begin); `four` are four rules alone, as the paper has them. A fifth bug in German's protocol, which shared
copies are needed for, is there to show that marks for one flow do little where another one matters.

How to read this: the models of Tables 1 to 3 are also those on which the defaults were chosen. Of biased-bfs, where the
reduced search begins, which states come first and how many of which kind (seven variants, and limits from 1 to 100), and
that the rest of a level is looked through for a shorter trace; of biased-dfs, the threshold
(1, 2, 3, 4, 75%, 90% and 100%, and switch-on-marked). On these models the results are a description and no test of the
defaults. The table of other models is the test: nothing was changed after it was seen. The table of thresholds shows how
much of biased-dfs is due to marks.
"""
import argparse
import csv
import json
import math
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"

GERMAN = {"model": "coherence/german", "property": "CtrlProp", "bugs": (1, 2, 3, 4), "marks": "RecvReqE,SendGntE,RecvGntE",
          "more": "RecvReqE,SendGntE,RecvGntE,RecvReqS,SendGntS,RecvGntS"}
FLASH = {"model": "coherence/flash", "property": "CacheStateProp", "bugs": (1, 2, 3), "marks": "ni_local_getx_putx,ni_remote_putx",
         "more": "ni_local_getx_putx,ni_remote_putx,ni_local_get_put,ni_remote_put"}
RING = {"model": "coherence/core_ring_interface", "property": "inclusion", "flows": "coherence/core_ring_interface.flows",
        "four": "l2_fill,l1_install,l1_back_invalidate,l2_drop"}
RING_SIZES = ["L2Ways=1", "Addresses=3 L2Ways=2 SnoopSlots=1", "Addresses=3 L2Ways=2", "Addresses=4 L2Ways=3 SnoopSlots=1"]

# Name of the column, search, and the key of the marks it gets.
COLUMNS = [("bfs", "bfs", None), ("bbfs", "biased-bfs", "marks"), ("bbfs auto", "biased-bfs", "auto"), ("dfs", "dfs", None),
           ("bdfs", "biased-dfs", "marks"), ("bdfs more", "biased-dfs", "more"), ("bdfs auto", "biased-dfs", "auto"),
           ("greedy", "greedy(h=marked)", "marks"), ("astar", "astar(h=marked)", "marks")]
FIFTH_COLUMNS = [("bfs", "bfs", None), ("bbfs", "biased-bfs", "marks"), ("bbfs more", "biased-bfs", "more"),
                 ("bbfs auto", "biased-bfs", "auto")]
RING_COLUMNS = [("bfs", "bfs", None), ("bbfs", "biased-bfs", "flows"), ("bbfs four", "biased-bfs", "four"),
                ("bbfs auto", "biased-bfs", "auto"), ("dfs", "dfs", None)]
# Every other model in the tree with a seeded bug that breaks an invariant.
OTHERS = [({"model": "coherence/msi_early_grant_bug", "property": "single writer"}, [""]),
          ({"model": "mutex/ticket_lock_bug", "property": "mutual exclusion"}, [""]),
          ({"model": "deep/boot_loader", "property": "a running image is intact"}, ["Bug=1"]),
          ({"model": "deep/log_compactor", "property": "a deleted key stays deleted"}, ["Bug=1"]),
          ({"model": "deep/transaction_manager", "property": "a report sees one moment"}, ["Bug=1"]),
          ({"model": "deep/usb_hub", "property": "every device has its own address"}, ["Bug=1"]),
          ({"model": "deep/window_protocol", "property": "the sender waits for the receiver"}, ["Bug=1"])]
THRESHOLDS = [("context", "context-bounded(1000)", None)] + [
    (share, f"biased-dfs(threshold={share})", "marks") for share in ("100%", "75%", "50%", "2")]
OTHER_COLUMNS = [("bfs", "bfs", None), ("bbfs auto", "biased-bfs", "auto"), ("dfs", "dfs", None),
                 ("bdfs auto", "biased-dfs", "auto"), ("context", "context-bounded(1000)", None)]
ORDERED = [("dfs", "dfs", None), ("bdfs", "biased-dfs", "marks"), ("bdfs auto", "biased-dfs", "auto"),
           ("bbfs", "biased-bfs", "marks")]
ORDERS = [("declared", 1), ("reverse", 1)] + [("random", seed) for seed in range(1, 11)]


class Runner:
    def __init__(self, fathom, limit):
        self.fathom, self.limit = fathom, limit
        self.folder = tempfile.TemporaryDirectory(prefix="fathom-biased-")

    def run(self, family, definitions, search, marks, order=("declared", 1), engine="interpret", limit=None, shorten="off"):
        report = Path(self.folder.name) / "report.json"
        report.unlink(missing_ok=True)
        command = [self.fathom, "check", "--engine", engine, "--shorten", shorten, "--trace", "off", "--search", search, "--order",
                   order[0], "--seed", str(order[1]), "--property", f"invariant:{family['property']}", "--time",
                   f"{limit or self.limit}s", "--json", str(report)]
        if marks == "flows":
            command += ["--flows", str(MODELS / family["flows"])]
        elif marks:
            command += ["--mark", family.get(marks, marks)]
        command += [word for definition in definitions.split() for word in ("-D", definition)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, str(MODELS / f"{family['model']}.m")], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not report.exists():
            sys.exit(f"no report from {shlex.join(command)}\n{done.stderr.decode()}")
        result = json.loads(report.read_text(encoding="utf-8"))
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        trace = result["trace"] or {"found_length": None, "length": None}
        return {"length": trace["found_length"], "shortened": trace["length"], "states": result["statistics"]["states"],
                "seconds": seconds}


class Output:
    """Text that is printed and kept, and rows for the CSV files."""

    def __init__(self, folder):
        self.folder, self.file, self.rows = folder, open(folder / "biased.txt", "w", encoding="utf-8"), {}

    def say(self, text=""):
        print(text, flush=True)
        self.file.write(text + "\n")

    def keep(self, name, **row):
        self.rows.setdefault(name, []).append(row)

    def close(self):
        self.file.close()
        for name, rows in self.rows.items():
            with open(self.folder / f"biased-{name}.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


def cell(result):
    return f" {result['length']}/{result['seconds']:.2f}" if result["length"] is not None else f"-/{result['seconds']:.0f}"


def table(runner, out, title, family, cases, columns, engine="interpret"):
    """One row per case: length/seconds of every search, then states. {(case, column): result}"""
    out.say(f"\n{title}\n")
    names = [name for name, _, _ in columns]
    out.say(f"{'':<34}" + "".join(f"{name:>12}" for name in names) + "   states:" + "".join(f"{name:>10}" for name in names))
    results = {}
    for case in cases:
        for name, search, marks in columns:
            result = runner.run(family, case, search, marks, engine=engine)
            results[case, name] = result
            out.keep("tables", model=family["model"], case=case, search=search, marks=marks or "", length=result["length"],
                     states=result["states"], seconds=f"{result['seconds']:.3f}")
        row = [results[case, name] for name in names]
        out.say(f"{case:<34}" + "".join(f"{cell(result):>12}" for result in row) + "          "
                + "".join(f"{result['states']:>10,}" for result in row))
    return results


def spread(runner, out, families, nodes, limit):
    """How much the number of states depends on the order of rules. {(model, case, column): [result]}"""
    out.say(f"\nRule orders: declared, reverse, ten random ones; states at the violation (least, median, most, most/least), "
            f"and runs that took more than {limit} s\n")
    results = {}
    for family in families:
        short = family["model"].split("/")[1]
        for bug in family["bugs"]:
            case = f"Bug={bug} Nodes={nodes}"
            for name, search, marks in ORDERED:
                runs = [runner.run(family, case, search, marks, order, limit=limit) for order in ORDERS]
                results[short, case, name] = runs
                states = [run["states"] for run in runs]
                late = sum(run["length"] is None for run in runs)
                for order, run in zip(ORDERS, runs):
                    out.keep("orders", model=family["model"], case=case, search=search, marks=marks or "", order=order[0],
                             seed=order[1], length=run["length"], states=run["states"], seconds=f"{run['seconds']:.3f}")
                out.say(f"{short:<8}{case:<18}{name:<12}{min(states):>10,}{statistics.median(states):>12,.0f}"
                        f"{max(states):>10,}{max(states) / min(states):>10.1f}" + (f"   {late} cut" if late else ""))
    return results


def judge(runner, out, german, flash, ring, orders):
    """The claims of the paper, as far as our models can bear them out."""
    both = {**{("german", *key): value for key, value in german.items()},
            **{("flash", *key): value for key, value in flash.items()}}
    cases = sorted({key[:2] for key in both})
    everything = {**both, **{("ring", *key): value for key, value in ring.items()}}
    all_cases = sorted({key[:2] for key in everything})

    def check(claim, failures):
        out.say(f"{'holds' if not failures else 'FAILS'}: {claim}" + (f" (not for {'; '.join(failures)})" if failures else ""))

    out.say("\nClaims\n")
    for column in ("bbfs", "bbfs auto"):
        longer = [(m, c) for m, c in all_cases if everything[m, c, column]["length"] != everything[m, c, "bfs"]["length"]]
        check(f"{column} finds a shortest trace",
              [f"{m} {c}: {everything[m, c, column]['length']} instead of {everything[m, c, 'bfs']['length']}"
               for m, c in longer])
        family = {"german": GERMAN, "flash": FLASH, "ring": RING}
        shortened = {(m, c): runner.run(family[m], c, "biased-bfs", "auto" if column.endswith("auto") else
                                        "flows" if m == "ring" else "marks", shorten="10%")["shortened"] for m, c in longer}
        check(f"{column} reports a shortest trace, after the shortening that is the default",
              [f"{m} {c}: {length}" for (m, c), length in shortened.items()
               if length != everything[m, c, "bfs"]["length"]])
        deep = [(m, c) for m, c in all_cases if everything[m, c, "bfs"]["length"] >= 12]
        check(f"{column} visits at most half the states of bfs where the bug is 12 or more steps deep",
              [f"{m} {c}: {everything[m, c, 'bfs']['states'] / everything[m, c, column]['states']:.2f} times fewer"
               for m, c in deep if 2 * everything[m, c, column]["states"] > everything[m, c, "bfs"]["states"]])
    for column in ("bdfs", "bdfs auto"):
        check(f"{column} takes less than 0.2 s",
              [f"{m} {c}: {both[m, c, column]['seconds']:.2f} s" for m, c in cases
               if both[m, c, column]["length"] is None or both[m, c, column]["seconds"] >= 0.2])
    unmoved = [f"{m} {c}" for m, c in cases
               if len({both[m, c, name]["states"] for name in ("bdfs", "bdfs more", "bdfs auto")}) == 1]
    check("marks make a difference to bdfs at its default threshold, so that what is said of it is not about context "
          "bounding alone", unmoved)
    for column in ("bdfs", "bdfs auto"):
        def ratio(model, case, name):
            states = [run["states"] for run in orders[model, case, name]]
            return max(states) / min(states)
        ordered = sorted({key[:2] for key in orders})
        check(f"{column} varies less than fivefold over rule orders, and dfs more than {column}",
              [f"{m} {c}: {ratio(m, c, column):.1f}, dfs {ratio(m, c, 'dfs'):.1f}" for m, c in ordered
               if ratio(m, c, column) >= 5 or ratio(m, c, "dfs") <= ratio(m, c, column)])


def plot(german, flash, orders, path):
    """States on a logarithmic scale: breadth-first searches per bug, and the spread over rule orders."""
    parts, left, height, most = [], 60, 240, 6

    def y(states, top):
        return top + height * (1 - math.log10(max(1, states)) / most)

    def axis(title, top, width):
        parts.append(f'<text x="{left}" y="{top - 12}" font-size="14">{title}</text>')
        for power in range(most + 1):
            line = y(10 ** power, top)
            parts.append(f'<line x1="{left}" x2="{width}" y1="{line}" y2="{line}" stroke="#ddd"/>'
                         f'<text x="{left - 8}" y="{line + 4}" text-anchor="end">{10 ** power:,}</text>')

    colours = {"bfs": "#8fb3d9", "bbfs": "#1f4e79", "bbfs auto": "#d98f3a", "dfs": "#8fb3d9", "bdfs": "#1f4e79",
               "bdfs auto": "#d98f3a"}
    cases = [("german", case) for case in dict.fromkeys(key[0] for key in german)]
    cases += [("flash", case) for case in dict.fromkeys(key[0] for key in flash)]
    width = left + 46 * len(cases) + 40
    axis("States until the bug is found: bfs (light), biased-bfs (dark), biased-bfs with automatic marks (orange)", 40, width)
    for k, (model, case) in enumerate(cases):
        for n, name in enumerate(("bfs", "bbfs", "bbfs auto")):
            top = y((german if model == "german" else flash)[case, name]["states"], 40)
            parts.append(f'<rect x="{left + 10 + 46 * k + 12 * n}" y="{top}" width="11" height="{40 + height - top}" '
                         f'fill="{colours[name]}"/>')
        label = case.replace("Bug=", "").replace(" Nodes=", "/")
        parts.append(f'<text x="{left + 28 + 46 * k}" y="{54 + height}" text-anchor="middle">{model[0].upper()} {label}</text>')
    second = height + 120
    axis("States over twelve rule orders: dfs (light), biased-dfs (dark), with automatic marks (orange)", second, width)
    for k, (model, case) in enumerate(dict.fromkeys(key[:2] for key in orders)):
        for n, name in enumerate(("dfs", "bdfs", "bdfs auto")):
            x = left + 20 + 90 * k + 24 * n
            for run in orders[model, case, name]:
                parts.append(f'<circle cx="{x}" cy="{y(run["states"], second)}" r="3" fill="{colours[name]}" '
                             f'fill-opacity="0.6"/>')
        parts.append(f'<text x="{left + 44 + 90 * k}" y="{second + height + 16}" text-anchor="middle">{model} {case}</text>')
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{second + height + 40}" '
                    'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--quick", action="store_true", help="small models and short limits")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "papers" / "results")
    args = parser.parse_args()

    runner = Runner(os.path.abspath(args.fathom), 10 if args.quick else args.limit)
    args.results.mkdir(parents=True, exist_ok=True)
    out = Output(args.results)
    nodes = (4,) if args.quick else (4, 5, 6)

    def cases(family):
        return [f"Bug={bug} Nodes={n}" for bug in family["bugs"] for n in nodes]

    german = table(runner, out, "Table 1: German's protocol, length/seconds", GERMAN, cases(GERMAN), COLUMNS)
    flash = table(runner, out, "Table 2: Flash, length/seconds", FLASH, cases(FLASH), COLUMNS)
    ring = table(runner, out, "Table 3: core ring interface, length/seconds", RING,
          [f"Bug=1 {size}" for size in (RING_SIZES[:1] if args.quick else RING_SIZES)], RING_COLUMNS, "native")
    table(runner, out, "Another bug in German's protocol, with the marks of Table 1 and with those for shared copies as well",
          GERMAN, [f"Bug=5 Nodes={n}" for n in nodes], FIFTH_COLUMNS)
    for family in (GERMAN, FLASH):
        table(runner, out, f"Thresholds of biased-dfs, and context-bounded search: {family['model']}, length/seconds", family,
              cases(family), THRESHOLDS)
    for family, definitions in OTHERS[:2] if args.quick else OTHERS:
        table(runner, out, f"A model that played no part in choosing defaults: {family['model']}, length/seconds", family,
              definitions, OTHER_COLUMNS)
    orders = spread(runner, out, (GERMAN, FLASH), 4, 2 if args.quick else 10)
    judge(runner, out, german, flash, ring, orders)
    out.close()
    plot(german, flash, orders, args.results / "biased.svg")


if __name__ == "__main__":
    main()
