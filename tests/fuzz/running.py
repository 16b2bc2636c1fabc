"""Run a target on one input, or on mutated ones for some seconds."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import random
import signal
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from dagwright.errors import LONGEST, DagwrightError
from fuzz.mutation import mutated
from fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
CASES = Path(__file__).parent / "cases"
PATIENCE = 5.0
"""Seconds of processor time that one input may take."""


class TooSlowError(BaseException):
    """An input that takes too long; no handler of the library may swallow it."""


def seeds(target: str) -> list[bytes]:
    """The stored inputs of a target: small sound files, and inputs that once broke it."""
    return [path.read_bytes() for folder in (CORPUS, CASES) for path in sorted((folder / target).glob("*"))]


def problem_with(target: str, content: bytes) -> str | None:
    """What is wrong with how a target takes an input; None where it is read or refused in words."""
    try:
        with _patience(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TARGETS[target](content)
    except DagwrightError as problem:
        told = str(problem)
        return "an error that is too long" if len(told) > LONGEST else None
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt):
            raise
        return f"{type(problem).__name__}: {str(problem)[:200]}"
    return None


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    def ring(_: int, __: FrameType | None) -> None:
        raise TooSlowError(f"more than {PATIENCE:g} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fuzz(target: str, seconds: float, seed: int) -> tuple[int, dict[str, bytes]]:
    """How many inputs were tried, and the shortest input for each kind of problem."""
    chance = random.Random(f"{target} {seed}")
    stored = seeds(target)
    found: dict[str, bytes] = {}
    tried = 0
    end = time.monotonic() + seconds
    logging.disable(logging.CRITICAL)
    try:
        while tried == 0 or time.monotonic() < end:
            content = mutated(stored, chance)
            tried += 1
            told = problem_with(target, content)
            if told is not None:
                kind = told[:60]
                if kind not in found or len(content) < len(found[kind]):
                    found[kind] = content
    finally:
        logging.disable(logging.NOTSET)
    return tried, found


def store(target: str, content: bytes) -> Path:
    """Keep an input as a case that every later run tries again."""
    folder = CASES / target
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(content).hexdigest()[:12]
    path.write_bytes(content)
    return path
