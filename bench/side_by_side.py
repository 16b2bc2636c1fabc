"""Two commits built side by side: is the second slower? (`python -m bench.side_by_side BEFORE AFTER`)

Each commit is checked out as a worktree under bench/.data/commits and installed into an environment of its
own. Every work is run in a new process by one commit and then by the other, in turns, with the same data,
score and search. A number is the median over the pairs of the ratio of processor times, after / before, with
the 95 % interval of the median from the binomial distribution of ranks.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "bench" / ".data" / "commits"
MOST_ON_THE_MEAN, MOST_ON_ONE = 1.05, 1.15

WORK = {
    "hill climbing": "dw.learn(alarm(), score=dw.BIC(), search=dw.HillClimb(), threads=1)",
    "OrderSearch": "dw.learn(alarm(), score=dw.BIC(), search=dw.OrderSearch(perturbations=300), threads=1)",
    "GES": "dw.learn(alarm(), score=dw.BIC(), search=GES(), threads=1)",
    "Exact": "dw.learn(some(16), score=dw.BIC(), search=dw.Exact(), threads=1)",
    "PC": "dw.learn(alarm(), search=dw.PC(test=dw.GSquare(0.01)), threads=1)",
    "bootstrap": "dw.bootstrap(some(12), score=dw.BIC(), search=dw.HillClimb(), replicates=40, threads=1)",
    "inference": "[network.marginals({'HRBP': 'HIGH', 'CVP': 'LOW'}) for _ in range(30)]",
}

PROGRAM = """
import gc, json, sys, time
import dagwright as dw
try:
    GES = dw.GES
except AttributeError:  # its older name
    GES = dw.GreedyEquivalence
network = dw.load("alarm")
rows = network.sample(10_000, random_state=1)
codes = {{name: list(rows.codes(name)) for name in rows.names}}

def alarm():
    return dw.read({{name: list(map(str, column)) for name, column in codes.items()}})

def some(n):
    return alarm().select(sorted(codes)[:n])

gc.collect()
began = time.process_time()
{work}
print(json.dumps(time.process_time() - began))
"""


def built(commit: str) -> Path:
    """The interpreter of an environment in which a commit is installed."""
    sha = _said("git", "rev-parse", "--short=12", commit)
    tree, environment = KEPT / sha / "tree", KEPT / sha / "venv"
    python = environment / "bin" / "python"
    if not (KEPT / sha / "done").exists():
        if not tree.exists():
            _said("git", "worktree", "add", "--detach", "--force", str(tree), sha)
        _said(sys.executable, "-m", "venv", "--without-pip", str(environment))
        (packages,) = environment.glob("lib/python*/site-packages")
        # The packages of this environment, without what it installs by reference: dagwright itself.
        (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        options = ("--quiet", "--no-deps", "--no-build-isolation", "--target", str(packages))
        _said(sys.executable, "-m", "pip", "install", *options, str(tree))
        (KEPT / sha / "done").touch()
    return python


def _said(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def seconds(python: Path, work: str) -> float:
    """Processor seconds of one work in a process of its own."""
    done = subprocess.run(
        [str(python), "-c", PROGRAM.format(work=work)],
        cwd=KEPT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(json.loads(done.stdout))


def interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Of the median: the innermost order statistics that cover it with this probability.

    >>> interval([float(k) for k in range(1, 16)])
    (4.0, 12.0)
    """
    ordered, n = sorted(values), len(values)
    chance, low = 0.0, 0
    for k in range(n // 2):
        chance += math.comb(n, k) / 2**n
        if 2 * chance > 1 - level:
            break
        low = k + 1
    at = max(low - 1, 0)
    return ordered[at], ordered[n - 1 - at]


def compare(before: Path, after: Path, pairs: int) -> dict[str, list[float]]:
    """For each work the ratios of processor time, after / before; the first of a pair changes in turns."""
    ratios: dict[str, list[float]] = {name: [] for name in WORK}
    for pair in range(pairs):
        for name, work in WORK.items():
            order = (before, after) if pair % 2 == 0 else (after, before)
            took = {python: seconds(python, work) for python in order}
            ratios[name].append(took[after] / took[before])
    return ratios


def main() -> int:
    """Print the ratios; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.side_by_side", description=__doc__)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--pairs", type=int, default=15)
    asked = parser.parse_args()
    ratios = compare(built(asked.before), built(asked.after), asked.pairs)
    print(f"load {' '.join(f'{one:.1f}' for one in os.getloadavg())}, {asked.pairs} pairs")
    missed = False
    for name, values in ratios.items():
        low, high = interval(values)
        median = statistics.median(values)
        missed |= median > MOST_ON_ONE
        print(f"{name:<15} {median:.3f}  ({low:.3f} to {high:.3f})")
    means = [statistics.geometric_mean(pair) for pair in zip(*ratios.values(), strict=True)]
    low, high = interval(means)
    print(f"{'geometric mean':<15} {statistics.median(means):.3f}  ({low:.3f} to {high:.3f})")
    return int(missed or high > MOST_ON_THE_MEAN)


if __name__ == "__main__":
    sys.exit(main())
