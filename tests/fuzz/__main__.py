"""`make fuzz`: every reader on mutated inputs for some seconds each; what breaks one is stored as a case."""

from __future__ import annotations

import argparse
import sys
import time

from fuzz.running import fuzz, problem_with, seeds, store
from fuzz.targets import TARGETS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=sorted(TARGETS), help="default: all")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each target")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    given = parser.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    broken = 0
    for target in given.targets:
        for content in seeds(target):
            if (told := problem_with(target, content)) is not None:
                broken += 1
                sys.stdout.write(f"{target}: a stored input: {told}\n")
        tried, found = fuzz(target, given.seconds, seed)
        sys.stdout.write(f"{target}: {tried:,} inputs, {len(found)} problems (seed {seed})\n")
        for told, content in found.items():
            broken += 1
            sys.stdout.write(f"  {told}: stored as {store(target, content)}\n")
        sys.stdout.flush()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
