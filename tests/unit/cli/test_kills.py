"""Commands that are killed leave the old file or the whole new one; checkpoints resume to the same answer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import SAMPLE, answer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
chance = random.Random(7)
OLD = b"old"

WRITERS = {
    "learn": ["learn", SAMPLE, "-o", "out.json", "-q"],
    "fit": ["fit", SAMPLE, "asia -> tub; smoke -> lung", "-o", "out.json"],
    "sample": ["sample", "asia", "--rows", "200000", "-o", "out.csv"],
    "predict": ["predict", "asia", SAMPLE, "--unknown-states", "ignore", "-o", "out.csv"],
    "draw": ["draw", "asia", "-o", "out.svg"],
    "candidates": ["candidates", SAMPLE, "-o", "out.jkl"],
    "convert": ["convert", "asia", "out.bif"],
    "confidence": ["bootstrap", SAMPLE, "--replicates", "4", "-o", "out.json"],
    "posterior": ["posterior", SAMPLE, "--method", "OrderMCMC(samples=50)", "-o", "out.json"],
    "report": ["report", "sample:berkeley", "--weights", "applicants", "--replicates", "2", "-o", "out.html"],
}
ENDS = {".html": b"</html>", ".json": b"}", ".svg": b"</svg>", ".bif": b"}"}


def start(words: list[str], folder: Path) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-m", "dagwright", *words]
    return subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ended_by(child: subprocess.Popen[bytes], how: signal.Signals) -> int:
    child.send_signal(how)
    return child.wait(timeout=60)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
@pytest.mark.parametrize("command", WRITERS)
def test_a_command_that_is_ended_while_it_writes_leaves_a_whole_file(
    command: str, how: signal.Signals, tmp_path: Path
) -> None:
    words = WRITERS[command]
    target = tmp_path / next(word for word in words if word.startswith("out."))
    target.write_bytes(OLD)
    known = set(tmp_path.iterdir())
    child = start(words, tmp_path)
    while child.poll() is None and set(tmp_path.iterdir()) == known and target.read_bytes() == OLD:
        time.sleep(0.001)
    time.sleep(chance.random() * 0.002)  # the new file is being written
    status = ended_by(child, how)
    assert status in (0, -how, 130), status
    left = target.read_bytes()
    if status == 0:
        assert left != OLD
    if left != OLD:
        assert len(left) > 100
        assert left.rstrip().endswith(ENDS.get(target.suffix, left.rstrip()[-1:]))
    if how == signal.SIGINT:
        assert set(tmp_path.iterdir()) == known, "a temporary file is left"


RESUMED = {
    "bootstrap": ["bootstrap", SAMPLE, "--replicates", "30", "--search", "HillClimb"],
    "orders": ["posterior", SAMPLE, "--method", "OrderMCMC(samples=1500, thin=100)"],
    "partitions": ["posterior", SAMPLE, "--method", "PartitionMCMC(samples=1000, thin=50)"],
    "structures": ["posterior", SAMPLE, "--method", "StructureMCMC(samples=1500, thin=500)"],
}


@cache
def uninterrupted(run: str) -> Any:
    return answer(*RESUMED[run], "--json", "--threads", "1")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
@pytest.mark.parametrize("run", RESUMED)
def test_a_run_that_is_ended_resumes_to_the_same_answer(
    run: str, how: signal.Signals, tmp_path: Path
) -> None:
    words = [*RESUMED[run], "--json", "--threads", "1", "--checkpoint"]
    whole = uninterrupted(run)
    part = tmp_path / "part.npz"
    interrupted = False
    for _ in range(2):
        child = start([*words, str(part)], tmp_path)
        while child.poll() is None and not part.exists():
            time.sleep(0.001)
        time.sleep(chance.random() * 0.3)
        interrupted |= ended_by(child, how) != 0
    assert part.exists() and interrupted
    assert answer(*words, str(part)) == whole
