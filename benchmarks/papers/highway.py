#!/usr/bin/env python3
"""Breadth-bounded search on the protocols of the paper that introduced it.

Repeats the experiments of Meulen, Stappers and Willemse, Breadth-Bounded Model Checking (2010): Table 1 and Fig. 3 on the
alternating bit protocol and its concurrent relative, Fig. 4 on German's cache coherence protocol with three clients,
Fig. 5 on lifts for trucks with graceful degradation. The paper's sources of the last two are not public; ours are models of
the same systems.

    benchmarks/papers/highway.py                     all of it
    benchmarks/papers/highway.py --repeat 10         fewer runs for each number
    benchmarks/papers/highway.py --only abp,german   the rows of the others stay as they are in the results

`fathom graph` writes the part of the model that a search kept, and this script looks for the witness in it, so that nothing
here rests on how Fathom itself decides such properties. A size is the mean number of states that were kept, over the number
that a breadth-first search needs at least: the shortest beginning of its order of states that contains a witness.

`lanes` is Algorithm 2 as its text describes it, and the default of Fathom: every lane goes on, so of every state that has new
successors one of those is kept. `printed` is its listing: of a state whose successors are all new one is kept. On the concurrent
protocol the two differ, and the paper's numbers are those of the first: there nearly every state can fall back into one that
was visited (a line loses its frame), so that the listing asks for nothing and lanes end. On the simple protocol they are the
same.
"""
import argparse
import csv
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"
EDGE = re.compile(r'\((\d+),"(.*)",(\d+)\)')


# ---- Structures and the witnesses in them.

class Structure:
    """The states 0..size-1 with their edges (label, target), numbered in the order in which a search kept them."""

    def __init__(self, text):
        lines = text.splitlines()
        self.first, _, self.size = map(int, re.fullmatch(r"des \((\d+),(\d+),(\d+)\)", lines[0]).groups())
        self.edges = [[] for _ in range(self.size)]
        for line in lines[1:]:
            source, label, target = EDGE.fullmatch(line).groups()
            self.edges[int(source)].append((label, int(target)))

    def beginning(self, size):
        """The part made of its first states."""
        part = object.__new__(Structure)
        part.first, part.size = self.first, size
        part.edges = [[(label, target) for label, target in self.edges[state] if target < size] for state in range(size)]
        return part

    def reached(self, allowed=lambda label: True):
        """Every edge that can be met from the first state by allowed ones."""
        seen, open_states = {self.first}, [self.first]
        while open_states:
            state = open_states.pop()
            for label, target in self.edges[state]:
                yield state, label, target
                if allowed(label) and target not in seen:
                    seen.add(target)
                    open_states.append(target)

    def has_lasso(self, starts, avoided):
        """Whether an infinite run begins in one of the states and meets none of the avoided labels."""
        finished, path = set(), set()
        for start in starts:
            stack = [] if start in finished else [self.entered(start, avoided, path)]
            while stack:
                state, targets = stack[-1]
                target = next((t for t in targets if t not in finished), None)
                if target is None:
                    stack.pop()
                    path.discard(state)
                    finished.add(state)
                elif target in path:
                    return True
                else:
                    stack.append(self.entered(target, avoided, path))
        return False

    def entered(self, state, avoided, path):
        path.add(state)
        return state, iter([target for label, target in self.edges[state] if label not in avoided])


def never_answered(requests):
    """requests: for a label the sets of labels that must not be met after it."""
    def holds(structure):
        after = defaultdict(set)
        for _, label, target in structure.reached():
            if label in requests:
                after[label].add(target)
        return any(structure.has_lasso(targets, avoided)
                   for label, targets in after.items() for avoided in requests[label])
    return holds


