"""Attack what reads checkpoints and what the core takes from Python: `python tests/attacks [target ...]`.

A target is a module here with `attack(random)`, which makes one attack and raises `SlipError` where the
answer is neither right nor a refusal in words. Each target runs in a process of its own, so that a crash is
found too; the seed that led to it is printed and repeats it (`--seed`).
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
TARGETS = sorted(path.stem for path in HERE.glob("attack_*.py"))
LONGEST = 20.0
"""Seconds that one attack may take."""


def work(target: str, seconds: float, first: int, count: int | None, note: Path) -> None:
    """Attack with one seed after the other; the note keeps the current one."""
    faulthandler.enable()
    attack = importlib.import_module(target).attack
    ends, seed = time.monotonic() + seconds, first
    while time.monotonic() < ends and (count is None or seed < first + count):
        note.write_text(str(seed), encoding="ascii")
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        attack(random.Random(seed))
        seed += 1
    faulthandler.cancel_dump_traceback_later()
    sys.stdout.write(f"{target}: {seed - first:,} attacks withstood\n")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("targets", nargs="*", default=TARGETS)
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--seed", type=int)
    options.add_argument("--note", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.note is not None:
        first, count = (1, None) if chosen.seed is None else (chosen.seed, 1)
        work(chosen.targets[0], chosen.seconds, first, count, chosen.note)
        return 0
    failed = 0
    for target in chosen.targets:
        with tempfile.TemporaryDirectory() as folder:
            note = Path(folder) / "seed"
            words = [sys.executable, str(HERE), target, "--seconds", str(chosen.seconds), "--note", str(note)]
            words += [] if chosen.seed is None else ["--seed", str(chosen.seed)]
            done = subprocess.run(words, check=False)
            if done.returncode:
                failed += 1
                seed = note.read_text(encoding="ascii") if note.exists() else "none"
                sys.stdout.write(f"{target}: status {done.returncode}; repeat with --seed {seed}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
