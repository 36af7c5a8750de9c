#!/usr/bin/env python3
"""`fathom hunt`: many searches under one budget."""
import json
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from running import ENVIRONMENT, FATHOM, ROOT
from schema import Validator

# The bug is 60 steps deep, and what lies nearer is far too much for a search that goes level by level.
DEEP = """
var x: array [0..5] of 0..60;
startstate begin clear x; end;
ruleset i: 0..5 do rule "count" x[i] < 60 ==> begin x[i] := x[i] + 1; end; end;
invariant "never all the way" forall i: 0..5 do x[i] < 60 end;
"""

NEAR = """
var x: array [0..5] of 0..60;
startstate begin clear x; end;
ruleset i: 0..5 do rule "count" begin x[i] := (x[i] + 1) % 61; end; end;
invariant "at most three" !(x[0] = 1 & x[1] = 1 & x[2] = 1 & x[3] = 1);
"""

STARVING = """
bool in; byte n;
active proctype A() { do :: in = true; in = false od }
active proctype B() { do :: n = (n + 1) % 3 od }
ltl answer { []<> in }
"""

MANY = """
byte made;
proctype P() { made++; assert(made < 12) }
init { byte k; do :: k < 14 -> run P(); k++ :: else -> break od }
"""

# So many steps and variables that it takes long to find out which of them have to do with each other.
def large(size):
    return f"""
var x: array [1..{size}] of boolean;
startstate begin clear x; end;
ruleset i: 1..{size} do rule "set" !x[i] ==> begin x[i] := true; end; end;
invariant "not all three" !(x[{size - 2}] & x[{size - 1}] & x[{size}]);
"""


SMALL = "var x: 0..3; startstate begin x := 0; end; rule begin x := (x + 1) % 4; end; invariant x < 4;"

# Endless, with an invariant about all variables at once, which no abstraction proves.
PARITY = f"""
var x: array [0..7] of 0..99; odd: 0..1;
startstate begin clear x; clear odd; end;
ruleset i: 0..7 do rule begin x[i] := (x[i] + 1) % 100; odd := 1 - odd; end; end;
invariant ({" + ".join(f"x[{k}]" for k in range(8))}) % 2 = odd;
"""


class Hunt(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_fathom(self, *arguments, code=None):
        done = subprocess.run([FATHOM, *map(str, arguments)], cwd=self.path, capture_output=True, text=True, timeout=120,
                              check=False, env=ENVIRONMENT)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def hunt(self, name, text, *options, code):
        (self.path / name).write_text(text, encoding="utf-8")
        done = self.run_fathom("hunt", "--json", "hunt.json", *options, name, code=code)
        report = json.loads((self.path / "hunt.json").read_text(encoding="utf-8"))
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
        self.assertEqual(Validator(schema).problems(report), [])
        return report, done

    def again(self, report):
        words = shlex.split(report["hunt"]["command"])
        self.assertEqual(words[:2], ["fathom", "check"])
        self.run_fathom(*words[1:], code=1)
        return json.loads((self.path / "hunt.json").read_text(encoding="utf-8"))

    def assert_found_again(self, report):
        again = self.again(report)
        self.assertEqual([step["rule"] for step in again["trace"]["steps"]],
                         [step["rule"] for step in report["trace"]["steps"]])
        self.assertEqual(again["search"], report["search"])

    def test_a_deep_bug_is_found_by_a_deep_search_and_the_command_finds_it_again(self):
        report, done = self.hunt("deep.m", DEEP, code=1)
        self.assertIn("found by", done.stdout)
        self.assertNotIn(report["search"], ("bfs", "hunt"))
        self.assertEqual(sum(search["found"] for search in report["hunt"]["searches"]), 1)
        self.assert_found_again(report)

    def test_a_near_bug_has_a_short_trace_whoever_finds_it(self):
        report, _ = self.hunt("near.m", NEAR, code=1)
        self.assertEqual(report["trace"]["length"], 4)
        self.assert_found_again(report)

    def test_where_an_analysis_takes_long_searches_that_need_one_begin_late(self):
        for text, begins_late in ((large(200), True), (large(100), False)):
            report, _ = self.hunt("large.m", text, code=1)
            states = {search["search"]: search["states"] for search in report["hunt"]["searches"]}
            self.assertEqual(states["dfs"] == 0, begins_late)

    def test_claims_are_hunted_too(self):
        report, _ = self.hunt("starving.pml", STARVING, code=1)
        self.assertEqual(report["properties"][0]["kind"], "ltl")
        self.assertIsNotNone(report["trace"]["loop"])
        self.assert_found_again(report)

    def test_a_model_that_creates_more_processes_than_was_foreseen(self):
        report, _ = self.hunt("many.pml", MANY, code=1)
        violated = [item["kind"] for item in report["properties"] if item["verdict"] == "violated"]
        self.assertEqual(violated, ["assertion"])

    def test_what_was_covered_to_the_end_holds(self):
        report, done = self.hunt("small.m", SMALL, code=0)
        self.assertEqual(report["verdict"], "holds")
        self.assertIsNone(report["hunt"]["command"])
        self.assertIn("holds: all 4 reachable states", done.stdout)

    def test_the_time_ends_it_inconclusively(self):
        report, done = self.hunt("endless.m", PARITY, "--time", "1s", code=4)
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertIn("the time limit of 1 s", done.stdout)

    def test_it_is_the_same_for_the_same_seed(self):
        reports = [self.hunt("deep.m", DEEP, "--seed", "5", code=1)[0] for _ in range(2)]
        self.assertEqual(*[[step["parameters"] for step in report["trace"]["steps"]] for report in reports])
        self.assertEqual(*[report["search"] for report in reports])

    def test_it_is_the_same_with_any_number_of_threads(self):
        for name, text in (("deep.m", DEEP), ("near.m", NEAR), ("starving.pml", STARVING), ("many.pml", MANY)):
            with self.subTest(name):
                one, three = (self.hunt(name, text, "--threads", threads, code=1)[0] for threads in (1, 3))
                self.assertEqual(one["search"], three["search"])
                self.assertEqual(one["trace"]["steps"], three["trace"]["steps"])
                self.assertEqual([search["found"] for search in one["hunt"]["searches"]],
                                 [search["found"] for search in three["hunt"]["searches"]])

    def test_a_search_of_ones_own_is_for_check(self):
        (self.path / "small.m").write_text(SMALL, encoding="utf-8")
        for options in (["--search", "dfs"], ["--order", "random"], ["--keep-going"], ["--max-errors", "3"]):
            self.assertIn("hunt", self.run_fathom("hunt", *options, "small.m", code=2).stderr)


if __name__ == "__main__":
    if not os.access(FATHOM, os.X_OK):
        sys.exit(f"no binary at {FATHOM}")
    unittest.main()
