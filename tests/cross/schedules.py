#!/usr/bin/env python3
"""Compare cheapest runs with small solvers that know nothing of Fathom.

The optimum of models/scheduling/job_shop.m comes from trying all orders of the jobs on the machines, that of batch_plant.m from
Dijkstra's algorithm on a plant written down once more in Python. Random networks of towns, as Murphi models with a cost per
road, are compared with Dijkstra's algorithm on the network; some have roads from which no town leads on, so that runs can
end without having come anywhere.
"""
import heapq
import itertools
import random
import sys
import tempfile
from pathlib import Path

from common import ROOT, Difference, arguments, check

EXACT = ("dijkstra", "astar(zero)", "astar(abstraction())", "astar(fsm())", "idastar(zero)", "branch-and-bound(zero)", "branch-and-bound(fsm())",
         "refined-bound(zero)")
OTHERS = ("beam(zero, 3)", "beam(fsm(), 2, ties=keep)", "priority-beam(fsm(), 2, 3)", "nearest-neighbour", "beam-dijkstra(zero, 2)",
          "k-best(zero, 4)", "weighted-astar(fsm(), 2)")
JOBS = [[(2, 2), (3, 3), (1, 2)], [(1, 1), (3, 3), (2, 2)], [(1, 3), (3, 4), (2, 3)]]  # machine and time of each operation


def length(jobs, orders):
    """How long it takes if each machine works on the jobs in its order; None if they wait for each other."""
    next_operation, job_free, machine_free, done = [0] * len(jobs), [0] * len(jobs), {m: 0 for m in orders}, {m: 0 for m in orders}
    for _ in range(sum(map(len, jobs))):
        for machine, order in orders.items():
            if done[machine] == len(order):
                continue
            job = order[done[machine]]
            if next_operation[job] < len(jobs[job]) and jobs[job][next_operation[job]][0] == machine:
                end = max(job_free[job], machine_free[machine]) + jobs[job][next_operation[job]][1]
                job_free[job] = machine_free[machine] = end
                next_operation[job] += 1
                done[machine] += 1
                break
        else:
            return None
    return max(job_free)


def job_shop():
    machines = sorted({machine for job in JOBS for machine, _ in job})
    orders = [[p for p in itertools.permutations(range(len(JOBS)))] for _ in machines]
    times = [length(JOBS, dict(zip(machines, choice))) for choice in itertools.product(*orders)]
    return min(time for time in times if time is not None)


def cheapest(start, successors, is_goal):
    """Dijkstra's algorithm; None if no goal can be reached."""
    best, queue = {start: 0}, [(0, start)]
    while queue:
        cost, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if is_goal(state):
            return cost
        for step, target in successors(state):
            if cost + step < best.get(target, sys.maxsize):
                best[target] = cost + step
                heapq.heappush(queue, (cost + step, target))
    return None


def batch_plant(orders=2):
    def successors(state):
        tanks, reactor, delivered = state
        for tank, content in enumerate(tanks):
            def with_tank(new):
                return tuple(new if k == tank else old for k, old in enumerate(tanks))
            if content == "" and delivered < orders:
                yield 2, (with_tank("A"), reactor, delivered)
                yield 3, (with_tank("B"), reactor, delivered)
            if content == "A" and reactor == "clean":
                yield 1, (with_tank(""), "charged", delivered)
            if content == "B" and reactor == "charged":
                yield 4, (with_tank(""), "product", delivered)
        if reactor == "product":
            yield 1, (tanks, "dirty", delivered + 1)
        if reactor == "dirty" and delivered < orders:
            yield 5, (tanks, "clean", delivered)
            if tanks == ("", ""):
                yield 2, (tanks, "clean", delivered)

    return cheapest((("", ""), "clean", 0), successors, lambda state: state[2] == orders)


def network(seed):
    """A network as a model and as a list of roads, and the town to come to."""
    source = random.Random(seed)
    towns = source.randint(3, 12)
    roads = [(source.randrange(towns), source.randrange(towns), source.choice([0, 1, 1, 2, 3, 7, 40])) for _ in range(source.randint(2, 3 * towns))]
    lines = [f"type Town: 0..{towns - 1};", "var here: Town;", "startstate here := 0; endstartstate;"]
    for number, (origin, target, cost) in enumerate(roads):
        lines += [f"--@ cost {cost}", f'rule "road {number}" here = {origin} ==> here := {target}; endrule;']
    return "\n".join(lines) + "\n", roads, towns - 1


def compare(fathom, name, model, options, optimum, timeout):
    for search in EXACT + OTHERS:
        code, report, _ = check(fathom, model, ["--search", search, *options], timeout)
        cost = report["trace"]["cost"] if report.get("trace") else None
        if cost is None:
            if search in EXACT and (optimum is not None or code != 0):
                raise Difference(f"{name}, {search}: exit {code} and no run, but one costs {optimum}")
            continue
        if optimum is None or cost["run"] < optimum or cost["least"] > optimum:
            raise Difference(f"{name}, {search}: {cost}, but the optimum is {optimum}")
        if search in EXACT and (cost["run"] != optimum or cost["least"] != optimum):
            raise Difference(f"{name}, {search}: {cost} instead of {optimum}")
        costs = [found["cost"] for found in cost["found"]]
        if costs != sorted(set(costs), reverse=True) or costs[-1] != cost["run"]:
            raise Difference(f"{name}, {search}: the runs found on the way cost {costs}")


def main():
    settings = arguments(__doc__).parse_args()
    models = ROOT / "models" / "scheduling"
    try:
        compare(settings.fathom, "job_shop", models / "job_shop.m", ["--property", "goal"], job_shop(), settings.timeout)
        compare(settings.fathom, "batch_plant", models / "batch_plant.m", ["--property", "goal"], batch_plant(), settings.timeout)
        for seed in range(settings.first, settings.first + max(1, settings.count // 10)):
            text, roads, goal = network(seed)
            optimum = cheapest(0, lambda town: [(cost, target) for origin, target, cost in roads if origin == town], lambda town: town == goal)
            with tempfile.TemporaryDirectory(prefix="fathom-roads-") as folder:
                model = Path(folder) / "roads.m"
                model.write_text(text, encoding="utf-8")
                compare(settings.fathom, f"network {seed}", model, ["--goal", f"here = {goal}", "--engine", "interpret"], optimum, settings.timeout)
    except Difference as difference:
        print(f"FAILED: {difference}")
        return 1
    print(f"job shop {job_shop()}, batch plant {batch_plant()}, {max(1, settings.count // 10)} networks: {len(EXACT) + len(OTHERS)} searches agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