def two_different_messages(read, delivered):
    """A run in which a message is read and delivered and after that another one."""
    def holds(structure):
        seen, open_nodes = set(), [(structure.first, 0, None, None)]
        while open_nodes:
            node = open_nodes.pop()
            if node in seen:
                continue
            seen.add(node)
            state, phase, one, other = node
            for label, target in structure.edges[state]:
                name, _, value = label.rstrip(")").partition("(")
                open_nodes.append((target, phase, one, other))
                if phase == 0 and name == read:
                    open_nodes.append((target, 1, value, None))
                elif phase == 1 and name == delivered and value == one:
                    open_nodes.append((target, 2, one, None))
                elif phase == 2 and name == read and value != one:
                    open_nodes.append((target, 3, one, value))
                elif phase == 3 and name == delivered and value == other:
                    return True
        return False
    return holds


def move_without_button(structure):
    pressed = re.compile(r"press_up\(")
    return any(label.startswith("move_up") for _, label, _ in structure.reached(lambda label: not pressed.match(label)))


LIFTS = (1, 2, 3)
NODES = ("NODE_1", "NODE_2", "NODE_3")


def protocol(name, model, delivered, messages):
    labels = {f"{delivered}({m})" for m in range(1, messages + 1)}
    return {"name": f"{name} {messages}", "model": model, "options": ["-D", f"Messages={messages}"],
            "properties": {"I": never_answered({f"r1({m})": [labels] for m in range(1, messages + 1)}),
                           "II": two_different_messages("r1", delivered)}}


ABP = [protocol("abp", "network/abp_over_lossy_lines.m", "s4", m) for m in (2, 4, 8, 16)]
CABP = [protocol("cabp", "network/concurrent_abp.m", "s2", m) for m in (2, 4, 8, 16)]
GERMAN = {"name": "german 3", "model": "coherence/german.m", "options": ["-D", "Nodes=3", "-D", "Values=1"],
          "properties": {"I": never_answered({f"SendReqE({n})": [{f"SendGntE({n})"}] for n in NODES})}}
LIFT = {"name": "lifts 3", "model": "embedded/truck_lifts.m", "options": [],
        "properties": {"I": move_without_button,
                       "II": never_answered({f"press_up({k})": [{f"release({k})", f"move_up({m})"} for m in LIFTS]
                                             for k in LIFTS})}}
# Table 1 of the paper: success in percent for N = 1 to 6, from the lowest to the highest of the four sizes.
PAPER = {("abp", "I"): ["52-69", "80-91", "91-100", "97-100", "99-100", "99-100"],
         ("abp", "II"): ["7-10", "16-35", "49-59", "66-72", "75-100", "85-100"],
         ("cabp", "I"): ["100"] * 6,
         ("cabp", "II"): ["35-52", "91-94", "96-100", "99-100", "99-100", "100"]}


# ---- Runs.

