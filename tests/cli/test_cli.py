#!/usr/bin/env python3
"""What scripts and people rely on: exit codes, streams, signals, the JSON report, the look of the output.

    test_cli.py             run all
    test_cli.py --update    write the golden files anew, to be read before they are committed
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from readme import example
from running import ENDLESS, FATHOM, HERE, ROOT, fathom, normalised, on_terminal
from schema import Validator

UPDATE = "--update" in sys.argv
GOLDEN = HERE / "golden"
MODELS = ROOT / "tests" / "models"


class ExitCodes(unittest.TestCase):
    def expect(self, code, *arguments):
        done = fathom(*arguments, cwd=MODELS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_0_when_everything_holds(self):
        self.assertIn("holds", self.expect(0, "check", "startstates_in_a_ruleset.m").stdout)

    def test_0_for_a_depth_bound_without_the_word_holds(self):
        done = self.expect(0, "--max-depth", "3", "depth_bound.m")
        self.assertIn("no violation within 3 steps", done.stdout)
        self.assertNotIn("holds", done.stdout)

    def test_a_reduction_that_cannot_be_used_is_left_out_with_a_warning(self):
        self.assertIn("no partial order reduction: steps have priorities",
                      self.expect(0, "--reduce", "por", "priorities.m").stderr)
        self.assertIn("no partial order reduction: what is put off may come to lie beyond --max-depth",
                      self.expect(0, "--reduce", "por", "--max-depth", "3", "depth_bound.m").stderr)

    def test_reductions_add_up_and_none_takes_them_back(self):
        model = str(ROOT / "models" / "coherence" / "msi.m")

        def reductions(*options):
            given = [word for each in options for word in ("--reduce", each)]
            return json.loads(self.expect(0, "--quiet", "--search", "dfs", *given, "--json", "-", model).stdout)["reductions"]

        self.assertEqual(reductions("symmetry", "por"), ["symmetry", "por"])
        self.assertEqual(reductions("symmetry", "none", "por"), ["por"])
        self.assertEqual(reductions("por", "none"), [])

    def test_a_formula_about_all_that_can_happen_is_not_reduced(self):
        self.assertIn("no partial order reduction: the formula `mu_0` is about all that can happen in a state",
                      self.expect(0, "--reduce", "por", "--mu", "EF {x = 3}", "mu_calculus.m").stderr)

    def test_a_value_that_no_step_has_is_warned_of(self):
        self.assertIn("no step `Add` has `7` there", self.expect(1, "--mu", "<Add(7)>true", "mu_calculus.m").stderr)
        self.assertNotIn("no step", self.expect(0, "--mu", "<Add(2)>true", "mu_calculus.m").stderr)

    def test_where_an_evaluator_has_proven_everything_rules_are_not_suspected(self):
        for search in ("astar(h=abstraction())", "beam(h=abstraction(), k=5)", "bfhs(h=abstraction())",
                       "beam-stack(h=abstraction(), k=5)", "memory-limited-astar(h=abstraction())"):
            done = self.expect(0, "--deadlock", "off", "--search", search, "proven_by_an_abstraction.m")
            self.assertIn("nothing can go wrong any more", done.stdout)
            self.assertNotIn("never fired", done.stdout)
            self.assertNotIn("no start state", done.stderr)

    def test_a_search_that_forgets_does_not_say_how_many_states_there_are(self):
        model = str(ROOT / "models" / "mutex" / "peterson.m")
        for search, words in (("beam-stack(h=zero(), k=1000)", "held at a time"), ("frontier(locality=2)", "more than once"),
                              ("memory-limited-astar(h=zero(), states=100000)", "held at a time")):
            done = self.expect(0, "--quiet", "--property", "invariants", "--search", search, model)
            self.assertIn("all reachable states (up to symmetry) were checked; ", done.stdout)
            self.assertIn(words, done.stdout)
        self.assertIn("all 322 reachable states", self.expect(0, "--quiet", "--property", "invariants", "--search", "frontier", model).stdout)

    def test_mistakes_in_a_formula_are_shown_where_they_are(self):
        for formula, message, place in (("AG (x = 1", "this `(` is never closed", "--mu:1:4"),
                                        ("AG {x = 1} && <Ad>true", "the model has no rule `Ad`", "--mu:1:16"),
                                        ("EF {x = } || true", "", "--mu:1:"), ("mu X. [Add]!X", "", "--mu:1:13")):
            with self.subTest(formula):
                told = self.expect(3, "--mu", formula, "mu_calculus.m").stderr
                self.assertIn(message, told)
                self.assertIn(place, told)

    def test_a_formula_from_a_file_and_what_decides_it(self):
        with tempfile.TemporaryDirectory() as folder:
            formula, proof, report = (Path(folder) / name for name in ("reset.mu", "proof.aut", "report.json"))
            formula.write_text("// it can always start again\nAG EF {x = 0}\n  && // and\n EX {x = 7}\n", encoding="utf-8")
            self.expect(3, "--mu-file", str(formula), "ltl_on_the_command_line.m")
            done = self.expect(1, "--mu-file", str(formula), "--mu-proof", str(proof), "--json", str(report),
                               "mu_calculus.m")
            self.assertIn("mu_0", done.stdout)
            kinds = {entry["kind"]: entry for entry in json.loads(report.read_text(encoding="utf-8"))["properties"]}
            self.assertEqual(kinds["mu"]["verdict"], "violated")
            self.assertTrue(kinds["mu"]["location"].endswith("reset.mu:2:1"), kinds["mu"]["location"])
            lines = proof.read_text(encoding="utf-8").splitlines()
            self.assertEqual(lines[0], "des (0,2,3)")
            self.assertEqual(sorted(lines[1:]), ['(0,"Add(1)",1)', '(0,"Add(2)",2)'])

    def test_a_witness_is_a_trace_of_a_formula_that_holds(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            self.expect(0, "--mu", "nu X. <Add(1) . Add(2) . Reset>X", "--json", str(report), "mu_calculus.m")
            trace = json.loads(report.read_text(encoding="utf-8"))["trace"]
            self.assertEqual([step["rule"] for step in trace["steps"]], ["Add", "Add", "Reset"])
            self.assertEqual(trace["loop"], 0)

    def test_a_recorded_violation_of_a_formula_is_seen_again(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            options = ["--mu", "AG <Add(1)>true"]
            self.expect(1, *options, "--json", str(report), "mu_calculus.m")
            self.expect(1, "replay", *options, str(report), "mu_calculus.m")

    def test_1_when_a_property_is_violated(self):
        self.assertIn("violated", self.expect(1, "check", "deadlock_modes.m").stdout)

    def test_2_for_mistakes_on_the_command_line(self):
        for arguments in (["--no-such-option", "priorities.m"], ["--search", "nosuch", "priorities.m"],
                          ["--property", "invariant:nosuch", "priorities.m"], ["check", "not_there.m"], [],
                          ["-D", "NOSUCH=1", "priorities.m"], ["--threads", "x", "priorities.m"],
                          ["--shorten", "x", "priorities.m"], ["priorities.txt"],
                          ["--reduce", "por", "--search", "context-bounded", "priorities.m"],
                          *[["--ltl", "[] true", *options, "priorities.m"] for options in (
                              ["--fair", "--search", "ndfs"], ["--fair", "--search", "l2s"],
                              ["--strong-fair", "nosuch"], ["--progress", "nosuch"], ["--progress", "a when b"],
                              ["--store", "fingerprint"], ["--reduce", "symmetry"],
                              ["--search", "ndfs(variant=direct)"], ["--property", "ltl:nope"])],
                          *[["--mu", "AG true", *options, "priorities.m"] for options in (
                              ["--fair"], ["--strong-fair", "nosuch"], ["--max-depth", "3"],
                              ["--store", "fingerprint"], ["--reduce", "symmetry"])],
                          ["--mu-file", "not_there.mu", "priorities.m"],
                          ["--mu", "AG true", "--mu-proof", "no_such_folder/proof.aut", "mu_calculus.m"],
                          ["--automaton", "not_there.hoa", "priorities.m"],
                          ["--automaton", "priorities.m", "priorities.m"],
                          ["--progress", "philosopher", "starving_philosophers.pml"],
                          ["ltl"], ["ltl", "p", "q"], ["ltl", "[] ("], ["ltl", "p", "--hoa", "--dot"], ["ltl", "p", "--x"]):
            with self.subTest(arguments):
                done = self.expect(2, *arguments)
                self.assertEqual(done.stdout, "")
                self.assertNotEqual(done.stderr, "")

    def test_2_for_marks_that_the_model_does_not_have(self):
        model = "biased_searches_visit_everything.m"
        for arguments, message in (
                (["--mark", "tkae"], "did you mean `take`?"), (["--mark", "take when hold[p] = 0"], "--mark:1:11"),
                (["--agents", "pdi"], "did you mean `pid`?"), (["--flows", "not_there.flows"], "not_there.flows")):
            with self.subTest(arguments):
                self.assertIn(message, self.expect(2, *arguments, model).stderr)

    def test_2_for_marks_that_a_promela_model_does_not_have(self):
        for mark, message in (("Depe", "did you mean `Deep`?"), ("Deep@lastl", "did you mean `last`?"), ("line 999", "line 999"),
                              ("Deep when nosuch > 1", "nosuch"), ("Deep when Deep[0]:min", "min")):
            with self.subTest(mark):
                done = self.expect(2, "--search", "biased-bfs", "--mark", mark, "marks_in_promela.pml")
                self.assertIn(message, done.stderr)

    def test_marks_in_promela_say_what_is_seen_first(self):
        def states(*options):
            with tempfile.TemporaryDirectory() as folder:
                report = Path(folder) / "report.json"
                self.expect(1, *options, "--json", str(report), "marks_in_promela.pml")
                return json.loads(report.read_text(encoding="utf-8"))["statistics"]["states"]
        plain = states("--search", "bfs")
        for mark in ("Deep", "Deep[0]", "Deep@more, Deep@last, x <*, x ==*", "x *, mine = x, line 26",
                     "Deep when Deep[_pid]:mine < 9 && y == 0"):
            with self.subTest(mark):
                self.assertLess(4 * states("--search", "biased-bfs", "--mark", mark), plain)
        self.assertGreater(2 * states("--search", "biased-bfs", "--mark", "Deep when y > 90"), plain)

    def test_a_depth_bound_and_a_bound_on_switches_are_one_scope(self):
        for search, sentence in (("biased-dfs", "every state within 3 steps"),
                                 ("context-bounded(1)", "all runs of at most 3 steps with at most 1 switches")):
            with self.subTest(search):
                done = self.expect(0, "--search", search, "--max-depth", "3", "biased_searches_visit_everything.m")
                self.assertIn(sentence, done.stdout)

    def test_2_for_a_wrong_flow_file_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            flows = Path(folder) / "wrong.flows"
            for text, message in (("flow f { take -> giv; }", "wrong.flows:1:18"),
                                  ("flow f for nosuch { take -> give; }", "wrong.flows:1:12"),
                                  ("flow f {\n  take -> give\n}", "wrong.flows:3:1"),
                                  ("flow f { take -> give; mark give when held[p]; }", "wrong.flows:1:39")):
                with self.subTest(text):
                    flows.write_text(text)
                    done = self.expect(2, "--search", "biased-bfs", "--flows", flows, "biased_searches_visit_everything.m")
                    self.assertIn(message, done.stderr)
            flows.write_text('-- comment\nflow f for "in range" { take -> give; }')
            self.expect(0, "--search", "biased-bfs", "--flows", flows, "biased_searches_visit_everything.m")

    def test_3_when_the_model_is_rejected(self):
        done = self.expect(3, "check", "rejected_unknown_name.m")
        self.assertIn("rejected_unknown_name.m:3:", done.stdout + done.stderr)

    def test_4_when_a_limit_ends_the_search(self):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "endless.m"
            model.write_text(ENDLESS)
            for limit in (["--time", "1s"], ["--memory", "32M"]):
                with self.subTest(limit):
                    done = self.expect(4, *limit, model)
                    self.assertIn("inconclusive", done.stdout)
                    self.assertNotIn("holds", done.stdout)

    @unittest.skip("no input is known that makes Fathom fail by itself")
    def test_70_for_a_fault_of_our_own(self):
        pass


class Signals(unittest.TestCase):
    def interrupted(self, number):
        """Sends a signal to a running search; (exit code, JSON report)."""
        with tempfile.TemporaryDirectory() as folder:
            model, report = Path(folder) / "endless.m", Path(folder) / "report.json"
            model.write_text(ENDLESS)
            process = subprocess.Popen([FATHOM, "--json", report, model], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1.5)
            process.send_signal(number)
            output, _ = process.communicate(timeout=20)
            self.assertIn(b"inconclusive", output)
            return process.returncode, json.loads(report.read_text())

    def test_interrupt_gives_a_partial_report_and_130(self):
        code, report = self.interrupted(signal.SIGINT)
        self.assertEqual((code, report["verdict"]), (130, "inconclusive"))
        self.assertGreater(report["statistics"]["states"], 0)

    def test_termination_gives_a_partial_report_and_143(self):
        code, report = self.interrupted(signal.SIGTERM)
        self.assertEqual((code, report["verdict"]), (143, "inconclusive"))


class Streams(unittest.TestCase):
    def test_json_on_standard_output_moves_the_text_to_standard_error(self):
        done = fathom("--json", "-", MODELS / "deadlock_modes.m")
        self.assertEqual(json.loads(done.stdout)["verdict"], "violated")
        self.assertIn("violated", done.stderr)

    def test_no_escape_sequences_without_a_terminal(self):
        done = fathom(MODELS / "deadlock_modes.m")
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_no_colour_is_honoured_on_a_terminal(self):
        _, shown = on_terminal(MODELS / "deadlock_modes.m", environment={"NO_COLOR": "1"})
        self.assertNotIn("\x1b[3", shown)
        self.assertNotIn("\x1b[1m", shown)

    def test_standard_output_that_cannot_be_written_is_no_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([FATHOM, MODELS / "priorities.m"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertNotEqual(done.returncode, 0)

    def test_a_model_is_named_as_it_was_given(self):
        done = fathom("check", "models/deadlock_modes.m", cwd=ROOT / "tests")
        self.assertEqual(done.returncode, 1)


class Golden(unittest.TestCase):
    """The whole output of typical runs, with what varies replaced by #."""
    maxDiff = None
    CASES = {
        "holds": ["startstates_in_a_ruleset.m"],
        "invariant": ["depth_bound.m"],
        "depth_bound": ["--max-depth", "3", "depth_bound.m"],
        "assertion": ["assertion_message.m"],
        "run_time_error": ["index_out_of_range.m"],
        "deadlock": ["deadlock_modes.m"],
        "liveness": ["liveness_violated.m"],
        "cover": ["cover_never_hit.m"],
        "cover_hits": ["cover_is_counted.m"],
        "put": ["put_prints.m"],
        "ruleset": ["invariant_in_a_ruleset.m"],
        "rejected_name": ["rejected_unknown_name.m"],
        "rejected_type": ["rejected_type_error.m"],
        "unknown_option": ["--serach", "dfs", "priorities.m"],
        "missing_file": ["not_there.m"],
        "shortened": ["--search", "dfs", "shortened_trace.m"],
        "unknown_evaluator": ["--search", "astar(h=zer)", "shortened_trace.m"],
        "no_marks": ["--search", "greedy(h=marked())", "put_prints.m"],
    }

    def compare(self, name, text):
        path = GOLDEN / f"{name}.txt"
        if UPDATE:
            GOLDEN.mkdir(exist_ok=True)
            path.write_text(normalised(text), encoding="utf-8")
        self.assertTrue(path.exists(), f"{path.name} does not exist; --update writes it")
        self.assertEqual(normalised(text), path.read_text(encoding="utf-8"), f"differs from golden/{path.name}")

    def test_in_a_pipe(self):
        for name, arguments in self.CASES.items():
            with self.subTest(name):
                done = fathom(*arguments, cwd=MODELS)
                self.compare(name, f"exit {done.returncode}\n--- stdout\n{done.stdout}--- stderr\n{done.stderr}")

    def test_on_a_terminal(self):
        for name in ("holds", "invariant", "rejected_name"):
            with self.subTest(name):
                code, shown = on_terminal(*self.CASES[name], cwd=MODELS)
                self.compare(f"{name}.terminal", f"exit {code}\n{shown}")


