#!/usr/bin/env python3
"""Models with C code of their own: refused unless they are trusted, and then checked, traced, simulated and replayed."""
import json
import tempfile
import unittest
from pathlib import Path

from running import fathom

MODEL = """c_decl {
\\#include "twice.h"
}
c_state "int level" "Global" "1"
byte x;
active proctype P() {
  byte round;
  do
  :: round < 3 -> c_code { now.level = TWICE(now.level); printf("level %d\\n", now.level); PP->round++; }
  :: c_expr { now.level == 8 } -> x = 1; assert(x == 0)
  od
}
"""
TRUST = "--allow-native-code"


class EmbeddedC(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.write("model.pml", MODEL)
        self.write("twice.h", "#define TWICE(v) (2 * (v))\n")

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")

    def run_fathom(self, *arguments):
        return fathom(*arguments, cwd=self.path)

    def test_is_refused_with_its_place_unless_it_is_trusted(self):
        done = self.run_fathom("check", "model.pml")
        self.assertEqual(done.returncode, 3)
        self.assertIn("model.pml:1:1", done.stderr)
        self.assertIn("--allow-native-code", done.stderr)

    def test_is_checked_by_both_engines(self):
        for engine in ("interpret", "native", "auto"):
            with self.subTest(engine):
                done = self.run_fathom("check", TRUST, "--engine", engine, "model.pml")
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("assert(x == 0)", done.stdout)

    def test_prints_where_a_trace_shows_the_step(self):
        done = self.run_fathom("check", TRUST, "model.pml")
        self.assertRegex(done.stdout, r"c_code[^\n]*model.pml:9[^|]*\| level 2")

    def test_traces_are_replayed(self):
        self.run_fathom("check", TRUST, "--json", "run.json", "model.pml")
        done = self.run_fathom("replay", TRUST, "run.json", "model.pml")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_is_simulated(self):
        done = self.run_fathom("simulate", TRUST, "model.pml")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("level 8", done.stdout)

    def test_mistakes_are_shown_in_the_lines_of_the_user(self):
        self.write("wrong.pml", "byte x;\nactive proctype P() {\n  c_code { now.x = unheard_of(2; }\n}\n")
        done = self.run_fathom("check", TRUST, "wrong.pml")
        self.assertEqual(done.returncode, 3)
        self.assertIn("wrong.pml:3:", done.stderr)
        self.assertIn("F510", done.stderr)

    def test_a_condition_that_fails_is_a_located_error(self):
        self.write("guarded.pml", "byte x;\nactive proctype P() {\n  c_code [now.x == 1] { now.x = 2; }\n}\n")
        done = self.run_fathom("check", TRUST, "--json", "report.json", "guarded.pml")
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads((self.path / "report.json").read_text(encoding="utf-8"))
        violated = [each for each in report["properties"] if each["verdict"] == "violated"]
        self.assertEqual(violated[0]["message"], "the condition `now.x == 1` of C code does not hold")

    def test_a_changed_header_is_read_again(self):
        self.run_fathom("check", TRUST, "model.pml")
        self.write("twice.h", "#define TWICE(v) (v)\n")
        self.assertEqual(self.run_fathom("check", TRUST, "--property", "assertions", "model.pml").returncode, 0)

    def test_no_partial_order_reduction(self):
        done = self.run_fathom("check", TRUST, "--reduce", "por", "--search", "dfs", "model.pml")
        self.assertIn("C code", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