class Runner:
    def __init__(self, fathom, repeat, jobs):
        self.fathom, self.repeat, self.pool = fathom, repeat, ThreadPoolExecutor(jobs)

    def graph(self, subject, search, seed=1):
        command = [self.fathom, "graph", "--quiet", "--search", search, "--seed", str(seed), "--engine", "interpret",
                   *subject["options"], str(MODELS / subject["model"])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return Structure(done.stdout)

    def measure(self, subject, search):
        """The sizes of the kept parts and, for each property, how many of them contain a witness."""
        def once(seed):
            part = self.graph(subject, search, seed)
            return part.size, [holds(part) for holds in subject["properties"].values()]
        results = list(self.pool.map(once, range(1, self.repeat + 1)))
        rates = [100 * sum(found[k] for _, found in results) / len(results) for k in range(len(subject["properties"]))]
        return [size for size, _ in results], dict(zip(subject["properties"], rates))


def breadth_first_sizes(whole, properties):
    """For each property the size of the shortest beginning that contains a witness."""
    sizes = {}
    for name, holds in properties.items():
        least, most = 1, 1
        while most < whole.size and not holds(whole.beginning(most)):
            least, most = most + 1, min(2 * most, whole.size)
        while least < most:
            middle = (least + most) // 2
            if holds(whole.beginning(middle)):
                most = middle
            else:
                least = middle + 1
        sizes[name] = most
    return sizes


class Table:
    """Rows that are printed as they come, and kept for the files. Rows of models that are not run stay as they were."""
    COLUMNS = ["model", "whole", "needed", "search", "n", "property", "runs", "success", "states", "deviation", "share",
               "ratio", "paper"]
    NUMBERS = {"whole": int, "needed": int, "n": int, "runs": int, "success": float, "states": float, "deviation": float,
               "share": float, "ratio": float}
    HEADINGS = {"abp": "Table 1 and Fig. 3: the alternating bit protocol",
                "cabp": "Table 1 and Fig. 3: the concurrent alternating bit protocol",
                "german": "Fig. 4: German's cache coherence protocol", "lifts": "Fig. 5: lifts for trucks"}

    def __init__(self, path, anew):
        self.path, self.rows = path, []
        if path.exists():
            with open(path, newline="", encoding="utf-8") as file:
                old = [{name: self.NUMBERS.get(name, str)(value) for name, value in row.items()}
                       for row in csv.DictReader(file)]
            self.rows = [row for row in old if row["model"].split()[0] not in anew]

    @staticmethod
    def line(row):
        return (f"{row['model']:<10}{row['search']:<12}{row['n']:>3} {row['property']:<5}{row['runs']:>5}"
                f"{row['success']:>8.0f}%{row['states']:>11.1f}{row['deviation']:>9.1f}{row['share']:>8.2f}%"
                f"{row['ratio']:>9.3f}  {row['paper']}")

    def add(self, **row):
        self.rows.append(row)
        print(self.line(row), flush=True)

    def text(self):
        """All rows, model by model, and then the bars."""
        lines, last = [], (None, None)
        columns = (f"{'model':<10}{'search':<12}{'N':>3} {'prop':<5}{'runs':>5}{'success':>9}{'states':>11}{'±':>9}"
                   f"{'of all':>9}{'of bfs':>9}  paper")
        for row in self.rows:
            family = row["model"].split()[0]
            if family != last[0]:
                lines += ["", self.HEADINGS[family], columns]
            if row["model"] != last[1]:
                needed = {r["property"]: r["needed"] for r in self.rows if r["model"] == row["model"]}
                lines.append(f"{row['model']}: {row['whole']} states; breadth-first needs "
                             + ", ".join(f"{size} for {name}" for name, size in needed.items()))
            lines.append(self.line(row))
            last = family, row["model"]
        return "\n".join([*lines, "", *self.bars()]) + "\n"

    def bars(self):
        """Success within the paper's margins and ten points more, for each search that was measured."""
        verdicts = {}
        for row in self.rows:
            if not row["paper"]:
                continue
            low, _, high = row["paper"].partition("-")
            outside = not float(low) - 10 <= row["success"] <= float(high or low) + 10
            misses = verdicts.setdefault((row["model"].split()[0], row["property"], row["search"]), [])
            misses += [f"{row['model']} N={row['n']}: {row['success']:.0f}% for {row['paper']}%"] * outside
        return [f"{'holds' if not misses else 'FAILS'}: {model} {name}, {search}: within ten points of the paper's margins"
                + (f" (not {'; '.join(misses)})" if misses else "")
                for (model, name, search), misses in verdicts.items()]

    def write(self):
        folder, order = self.path.parent, list(self.HEADINGS)
        folder.mkdir(exist_ok=True)
        self.rows.sort(key=lambda row: order.index(row["model"].split()[0]))
        with open(self.path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: f"{value:.3f}" if isinstance(value, float) else value for name, value in row.items()}
                             for row in self.rows)
        (folder / "highway.txt").write_text(self.text(), encoding="utf-8")
        plot(self.rows, folder / "highway.svg")


def search_of(variant, n):
    name, _, depth = variant.partition(" ")
    options = {"lanes": "", "printed": ", progress=no", "degrade": f", degrade={depth}"}
    return f"breadth-bounded(n={n}{options[name]})"


