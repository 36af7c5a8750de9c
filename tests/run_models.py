#!/usr/bin/env python3
"""Run models that carry their expectation in the first comment lines, and compare.

    -- expect: holds, states 3612, transitions 9000
    -- options: --reduce none
    -- expect: violated invariant "mutex", trace 4
    -- expect: rejected "unknown name"

In Promela models these comments begin with `//`. `-- options:` belongs to the `-- expect:` above it; a model may have several such pairs. After the verdict (holds,
holds-in-scope, violated, inconclusive, rejected) may stand the kind of the violated property and its name in quotes (for a
rejected model: a part of a diagnostic), then exact numbers of the report, and `prints "text"` for a part of the output.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXIT = {"holds": 0, "holds-in-scope": 0, "violated": 1, "rejected": 3, "inconclusive": 4}
EXPECTATION = re.compile(r'(?P<verdict>[a-z-]+)(?: (?P<kind>[a-z -]*[a-z]))?(?: "(?P<name>[^"]*)")?(?P<rest>(?:, .*)?)')
DETAIL = re.compile(r', (?:(states|transitions|depth|trace) (\d+)|prints "([^"]*)")')
NUMBERS = {"states": ("statistics", "states"), "transitions": ("statistics", "transitions"), "depth": ("statistics", "depth"), "trace": ("trace", "length")}


def expectations(path):
    """[(expectation, options)] from the first comment lines of a model."""
    pairs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("--", "//")):
            break
        line = line[2:]
        if line.startswith(" expect: "):
            pairs.append((line.removeprefix(" expect: "), []))
        elif line.startswith(" options: ") and pairs:
            pairs[-1] = (pairs[-1][0], shlex.split(line.removeprefix(" options: ")))
    return pairs


def run(fathom, path, options, timeout):
    with tempfile.TemporaryDirectory(prefix="fathom-models-") as folder:
        report = Path(folder) / "report.json"
        command = [fathom, "check", *options, "--json", str(report), path.name]
        done = subprocess.run(command, cwd=path.parent, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout, check=False)
        text = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        return done.returncode, done.stdout.decode("utf-8", "replace"), text


def compare(expectation, code, output, report):
    """Everything in which a run differs from its expectation."""
    parsed = EXPECTATION.fullmatch(expectation)
    if not parsed or parsed["verdict"] not in EXIT or DETAIL.sub("", parsed["rest"]):
        return [f"cannot read the expectation {expectation!r}"]
    if (code, report.get("verdict")) != (EXIT[parsed["verdict"]], parsed["verdict"]):
        return [f"exit code {code}, verdict {report.get('verdict')}: {' / '.join(output.strip().splitlines()[:2])}"]
    wrong = []
    if parsed["verdict"] == "violated":
        violated = [(p["kind"], p["name"], p.get("message", "")) for p in report["properties"] if p["verdict"] == "violated"]
        if not any(parsed["kind"] in (None, kind) and (parsed["name"] or "") in f"{name} {message}"
                   for kind, name, message in violated):
            wrong.append(f"violated: {violated}")
    elif parsed["name"] and not any(parsed["name"] in d["message"] for d in report["diagnostics"]):
        wrong.append(f"diagnostics: {[d['message'] for d in report['diagnostics']]}")
    for key, number, text in DETAIL.findall(parsed["rest"]):
        if text and text not in output:
            wrong.append(f"the output does not contain {text!r}")
        elif key and report[NUMBERS[key][0]][NUMBERS[key][1]] != int(number):
            wrong.append(f"{key} {report[NUMBERS[key][0]][NUMBERS[key][1]]}")
    return wrong


def judge(fathom, path, expectation, options, timeout):
    try:
        return compare(expectation, *run(fathom, path, options, timeout))
    except subprocess.TimeoutExpired:
        return [f"no answer within {timeout:g} s"]
    except (KeyError, TypeError, ValueError) as error:
        return [f"the report has an unexpected shape: {error!r}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[ROOT / "tests" / "models", ROOT / "models"])
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--with", dest="extra", default="", help="options added to every run")
    args = parser.parse_args()

    fathom = os.path.abspath(args.fathom)
    files = sorted(f for p in args.paths for f in ((*p.rglob("*.m"), *p.rglob("*.pml")) if p.is_dir() else [p]))
    work = [(f, expectation, options) for f in files for expectation, options in expectations(f)]
    silent = [f for f in files if not expectations(f)]
    for path in silent:
        print(f"FAIL {path}: no expectation in the first comment")
    extra, failed = shlex.split(args.extra), len(silent)
    with ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda w: judge(fathom, w[0], w[1], w[2] + extra, args.timeout), work)
        for (path, expectation, options), wrong in zip(work, results):
            if wrong:
                failed += 1
                print(f"FAIL {path} {shlex.join(options)}: expected {expectation}; got {'; '.join(wrong)}", flush=True)
    print(f"{len(work)} expectations in {len(files)} models: {failed} failed")
    return 1 if failed or not work else 0


if __name__ == "__main__":
    sys.exit(main())
