#!/usr/bin/env python3
"""Structures in and out, and searches of bounded breadth, as scripts see them."""
import json
import re
import signal
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from running import ROOT, fathom, start
from schema import Validator

MODELS = ROOT / "tests" / "models"
NETWORK = ROOT / "models" / "network"
HEADER = re.compile(r"des \((\d+),(\d+),(\d+)\)")
VALIDATOR = Validator(json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8")))
EDGE = re.compile(r'\((\d+),"(.*)",(\d+)\)')


def read_aut(text):
    """(first state, number of states, {state: [(label, target)]})."""
    lines = text.splitlines()
    first, count, states = map(int, HEADER.fullmatch(lines[0]).groups())
    edges = {state: [] for state in range(states)}
    for line in lines[1:]:
        source, label, target = EDGE.fullmatch(line).groups()
        edges[int(source)].append((label, int(target)))
    assert count == len(lines) - 1
    return first, states, edges


def simulates(whole, part):
    """Whether every run of the part is one of the whole: the greatest simulation relates the first states."""
    _, states, edges = whole
    labels = {state: {label for label, _ in out} for state, out in edges.items()}
    above = {s: {t for t in range(states) if {label for label, _ in out} <= labels[t]} for s, out in part[2].items()}
    changed = True
    while changed:
        changed = False
        for state, out in part[2].items():
            kept = {t for t in above[state]
                    if all(any(label == other and to in above[target] for other, to in edges[t]) for label, target in out)}
            changed, above[state] = changed or kept != above[state], kept
    return whole[0] in above[part[0]]


class Graphs(unittest.TestCase):
    def graph(self, *arguments, code=0):
        done = fathom("graph", "--quiet", *arguments, cwd=NETWORK)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_whole_of_a_model(self):
        first, states, edges = read_aut(self.graph("abp_over_lossy_lines.m").stdout)
        self.assertEqual((first, states, sum(map(len, edges.values()))), (0, 74, 92))
        self.assertEqual(sorted(label for label, _ in edges[0]), ["r1(1)", "r1(2)"])

    def test_a_part_of_bounded_breadth_is_simulated_by_the_whole_and_has_no_new_deadlock(self):
        whole = read_aut(self.graph("abp_over_lossy_lines.m").stdout)
        for search in ("highway(n=2)", "breadth-bounded(n=2)", "breadth-bounded(n=3, degrade=4)"):
            for seed in ("1", "2", "3"):
                with self.subTest(search=search, seed=seed):
                    done = self.graph("--search", search, "--seed", seed, "abp_over_lossy_lines.m")
                    part = read_aut(done.stdout)
                    self.assertLess(part[1], 74)
                    self.assertTrue(simulates(whole, part))
                    self.assertIn("passed states over", done.stderr)
                    if "breadth" in search:
                        self.assertTrue(all(part[2].values()))

    def test_limits_are_announced(self):
        done = self.graph("--max-states", "30", "concurrent_abp.m")
        self.assertEqual(read_aut(done.stdout)[1], 30)
        self.assertIn("cut after 30 states", done.stderr)
        done = self.graph("--max-depth", "3", "concurrent_abp.m")
        self.assertIn("cut at depth 3", done.stderr)
        self.assertLess(read_aut(done.stdout)[1], 464)

    def test_what_the_time_limit_leaves_has_its_steps(self):
        done = self.graph("--engine", "interpret", "--time", "50ms", "-D", "Nodes=5", ROOT / "models" / "coherence" / "german.m", code=4)
        _, states, edges = read_aut(done.stdout)
        self.assertIn("cut before the search was over", done.stderr)
        self.assertGreater(sum(map(bool, edges.values())), states / 2)

    def test_a_signal_ends_the_search_and_then_the_writing(self):
        model = ["-D", "Nodes=5", ROOT / "models" / "coherence" / "german.m"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph.aut"
            def ended(wait, *options):
                process = start("graph", "--engine", "interpret", "--output", path, *options, *model)
                wait()
                process.send_signal(signal.SIGTERM)
                _, errors = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 143, errors)
                return errors
            self.assertIn("cut before the search was over", ended(lambda: time.sleep(0.2)))
            self.assertGreater(sum(map(bool, read_aut(path.read_text(encoding="utf-8"))[2].values())), 0)
            path.unlink()
            def is_being_written():
                while not path.exists() or path.stat().st_size == 0:
                    time.sleep(0.001)
            self.assertIn("the writing of the graph was ended", ended(is_being_written, "--max-states", "300000"))
            self.assertFalse(path.exists())

    def test_what_was_written_is_a_model_with_the_same_states(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "abp.aut"
            self.graph("--output", path, "abp_over_lossy_lines.m")
            for engine in ("interpret", "native"):
                report = Path(folder) / "report.json"
                done = fathom("check", "--engine", engine, "--json", report, path)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                statistics = json.loads(report.read_text())["statistics"]
                self.assertEqual((statistics["states"], statistics["transitions"], statistics["depth"]), (74, 92, 19))
            again = self.graph(path)
            self.assertEqual(again.stdout, path.read_text())
            for search in ("dfs", "highway(n=1000)", "bounded-dfs"):
                done = fathom("check", "--search", search, path)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_other_formats_have_the_same_states_and_edges(self):
        data = json.loads(self.graph("--format", "json", "abp_over_lossy_lines.m").stdout)
        self.assertEqual((len(data["states"]), len(data["edges"]), data["initial"], data["complete"]), (74, 92, [0], True))
        root = ElementTree.fromstring(self.graph("--format", "graphml", "abp_over_lossy_lines.m").stdout)
        space = "{http://graphml.graphdrawing.org/xmlns}"
        self.assertEqual(len(list(root.iter(space + "node"))), 74)
        self.assertEqual(len(list(root.iter(space + "edge"))), 92)
        dot = self.graph("--format", "dot", "abp_over_lossy_lines.m").stdout
        self.assertEqual(dot.count("->"), 92)

    def test_several_start_states_get_one_before_them(self):
        first, states, edges = read_aut(fathom("graph", "-q", "startstates_in_a_ruleset.m", cwd=MODELS).stdout)
        self.assertEqual(first, states - 1)
        self.assertTrue(all(label.startswith("start ") for label, _ in edges[first]))

    def test_promela_statements_are_labels(self):
        done = fathom("graph", "-q", "starving_philosophers.pml", cwd=MODELS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(read_aut(done.stdout)[1], 3)

    def test_mistakes_in_a_transition_system_are_located(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wrong.aut"
            for text, place in (("nonsense", "wrong.aut:1:1"), ("des (0,1,2)\n(0,\"a\",2)\n", "wrong.aut:2:8"),
                                ("des (0,1,2)\n(0,\"a,1)\n", "wrong.aut:2:"), ("des (5,0,2)\n", "wrong.aut:1:1"),
                                ("des (0,2,2)\n(0,\"a\",1)\n", "wrong.aut:1:1"), ("des (0,1,2)\n(0 \"a\",1)\n", "wrong.aut:2:4"),
                                ("des (0,1,2)\n(0,\"a\",1) x\n", "wrong.aut:2:11")):
                with self.subTest(text):
                    path.write_text(text)
                    done = fathom("check", path)
                    self.assertEqual(done.returncode, 3, done.stdout)
                    self.assertIn(place, done.stdout + done.stderr)

    def test_a_deadlock_of_a_transition_system_is_found_and_a_loop_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.aut"
            path.write_text('des (1,3,3)\n(1, hop(a, b), 0)\n(0,"say \\"x\\"",0)\n(0,"end",2)\n')
            done = fathom("check", path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("deadlock", done.stdout)
            self.assertIn("hop(a, b)", done.stdout)
            path.write_text('des (1,2,2)\n(1,"hop",0)\n(0,"stay",0)\n')
            self.assertEqual(fathom("check", path).returncode, 0)

    def test_2_for_what_does_not_go_together(self):
        for arguments in (["graph", "--search", "dfs", "concurrent_abp.m"], ["graph", "--format", "x", "concurrent_abp.m"],
                          ["graph", "--output", "/no/such/folder/x", "concurrent_abp.m"], ["graph"],
                          ["check", "--max-states", "3", "concurrent_abp.m"],
                          ["check", "--repeat", "3", "concurrent_abp.m"],
                          ["check", "--search", "highway(n=0)", "concurrent_abp.m"],
                          ["check", "--search", "highway", "--store", "fingerprint", "concurrent_abp.m"]):
            with self.subTest(arguments):
                done = fathom(*arguments, cwd=NETWORK)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)


class BoundedBreadth(unittest.TestCase):
    def report(self, code, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.json"
            done = fathom("check", "--json", path, *arguments, cwd=ROOT / "models")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            report = json.loads(path.read_text())
            self.assertEqual(VALIDATOR.problems(report), [])
            return report, done.stdout

    def test_a_part_proves_nothing(self):
        report, text = self.report(4, "--search", "breadth-bounded(n=2)", "network/concurrent_abp.m")
        self.assertEqual((report["verdict"], report["scope"]["exhaustive"]), ("inconclusive", False))
        self.assertIn("passed over", text)
        self.assertNotIn("holds", text)

    def test_a_part_that_is_the_whole_proves_everything(self):
        report, _ = self.report(0, "--search", "breadth-bounded(n=1000)", "network/concurrent_abp.m")
        self.assertEqual((report["verdict"], report["statistics"]["states"]), ("holds", 464))

    def test_both_engines_keep_the_same_states(self):
        sizes = [self.report(4, "--engine", engine, "--search", "highway(n=5)", "--seed", "7", "network/concurrent_abp.m")[0]
                 ["statistics"]["states"] for engine in ("interpret", "native")]
        self.assertEqual(sizes[0], sizes[1])

    def test_a_violation_is_found_and_replayed(self):
        report, _ = self.report(1, "--search", "highway(n=50)", "--repeat", "10", "-D", "Bug=3", "coherence/german.m")
        self.assertEqual(report["verdict"], "violated")
        self.assertGreaterEqual(report["trace"]["length"], 9)
        repeat = report["runs"][0]["repeat"]
        self.assertEqual(repeat["runs"], 10)
        self.assertGreater(repeat["successes"], 0)
        again, _ = self.report(1, "--search", "highway(n=50)", "--seed", str(report["seed"]), "-D", "Bug=3",
                               "coherence/german.m")
        self.assertEqual(again["statistics"]["states"], report["statistics"]["states"])

    def test_repeated_runs_without_a_violation_give_a_bound_with_its_assumption(self):
        report, text = self.report(4, "--search", "breadth-bounded(n=3)", "--repeat", "20", "--threads", "2",
                                   "network/concurrent_abp.m")
        bound = report["runs"][0]["repeat"]["bound"]
        self.assertAlmostEqual(bound["chance"], 1 - 0.05 ** (1 / 20))
        self.assertIn("independently", bound["assumption"])
        self.assertIn("20 runs with the seeds 1 to 20: 0 found a violation", text)

    def test_properties_of_runs_are_checked_in_the_part(self):
        formula = "[] (sender.sending -> <> receiver.at = delivering)"
        report, _ = self.report(1, "--search", "breadth-bounded(n=2)", "--ltl", formula, "network/concurrent_abp.m")
        self.assertIsNotNone(report["trace"]["loop"])
        formula = "[] (ack_sender = 0 || ack_sender = 1)"
        self.report(4, "--search", "breadth-bounded(n=2)", "--property", "ltl", "--ltl", formula, "network/concurrent_abp.m")
        self.report(0, "--search", "breadth-bounded(n=1000)", "--property", "ltl", "--ltl", formula,
                    "network/concurrent_abp.m")

    def test_promela_models_are_searched_too(self):
        done = fathom("check", "--search", "highway(n=3)", "starving_philosophers.pml", cwd=MODELS)
        self.assertIn(done.returncode, (1, 4), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
