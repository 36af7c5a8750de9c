#!/usr/bin/env python3
"""Simulation, replay and charts, as a person or a script uses them.

    test_runs.py             run all
    test_runs.py --update    write the golden files anew, to be read before they are committed
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from running import ENVIRONMENT, FATHOM, HERE, ROOT, normalised
from schema import Validator

UPDATE = "--update" in sys.argv
GOLDEN = HERE / "golden"

MUTEX = """const N: 2;
type pid: 1..N;
var inside: array [pid] of boolean; turns: 0..9;
startstate "init" begin for p: pid do inside[p] := false; end; turns := 0; end;
ruleset p: pid do
  rule "enter" !inside[p] & turns < 9 ==> begin inside[p] := true; turns := turns + 1; put "in "; put p; end;
  rule "leave" inside[p] ==> begin inside[p] := false; end;
end;
invariant "mutex" forall p: pid do forall q: pid do inside[p] & inside[q] -> p = q end end;
"""

PIPE = """#define LIMIT 2
mtype = { ping, pong };
chan q = [2] of { mtype, byte };
byte seen;
active proctype Sender() {
  byte k = 1;
  do
  :: k <= LIMIT -> printf("sending %d as %e%%\\n", k, ping); q!ping,k; k++
  :: else -> break
  od
}
active proctype Receiver() {
  byte got;
  end: do
  :: q?ping,got -> seen = seen + got; assert(seen < 3)
  od
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.write("mutex.m", MUTEX)
        self.write("pipe.pml", PIPE)

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")

    def run_fathom(self, *arguments, commands="", code=None, environment=None):
        done = subprocess.run([FATHOM, *map(str, arguments)], cwd=self.path, input=commands, capture_output=True, text=True,
                              timeout=60, check=False, env={**ENVIRONMENT, **(environment or {})})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def compare(self, name, text):
        path = GOLDEN / (name + ".txt")
        if UPDATE:
            path.write_text(normalised(text), encoding="utf-8")
        self.assertEqual(normalised(text), path.read_text(encoding="utf-8"), f"differs from golden/{path.name}")

    def record(self, model, code=1):
        self.run_fathom("check", "--json", "run.json", model, code=code)
        return json.loads((self.path / "run.json").read_text(encoding="utf-8"))


class Random(Case):
    def test_a_run_is_the_same_for_the_same_seed(self):
        first = self.run_fathom("simulate", "--seed", 3, "--steps", 5, "mutex.m").stdout
        self.assertEqual(first, self.run_fathom("simulate", "--seed", 3, "--steps", 5, "mutex.m").stdout)
        others = {self.run_fathom("simulate", "--seed", seed, "--steps", 5, "mutex.m").stdout for seed in range(10)}
        self.assertGreater(len(others), 1)

    def test_it_ends_after_so_many_steps(self):
        done = self.run_fathom("simulate", "--steps", 3, "pipe.pml", code=0)
        self.assertIn("no violation in 3 steps", done.stdout)

    def test_it_ends_when_its_time_is_up(self):
        self.write("long.m", 'var x: 0..3; startstate begin x := 0; end; rule begin x := (x + 1) % 4; end;')
        done = self.run_fathom("simulate", "--steps", "100M", "--time", "300ms", "--quiet", "long.m", code=0)
        self.assertIn(", ended by the time limit\n", done.stdout)

    def test_a_violation_ends_it_with_1_and_the_words_of_check(self):
        done = self.run_fathom("simulate", "mutex.m", code=1)
        checked = self.run_fathom("check", "mutex.m", code=1)
        self.assertIn(checked.stdout.splitlines()[0], done.stdout)
        self.assertIn("false here:", done.stdout)

    def test_a_deadlock_is_a_violation(self):
        self.write("stuck.m", 'var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end;')
        done = self.run_fathom("simulate", "stuck.m", code=1)
        self.assertIn("violated: deadlock", done.stdout)
        self.assertIn("no violation", self.run_fathom("simulate", "--deadlock", "off", "stuck.m", code=0).stdout)

    def test_a_run_time_error_is_a_violation(self):
        self.write("range.m", 'var x: 0..3; startstate begin x := 0; end; rule begin x := x + 1; end;')
        self.assertIn("run-time error", self.run_fathom("simulate", "range.m", code=1).stdout)

    def test_what_is_printed_stands_at_its_step(self):
        done = self.run_fathom("simulate", "--seed", 1, "pipe.pml")
        self.assertIn("     | sending 1 as ping%\n", done.stdout)
        self.assertIn("     | in p:", self.run_fathom("simulate", "mutex.m").stdout)

    def test_promela_receives_characters_from_standard_input(self):
        self.write("keys.pml", 'chan STDIN; byte c; init { do :: STDIN?c -> if :: c == 10 -> break :: else -> printf("got %c\\n", c) fi od }')
        done = self.run_fathom("simulate", "keys.pml", commands="ab\n", code=0)
        self.assertLess(done.stdout.index("| got a"), done.stdout.index("| got b"))
        self.assertIn("violated: deadlock", self.run_fathom("simulate", "keys.pml", commands="ab", code=1).stdout)
        self.assertIn("run-time error", self.run_fathom("check", "keys.pml", commands="ab\n", code=1).stdout)

    def test_promela_processes_that_were_not_planned_get_room(self):
        self.write("many.pml", "byte n; proctype C() { n++; (n > 250) } init { byte k; "
                               "do :: k < 60 -> run C(); k++ :: else -> break od; assert(n < 200) }")
        done = self.run_fathom("simulate", "--trace", "off", "--steps", 500, "many.pml")
        self.assertNotIn("no room", done.stdout)

    def test_the_report_fits_the_schema(self):
        validator = Validator(json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8")))
        for model in ("mutex.m", "pipe.pml"):
            self.run_fathom("simulate", "--json", "report.json", model)
            self.assertEqual(validator.problems(json.loads((self.path / "report.json").read_text(encoding="utf-8"))), [])

    def test_usage(self):
        for arguments in (["simulate"], ["simulate", "nosuch.m"], ["simulate", "--steps", "x", "mutex.m"],
                          ["check", "--steps", "3", "mutex.m"], ["simulate", "--guide", "nosuch.json", "mutex.m"],
                          ["replay", "mutex.m"], ["replay", "mutex.m", "mutex.m"], ["replay"]):
            with self.subTest(arguments):
                self.run_fathom(*arguments, code=2)
        self.write("wrong.m", "var x: nosuch;")
        self.run_fathom("simulate", "wrong.m", code=3)


class Interactive(Case):
    def test_a_session_with_a_murphi_model(self):
        commands = "help\nprint turns\nwatch turns + 1\n1\nprint inside\nundo\n2\nuntil turns = 3\nundo 9\nprint nosuch\n" \
                   "frobnicate\nwatch\n1\n2\nstate\ntrace\n"
        self.compare("simulate_murphi", self.run_fathom("simulate", "-i", "mutex.m", commands=commands, code=0).stdout)

    def test_a_session_with_a_promela_model(self):
        commands = "print Sender[0]:k\nprint Sender[0].k\nprint q\nprint LIMIT * 2\n1\n1\nprint len(q)\n\nprint k\nuntil seen == 1\n" \
                   "print _pid\nsave run.json\nundo\nquit\n1\n"
        self.compare("simulate_promela", self.run_fathom("simulate", "-i", "pipe.pml", commands=commands, code=0).stdout)

    def test_the_end_of_the_input_ends_it(self):
        self.run_fathom("simulate", "-i", "mutex.m", code=0)

    def test_several_start_states_are_a_choice(self):
        self.write("starts.m", 'var x: 0..3; ruleset i: 0..2 do startstate begin x := i; end; end; rule begin x := 0; end;')
        done = self.run_fathom("simulate", "-i", "starts.m", commands="9\n3\nprint x\n", code=0)
        self.assertIn("x: 2", done.stdout)

    def test_a_saved_run_is_replayed_and_continued(self):
        self.run_fathom("simulate", "-i", "mutex.m", commands="1\nsave run.json\n", code=0)
        self.run_fathom("replay", "run.json", "mutex.m", code=0)
        done = self.run_fathom("simulate", "-i", "--guide", "run.json", "mutex.m", commands="print turns\n", code=0)
        self.assertIn("turns: 1", done.stdout)


class Replay(Case):
    def test_a_trace_that_still_shows_its_violation(self):
        for model in ("mutex.m", "pipe.pml"):
            with self.subTest(model):
                self.record(model)
                done = self.run_fathom("replay", "run.json", model, code=1)
                checked = self.run_fathom("check", model, code=1)
                self.assertIn(checked.stdout.splitlines()[0], done.stdout)

    def test_a_mended_model_shows_it_no_more(self):
        self.record("mutex.m")
        self.write("mutex.m", MUTEX.replace("-> p = q", "-> true"))
        self.assertIn('invariant "mutex"', self.run_fathom("replay", "run.json", "mutex.m", code=0).stdout)

    def test_a_guard_that_forbids_a_step_is_named(self):
        self.record("mutex.m")
        self.write("mutex.m", MUTEX.replace("!inside[p] &", "!inside[p] & (forall q: pid do !inside[q] end) &"))
        done = self.run_fathom("replay", "run.json", "mutex.m", code=4)
        self.assertIn('step 2: rule "enter" (p: 2) is not enabled: `!inside[q]` is false (mutex.m:6:', done.stdout)
        self.assertIn("inside[q]: true", done.stdout)

    def test_moved_lines_new_rules_and_new_names_do_no_harm(self):
        self.record("mutex.m")
        changed = MUTEX.replace("turns", "rounds").replace('  rule "leave"', '  rule "new" false ==> begin end;\n\n  rule "leave"')
        self.write("mutex.m", "-- a comment\n" + changed.replace('"enter"', '"come in"'))
        self.run_fathom("replay", "run.json", "mutex.m", code=1)

    def test_a_renamed_promela_variable_does_no_harm(self):
        self.record("pipe.pml")
        self.write("pipe.pml", "// moved\n" + PIPE.replace("seen", "total").replace("got", "number"))
        self.run_fathom("replay", "run.json", "pipe.pml", code=1)

    def test_a_statement_that_is_gone_is_named(self):
        self.record("pipe.pml")
        self.write("pipe.pml", PIPE.replace("q!ping,k;", "q!pong,k + 1;"))
        done = self.run_fathom("replay", "run.json", "pipe.pml", code=4)
        self.assertIn("the model has no statement `q!ping,k`", done.stdout)

    def test_a_process_that_blocks_is_named(self):
        self.record("pipe.pml")
        self.write("pipe.pml", PIPE.replace("[2] of", "[0] of"))
        self.assertIn("step 3:", self.run_fathom("replay", "run.json", "pipe.pml", code=4).stdout)


class Claims(Case):
    LOOP = """byte x; ltl reach { <> (x == 5) }
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> atomic { x = 1; x = 2 } od }
"""

    def test_a_run_that_goes_round_for_ever_is_followed_once_round(self):
        self.write("loop.pml", self.LOOP)
        report = self.record("loop.pml")
        self.assertIsNotNone(report["trace"]["loop"])
        done = self.run_fathom("replay", "--json", "again.json", "run.json", "loop.pml", code=1)
        self.assertIn("ltl \"reach\"", done.stdout)
        self.assertIn("  the loop begins here\n", done.stdout)
        again = json.loads((self.path / "again.json").read_text(encoding="utf-8"))
        self.assertEqual(again["trace"]["loop"], report["trace"]["loop"])

    def test_a_claim_that_allows_the_run_is_not_violated(self):
        self.write("loop.pml", self.LOOP)
        self.record("loop.pml")
        self.write("loop.pml", self.LOOP.replace("x == 5", "x == 3"))
        self.run_fathom("replay", "run.json", "loop.pml", code=0)

    def test_a_loop_that_is_none_without_optimisation(self):
        self.write("loop.pml", """byte g, count; ltl reach { <> (g == 2) }
active proctype P() { byte x; do :: x = g; count++; x == g -> g = 1 - g od }
""")
        self.assertLess(len(self.record("loop.pml")["trace"]["steps"]), 50)
        self.assertIn(", but for count, P[0].x, which nothing reads\n", self.run_fathom("check", "loop.pml", code=1).stdout)
        self.assertIn("ltl \"reach\"", self.run_fathom("replay", "run.json", "loop.pml", code=1).stdout)

    def test_a_loop_that_begins_inside_a_step_of_the_optimised_program(self):
        self.write("loop.pml", """bool p; byte g; ltl l { <> p }
active proctype A() { byte i; do :: g = 1; i = g; i = i + 1; i = i * 2; assert(i < 9); g = i od }
""")
        self.run_fathom("check", "--no-optimise", "--json", "run.json", "loop.pml", code=1)
        self.assertIn("ltl \"l\"", self.run_fathom("replay", "run.json", "loop.pml", code=1).stdout)

    def test_a_loop_is_shown_until_it_closes_without_optimisation(self):
        self.write("loop.pml", """bool wants; ltl served { [] <> wants }
active proctype idle() { byte b; do :: b = (b + 1) % 5 od }
active proctype worker() { do :: wants = true; wants = false od }
""")
        trace = self.record("loop.pml")["trace"]
        self.assertEqual(len(trace["steps"]) - trace["loop"], 5)
        self.assertIn(" begins\n", self.run_fathom("check", "loop.pml", code=1).stdout)

    def test_a_simulation_leaves_claims_alone(self):
        self.write("loop.pml", self.LOOP)
        self.run_fathom("simulate", "--steps", "9", "loop.pml", code=0)


class Trails(Case):
    """What Debian's spin 6.5.2 wrote for these models; tests/cross/spin_trails.py makes many more."""

    def test_a_trail_of_an_acceptance_cycle(self):
        self.write("m.pml", "byte x;\nltl reach { <> (x == 5) }\n"
                            "active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 1 od }\n"
                            "active proctype Q() { byte k; do :: k = 1 - k od }\n")
        self.write("m.pml.trail", "-2:2:-2\n-4:-4:-4\n-1:-1:-1\n1:0:13\n2:2:8\n3:0:13\n4:2:8\n")
        done = self.run_fathom("replay", "m.pml.trail", "m.pml", code=1)
        self.assertIn("violated: ltl \"reach\"", done.stdout)

    def test_a_trail_with_a_rendezvous_inside_atomics(self):
        self.write("r.pml", "chan c = [0] of { byte }; byte x;\nactive proctype A() { atomic { x = 1; c!3; x = 2 } }\n"
                            "active proctype B() { byte y; c?y; assert(y != 3) }\n")
        self.write("r.pml.trail", "-4:-4:-4\n1:0:0\n2:0:1\n3:1:5\n4:1:6\n")
        done = self.run_fathom("replay", "r.pml.trail", "r.pml", code=1)
        self.assertIn("[0 1] c!3 / c?y", done.stdout)

    def test_a_trail_through_an_unless_without_braces(self):
        self.write("u.pml", "chan d = [0] of { byte }; byte x;\n"
                            "active proctype N() { if :: d!1 fi unless timeout; x = 1; assert(false) }\n")
        self.write("u.pml.trail", "-4:-4:-4\n1:0:1\n2:0:6\n3:0:7\n")
        self.assertIn("assertion failed", self.run_fathom("replay", "u.pml.trail", "u.pml", code=1).stdout)

    def test_a_trail_with_a_jump_out_of_a_loop_in_an_atomic(self):
        self.write("f.pml", "byte x;\nactive proctype P() { byte i; atomic { for (i : 1 .. 2) { x++ } } }\n"
                            "active proctype Q() { x == 2; assert(false) }\n")
        self.write("f.pml.trail", "-4:-4:-4\n1:0:0\n2:0:1\n3:0:1\n4:0:4\n5:0:5\n6:0:8\n7:1:11\n8:1:12\n")
        self.assertIn("assertion failed", self.run_fathom("replay", "f.pml.trail", "f.pml", code=1).stdout)

    def test_a_trail_that_ends_when_a_formula_is_lost(self):
        self.write("t.pml", "byte x;\nactive proctype P() { x = 1; x = 2; x = 3 }\nltl p { [] (x != 2) }\n")
        self.write("t.pml.trail", "-2:1:-2\n-4:-4:-4\n1:0:7\n2:1:0\n3:0:7\n4:1:1\n5:0:4\n")
        done = self.run_fathom("replay", "t.pml.trail", "t.pml", code=1)
        self.assertIn("violated: ltl \"p\"", done.stdout)
        self.assertIn("however the run goes on", done.stdout)
        self.write("t.pml.trail", "-2:1:-2\n-4:-4:-4\n1:0:7\n2:1:0\n")
        self.run_fathom("replay", "t.pml.trail", "t.pml", code=0)

    def test_an_assertion_of_a_claim(self):
        self.write("c.pml", "byte x;\nactive proctype P() { x = 1; x = 2 }\n"
                            "never { do :: atomic { x == 1 -> assert(x != 1) } :: true od }\n")
        self.write("c.pml.trail", "-2:1:-2\n-4:-4:-4\n1:0:6\n2:1:0\n3:0:3\n")
        self.assertIn("violated: assertion", self.run_fathom("replay", "c.pml.trail", "c.pml", code=1).stdout)
        self.run_fathom("check", "--json", "c.json", "c.pml", code=1)
        self.assertIn("violated: assertion", self.run_fathom("replay", "c.json", "c.pml", code=1).stdout)

    def test_a_trail_of_another_model_says_where_it_does_not_fit(self):
        self.write("r.pml", "byte x; active proctype A() { x = 1; x = 2 }")
        self.write("r.pml.trail", "1:0:0\n2:0:7\n")
        done = self.run_fathom("replay", "r.pml.trail", "r.pml", code=4)
        self.assertIn("line 2: process 0 cannot execute transition 7", done.stdout)

    def test_a_file_that_is_no_trail(self):
        self.write("r.pml.trail", "1:0:0\nnonsense\n")
        self.assertIn("line 2", self.run_fathom("replay", "r.pml.trail", "pipe.pml", code=2).stderr)
        self.write("r.pml.trail", "1:0:0\n")
        self.run_fathom("replay", "r.pml.trail", "mutex.m", code=2)


class Outputs(Case):
    def test_traces_say_what_was_printed(self):
        report = self.record("pipe.pml")
        self.assertIn("sending 1 as ping%\n", [step["output"] for step in report["trace"]["steps"]])
        self.assertIn("     | sending 2", self.run_fathom("check", "pipe.pml", code=1).stdout)

    # `told` is read by nobody, and `x` not any more.
    WRITTEN = """byte g, told;
active proctype P() { byte x; x = 7; told = x; printf("told %d\\n", told); g = 1; assert(g == 2) }
"""

    def test_traces_show_what_the_search_left_out(self):
        self.write("written.pml", self.WRITTEN)
        report = self.record("written.pml")
        self.run_fathom("check", "--no-optimise", "--json", "plain.json", "written.pml", code=1)
        plain = json.loads((self.path / "plain.json").read_text(encoding="utf-8"))
        self.assertLess(report["statistics"]["states"], plain["statistics"]["states"])
        self.assertEqual(report["trace"], plain["trace"])
        self.assertIn("told 7\n", [step["output"] for step in report["trace"]["steps"]])
        self.run_fathom("replay", "run.json", "written.pml", code=1)

    def test_statements_inside_a_step_are_not_called_unexecuted(self):
        self.write("inside.pml", self.WRITTEN.replace("assert(g == 2)", "atomic { g == 1; g = 2 }; if :: g == 3 -> g = 4 :: "
                                                      "else fi"))
        lines = [line for line in self.run_fathom("check", "inside.pml", code=0).stdout.splitlines() if "never" in line]
        self.assertEqual([line.split(" (")[0] for line in lines], ["never executed: g == 3", "never executed: g = 4"])

    def test_the_search_prints_nothing(self):
        self.write("quiet.pml", 'active proctype P() { printf("hello\\n") }')
        self.assertNotIn("hello", self.run_fathom("check", "quiet.pml", code=0).stdout)

    def test_formats(self):
        self.write("formats.pml", 'mtype = { a, b }; active proctype P() { int x = -1; byte y[2]; mtype m = b;\n'
                                  'printf("%d %u %x %o %c|%e %e\\t%%\\\\\\"%d", x, x, 255, 8, 65, m, 2, y[x]); printm(a); assert(false) }')
        report = self.record("formats.pml")
        self.assertEqual([step["output"] for step in report["trace"]["steps"]],
                         ['-1 4294967295 ff 10 A|b a\t%\\"?', "a", ""])


class Agents(Case):
    def test_traces_honour_the_choice_of_agents(self):
        self.write("agents.m", """type a: 1..2; b: 5..6; var x: 0..4; startstate begin x := 0; end;
            ruleset i: a; j: b do rule "r" x < 4 ==> begin x := x + 1; end; end; invariant x < 2;""")
        steps = self.record("agents.m")["trace"]["steps"]
        self.assertEqual(steps[0]["agents"], ["1"])
        self.run_fathom("check", "--agents", "b", "--json", "run.json", "agents.m", code=1)
        steps = json.loads((self.path / "run.json").read_text(encoding="utf-8"))["trace"]["steps"]
        self.assertEqual(steps[0]["agents"], ["5"])


class Charts(Case):
    def test_messages_are_arrows(self):
        utf8 = {"LC_ALL": "C.UTF-8"}
        done = self.run_fathom("check", "--chart", "pipe.pml", code=1, environment=utf8)
        self.compare("chart_promela", done.stdout)

    def test_ascii_on_request_and_without_utf8(self):
        for arguments, environment in ((["--ascii"], {"LC_ALL": "C.UTF-8"}), ([], {"LC_ALL": "C"})):
            chart = self.run_fathom("check", "--trace", "diff", "--chart", *arguments, "pipe.pml", environment=environment).stdout
            self.assertIn("o q", chart)
            self.assertNotIn("│", chart)

    def test_agents_of_a_murphi_model_have_lifelines(self):
        done = self.run_fathom("check", "--chart", "--ascii", "mutex.m", code=1)
        self.assertIn("+ enter (2)", done.stdout)


# Two workers who do three steps each; they meet when both have done them all.
MEETING = """
type pid: 1..2;
var at: array [pid] of 0..3; waste: 0..20;
startstate begin clear at; waste := 0; end;
rule "waste time" waste < 20 ==> begin waste := waste + 1; end;
ruleset p: pid do rule "walk" at[p] < 3 ==> begin at[p] := at[p] + 1; end; end;
invariant "they never meet" !(at[1] = 3 & at[2] = 3);
"""


class Shorten(Case):
    def setUp(self):
        super().setUp()
        self.write("meeting.m", MEETING)
        self.run_fathom("check", "--search", "dfs", "--shorten", "off", "--json", "long.json", "meeting.m", code=1)

    def shorten(self, *options, code=1):
        done = self.run_fathom("shorten", "--json", "short.json", *options, code=code)
        return done, json.loads((self.path / "short.json").read_text(encoding="utf-8")) if code == 1 else None

    def test_a_recorded_trace_becomes_a_shortest_one(self):
        before = json.loads((self.path / "long.json").read_text(encoding="utf-8"))["trace"]["length"]
        self.assertGreater(before, 6)
        done, report = self.shorten("long.json", "meeting.m")
        self.assertIn(f"shortened from {before} to 6 steps; no shorter run shows this", done.stdout)
        self.assertEqual((report["trace"]["length"], report["trace"]["guarantee"]), (6, "shortest"))

    def test_what_one_agent_does_stands_together(self):
        _, report = self.shorten("long.json", "meeting.m")
        agents = [step["agents"] for step in report["trace"]["steps"]]
        self.assertEqual(sum(a != b for a, b in zip(agents, agents[1:])), 1)

    def test_a_shortened_trace_can_be_replayed(self):
        self.shorten("long.json", "meeting.m")
        self.run_fathom("replay", "short.json", "meeting.m", code=1)

    def test_a_trace_without_violation_is_left_alone(self):
        self.write("meeting.m", MEETING.replace("at[1] = 3 & at[2] = 3", "at[1] = 3 & at[2] = 3 & waste > 20"))
        done, _ = self.shorten("--deadlock", "off", "long.json", "meeting.m", code=4)
        self.assertIn("cannot be shortened", done.stderr)

    def test_it_wants_a_trace_and_a_model(self):
        self.assertIn("which trace", self.run_fathom("shorten", "meeting.m", code=2).stderr)


if __name__ == "__main__":
    if not os.access(FATHOM, os.X_OK):
        sys.exit(f"no binary at {FATHOM}")
    unittest.main(argv=[word for word in sys.argv if word != "--update"])