class JsonReport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validator = Validator(json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8")))

    def test_reports_of_all_test_models_fit_the_schema(self):
        for model in sorted(MODELS.glob("*.m")):
            with self.subTest(model.name):
                done = fathom("check", "--json", "-", model.name, cwd=MODELS)
                report = json.loads(done.stdout)
                self.assertEqual(self.validator.problems(report), [])
                self.check_consistency(report, done.returncode)

    def check_consistency(self, report, code):
        expected = {0: {"holds", "holds-in-scope"}, 1: {"violated"}, 3: {"rejected"}, 4: {"inconclusive"}}
        self.assertIn(report["verdict"], expected[code])
        if report["verdict"] == "holds":
            self.assertTrue(report["scope"]["exhaustive"] and report["scope"]["exact"])
        if report["trace"]:
            self.assertEqual(report["trace"]["length"], len(report["trace"]["steps"]))
            self.assertGreaterEqual(report["trace"]["found_length"], report["trace"]["length"])

    def test_a_shortened_trace_tells_its_length_before_and_what_it_is_worth(self):
        def trace(*options):
            report = json.loads(fathom("--json", "-", *options, "shortened_trace.m", cwd=MODELS).stdout)
            return tuple(report["trace"][key] for key in ("found_length", "length", "guarantee"))
        self.assertEqual(trace("--search", "dfs"), (9, 3, "shortest"))
        self.assertEqual(trace("--search", "dfs", "--shorten", "off"), (9, 9, "any"))
        self.assertEqual(trace("--search", "astar(h=zero)"), (3, 3, "shortest"))

    def test_shortening_leaves_the_statistics_alone(self):
        def counts(*options):
            report = json.loads(fathom("--json", "-", "--search", "dfs", *options, "shortened_trace.m", cwd=MODELS).stdout)
            return [report["statistics"][key] for key in ("states", "transitions", "depth", "errors")] + [report["engine"]]
        self.assertEqual(counts(), counts("--shorten", "off"))

    def test_the_validator_notices_a_wrong_report(self):
        done = fathom("check", "--json", "-", "priorities.m", cwd=MODELS)
        report = json.loads(done.stdout)
        del report["verdict"]
        report["statistics"]["states"] = "many"
        self.assertEqual(len(self.validator.problems(report)), 2)


class Documents(unittest.TestCase):
    def test_the_readme_shows_what_really_happens(self):
        model, name, command, output = example(ROOT / "README.md")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_text(model, encoding="utf-8")
            done = fathom(*command, cwd=folder)
        self.assertEqual(normalised(done.stdout).strip(), normalised(output).strip())

    def test_help_manual_and_completions_are_printed(self):
        for arguments in (["--help"], ["help"], ["help", "search"], ["help", "simulate"], ["help", "replay"], ["man"], ["--version"], ["completions", "bash"],
                          ["completions", "zsh"], ["completions", "fish"], ["help", "properties"],
                          ["ltl", "[] (p -> <> q)"], ["ltl", "p U q", "--dot"], ["ltl", "<> p", "--never"]):
            with self.subTest(arguments):
                done = fathom(*arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")

    def test_an_automaton_that_was_printed_can_be_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            automaton = Path(folder) / "bad.hoa"
            automaton.write_text(fathom("ltl", "!([] <> light = red)", "--hoa").stdout, encoding="utf-8")
            model = MODELS / "ltl_on_the_command_line.m"
            done = fathom("--automaton", str(automaton), str(model))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if not os.access(FATHOM, os.X_OK):
        sys.exit(f"no binary at {FATHOM}")
    unittest.main(argv=[word for word in sys.argv if word != "--update"])
