#!/usr/bin/env python3
"""A long exact search to its end, with its speed and memory over time.

    benchmarks/soak.py                                    236 million states, up to 16 GiB, all cores
    benchmarks/soak.py --participants 8 --results /tmp    4.9 million, to see that it works

Two-phase commit with ten participants, invariants only. While it runs, the states that it has come to are read from its
progress lines and the memory it holds from the system. Written are soak.csv (every sample), soak.svg (states per second and
memory over time) and soak.txt (what it says at the end). The search must end by itself, with "holds", and the process must never
hold more than the memory it was given and 5 %.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRESS = re.compile(r"search: ([\d,]+) states, .* (\d+) s$")
GIB = 1 << 30


def resident(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


class Soak:
    def __init__(self, command):
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.samples, self.peak = [(0.0, 0, 0)], 0  # seconds, states, bytes
        self.said = ""

    def read_progress(self):
        for line in self.process.stderr:
            found = PROGRESS.match(line)
            if found:
                self.samples.append((time.monotonic() - self.began, int(found[1].replace(",", "")), resident(self.process.pid)))

    def run(self):
        readers = [threading.Thread(target=self.read_progress), threading.Thread(target=self.read_output)]
        for reader in readers:
            reader.start()
        while self.process.poll() is None:
            self.peak = max(self.peak, resident(self.process.pid))
            time.sleep(0.05)
        for reader in readers:
            reader.join()
        return self.process.returncode

    def read_output(self):
        self.said = self.process.stdout.read()


def curve(points, colour, label, x, y, side):
    line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
    return [f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{line}"/>',
            f'<text x="{side}" y="30" fill="{colour}">{label}</text>']


def plot(samples, path):
    """New states per second between samples, and memory; each with its own scale, which begins at 0."""
    width, height, left, top = 560, 260, 60, 50
    speeds = [((a[0] + b[0]) / 2, (b[1] - a[1]) / (b[0] - a[0]) / 1e6) for a, b in zip(samples, samples[1:]) if b[0] > a[0]]
    memory = [(seconds, held / GIB) for seconds, _, held in samples if held]
    end, fastest, most = samples[-1][0], max(s for _, s in speeds) * 1.1, max(m for _, m in memory) * 1.1
    x = lambda seconds: left + width * seconds / end
    parts = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    parts += curve(speeds, "#1b6ca8", "million new states per second", x, lambda v: top + height * (1 - v / fastest), left)
    parts += curve(memory, "#c0392b", "GiB", x, lambda v: top + height * (1 - v / most), left + width)
    for share in (0, 0.5, 1):
        at = top + height * (1 - share)
        parts += [f'<text x="{left - 6}" y="{at + 4}" text-anchor="end" fill="#1b6ca8">{fastest * share:.1f}</text>',
                  f'<text x="{left + width + 6}" y="{at + 4}" fill="#c0392b">{most * share:.1f}</text>',
                  f'<text x="{x(end * share)}" y="{top + height + 16}" text-anchor="middle">{end * share:.0f} s</text>']
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{top + height + 30}" '
                    'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fathom", default=str(ROOT / "build" / "release" / "fathom"))
    parser.add_argument("--participants", type=int, default=10)
    parser.add_argument("--memory", type=int, default=16, help="GiB")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results")
    args = parser.parse_args()
    args.results.mkdir(exist_ok=True)
    soak = Soak([args.fathom, "check", "--property", "invariants", "--reduce", "none", "--engine", "native", "--threads",
                 str(args.threads), "--memory", f"{args.memory}G", "-D", f"Participants={args.participants}",
                 ROOT / "models/distributed/two_phase_commit.m"])
    code = soak.run()
    seconds = time.monotonic() - soak.began
    found = re.search(r"([\d,]+) states, ", soak.said)
    if code != 0 or not found:
        raise SystemExit(f"exit code {code}\n{soak.said}")
    states = int(found[1].replace(",", ""))
    soak.samples.append((seconds, states, soak.peak))
    with open(args.results / "soak.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("seconds", "states", "bytes"), *((f"{a:.1f}", b, c) for a, b, c in soak.samples)])
    plot(soak.samples, args.results / "soak.svg")
    text = (f"{soak.said.strip()}\n\n{args.threads} threads, {seconds:.1f} s, {states / seconds / 1e6:.2f} million states per second, "
            f"{soak.peak / GIB:.2f} GiB held at most ({soak.peak / states:.1f} bytes per state), {args.memory} GiB allowed\n")
    (args.results / "soak.txt").write_text(text, encoding="utf-8")
    print(text, end="")
    return soak.peak > args.memory * GIB * 1.05


if __name__ == "__main__":
    sys.exit(main())
