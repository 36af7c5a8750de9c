"""Running Fathom the ways a user does: in a pipe, on a terminal, interrupted."""
import os
import pty
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
FATHOM = os.environ.get("FATHOM", str(ROOT / "build" / "release" / "fathom"))

# Enough states for any test that wants to stop a search.
ENDLESS = """
var x: array [0..7] of 0..99;
startstate begin clear x; end;
ruleset i: 0..7 do rule begin x[i] := (x[i] + 1) % 100; end; end;
"""


# A cache of our own: who executes a short run must not depend on what was compiled earlier. Colours are for the terminal tests.
CACHE = tempfile.TemporaryDirectory(prefix="fathom-cache-")
ENVIRONMENT = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR_FORCE")}
ENVIRONMENT["FATHOM_CACHE"] = CACHE.name


def fathom(*arguments, cwd=HERE, timeout=120):
    """Runs to the end with pipes instead of a terminal."""
    return subprocess.run([FATHOM, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=timeout, check=False, env=ENVIRONMENT)


def start(*arguments, cwd=HERE):
    """The same, for a process that is to be interrupted."""
    return subprocess.Popen([FATHOM, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def on_terminal(*arguments, cwd=HERE, environment=None):
    """(exit code, what a terminal shows); standard output and standard error are the same terminal."""
    master, slave = pty.openpty()
    settings = {**ENVIRONMENT, "TERM": "xterm-256color", **(environment or {})}
    process = subprocess.Popen([FATHOM, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=slave,
                               stderr=slave, env=settings)
    os.close(slave)
    shown = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # Linux reports the closed other end this way
            break
        if not chunk:
            break
        shown += chunk
    os.close(master)
    return process.wait(), shown.decode("utf-8", "replace").replace("\r\n", "\n")


def normalised(text):
    """Output without what differs from run to run or from machine to machine: times and memory."""
    text = re.sub(r"\b\d[\d,.]* (?:ms|s)\b", "# s", text)
    return re.sub(r"\b\d[\d,.]* [KMG]iB\b", "# B", text)