def experiment(runner, table, subject, breadths, variants):
    whole = runner.graph(subject, "bfs")
    needed = breadth_first_sizes(whole, subject["properties"])
    print(f"{subject['name']}: {whole.size} states; breadth-first needs "
          + ", ".join(f"{size} for {name}" for name, size in needed.items()), flush=True)
    for variant in variants:
        for n in breadths:
            search = search_of(variant, n)
            sizes, rates = runner.measure(subject, search)
            for name, rate in rates.items():
                published = PAPER.get((subject["name"].split()[0], name))
                table.add(model=subject["name"], whole=whole.size, needed=needed[name], search=variant, n=n, property=name,
                          runs=len(sizes), success=rate,
                          states=statistics.mean(sizes), deviation=statistics.stdev(sizes) if len(sizes) > 1 else 0.0,
                          share=100 * statistics.mean(sizes) / whole.size, ratio=statistics.mean(sizes) / needed[name],
                          paper=published[n - 1] if published and n <= len(published) else "")
            table.write()


# ---- The plot: success and size by breadth, one pair of charts for each model and property.

COLOURS = ["#1b6ca8", "#d1495b", "#66a182", "#edae49", "#775599"]


def chart(title, lines, left, top, most):
    width, height = 300, 160
    svg = [f'<text x="{left}" y="{top - 8}" font-size="12">{title}</text>',
           f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>',
           f'<text x="{left - 4}" y="{top + 8}" text-anchor="end">{most:g}</text>',
           f'<text x="{left - 4}" y="{top + height}" text-anchor="end">0</text>']
    last = max(n for points in lines.values() for n, _ in points)
    for colour, (name, points) in zip(COLOURS, lines.items()):
        shown = [(left + width * n / last, top + height * (1 - min(value / most, 1))) for n, value in points]
        svg.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                   + " ".join(f"{x:.1f},{y:.1f}" for x, y in shown) + '"/>')
        row = list(lines).index(name)
        svg.append(f'<text x="{left + width + 8}" y="{top + 12 + 14 * row}" fill="{colour}">{name}</text>')
    svg += [f'<text x="{left + width * n / last}" y="{top + height + 14}" text-anchor="middle">{n}</text>'
            for n in sorted({n for points in lines.values() for n, _ in points})]
    return svg


def plot(rows, path):
    groups = defaultdict(lambda: defaultdict(list))
    for row in rows:
        groups[row["model"].split()[0], row["property"]][row["model"], row["search"]].append(row)
    parts, top = [], 40
    for (model, name), series in groups.items():
        label = {key: (key[1] if len({k[0] for k in series}) == 1 else f"{key[0]} {key[1]}") for key in series}
        success = {label[key]: [(row["n"], row["success"]) for row in points] for key, points in series.items()}
        ratio = {label[key]: [(row["n"], row["ratio"]) for row in points] for key, points in series.items()}
        most = max(value for points in ratio.values() for _, value in points)
        parts += chart(f"{model}, property {name}: success in percent, by breadth", success, 60, top, 100)
        parts += chart("states, as a share of what breadth-first needs", ratio, 560, top, most)
        top += 230
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="1060" height="{top}" font-family="sans-serif" '
                    'font-size="10"><rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n",
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=str(ROOT / "build/release/fathom"))
    parser.add_argument("--repeat", type=int, default=100, help="runs for each number (default 100, as in the paper)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="abp,cabp,german,lifts")
    parser.add_argument("--results", type=Path, default=Path(__file__).resolve().parent / "results")
    args = parser.parse_args()
    only = args.only.split(",")
    runner, table = Runner(args.fathom, args.repeat, args.jobs), Table(args.results / "highway.csv", only)
    narrow, wide = range(1, 7), (1, 5, 10, 15, 20, 25, 30)
    for family, subjects, breadths, variants in (("abp", ABP, narrow, ["lanes"]),
                                                 ("cabp", CABP, narrow, ["lanes", "printed"]),
                                                 ("german", [GERMAN], narrow, ["lanes"]),
                                                 ("lifts", [LIFT], wide,
                                                  ["degrade 20", "degrade 40", "degrade 60", "lanes"])):
        for subject in subjects * (family in only):
            experiment(runner, table, subject, breadths, variants)
    print("\n".join(table.bars()))


if __name__ == "__main__":
    main()
