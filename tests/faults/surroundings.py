#!/usr/bin/env python3
"""What Fathom does when its surroundings fail: a full disk, a compiler that dies, a cache it cannot use, a signal, little memory.

    tests/faults/surroundings.py                         with build/release/fathom
    FATHOM=build/dev/fathom tests/faults/surroundings.py
    MEMORY='64 128 256 512' tests/faults/surroundings.py   with these limits of memory, in MiB, and not only with 64

Each case wants a sentence that says what happened, the exit code that docs/scale.md names, no damaged file, and no process that
outlives the run.
"""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FATHOM = str(Path(os.environ.get("FATHOM", ROOT / "build" / "release" / "fathom")).resolve())

# 7 ** 10 states, more than any of the limits here lets through.
MANY = """
const Top: 6;
var x: array [0..9] of 0..6;
startstate begin clear x; end;
ruleset i: 0..9 do rule "up" begin x[i] := (x[i] + 1) % (Top + 1); end; end;
"""
LONG = MANY.replace("0..9", "0..7").replace("Top: 6", "Top: 8").replace("0..6", "0..1000000000000")  # five words, most of them alike
FEW = MANY.replace("0..9", "0..7").replace("Top: 6", "Top: 2").replace("0..6", "0..2")
PROMELA = """
byte x[6];
active [6] proctype p() { do :: x[_pid] < 20 -> x[_pid]++ :: x[_pid] > 0 -> x[_pid]-- od }
"""
HANGING_COMPILER = "#!/bin/sh\nsleep 600 &\nwait\n"
DYING_COMPILERS = {"killed": "#!/bin/sh\nkill -9 $$\n", "failing": "#!/bin/sh\necho 'internal compiler error' >&2\nexit 1\n",
                   "silent": "#!/bin/sh\nexit 0\n",
                   "garbled": '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && echo junk > "$2"; shift; done\n'}


