#!/usr/bin/env python3
"""Threads, stores and checkpoints, as the command line has them."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from running import ENVIRONMENT, FATHOM, ROOT
from schema import Validator

# 1,771,561 states in levels that are large enough for threads.
WIDE = """
const Top: 10; Bad: 99;
var x: array [0..5] of 0..10;
startstate begin clear x; end;
ruleset i: 0..5 do rule "count" x[i] < Top ==> begin x[i] := x[i] + 1; end; end;
rule "again" forall i: 0..5 do x[i] = Top end ==> begin clear x; end;
invariant "far" !(x[0] = Bad & x[1] = 9 & x[2] = 9 & x[3] = 3);
"""

# 32,768 states, up to 2,460 of them in a level.
ORDERED = """
const Bad: 99;
var x: array [0..4] of 0..7;
startstate begin clear x; end;
ruleset i: 0..4 do rule "count" x[i] < 7 ==> begin x[i] := x[i] + 1; end; end;
rule "again" forall i: 0..4 do x[i] = 7 end ==> begin clear x; end;
invariant "far" !(x[0] = Bad & x[1] = 6 & x[2] = 6);
"""

# 262,144 states, in which few of the values occur that the variables could have.
SPARSE = """
const Bad: 99;
var x: array [0..5] of 0..255;
startstate begin clear x; end;
ruleset i: 0..5 do rule "count" x[i] < 210 ==> begin x[i] := x[i] + 30; end; end;
rule "again" forall i: 0..5 do x[i] = 210 end ==> begin clear x; end;
invariant "far" !(x[0] = Bad & x[1] = 210 & x[2] = 210 & x[3] = 90);
"""

PRINTING = 'var x: 0..3; startstate begin x := 0; end; rule begin put x; x := (x + 1) % 4; end;'

COVERING = 'var x: 0..3; startstate begin x := 0; end; rule begin cover x = 2; x := (x + 1) % 4; end;'

LIVE = 'var x: 0..3; startstate begin x := 0; end; rule begin x := (x + 1) % 4; end; liveness "zero" x = 0;'

# 40,000 states. Where b is 150 and a is 7 there is no way on, and 0 / 0 is asked for in a corner.
WIDE_LIVE = """
const Trap: 7; Corner: 999;
var a: 0..199; b: 0..199;
startstate begin a := 0; b := 0; end;
rule "a" !(a = Trap & b = 150) ==> begin a := (a + 1) % 200; end;
rule "b" !(a = Trap & b = 150) ==> begin b := (b + 1) % 200; end;
liveness "back to zero" a = 0 & b = 0;
liveness "no corner" a = 0 | (a = Corner & b = Corner -> 1 / (a - b) = 1);
"""

# A few more than 12^N states, of which a reduction leaves a few dozen.
APART = """
#ifndef N
#define N 9
#endif
byte at[N];
active [N] proctype Worker() {
  do
  :: at[_pid] < 5 -> at[_pid]++
  :: else -> break
  od
}
ltl stays { [] (at[0] <= 5) }
"""


class Scale(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        models = {"wide": WIDE, "ordered": ORDERED, "sparse": SPARSE, "printing": PRINTING, "covering": COVERING, "live": LIVE, "wide_live": WIDE_LIVE}
        for name, text in models.items():
            (self.path / f"{name}.m").write_text(text, encoding="utf-8")
        (self.path / "apart.pml").write_text(APART, encoding="utf-8")

    def check(self, code, *arguments):
        done = subprocess.run([FATHOM, "check", *map(str, arguments)], cwd=self.path, capture_output=True, text=True, timeout=300,
                              check=False, env=ENVIRONMENT)
        self.assertIn(done.returncode, (code,) if isinstance(code, int) else code, done.stdout + done.stderr)
        return done

    def report(self, code, *arguments):
        self.check(code, "--json", "report.json", *arguments)
        report = json.loads((self.path / "report.json").read_text(encoding="utf-8"))
        schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
        self.assertEqual(Validator(schema).problems(report), [])
        return report

    @staticmethod
    def counts(report):
        return ({key: report["statistics"][key] for key in ("states", "transitions", "depth")},
                [rule["fired"] for rule in report["coverage"]])

    def apart_from_resources(self, report):
        if isinstance(report, dict):
            resources = ("threads", "seconds", "compile_seconds", "store_bytes")
            return {key: self.apart_from_resources(value) for key, value in report.items() if key not in resources}
        return [self.apart_from_resources(value) for value in report] if isinstance(report, list) else report


class Threads(Scale):
    SMALLER = ["-D", "Top=7", "wide.m"]

    def test_counts_do_not_depend_on_the_number_of_threads(self):
        for options in ([], ["--store", "tree"], ["--store", "fingerprint", "--allow-lossy"], ["--engine", "native"]):
            with self.subTest(options):
                one = self.report(0, "--threads", 1, *options, *self.SMALLER)
                three = self.report(0, "--threads", 3, *options, *self.SMALLER)
                self.assertEqual(self.counts(one), self.counts(three))
                self.assertEqual(one["statistics"]["states"], 8 ** 6)
                self.assertEqual((one["statistics"]["threads"], three["statistics"]["threads"]), (1, 3))

    def test_a_small_model_is_checked_by_one_thread(self):
        self.assertEqual(self.report(0, "--threads", 8, "-D", "Top=2", "wide.m")["statistics"]["threads"], 1)

    def test_a_trace_is_shortest_with_any_number_of_threads(self):
        for threads in (1, 2, 5):
            with self.subTest(threads):
                report = self.report(1, "--threads", threads, "-D", "Bad=9", "wide.m")
                self.assertEqual((report["trace"]["length"], report["trace"]["guarantee"]), (30, "shortest"))

    def test_deterministic_traces_are_the_same_for_any_number_of_threads(self):
        reports = [self.report(1, "--deterministic", "--threads", threads, "-D", "Bad=7", "wide.m") for threads in (1, 2, 3)]
        for report in reports[1:]:
            self.assertEqual(report["trace"], reports[0]["trace"])
            self.assertEqual(self.counts(report), self.counts(reports[0]))

    def test_a_bounded_search_counts_the_same_with_any_number_of_threads(self):
        one, three = (self.report(0, "--search", "bounded-dfs(step=11)", "--threads", threads, *self.SMALLER) for threads in (1, 3))
        self.assertEqual(one["coverage"], three["coverage"])
        self.assertEqual([report["statistics"]["states"] for report in (one, three)], [8 ** 6, 8 ** 6])
        self.assertEqual((one["statistics"]["threads"], three["statistics"]["threads"]), (1, 3))
        bound = ["--search", "bounded-dfs(bound=20)", "-D", "Bad=9", "wide.m"]
        one, three = (self.report(0, "--threads", threads, *bound) for threads in (1, 3))
        self.assertEqual(one["coverage"], three["coverage"])
        self.assertEqual(one["statistics"]["states"], three["statistics"]["states"])
        found = self.report(1, "--search", "bounded-dfs", "--threads", 3, "-D", "Bad=9", "wide.m")
        self.assertGreaterEqual(found["trace"]["length"], 30)

    def test_liveness_is_decided_by_several_threads(self):
        kept = []
        for definitions, code in ((["-D", "Trap=-1"], 0), ([], 1), (["-D", "Trap=-1", "-D", "Corner=150"], 1)):
            reports = [self.report(code, "--threads", threads, "--deterministic", *definitions, "wide_live.m") for threads in (1, 2, 5)]
            traces = [report.get("trace") for report in reports]
            self.assertTrue(traces[0] == traces[1] == traces[2])
            self.assertTrue(all(self.counts(report) == self.counts(reports[0]) for report in reports))
            kept.append(len(traces[0]["steps"]) if traces[0] else 0)
        self.assertEqual(kept, [0, 157, 300])

    def test_searches_that_go_on_in_order_report_the_same_with_any_number_of_threads(self):
        for search in ("highway(n=1500)", "breadth-bounded(n=1500)", "biased-bfs", "biased-bfs(limit=0, batched=no)"):
            marks = ["--mark", "count when i = 2"] if search.startswith("biased") else []
            for bad, code in ((5, 1), (99, 0 if marks else 4)):
                with self.subTest(search=search, bad=bad):
                    options = ["--search", search, *marks, "-D", f"Bad={bad}", "--engine", "interpret", "ordered.m"]
                    one, three = (self.report(code, "--threads", threads, *options) for threads in (1, 3))
                    self.assertEqual((one["statistics"]["threads"], three["statistics"]["threads"]), (1, 3))
                    self.assertEqual(self.apart_from_resources(one), self.apart_from_resources(three))

    def test_cycles_are_searched_by_several_threads(self):
        options = ["--reduce", "none", *self.SMALLER]
        one, three = (self.report(0, "--ltl", "[]<> (x[0] = 0)", "--threads", threads, *options) for threads in (1, 3))
        self.assertEqual(one["coverage"], three["coverage"])
        for key in ("states", "transitions"):
            self.assertEqual(one["statistics"][key], three["statistics"][key])
        self.assertEqual((one["statistics"]["threads"], three["statistics"]["threads"]), (1, 3))
        found = self.report(1, "--ltl", "[]<> (x[0] = 0 & x[1] = 3)", "--threads", 3, *options)
        self.assertIn("loop", found["trace"])

    def test_searches_that_use_one_thread_say_so_when_more_are_asked_for(self):
        for options, words in ((["--search", "dfs"], "the search `dfs` works with one thread"),
                               (["--order", "reverse"], "works with one thread")):
            with self.subTest(options):
                self.assertIn(words, self.check(0, "--threads", 2, *options, "-D", "Top=2", "wide.m").stderr)
                self.assertNotIn("thread", self.check(0, *options, "-D", "Top=2", "wide.m").stderr)
        self.assertIn("the model prints", self.check(0, "--threads", 2, "printing.m").stderr)
        covering = ["--search", "highway", "--threads", 2, "covering.m"]
        self.assertIn("counts in its steps what they cover", self.check(0, *covering).stderr)

    def test_the_time_limit_ends_all_threads(self):
        began = time.monotonic()
        self.check(4, "--threads", 3, "--time", "300ms", "--engine", "interpret", "wide.m")
        self.assertLess(time.monotonic() - began, 20)

    def test_the_memory_limit_ends_all_threads(self):
        report = self.report(4, "--threads", 3, "--memory", "4M", "wide.m")
        self.assertLessEqual(report["statistics"]["store_bytes"], 4 << 20)
        self.assertGreater(report["statistics"]["states"], 50_000)


class Stores(Scale):
    def test_a_cycle_is_shown_though_no_memory_is_left_for_a_shorter_one(self):
        for memory in ("600k", "1M", "1500k"):
            with self.subTest(memory):
                found = self.report(1, "--memory", memory, "--threads", 1, "--reduce", "none", "--ltl", "<> [] (x[0] = 0)", "wide.m")
                self.assertEqual(found["trace"]["length"] - found["trace"]["loop"], 61)

    def test_lossy_stores_say_what_they_guarantee(self):
        for store in ("fingerprint", "compact", "compact(24)", "bitstate", "bitstate(5)"):
            with self.subTest(store):
                report = self.report(4, "--store", store, "-D", "Top=4", "wide.m")
                self.assertEqual((report["verdict"], report["scope"]["exact"]), ("inconclusive", False))
                self.assertIn("the probability that any was left out is at most", report["scope"]["statement"])
                allowed = self.report(0, "--store", store, "--allow-lossy", "-D", "Top=4", "wide.m")
                self.assertEqual(allowed["statistics"]["states"], 5 ** 6)

    def test_lossy_stores_find_shortest_traces(self):
        for store in ("compact(32)", "bitstate(4)"):
            with self.subTest(store):
                report = self.report(1, "--store", store, "--memory", "8M", "-D", "Bad=3", "wide.m")
                self.assertEqual(report["trace"]["length"], 24)

    def test_a_bitstate_table_that_is_too_small_says_how_many_states_it_probably_left_out(self):
        done = self.check(4, "--store", "bitstate(2)", "--memory", "256k", "wide.m")
        self.assertIn("states were probably taken for others", done.stderr)

    def test_mistakes_are_refused(self):
        for arguments in (["--store", "compct", "wide.m"], ["--store", "compact(12)", "wide.m"], ["--store", "compact(20)", "wide.m"],
                          ["--store", "bitstate(0)", "wide.m"], ["--store", "exact(3)", "wide.m"], ["--store", "compact(40", "wide.m"],
                          ["--store", "compact", "--search", "dfs", "wide.m"], ["--store", "tree", "--search", "dfs", "wide.m"],
                          ["--store", "compact", "--order", "random", "wide.m"], ["--store", "fingerprint", "live.m"],
                          ["--threads", "0", "wide.m"], ["--threads", "100k", "wide.m"], ["--every", "soon", "wide.m"],
                          ["--checkpoint", "x", "--search", "dfs", "wide.m"], ["--resume", "not_there", "wide.m"],
                          ["--checkpoint", "x", "--store", "compact", "wide.m"]):
            with self.subTest(arguments):
                done = self.check(2, *arguments)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("fathom: "), done.stderr)


    def test_what_a_search_takes_is_said_truly(self):
        for search, taken in (("breadth-bounded", "takes --store exact; others are for bfs"), ("highway", "takes --store exact; others are for bfs"),
                              ("dfs", "takes --store exact or fingerprint; others are for bfs")):
            for store in ("tree", "fingerprint", "compact"):
                with self.subTest(search=search, store=store):
                    if store not in taken:
                        self.assertIn(taken, self.check(2, "--search", search, "--store", store, "wide.m").stderr)
                    else:
                        self.check(0, "--search", search, "--store", store, "--allow-lossy", "-D", "Top=1", "wide.m")


class Disk(Scale):
    """A search that goes on in a folder when the memory is full."""
    TWO_WORDS = ["-D", "Top=6", "two_words.m"]
    PROMELA = """
        byte x[4]; byte turns;
        active [4] proctype p() { do :: x[_pid] < 9 -> x[_pid]++ :: atomic { x[_pid] == 9 -> x[_pid] = 0 } od }
        """
    SYMMETRIC = ROOT / "models" / "coherence" / "german.m"

    def setUp(self):
        super().setUp()
        (self.path / "disk").mkdir()
        (self.path / "two_words.m").write_text(WIDE.replace("0..10;", "0..1000000;"), encoding="utf-8")
        (self.path / "counters.pml").write_text(self.PROMELA, encoding="utf-8")

    def compare(self, code, memory, *arguments):
        """The report of the search on disk, which is like that of the one in memory."""
        plain = self.report(code, *arguments)
        disk = self.report(code, "--store", "disk(disk)", "--memory", memory, *arguments)
        self.assertGreater(disk["statistics"]["disk_bytes"], 0)
        self.assertEqual(plain["statistics"]["disk_bytes"], 0)
        self.assertEqual(disk["verdict"], plain["verdict"])
        self.assertEqual(disk["scope"], plain["scope"] if code == 0 else disk["scope"])
        properties = [[(p["kind"], p["name"], p["verdict"]) for p in report["properties"]] for report in (plain, disk)]
        self.assertEqual(*properties)
        self.assertEqual(list((self.path / "disk").iterdir()), [])
        if code == 0:
            self.assertEqual(self.counts(disk), self.counts(plain))
        return plain, disk

    def test_counts_are_those_of_a_search_in_memory(self):
        for memory, arguments in (("4M", ["-D", "Top=7", "wide.m"]), ("4M", ["--threads", 1, "-D", "Top=7", "wide.m"]),
                                  ("4M", ["--threads", 3, "-D", "Top=7", "wide.m"]),
                                  ("2M", ["--engine", "native", *self.TWO_WORDS]), ("2M", ["--engine", "interpret", *self.TWO_WORDS]),
                                  ("1M", ["-D", "Nodes=4", self.SYMMETRIC]),
                                  ("1M", ["-D", "Nodes=3", "--reduce", "none", self.SYMMETRIC]),
                                  ("600k", ["--engine", "interpret", "counters.pml"]), ("600k", ["--engine", "native", "counters.pml"])):
            with self.subTest(arguments):
                self.compare(0, memory, *arguments)

    def test_a_trace_is_shortest_and_true(self):
        for engine in ("interpret", "native"):
            with self.subTest(engine):
                plain, disk = self.compare(1, "3M", "--engine", engine, "-D", "Bad=9", "wide.m")
                self.assertEqual((disk["trace"]["length"], disk["trace"]["guarantee"]), (30, "shortest"))
                self.assertEqual(plain["trace"]["length"], 30)

    def test_astar_counts_what_it_counts_in_memory(self):
        for search, memory, arguments in (("dijkstra", "4M", ["-D", "Top=7", "wide.m"]),
                                          ("astar(formula(combine=max))", "4M", ["-D", "Top=7", "-D", "Bad=8", "wide.m"]),
                                          ("astar(abstraction())", "2M", ["--engine", "native", *self.TWO_WORDS]),
                                          ("astar(formula(combine=max))", "1M", ["-D", "Nodes=4", self.SYMMETRIC]),
                                          ("astar(abstraction())", "1M", ["-D", "Nodes=3", "--reduce", "none", self.SYMMETRIC]),
                                          ("dijkstra", "1M", ["--engine", "interpret", "counters.pml"])):
            with self.subTest(search=search, arguments=arguments):
                self.compare(0, memory, "--search", search, *arguments)

    def test_a_trace_of_astar_is_shortest_and_true(self):
        for search in ("dijkstra", "astar(formula(combine=max))", "astar(zero)"):
            with self.subTest(search):
                plain, disk = self.compare(1, "2M", "--search", search, "-D", "Bad=9", "wide.m")
                self.assertEqual((disk["trace"]["length"], disk["trace"]["guarantee"]), (30, "shortest"))
                self.assertEqual(plain["trace"]["length"], 30)

    def test_astar_on_disk_finds_shortest_deadlocks(self):
        telegraph = ROOT / "models" / "deadlock" / "optical_telegraph.pml"
        plain, disk = self.compare(1, "2M", "--search", "astar(abstraction(size=200))", "-D", "N=7", telegraph)
        self.assertEqual(disk["trace"]["length"], plain["trace"]["length"])
        self.assertEqual(disk["trace"]["guarantee"], "shortest")

    def test_astar_on_disk_refuses_what_it_cannot_keep(self):
        for arguments, why in ((["--search", "astar(formula())"], "does not promise that"),
                               (["--search", "astar(expr(\"x[0]\"))"], "does not promise that"),
                               (["--search", "astar(zero)", "--cost", "count=2"], "does not go with costs of steps"),
                               (["--search", "weighted-astar(zero)"], "disk(DIR) is for bfs, astar and dijkstra"),
                               (["--search", "astar(zero)", "--reduce", "por"], "--reduce por"),
                               (["--search", "astar(zero)", "--order", "random"], "--order")):
            with self.subTest(arguments):
                done = self.check(2, "--store", "disk(disk)", *arguments, "wide.m")
                self.assertEqual(done.stdout, "")
                self.assertIn(why, done.stderr)

    def test_a_model_that_fits_into_memory_does_not_touch_the_disk(self):
        for search in ("bfs", "astar(zero)"):
            with self.subTest(search):
                report = self.report(0, "--store", "disk(disk)", "--search", search, "-D", "Top=4", "wide.m")
                self.assertEqual(report["statistics"]["disk_bytes"], 0)

    def test_what_to_do_when_the_memory_is_full_can_be_chosen(self):
        for store in ("exact", "tree"):
            with self.subTest(store):
                done = self.check(0, "--memory", "3M", "--store", store, "--when-full", "disk(disk)", "-D", "Top=6", "wide.m")
                self.assertRegex(done.stderr, r"the memory is full after [\d,]+ states: the search goes on in disk")

    def test_an_interrupt_leaves_nothing_behind(self):
        process = subprocess.Popen([FATHOM, "check", "--engine", "interpret", "--memory", "2M", "--store", "disk(disk)", "wide.m"],
                                   cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True)
        while "goes on in disk" not in process.stderr.readline():  # an early moment of a search that takes seconds
            self.assertIsNone(process.poll())
        process.terminate()
        said = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 143)
        self.assertIn("ended the search after", said)
        self.assertEqual(list((self.path / "disk").iterdir()), [])

    def test_mistakes_are_refused(self):
        for arguments in (["--store", "disk", "wide.m"], ["--store", "disk(", "wide.m"], ["--store", "disk()", "wide.m"],
                          ["--store", "disk(nowhere)", "wide.m"], ["--when-full", "disk(nowhere)", "wide.m"], ["--store", "disk(disk)", "--search", "dfs", "wide.m"],
                          ["--store", "disk(disk)", "--reduce", "por", "wide.m"],
                          ["--search", "dijkstra", "--store", "disk(disk)", "--checkpoint", "x", "wide.m"],
                          ["--when-full", "compress", "--checkpoint", "x", "wide.m"], ["--store", "disk(disk)", "live.m"],
                          ["--store", "fingerprint", "--when-full", "disk(disk)", "wide.m"]):
            with self.subTest(arguments):
                done = self.check(2, *arguments)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("fathom: "), done.stderr)


class Packed(Scale):
    """With 24 MB states are packed early; unpacked, about half of them would fit in."""

    def test_all_states_fit_in(self):
        plain = self.report(0, "wide.m")
        self.report(4, "--memory", "24M", "--deterministic", "wide.m")
        for options in (["--threads", 1], ["--threads", 3], ["--engine", "native"]):
            with self.subTest(options=options):
                report = self.report(0, "--memory", "24M", *options, "wide.m")
                self.assertEqual(self.counts(report), self.counts(plain))
                self.assertEqual((report["verdict"], report["scope"]), (plain["verdict"], plain["scope"]))

    def test_a_trace_is_a_shortest_one(self):
        for threads in (1, 3):
            with self.subTest(threads=threads):
                trace = self.report(1, "--memory", "24M", "--threads", threads, "-D", "Bad=9", "wide.m")["trace"]
                self.assertEqual((trace["length"], trace["guarantee"]), (30, "shortest"))

    def test_states_are_coded(self):
        """Without codes it would be twelve bytes of memory for each."""
        plain = self.report(0, "sparse.m")
        for options, most in ((["--memory", "10M"], 9), (["--memory", "10M", "--threads", 3], 9),
                              (["--store", "tree", "--memory", "64M"], 22)):
            with self.subTest(options=options):
                report = self.report(0, *options, "sparse.m")
                self.assertEqual(self.counts(report), self.counts(plain))
                self.assertLess(report["statistics"]["store_bytes"], most * report["statistics"]["states"])
                trace = self.report(1, *options, "-D", "Bad=210", "sparse.m")["trace"]
                self.assertEqual((trace["length"], trace["guarantee"]), (24, "shortest"))

    def test_steps_for_a_full_memory_bring_nothing(self):
        done = self.check(4, "--memory", "10M", "--when-full", "compress,fingerprint", "wide.m")
        for step in ("compress", "fingerprint"):
            self.assertRegex(done.stderr, rf"the memory is full after \d+ states: {step} brings nothing, because they are packed already")


class WhenFull(Scale):
    # 390,625 states of five words that have most of them in common.
    LONG = """
        const Top: 4; Bad: 99;
        var x: array [0..7] of 0..1000000000000;
        startstate begin clear x; end;
        ruleset i: 0..7 do rule "count" x[i] < Top ==> begin x[i] := x[i] + 1; end; end;
        rule "again" forall i: 0..7 do x[i] = Top end ==> begin clear x; end;
        invariant "far" !(x[0] = Bad & x[1] = 3 & x[2] = 4 & x[3] = 3 & x[4] = 0);
        """

    def setUp(self):
        super().setUp()
        (self.path / "disk").mkdir()
        (self.path / "long.m").write_text(self.LONG, encoding="utf-8")

    def degraded(self, code, memory, steps, *arguments):
        """The report of a search that takes these steps, of which each is announced once."""
        done = self.check(code, "--json", "report.json", "--memory", memory, "--when-full", steps, *arguments)
        report = json.loads((self.path / "report.json").read_text(encoding="utf-8"))
        told = [line.removeprefix("warning: ") for line in done.stderr.splitlines() if "the memory is full" in line]
        self.assertEqual(told, [warning for warning in report["warnings"] if "the memory is full" in warning])
        self.assertEqual(len(told), len(steps.split(",")) - steps.count("stop"))
        return report, told

    def test_compressed_states_are_still_exact(self):
        plain = self.report(0, "long.m")
        for options in (["--threads", 1], ["--threads", 3], ["--engine", "native"]):
            for steps in ("compress", "compress,stop"):
                with self.subTest(options=options, steps=steps):
                    report, told = self.degraded(0, "20M", steps, *options, "long.m")
                    self.assertRegex(told[0], r"^the memory is full after \d+ states: they were compressed from about \d+ to \d+ bytes each$")
                    self.assertEqual(self.counts(report), self.counts(plain))
                    self.assertEqual((report["verdict"], report["scope"]), (plain["verdict"], plain["scope"]))

    def test_fingerprints_are_lossy_from_there_on(self):
        plain = self.report(0, "--store", "fingerprint", "--allow-lossy", "long.m")
        for threads in (1, 3):
            for steps in ("compress,fingerprint", "fingerprint,stop"):
                with self.subTest(threads=threads, steps=steps):
                    options = ["12M", steps, "--threads", threads]
                    report, told = self.degraded(4, *options, "long.m")
                    self.assertIn("from here on only 64-bit fingerprints are kept", told[-1])
                    self.assertEqual((report["verdict"], report["scope"]["exact"]), ("inconclusive", False))
                    self.assertTrue(0 < report["omission_probability"] < plain["omission_probability"] < 1e-6)
                    self.assertEqual(self.counts(report), self.counts(plain))
                    allowed, _ = self.degraded(0, *options, "--allow-lossy", "long.m")
                    self.assertEqual(allowed["verdict"], plain["verdict"])

    def test_a_trace_is_found_again_after_each_step(self):
        plain = self.report(1, "-D", "Bad=4", "long.m")["trace"]
        self.assertEqual(plain["length"], 14)
        for memory, steps in (("8M", "compress"), ("7M", "compress,fingerprint"), ("8M", "fingerprint"), ("8M", "compress,disk(disk)")):
            for threads in (1, 3):
                with self.subTest(steps=steps, threads=threads):
                    report, _ = self.degraded(1, memory, steps, "--threads", threads, "-D", "Bad=4", "long.m")
                    self.assertEqual(report["trace"]["length"], plain["length"])

    def test_a_step_that_brings_nothing_is_passed_over(self):
        report, told = self.degraded(4, "2M", "compress", "-D", "Top=7", "wide.m")
        self.assertIn("compress brings nothing for states that fit into 63 bits", told[0])
        self.assertEqual((report["verdict"], report["scope"]["exact"]), ("inconclusive", True))
        report, told = self.degraded(0, "4M", "compress,disk(disk)", "-D", "Top=7", "wide.m")
        self.assertIn("compress brings nothing", told[0])
        self.assertIn("the search goes on in disk", told[1])
        self.assertEqual(report["statistics"]["states"], 8 ** 6)

    def test_without_a_step_it_stops(self):
        for steps in ([], ["--when-full", "stop"]):
            report = self.report(4, "--memory", "2M", *steps, "-D", "Top=7", "wide.m")
            self.assertIn("the memory limit", report["scope"]["statement"])

    def test_senseless_lists_are_refused(self):
        for steps, words in (("later", "`later` is no step"), ("", "`` is no step"), ("compress,", "`` is no step"),
                             ("stop,compress", "nothing comes after stop"), ("disk(disk),compress", "nothing comes after disk(DIR)"),
                             ("disk(disk),disk(disk)", "nothing comes after disk(DIR)"), ("compress,compress", "compress stands there twice"),
                             ("fingerprint,compress", "compress cannot come after fingerprint"),
                             ("fingerprint,disk(disk)", "disk(DIR) cannot come after fingerprint"), ("disk", "disk wants a folder")):
            with self.subTest(steps):
                self.assertIn(words, self.check(2, "--when-full", steps, "wide.m").stderr)

    def test_what_does_not_go_with_a_step_is_refused(self):
        for options, words in ((["--store", "tree"], "that is what --store tree does"), (["--store", "compact"], "goes with --store exact or tree"),
                               (["--store", "disk(disk)"], "was said before"), (["--search", "dfs"], "compress is for bfs"),
                               (["--reduce", "por"], "compress goes neither with --reduce por"), (["--checkpoint", "x"], "--checkpoint")):
            with self.subTest(options):
                self.assertIn(words, self.check(2, "--when-full", "compress,fingerprint", *options, "wide.m").stderr)
        self.assertIn("compress does not keep it", self.check(2, "--when-full", "compress", "live.m").stderr)
        self.check(0, "--when-full", "fingerprint", "--store", "tree", "-D", "Top=2", "wide.m")


class Reductions(Scale):
    CLAIM = ["--property", "ltl", "--engine", "native"]

    def test_a_claim_is_checked_on_all_states_while_these_are_few(self):
        report = self.report(0, *self.CLAIM, "-D", "N=5", "apart.pml")
        self.assertEqual((report["reductions"], report["statistics"]["states"]), ([], sum(12 ** k for k in range(6))))

    def test_a_claim_is_checked_on_a_reduced_graph_where_that_is_much_smaller(self):
        for threads in (1, 2):
            report = self.report(0, *self.CLAIM, "--threads", threads, "apart.pml")
            self.assertEqual(report["reductions"], ["por"])
            self.assertLess(report["statistics"]["states"], 200)

    def test_a_claim_is_checked_on_a_reduced_graph_when_the_memory_is_full(self):
        limited = [*self.CLAIM, "--memory", "24M", "-D", "N=6", "apart.pml"]
        self.report(4, "--reduce", "none", *limited)
        self.assertEqual(self.report(0, *limited)["reductions"], ["por"])


class Checkpoints(Scale):
    def test_a_search_that_a_limit_ended_can_be_resumed(self):
        whole = self.report(0, "-D", "Top=7", "wide.m")
        saved = ["--checkpoint", "x", "-D", "Top=7", "wide.m"]
        self.report(4, "--engine", "interpret", "--time", "20ms", "--threads", 1, *saved)
        middle = self.report(4, "--resume", "x", "--memory", "2M", "--threads", 2, *saved)
        self.assertLess(middle["statistics"]["states"], 8 ** 6)
        resumed = self.report(0, "--resume", "x", "--threads", 3, "-D", "Top=7", "wide.m")
        self.assertEqual(self.counts(resumed), self.counts(whole))
        self.assertEqual([p["verdict"] for p in resumed["properties"]], [p["verdict"] for p in whole["properties"]])

    def test_a_claim_that_is_saved_in_the_whole_product_goes_on_to_the_reduced_graph(self):
        model = ROOT / "models/deadlock/optical_telegraph.pml"  # the whole product is given up after half a second
        claim = ["--property", "ltl", "--engine", "interpret", "--reduce", "por", "-D", "N=6", "--ltl",
                 "[](up[0] || len(ahead[0]) <= 1)", model]
        for threads in (1, 2):
            ended = self.report(4, "--time", "100ms", "--threads", threads, "--checkpoint", "x", *claim)
            self.assertEqual(ended["reductions"], [])
            resumed = self.report(0, "--resume", "x", *claim)
            self.assertEqual((resumed["reductions"], self.counts(resumed)), (["por"], self.counts(self.report(0, *claim))))

    def test_a_claim_within_a_depth_is_saved_once_its_states_are_known(self):
        claim = ["--engine", "interpret", "--property", "ltl", "--ltl", "[]<>{forall p: Thread do phase[p] != Critical end}",
                 "--reduce", "none", "-D", "N=5", "--max-depth", "25", ROOT / "models" / "mutex" / "peterson.m"]
        done = self.check(4, "--time", "1ms", "--checkpoint", "early", *claim)
        self.assertIn("before it was known which states lie within --max-depth", done.stderr)
        self.assertFalse((self.path / "early").exists())
        for name, fair in (("x", []), ("y", ["--fair"])):
            whole = self.report(0, "--every", "1ms", "--checkpoint", name, *fair, *claim)
            self.assertEqual((whole["verdict"], whole["scope"]["depth"]), ("holds-in-scope", 25))
            resumed = self.report(0, "--resume", name, *fair, *claim)
            self.assertEqual((self.counts(resumed), resumed["scope"]), (self.counts(whole), whole["scope"]))

    def test_a_checkpoint_that_needs_more_memory_is_refused(self):
        search = ["--threads", 1, "--engine", "interpret", "--deadlock", "off", "--store", "fingerprint", "--allow-lossy",
                  ROOT / "tests" / "faults" / "kilobyte.m"]
        self.check(4, "--memory", "64M", "--checkpoint", "x", *search)
        before = (self.path / "x").read_bytes()
        done = self.check(4, "--memory", "20M", "--resume", "x", "--checkpoint", "x", *search)
        self.assertIn("more memory than there is", done.stdout + done.stderr)
        self.assertEqual((self.path / "x").read_bytes(), before)

    def test_states_that_claims_did_not_look_at_need_no_checkpoint(self):
        (self.path / "three.pml").write_text("byte x, y, z;\n" + "".join(
            f"active proctype {v}_() {{ byte u; u = 1; u = 2; {v} = 1; u = 3 }}\n" for v in "xyz"), encoding="utf-8")
        done = self.check(0, "--reduce", "por", "--checkpoint", "x", "--property", "ltl", "--ltl", "<>(x == 1)", "three.pml")
        self.assertIn("there are no checkpoints of the search of the states that the claims did not look at", done.stderr)

    def test_states_of_which_more_is_to_be_found_out_are_saved_when_the_search_is_through(self):
        whole = self.report(0, "--checkpoint", "x", "live.m")
        resumed = self.report(0, "--resume", "x", "live.m")
        self.assertEqual(self.counts(resumed), self.counts(whole))
        self.assertEqual([p["verdict"] for p in resumed["properties"]], ["holds"] * len(resumed["properties"]))

    # A process that no look at the first states finds.
    LATE = """
        byte a, b, c, d; bool created;
        proctype late() { do :: d < 12 -> d++ od }
        active proctype p() {
          do :: a < 16 -> a++ :: b < 16 -> b++ :: c < 16 -> c++ :: a = 0 :: b = 0 :: c = 0
             :: a == 16 && b == 16 && c == 16 && !created -> created = true; run late()
          od }
        """

    def test_a_search_that_met_processes_nobody_had_planned_can_be_resumed(self):
        (self.path / "late.pml").write_text(self.LATE, encoding="utf-8")
        whole = self.report(0, "late.pml")
        ended = self.report(4, "--memory", "1M", "--checkpoint", "x", "late.pml")
        self.assertLess(ended["statistics"]["states"], whole["statistics"]["states"])
        resumed = self.report(0, "--resume", "x", "late.pml")
        self.assertEqual(self.counts(resumed), self.counts(whole))

    def test_a_resumed_search_that_meets_such_a_process_begins_anew(self):
        (self.path / "late.pml").write_text(self.LATE, encoding="utf-8")
        self.report(4, "--time", "1ms", "--checkpoint", "x", "late.pml")
        self.assertEqual(self.counts(self.report(0, "--resume", "x", "late.pml")), self.counts(self.report(0, "late.pml")))

    def test_a_checkpoint_of_something_else_is_refused_with_a_sentence(self):
        self.check(4, "--engine", "interpret", "--time", "100ms", "--checkpoint", "x", "wide.m")
        for arguments, words in ((["-D", "Top=9", "wide.m"], "it has another model"),
                                 (["--deadlock", "off", "wide.m"], "is of another run"),
                                 (["--max-depth", "9", "wide.m"], "its --max-depth is `none`, and not `9`"),
                                 (["--loop-limit", "9", "wide.m"], "its --loop-limit is `1000`, and not `9`"),
                                 (["--ltl", "[]{x[0] < 9}", "wide.m"], "it has another list of formulas"),
                                 (["--store", "tree", "wide.m"], "its --store is")):
            with self.subTest(arguments):
                self.assertIn(words, self.check(2, "--resume", "x", *arguments).stderr)
        self.assertIn("is none", self.check(2, "--resume", "wide.m", "wide.m").stderr)

    def test_where_there_is_no_place_for_a_checkpoint_no_search_begins(self):
        os.mkfifo(self.path / "pipe")
        for place, reason in (("no_such_folder/x", "No such file"), (".", "no regular file"), ("pipe", "no regular file"),
                              ("wide.m", "no checkpoint")):
            with self.subTest(place):
                done = self.check(2, "--checkpoint", place, "wide.m")
                self.assertIn(f"cannot write {place}", done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertNotIn("holds", done.stdout)

    def test_options_of_checkpoints_alone_are_told(self):
        self.assertIn("--every says nothing without --checkpoint", self.check(0, "--every", "1s", "-D", "Top=1", "wide.m").stderr)

    def test_a_search_on_a_disk_can_be_resumed(self):
        (self.path / "disk").mkdir()
        for bad in (99, 9):
            model = ["--engine", "interpret", "--store", "disk(disk)", "-D", "Top=9", "-D", f"Bad={bad}", "wide.m"]
            code = 0 if bad == 99 else 1
            whole = self.report(code, "--memory", "8M", *model)
            ended = self.report(4, "--memory", "8M", "--time", "200ms", "--checkpoint", "x", *model)
            runs = 0
            while ended["verdict"] == "inconclusive" and runs < 50:
                before, runs = ended["statistics"]["states"], runs + 1
                done = self.check((code, 4), "--memory", "8M", "--time", "100ms", "--checkpoint", "x", "--resume", "x", "--json", "report.json", *model)
                ended = json.loads((self.path / "report.json").read_text(encoding="utf-8"))
                self.assertGreaterEqual(ended["statistics"]["states"], before, done.stderr)
            self.assertGreater(runs, 0)
            self.assertEqual(done.returncode, code)
            self.assertEqual(self.counts(ended), self.counts(whole))
            self.assertEqual((ended["trace"] or {}).get("length"), (whole["trace"] or {}).get("length"))
        self.assertIn("needs --store 'disk(DIR)'", self.check(2, "--resume", "x", "-D", "Top=9", "-D", "Bad=9", "wide.m").stderr)

    def test_a_checkpoint_goes_where_a_link_leads(self):
        (self.path / "link").symlink_to("elsewhere")
        for _ in range(2):
            self.check(4, "--engine", "interpret", "--time", "100ms", "--checkpoint", "link", "wide.m")
            self.assertTrue((self.path / "link").is_symlink())
            self.assertGreater((self.path / "elsewhere").stat().st_size, 0)

    def test_what_a_killed_run_left_beside_a_checkpoint_is_removed(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        names = [f"x.{ended.pid}.unfinished", f"x.{os.getpid()}.unfinished", "x.y.unfinished", f"y.{ended.pid}.unfinished"]
        for name in names:
            (self.path / name).touch()
        self.check(0, "--checkpoint", "x", "-D", "Top=1", "wide.m")
        self.assertEqual([(self.path / name).exists() for name in names], [False, True, True, True])

    def test_a_search_for_cycles_that_hardly_began_leaves_a_checkpoint(self):
        model = ["--reduce", "none", "--engine", "interpret", "--property", "ltl", "--ltl", "[]<>{forall p: Thread do phase[p] != Critical end}",
                 "-D", "N=5", ROOT / "models" / "mutex" / "peterson.m"]
        for threads in (1, 2):
            with self.subTest(threads=threads):
                self.check(4, "--time", "1ms", "--threads", threads, "--checkpoint", f"x{threads}", *model)
                resumed, whole = self.report(0, "--resume", f"x{threads}", *model), self.report(0, *model)
                for count in ("states", "transitions"):
                    self.assertEqual(resumed["statistics"][count], whole["statistics"][count])

    def test_an_interrupt_leaves_a_checkpoint(self):
        endless = WIDE.replace("[0..5]", "[0..11]").replace(": 0..5", ": 0..11")  # it does not end before the interrupt
        (self.path / "endless.m").write_text(endless, encoding="utf-8")
        process = subprocess.Popen([FATHOM, "check", "--engine", "interpret", "--checkpoint", "x", "endless.m"], cwd=self.path,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        time.sleep(0.7)
        process.terminate()
        self.assertEqual(process.wait(60), 143)
        self.assertTrue((self.path / "x").exists())


if __name__ == "__main__":
    sys.exit(unittest.main())
