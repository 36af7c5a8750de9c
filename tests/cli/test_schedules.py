#!/usr/bin/env python3
"""Costs of steps and goals on the command line, and runs that go round for ever made shorter."""
import json
import sys
import tempfile
import unittest
from pathlib import Path

from running import ROOT, fathom
from schema import Validator

ROADS = """
type Town: 0..4;
var here: Town;
startstate begin here := 0; end;
rule "toll" here = 0 ==> begin here := 2; end;
rule "lane" here = 0 ==> begin here := 1; end;
rule "path" here = 1 ==> begin here := 2; end;
rule "bog" here = 1 ==> begin here := 3; end;
"""

# A depth-first search comes to the loop by a long way; the short one is declared before it.
ROUND = """
byte x; bit good;
active proctype A() {
  do
  :: x > 0 && x < 9 -> x++
  :: x == 0 -> x = 8
  :: x == 0 -> x = 1
  :: x == 9 -> x = 8
  :: x == 20 -> good = 1
  od
}
ltl again { []<> (good == 1) }
"""


class Schedules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        (self.path / "roads.m").write_text(ROADS, encoding="utf-8")

    def run_fathom(self, *arguments, code):
        done = fathom(*arguments, cwd=self.path)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def report(self, *arguments, code=1):
        self.run_fathom("check", "--json", "report.json", *arguments, code=code)
        report = json.loads((self.path / "report.json").read_text(encoding="utf-8"))
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
        self.assertEqual(Validator(schema).problems(report), [])
        return report

    def test_the_cheapest_run_is_not_the_shortest(self):
        report = self.report("--goal", "here = 2", "--cost", "toll=9, lane=2, path=3", "--search", "dijkstra", "roads.m")
        self.assertEqual(report["trace"]["length"], 2)
        self.assertEqual((report["trace"]["cost"]["run"], report["trace"]["cost"]["least"]), (5, 5))
        self.assertEqual(self.report("--goal", "here = 2", "roads.m")["trace"]["length"], 1)

    def test_a_run_that_ends_elsewhere_is_no_answer(self):
        self.run_fathom("check", "--goal", "here = 4", "--cost", "*=1", "--search", "dijkstra", "roads.m", code=0)
        self.run_fathom("check", "--property", "deadlock", "roads.m", code=1)
        both = self.report("--goal", "here = 2", "--property", "deadlock", "--cost", "bog=0, lane=0, toll=1, path=1", "--search", "dijkstra", "roads.m")
        self.assertEqual(both["trace"]["cost"]["run"], 0)  # the deadlock in the bog, as it was asked for

    def test_better_runs_are_told_as_they_are_found(self):
        done = self.run_fathom("check", "--goal", "here = 2", "--cost", "toll=9, lane=2, path=3", "--search", "branch-and-bound(zero)", "--order", "declared",
                               "roads.m", code=1)
        self.assertIn("a run was found that costs 5; none costs less than 2", done.stderr)
        self.assertIn("the run costs 5; no run costs less", done.stdout)

    def test_mistakes_are_told(self):
        for arguments, said in ((["--cost", "tol=3", "--search", "dijkstra"], "did you mean `toll`"),
                                (["--cost", "toll", "--search", "dijkstra"], "RULE=N"),
                                (["--cost", "toll=-1", "--search", "dijkstra"], "whole number"),
                                (["--cost", "toll=1"], "does not look at costs"),
                                (["--cost", "toll=1", "--search", "dijkstra", "--max-depth", "3"], "--max-depth"),
                                (["--cost", "toll=1", "--search", "dijkstra", "--reduce", "symmetry"], "symmetry"),
                                (["--property", "goal"], "names no goal")):
            done = self.run_fathom("check", *arguments, "roads.m", code=2)
            self.assertIn(said, done.stderr)
        self.assertIn("--goal:1", self.run_fathom("check", "--goal", "there = 2", "roads.m", code=3).stderr)

    def test_a_lasso_is_shortened(self):
        (self.path / "round.pml").write_text(ROUND, encoding="utf-8")
        long = self.report("--property", "ltl:again", "--max-errors", "2", "round.pml")
        self.run_fathom("shorten", "--time", "5s", "--json", "short.json", "report.json", "round.pml", code=1)
        short = json.loads((self.path / "short.json").read_text(encoding="utf-8"))
        self.assertLess(short["trace"]["length"], long["trace"]["length"])
        self.assertIsNotNone(short["trace"]["loop"])
        self.run_fathom("replay", "short.json", "round.pml", code=1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