def limit_file_size(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def members_of_session(session):
    """Processes of a session that are still there and are not the one that began it."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and int(fields[3]) == session and int(entry.name) != session and fields[0] != "Z":
            found.append(int(entry.name))
    return found


class Surroundings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        for name, text in (("many.m", MANY), ("long.m", LONG), ("few.m", FEW), ("many.pml", PROMELA)):
            (self.path / name).write_text(text, encoding="utf-8")
        for name in ("disk", "temporary"):
            (self.path / name).mkdir()
        self.environment = {**os.environ, "FATHOM_CACHE": str(self.path / "cache"), "TMPDIR": str(self.path / "temporary")}

    def start(self, *arguments, **settings):
        return subprocess.Popen([FATHOM, "check", "--json", "report.json", *map(str, arguments)], cwd=self.path, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, start_new_session=True, **settings)

    def check(self, code, *arguments, **settings):
        process = self.start(*arguments, **settings)
        out, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, out + errors)
        self.assertEqual(members_of_session(process.pid), [])
        return out, errors

    def report(self):
        return json.loads((self.path / "report.json").read_text(encoding="utf-8"))

    def compiler(self, text):
        path = self.path / "compiler"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        self.environment["FATHOM_CC"] = str(path)


class FullDisk(Surroundings):
    """A limit on the size of files stands for a disk without room: both make writing fail, at any place."""

    def test_a_search_on_disk_ends_with_what_it_knows(self):
        for size, search in ((0, "bfs"), (100_000, "bfs"), (2_000_000, "bfs"), (0, "dijkstra"), (2_000_000, "astar(zero)")):
            with self.subTest(size=size, search=search):
                out, errors = self.check(4, "--quiet", "--engine", "interpret", "--memory", "2M", "--store", "disk(disk)",
                                         "--search", search, "--json", "-", "many.m", preexec_fn=limit_file_size(size))
                self.assertIn("cannot write a file in disk: File too large", errors)
                report = json.loads(out)
                self.assertEqual((report["verdict"], report["scope"]["exhaustive"]), ("inconclusive", False))
                self.assertIn("a full disk ended the search after", report["scope"]["statement"])
                self.assertGreater(report["statistics"]["states"], 10_000)
                self.assertGreater(sum(rule["fired"] for rule in report["coverage"]), 10_000)
                self.assertEqual(list((self.path / "disk").iterdir()), [])

    def test_a_checkpoint_without_room_costs_nothing_but_itself(self):
        options = ["--engine", "interpret", "--every", "1ms", "--checkpoint", "x", "few.m"]
        self.check(0, *options)
        before = (self.path / "x").read_bytes() if (self.path / "x").exists() else None
        out, errors = self.check(4, "--time", "1s", "--engine", "interpret", "--every", "1ms", "--checkpoint", "x", "many.m",
                                 preexec_fn=limit_file_size(20_000))
        words = "no checkpoint was left" if before is None else "the checkpoint stays what it was"
        self.assertEqual(errors.count(f"{words}: cannot write"), 1, errors)
        self.assertIn("ended the search after", out)
        after = (self.path / "x").read_bytes() if (self.path / "x").exists() else None
        self.assertTrue(after == before or after is None or len(after) <= 20_000)
        self.assertEqual([path.name for path in self.path.iterdir() if "unfinished" in path.name], [])

    def test_a_report_that_cannot_be_written_is_said(self):
        process = self.start("--engine", "interpret", "few.m", preexec_fn=limit_file_size(100))
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, out + errors)
        self.assertIn("cannot write the report", errors)

    def test_no_room_for_compiled_code_leaves_the_interpreter(self):
        process = self.start("--json", "-", "--quiet", "few.m", preexec_fn=limit_file_size(1000))
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, out + errors)
        self.assertEqual(json.loads(out)["statistics"]["states"], 3 ** 8)
        self.assertEqual(list((self.path / "cache").glob("*.so")), [])


class Compilers(Surroundings):
    def test_one_that_dies_leaves_the_interpreter(self):
        for name, text in DYING_COMPILERS.items():
            with self.subTest(name):
                self.compiler(text)
                self.check(4, "--time", "2s", "many.m")
                self.assertGreater(self.report()["engine"]["interpreted"], 0)
                self.assertEqual(self.report()["engine"]["native"], 0)
                out, errors = self.check(2, "--engine", "native", "few.m")
                self.assertTrue(errors.startswith("fathom: "), out + errors)
                self.assertEqual(list((self.path / "cache").glob("*.so")), [])

    def test_one_that_hangs_does_not_outlive_the_run(self):
        self.compiler(HANGING_COMPILER)
        self.check(4, "--time", "2s", "many.m")
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                process = self.start("--engine", "native", "many.m")
                time.sleep(1)
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number)
                self.assertEqual(members_of_session(process.pid), [])

    def test_one_that_hangs_does_not_outlive_a_run_that_is_ended_at_once(self):
        self.compiler(HANGING_COMPILER)
        for _ in range(3):
            process = self.start("--engine", "native", "many.m")
            time.sleep(0.3)
            for number in (signal.SIGINT, signal.SIGTERM):
                process.send_signal(number)
            process.communicate(timeout=60)
            self.assertIn(process.returncode, (130, 143))
            time.sleep(0.05)
            self.assertEqual(members_of_session(process.pid), [])

    def test_one_that_is_ended_leaves_no_files(self):
        for arguments in (["few.m"], ["--time", "100ms", "--engine", "native", ROOT / "models" / "coherence" / "flash.m"]):
            process = self.start("--quiet", *arguments)
            process.communicate(timeout=60)
            self.assertEqual(list((self.path / "temporary").iterdir()), [])
            self.assertEqual(list((self.path / "cache").glob("building.*")), [])


class Folders(Surroundings):
    """A file where a folder should be is no folder for root either."""

    def test_a_cache_that_cannot_be_used_is_replaced(self):
        (self.path / "cache").write_text("no folder", encoding="utf-8")
        self.check(0, "--engine", "native", "few.m")
        self.assertEqual(self.report()["engine"]["interpreted"], 0)
        self.assertEqual((self.path / "cache").read_text(encoding="utf-8"), "no folder")
        self.assertEqual(list((self.path / "temporary").iterdir()), [])

    def test_without_cache_and_temporary_folder_the_model_is_interpreted(self):
        self.environment["FATHOM_CACHE"] = self.environment["TMPDIR"] = str(self.path / "few.m")
        self.check(0, "--engine", "interpret", "few.m")
        self.check(4, "--time", "2s", "many.m")
        self.assertEqual(self.report()["engine"]["native"], 0)
        errors = self.check(2, "--engine", "native", "few.m")[1]
        self.assertTrue(errors.startswith("fathom: "), errors)

    def test_a_damaged_entry_of_the_cache_is_made_anew(self):
        self.check(0, "--engine", "native", "few.m")
        entry, = (self.path / "cache").glob("*.so")
        entry.chmod(0o600)
        entry.write_bytes(entry.read_bytes()[:-100])
        self.check(0, "--engine", "native", "few.m")
        self.assertEqual(self.report()["statistics"]["states"], 3 ** 8)


class Signals(Surroundings):
    def test_a_search_reports_what_it_knows(self):
        self.check(4, "--engine", "native", "--memory", "10M", "many.pml")  # the time below is for the search alone
        for options in (["--engine", "interpret"], ["--engine", "native", "--threads", "3"], ["--search", "dfs"],
                        ["--memory", "3M", "--store", "disk(disk)"], ["--store", "bitstate"],
                        ["--memory", "3M", "--store", "disk(disk)", "--search", "dijkstra"]):
            with self.subTest(options):
                process = self.start(*options, "many.pml")
                time.sleep(3)
                process.terminate()
                out = process.communicate(timeout=60)[0]
                self.assertEqual(process.returncode, 143, out)
                self.assertIn("ended the search after", out)
                self.assertEqual(self.report()["verdict"], "inconclusive")
                self.assertGreater(self.report()["statistics"]["states"], 0)
                self.assertEqual(members_of_session(process.pid), [])
                self.assertEqual([path.name for path in (self.path / "cache").glob("building.*")], [])
                self.assertEqual(list((self.path / "disk").iterdir()), [])


class Memory(Surroundings):
    """The resident size of a whole run, as the system counts it."""

    def largest(self, limit, *arguments):
        """The largest resident size of a run, in bytes, which comes to its end or to that of the memory or the time."""
        arguments = [FATHOM, "check", "--quiet", "--memory", f"{limit}M", *map(str, arguments)]
        child = os.fork()
        if child == 0:
            os.chdir(self.path)
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            os.execve(FATHOM, arguments, self.environment)
        _, status, usage = os.wait4(child, 0)
        self.assertIn(os.waitstatus_to_exitcode(status), (0, 4))
        return usage.ru_maxrss * 1024

    def keep_within(self, models, settings):
        """Runs each of the settings with each limit; the models are compiled before, so that no compiler is counted."""
        native = ["--engine", "native"]
        for model in models:
            self.check(4, *native, "--memory", "10M", *model)
        for limit in map(int, os.environ.get("MEMORY", "64").split()):
            for options in settings:
                with self.subTest(limit=limit, options=options):
                    self.assertLessEqual(self.largest(limit, *native, *options), limit * 1.05 * (1 << 20))

    def test_the_limit_is_kept(self):
        german = ["--time", "20s", "-D", "Nodes=9", "--reduce", "none", ROOT / "models" / "coherence" / "german.m"]
        self.keep_within((["many.m"], ["many.pml"], german),
                         (["many.m"], ["many.pml"], german, ["--store", "tree", *german], ["--threads", 2, *german],
                          ["--store", "fingerprint", *german], ["--store", "tree", "long.m"],
                          ["--time", "10s", "--store", "disk(disk)", "many.pml"],
                          ["--time", "10s", "--store", "disk(disk)", "--search", "dijkstra", "many.pml"]))

    def test_the_limit_is_kept_by_every_search(self):
        german = ["-D", "Nodes=9", "--reduce", "none", ROOT / "models" / "coherence" / "german.m"]
        loader = ["-D", "Blocks=1200", "-D", "PowerFailures=3", ROOT / "models" / "deep" / "boot_loader.m"]
        hub = ["-D", "Ports=4", "--reduce", "none", ROOT / "models" / "deep" / "usb_hub.m"]
        settings = [["--time", "10s", "--search", search, *model] for searches, model in (
            (("broadening", "astar", "astar(abstraction())", "bounded-dfs"), loader),
            (("frontier", "beam-stack(k=100000)", "breadth-bounded(n=100000)", "highway(n=100000)", "biased-bfs"), german),
            (("dfs", "ndfs", "beam(k=100000)", "frontier", "memory-limited-astar(states=10M)", "biased-dfs"), hub),
            (("l2s(bfs)", "dijkstra"), ["many.pml"])) for search in searches]
        lossy = [["--store", store, *german] for store in ("bitstate", "compact(24)")]
        claim = ["--property", "ltl", "--ltl", "[]<>{forall p: Thread do phase[p] != Critical end}", "-D", "N=7", "--reduce", "none",
                 ROOT / "models" / "mutex" / "peterson.m"]
        cycles = [["--time", "10s", "--threads", threads, *claim] for threads in (1, 2)]
        self.keep_within((german, loader, hub, ["many.pml"], claim), settings + lossy + cycles)

    def test_the_limit_is_kept_with_states_of_a_kilobyte(self):
        model = ["--store", "fingerprint", "--deadlock", "off", ROOT / "tests" / "faults" / "kilobyte.m"]
        settings = [["--threads", threads, *model] for threads in (1, 2)]
        for limit in ("64", "96", "144"):
            with unittest.mock.patch.dict(os.environ, MEMORY=limit):
                self.keep_within((model,), settings)

    def test_the_limit_is_kept_by_every_step_when_it_is_reached(self):
        german = ["-D", "Nodes=9", "--reduce", "none", ROOT / "models" / "coherence" / "german.m"]
        hub = ["-D", "Ports=4", ROOT / "models" / "deep" / "usb_hub.m"]
        models = (["many.m"], ["long.m"], german, hub)
        lists = ("compress", "fingerprint", "compress,fingerprint", "compress,disk(disk)")
        settings = [["--time", "10s", "--threads", threads, "--when-full", steps, *model]
                    for model in models for steps in lists for threads in (1, 2)]
        thorough = "MEMORY" in os.environ
        self.keep_within(models, settings if thorough else settings[2::5])


if __name__ == "__main__":
    sys.exit(unittest.main())
